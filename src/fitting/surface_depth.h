// SPDX-License-Identifier: BSD-3-Clause
// How deep a point lies below the surface of a solid.
#ifndef FITTING_SURFACE_DEPTH_H
#define FITTING_SURFACE_DEPTH_H

#include "geometry/surface/surface.h"

// A place of the surface.
typedef struct surface_place {
    scr_vec3 point;    // m
    int32_t triangle;  // -1: none
    int feature;       // of it, as collision/surface/narrow_triangle.h counts them
} surface_place;

// Of a triangle, the place nearest to a point.
surface_place surface_nearest_on(const shape_surface *solid, int32_t triangle, scr_vec3 point);
// The place nearest to a point, if it is nearer than reach (m; may be infinite). Else false, and *out is left alone.
bool surface_nearest_to(const shape_surface *solid, scr_vec3 point, double reach, surface_place *out);
// Is a point inside the solid? `nearest` is the place of its surface nearest to it.
bool surface_has_inside(const shape_surface *solid, const surface_place *nearest, scr_vec3 point);

typedef struct surface_depth {
    double depth;      // m, to the nearest point of the surface; negative outside the solid
    scr_vec3 nearest;  // m, that point
} surface_depth;

// Of a point that has a surface point nearer than reach (m; may be infinite). Else false.
bool surface_depth_at(const shape_surface *solid, scr_vec3 point, double reach, surface_depth *out);

#endif
