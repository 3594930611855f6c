// Normals by which a surface of triangles is lit: smooth where it is meant to be, creased where it is not.
//
// At each corner of a triangle the normals of all triangles around that vertex are added, weighted by their areas, that
// turn less than the crease angle from it; across the triangle the three corners' normals are mixed.
#ifndef VIEW_SURFACE_NORMALS_H
#define VIEW_SURFACE_NORMALS_H

#include "io/frame.h"
#include "view/vec3f.h"

typedef struct surface_normals {
    float *corner;  // 9 a triangle
} surface_normals;

scr_status surface_normals_make(surface_normals *n, const frame_surfaces *all, int64_t index, scr_error *error);
void surface_normals_free(surface_normals *n);
// The unit normal at weights u and v of the second and third corner, outwards.
vec3f surface_normal_at(const surface_normals *n, uint32_t triangle, float u, float v);

#endif
