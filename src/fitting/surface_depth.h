// SPDX-License-Identifier: BSD-3-Clause
// How deep a point lies below the surface of a solid.
#ifndef FITTING_SURFACE_DEPTH_H
#define FITTING_SURFACE_DEPTH_H

#include "geometry/surface/surface.h"

typedef struct surface_depth {
    double depth;      // m, to the nearest point of the surface; negative outside the solid
    scr_vec3 nearest;  // m, that point
} surface_depth;

// Of a point that has a surface point nearer than reach (m; may be infinite). Else false.
bool surface_depth_at(const shape_surface *solid, scr_vec3 point, double reach, surface_depth *out);

#endif
