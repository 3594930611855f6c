// SPDX-License-Identifier: BSD-3-Clause
// The point of a shape's surface that is nearest to a given one.
#ifndef COLLISION_QUERY_NEAREST_H
#define COLLISION_QUERY_NEAREST_H

#include "geometry/shape/placed_shape.h"

typedef struct nearest_point {
    double
        distance;  // m; negative inside convex shapes and below planes. Of meshes and heightfields: that to the surface
    scr_vec3 point;   // m, on the surface
    scr_vec3 normal;  // from the surface to the given point where it is outside; outwards where it is inside
} nearest_point;

// False if the shape is not nearer than reach (m; may be infinite).
bool nearest_on_shape(scr_vec3 point, double reach, const placed_shape *shape, nearest_point *nearest);

#endif
