// SPDX-License-Identifier: BSD-3-Clause
// Regions: parts of space in which grains are made, counted or taken away.
#ifndef GEOMETRY_SHAPE_REGION_H
#define GEOMETRY_SHAPE_REGION_H

#include "core/maths/period.h"
#include "geometry/shape/height_grid.h"

typedef enum region_kind { REGION_BOX, REGION_CYLINDER, REGION_SPHERE, REGION_GROUND, REGION_SURFACE } region_kind;

typedef struct region {
    region_kind kind;
    scr_vec3 low, high;     // m; box; bounds of a ground
    scr_vec3 base, axis;    // m; cylinder: centre of the base, unit axis
    double radius, height;  // m; cylinder, sphere
    scr_vec3 centre;        // m; sphere
    // ground: from the bottom, `drop` (m) below its heights, or from z = floor where it is NULL, up to the top.
    // Surface: balls that rest on the top, sunk into it by the share `drop` of their height.
    const height_grid *top, *bottom;
    double drop, floor;
} region;

// Is p inside, and at least margin (m) away from the boundary? A negative margin widens the region.
bool region_contains(const region *r, scr_vec3 p, double margin);
// Is p, or where space repeats itself an image of it, inside? A region may lie across a seam.
bool region_contains_image(const region *r, const periodic_cell *period, scr_vec3 p);
// The lowest and the highest z of the centre of a ball over (x, y) between the bottom and the top of a ground.
void region_ball_range(const region *ground, double x, double y, double radius, double *low, double *high);
scr_aabb region_bounds(const region *r);
double region_volume(const region *r);  // m^3; not of a ground
// The point of three numbers in [0, 1): uniform numbers give points of uniform density, at least margin (m) away from
// the boundary. Where the region is thinner than two margins, the point lies half way. Not for grounds.
scr_vec3 region_point(const region *r, double margin, const double u[3]);
// The point of the region over (p.x, p.y) for a ball: on a surface only that, else p itself.
scr_vec3 region_settle(const region *r, scr_vec3 p, double radius);
// The bounds of a ground or a surface, from its top, bottom, drop and floor.
void region_set_bounds(region *ground);

#endif
