// SPDX-License-Identifier: BSD-3-Clause
// Narrow phase: where two placed shapes meet.
//
// A pair of convex shapes (or of one and a plane) has one function and few points; the table in narrow_phase.c is the
// seam where kinds are added. A pair is handled in one order of kinds, the other order swaps and negates. A mesh or a
// heightfield may meet a shape in any number of points: narrow_surface.h.
#ifndef COLLISION_CONVEX_NARROW_PHASE_H
#define COLLISION_CONVEX_NARROW_PHASE_H

#include "collision/narrow/contact_point.h"

// The points where a and b, neither of them a mesh or a heightfield, are nearer than reach: their number, in a fixed
// order. Stable from step to step.
int narrow_phase(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);

#endif
