// SPDX-License-Identifier: BSD-3-Clause
// Cylinders against boxes.
#ifndef COLLISION_NARROW_NARROW_CYLINDER_H
#define COLLISION_NARROW_NARROW_CYLINDER_H

#include "collision/narrow/contact_point.h"

// Several points where an end or the side lies on a face or an edge, else one; in the order of their features.
int narrow_box_cylinder(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX]);

#endif
