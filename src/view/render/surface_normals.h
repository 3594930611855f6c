// SPDX-License-Identifier: BSD-3-Clause
// Normals by which a surface of triangles is lit: smooth where it is meant to be, creased where it is not.
//
// At each corner of a triangle the normals of all triangles around that vertex are added, weighted by their areas, that
// turn less than the crease angle from it; across the triangle the three corners' normals are mixed.
#ifndef VIEW_RENDER_SURFACE_NORMALS_H
#define VIEW_RENDER_SURFACE_NORMALS_H

#include "io/trajectory/frame.h"
#include "view/colour/vec3f.h"

typedef struct surface_normals {
    float *corner;  // 9 a triangle
} surface_normals;

scr_status surface_normals_make(surface_normals *n, const frame_surfaces *all, int64_t index, scr_error *error);
void surface_normals_free(surface_normals *n);
// The unit normal at weights u and v of the second and third corner, outwards.
vec3f surface_normal_at(const surface_normals *n, uint32_t triangle, float u, float v);
// From a point of the triangle to the smooth surface that the normals speak of, where that bulges outwards. Rays
// towards the light start there: from the triangle itself, its neighbours would stand in the way and cast jagged
// shadows where the light grazes (J. Hanika, 2021: the point's distances below the planes at the corners, mixed like
// their normals).
vec3f surface_bulge_at(const surface_normals *n, const frame_surfaces *all, int64_t index, uint32_t triangle, float u,
                       float v);

#endif
