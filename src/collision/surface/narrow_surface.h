// SPDX-License-Identifier: BSD-3-Clause
// What has many parts, a mesh, a heightfield or a sphere set, against every kind of shape.
#ifndef COLLISION_SURFACE_NARROW_SURFACE_H
#define COLLISION_SURFACE_NARROW_SURFACE_H

#include "collision/narrow/contact_point.h"

// Append the points where a and b, at least one of them of such a kind (kind_has_parts), are nearer than reach, by
// feature; no feature twice.
void narrow_surface(const placed_shape *a, const placed_shape *b, double reach, contact_list *list);

#endif
