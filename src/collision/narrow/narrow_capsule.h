// SPDX-License-Identifier: BSD-3-Clause
// Capsules: all points within a radius of a straight segment.
#ifndef COLLISION_NARROW_NARROW_CAPSULE_H
#define COLLISION_NARROW_NARROW_CAPSULE_H

#include "collision/narrow/contact_point.h"

// One point, feature 0.
int narrow_sphere_capsule(const placed_shape *a, const placed_shape *b, double reach, contact_point *out);
// The balls at the capsule's ends: features 0 (at -z) and 1.
int narrow_capsule_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);
// Features of a point between capsules: an end of the interval that nearly parallel axes share, or the nearest point.
enum { CAPSULES_LOW_END = 0, CAPSULES_HIGH_END = 1, CAPSULES_NEAREST = 2 };
// The nearest point; nearly parallel ones have the ends of the interval they share, along a, each with
// its own gap and normal.
int narrow_capsule_capsule(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);

// narrow_capsule_solid.c: the nearest point, feature 2; where the capsule runs along a face, an edge or a generator of
// the solid, the ends of that interval, features 0 (towards -z of the capsule) and 1.
int narrow_box_capsule(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);
int narrow_capsule_round(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);

#endif
