// SPDX-License-Identifier: BSD-3-Clause
// Convex shapes of any kind against each other, against planes and against triangles, by their support points.
#ifndef COLLISION_CONVEX_NARROW_CONVEX_H
#define COLLISION_CONVEX_NARROW_CONVEX_H

#include "collision/narrow/contact_point.h"

// Points in the order of their features: several where faces, discs or straight lines lie along each other, else one.
int narrow_convex(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);
// One point a corner, or for round shapes the points of a rim or the ends of a line, that is nearer than reach.
int narrow_convex_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);
// A convex shape and a triangle without thickness, which may be met from either side. The normal points from a to it.
// Corner k of the triangle has the number k in a point's feature.
int convex_triangle(const placed_shape *a, const scr_vec3 corner[3], double reach, contact_point out[MANIFOLD_MAX]);

#endif
