// SPDX-License-Identifier: BSD-3-Clause
// Heightfields: ground as heights over a rectangular grid, two triangles a cell.
//
// Point (ix, iy) is vertex iy size[0] + ix, at ((ix - (size[0]-1)/2) dx, (iy - (size[1]-1)/2) dy, height). Cell (ix,
// iy) has the triangles 2 c and 2 c + 1, c = iy (size[0]-1) + ix, cut along the diagonal from (ix, iy) to (ix+1, iy+1):
// the first is the one with the corner (ix+1, iy).
#ifndef GEOMETRY_SURFACE_HEIGHTFIELD_H
#define GEOMETRY_SURFACE_HEIGHTFIELD_H

#include "geometry/surface/mesh_tree.h"

struct heightfield {
    int32_t size[2];
    double spacing[2];  // m
    int32_t *patch;     // (triangle count) the lowest triangle of the flat part it belongs to
};

scr_status heightfield_check(const scr_heights *field, scr_error *error);
// Fill the vertices (size[0] size[1]) and triangles (2 a cell).
void heightfield_points(const scr_heights *field, scr_vec3 *vertex, int32_t *triangle);
scr_status heightfield_build(const scr_triangles *triangles, const int32_t size[2], const double spacing[2],
                             heightfield **out, scr_error *error);
void heightfield_free(heightfield *field);

// The edge that lies on edge e = 3 t + k, or e itself at the border.
int32_t heightfield_next_edge(const heightfield *field, int32_t e);
// The corners 3 t + k at a vertex. Returns how many there are.
enum { HEIGHTFIELD_FAN = 6 };
int heightfield_fan(const heightfield *field, int32_t vertex, int32_t corner[HEIGHTFIELD_FAN]);
// The triangles with a part in the box, cell by cell; false from visit ends the walk.
void heightfield_walk(const shape_surface *s, const scr_aabb *box, tree_visit *visit, void *context);
// The triangle over or under a place, or -1 beyond the border.
int32_t heightfield_triangle_at(const shape_surface *s, double x, double y);
// May a ball touch the field? True if it is over or under the grid and not wholly above the ground near it.
bool heightfield_may_reach(const shape_surface *s, scr_vec3 centre, double radius);

#endif
