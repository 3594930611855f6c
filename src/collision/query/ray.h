// SPDX-License-Identifier: BSD-3-Clause
// Where a ray enters a shape.
//
// A ray sees the outside of solids: it is stopped where it goes in, and a solid in which it begins it does not see. A
// sheet, which has no inside, stops it from either side.
#ifndef COLLISION_QUERY_RAY_H
#define COLLISION_QUERY_RAY_H

#include "geometry/shape/placed_shape.h"

typedef struct ray {
    scr_vec3 origin;     // m
    scr_vec3 direction;  // of unit length
    double length;       // m; may be infinite
} ray;

typedef struct ray_hit {
    double distance;  // m
    scr_vec3 normal;  // of the shape, outwards: against the ray
} ray_hit;

bool ray_hits_shape(const ray *r, const placed_shape *shape, ray_hit *hit);

#endif
