// SPDX-License-Identifier: BSD-3-Clause
// What packings on lattices share.
#ifndef GEOMETRY_SHAPE_PACKING_PARTS_H
#define GEOMETRY_SHAPE_PACKING_PARTS_H

#include "geometry/shape/packing.h"

static const double FIT_TOLERANCE = 1e-9;  // of a pitch: a region made to measure holds what it was measured for

// Places low + radius + k pitch that leave room for a radius at the other end: their number and, with what room is left
// shared between both ends, the first. Every other row moved by `shift` is to fit as well, if there is room for it.
int64_t sites_along(double low, double high, double radius, double pitch, double shift, double *first);
// Where a grain that reaches `radius` (m) is moved from its place. It stays in the cube of one pitch around it, so it
// meets no other; and in the region, towards whose boundary it is moved less.
scr_vec3 jittered(const packing *p, scr_vec3 position, double radius, double pitch, int64_t index);

// The same as packing_count and packing_fill, under a ground.
int64_t drape_count(const packing *p, int64_t limit);
void drape_fill(const packing *p, int64_t count, scr_vec3 *position, double *radius);

#endif
