// SPDX-License-Identifier: BSD-3-Clause
// Where the flat features of two convex shapes lie along each other.
#ifndef COLLISION_CONVEX_CONVEX_MANIFOLD_H
#define COLLISION_CONVEX_CONVEX_MANIFOLD_H

#include "collision/convex/convex_gap.h"

// A feature is two numbers of 16 bits, one for each shape: the corner's, or of an edge the corner it starts from, or
// one of these.
enum { FEATURE_FACE = 0xFFFF, FEATURE_NEAREST = 0xFFFE };
static inline uint32_t convex_feature(uint32_t feature_a, uint32_t feature_b) { return feature_a << 16 | feature_b; }

// Points nearer than reach (m, between the shapes themselves) in the frame of a, in the order of their features. The
// nearest of them is as near as the gap says. 0 where the shapes touch in one point only.
int convex_manifold(const convex_shape *a, const convex_shape *b, const convex_gap *gap, double reach,
                    contact_point out[MANIFOLD_MAX]);

// Of many points keep at most MANIFOLD_MAX, the nearest and then always the one farthest from those kept, in the order
// of their features. Returns how many; the points are reordered in place.
int spread_points(contact_point *points, int count);

#endif
