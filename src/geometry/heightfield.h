// Heightfields: ground as heights over a rectangular grid, two triangles a cell.
//
// Point (ix, iy) is vertex iy size[0] + ix, at ((ix - (size[0]-1)/2) dx, (iy - (size[1]-1)/2) dy, height). Cell (ix, iy) has
// the triangles 2 c and 2 c + 1, c = iy (size[0]-1) + ix, cut along the diagonal from (ix, iy) to (ix+1, iy+1):
// the first is the one with the corner (ix+1, iy).
#ifndef GEOMETRY_HEIGHTFIELD_H
#define GEOMETRY_HEIGHTFIELD_H

#include "geometry/surface.h"

struct heightfield {
    int32_t size[2];
    double spacing[2];  // m
};

scr_status heightfield_check(const scr_heights *field, scr_error *error);
// Fill the vertices (size[0] size[1]) and triangles (2 a cell).
void heightfield_points(const scr_heights *field, scr_vec3 *vertex, int32_t *triangle);
scr_status heightfield_build(const scr_triangles *triangles, const int32_t size[2], const double spacing[2], heightfield **out,
                             scr_error *error);
void heightfield_free(heightfield *field);

#endif
