// SPDX-License-Identifier: BSD-3-Clause
// Sphere sets against every kind of shape: each sphere that is near gives the contacts it would give by itself.
#ifndef COLLISION_SURFACE_NARROW_SPHERE_SET_H
#define COLLISION_SURFACE_NARROW_SPHERE_SET_H

#include "collision/narrow/contact_point.h"

// Append the points where a and b, at least one of them a sphere set, are nearer than reach, by feature; no feature
// twice. Of contacts with anything that a sphere touches in one point the feature is the sphere.
void narrow_sphere_set(const placed_shape *a, const placed_shape *b, double reach, contact_list *list);
// A sphere and a set, of which only spheres of these groups may touch: the same, if they are given in ascending order.
void narrow_listed_groups(const placed_shape *a, const placed_shape *b, double reach, const int32_t *group,
                          int64_t count, contact_list *list);

#endif
