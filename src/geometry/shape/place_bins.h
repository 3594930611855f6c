// SPDX-License-Identifier: BSD-3-Clause
// Places that keep their distance, in bins as wide as the largest distance that counts.
#ifndef GEOMETRY_SHAPE_PLACE_BINS_H
#define GEOMETRY_SHAPE_PLACE_BINS_H

#include "geometry/shape/packing.h"

typedef struct place_bins {
    scr_aabb bounds;        // m, of all places; set by the owner, as are
    double width;           // m
    packed_grains *grains;  // the places; radius[i] is how much of a distance place i asks for
    int64_t bins[3];
    int32_t *first;  // of a bin; -1: none
    int32_t *next;   // after a place, in the same bin
    int64_t next_capacity;
} place_bins;

// Empty ones. grains->count is 0, or PACKING_TOO_LARGE if there would be too many bins.
scr_status place_bins_begin(place_bins *b, scr_error *error);
void place_bins_free(place_bins *b);
// Is no place nearer than half plus its own?
bool place_is_free(const place_bins *b, scr_vec3 p, double half);
scr_status place_add(place_bins *b, scr_vec3 p, double half, scr_error *error);

#endif
