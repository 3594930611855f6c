// SPDX-License-Identifier: BSD-3-Clause
// Ellipsoids against spheres, boxes, planes, capsules, triangles and each other: one point at most, so its feature is
// 0.
#ifndef COLLISION_ELLIPSOID_NARROW_ELLIPSOID_H
#define COLLISION_ELLIPSOID_NARROW_ELLIPSOID_H

#include "collision/narrow/contact_point.h"

int narrow_sphere_ellipsoid(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);
int narrow_ellipsoid_ellipsoid(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);
int narrow_ellipsoid_box(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);
int narrow_ellipsoid_capsule(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);
int narrow_ellipsoid_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);

// An ellipsoid and a triangle without thickness, corners in the world; it is pushed to the side where its centre is.
// With the centre in the triangle's plane that is the side the corners are seen from anticlockwise. A triangle without
// area is what is left of it, an edge or a corner.
int ellipsoid_triangle(const placed_shape *a, const scr_vec3 corner[3], double reach, contact_point *out);

// The same as narrow_ellipsoid_ellipsoid, and how many directions were evaluated on the way: what a pair costs.
int ellipsoid_pair(const placed_shape *a, const placed_shape *b, double reach, contact_point *out, int *evaluations);

#endif
