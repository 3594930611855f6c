// SPDX-License-Identifier: BSD-3-Clause
// Cylinders and cones: solids of revolution about their z axis, seen in the half plane through the axis.
#ifndef COLLISION_NARROW_NARROW_ROUND_H
#define COLLISION_NARROW_NARROW_ROUND_H

#include "collision/narrow/narrow_sphere.h"

static inline scr_vec3 axis_of(const placed_shape *s) { return quat_z(s->pose.rotation); }

// As box_surface_way, for a cylinder or a cone.
surface_way round_surface_way(const placed_shape *s, scr_vec3 arm);

// A sphere and a cylinder or cone: one point, feature 0.
int narrow_sphere_round(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);
// A cylinder or cone and a plane. The lowest point of each end, features 0 (at -z) and 1; where the shape nearly stands
// on an end, four points of that end's rim that turn with the shape, features 2 to 5.
int narrow_round_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);

#endif
