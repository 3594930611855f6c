// SPDX-License-Identifier: BSD-3-Clause
// Boxes against planes and boxes.
#ifndef COLLISION_NARROW_NARROW_BOX_H
#define COLLISION_NARROW_NARROW_BOX_H

#include "collision/narrow/contact_point.h"

// One point a corner; the feature is the corner's number, in whose order the points come.
int narrow_box_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);
// A face's manifold of up to MANIFOLD_MAX points, or one point where edges meet; in the order of their features.
int narrow_box_box(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);
// The same of boxes in reach of each other, whose best axes are known: a face, and a product of edges (box_axes.h).
int narrow_box_box_along(const placed_shape *a, const placed_shape *b, double reach, uint8_t clue,
                         contact_point out[MANIFOLD_MAX]);
static inline uint8_t box_axes_clue(int face, int edge) { return (uint8_t)(face << 4 | edge); }

#endif
