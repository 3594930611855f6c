// SPDX-License-Identifier: BSD-3-Clause
// The shortest way out for a segment that is stuck in a solid.
#ifndef COLLISION_NARROW_NARROW_CAPSULE_OUT_H
#define COLLISION_NARROW_NARROW_CAPSULE_OUT_H

#include "collision/narrow/narrow_segment.h"
#include "geometry/shape/placed_shape.h"

// How far a box, cylinder or cone reaches along a unit vector from its position.
double solid_support(const placed_shape *s, scr_vec3 n);
// The unit n with the largest separation of the segment, given relative to the solid's position, from the solid.
scr_vec3 shortest_way_out(const placed_shape *s, const segment *axis);

#endif
