// SPDX-License-Identifier: BSD-3-Clause
// Regions: parts of space in which grains are made, counted or taken away.
#ifndef GEOMETRY_SHAPE_REGION_H
#define GEOMETRY_SHAPE_REGION_H

#include "core/maths/period.h"
#include "geometry/shape/placed_shape.h"

typedef enum region_kind { REGION_BOX, REGION_CYLINDER } region_kind;

typedef struct region {
    region_kind kind;
    scr_vec3 low, high;     // m; box
    scr_vec3 base, axis;    // m; cylinder: centre of the base, unit axis
    double radius, height;  // m; cylinder
} region;

// Is p inside, and at least margin (m) away from the boundary? A negative margin widens the region.
bool region_contains(const region *r, scr_vec3 p, double margin);
// Is p, or where space repeats itself an image of it, inside? A region may lie across a seam.
bool region_contains_image(const region *r, const periodic_cell *period, scr_vec3 p);
scr_aabb region_bounds(const region *r);
double region_volume(const region *r);  // m^3
// The point of three numbers in [0, 1): uniform numbers give points of uniform density, at least margin (m) away from
// the boundary. Where the region is thinner than two margins, the point lies half way.
scr_vec3 region_point(const region *r, double margin, const double u[3]);

#endif
