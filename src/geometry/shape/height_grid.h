// SPDX-License-Identifier: BSD-3-Clause
// Heights over a rectangular grid in the world's x-y plane, as a surface of two triangles a cell: the same as those of
// a heightfield shape with these heights (geometry/surface/heightfield.h).
#ifndef GEOMETRY_SHAPE_HEIGHT_GRID_H
#define GEOMETRY_SHAPE_HEIGHT_GRID_H

#include "geometry/shape/placed_shape.h"

typedef struct height_grid {
    int32_t size[2];    // points along x and y
    double spacing[2];  // m
    double centre[2];   // m; x and y of the middle
    double *height;     // m; x fastest, from the smallest y to the largest
} height_grid;

scr_status height_grid_create(height_grid *g, int64_t nx, int64_t ny, scr_error *error);  // size and heights, all 0
void height_grid_free(height_grid *g);                                                    // what it owns

scr_aabb height_grid_bounds(const height_grid *g);
double height_grid_x(const height_grid *g, int64_t ix);  // m, of a column of points
double height_grid_y(const height_grid *g, int64_t iy);  // m, of a row
// z of the surface; beyond the border that of the nearest point of it.
double height_grid_at(const height_grid *g, double x, double y);
// z of the centre of a ball over (x, y) that touches the surface from above, and of one that touches it from below (m).
double ball_above(const height_grid *g, double x, double y, double radius);
double ball_below(const height_grid *g, double x, double y, double radius);

#endif
