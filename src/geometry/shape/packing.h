// SPDX-License-Identifier: BSD-3-Clause
// Packings: places for grains in a region. Streams of random numbers are those of the samplers.
#ifndef GEOMETRY_SHAPE_PACKING_H
#define GEOMETRY_SHAPE_PACKING_H

#include "geometry/shape/region.h"
#include "geometry/shape/sampler.h"

typedef enum fill_pattern { FILL_GRID, FILL_JITTERED, FILL_HEXAGONAL, FILL_POISSON, FILL_RANDOM } fill_pattern;

// Grains on the places of a pattern, wholly inside a region. Those on a lattice lie layer by layer from the lowest z
// up, or, under a ground, in layers that follow its surface.
typedef struct packing {
    fill_pattern pattern;
    const region *region;
    const size_distribution *size;
    double spacing;  // distance of neighbours over the largest diameter; >= 1 keeps them apart
    double jitter;   // 0 to 1, share of the free room by which a grain is moved off its place; jittered pattern
    uint64_t seed, stream;
    double reach;  // how far a grain reaches from its place, over its radius: 1 for a sphere
} packing;

static inline bool pattern_is_lattice(fill_pattern pattern) { return pattern <= FILL_HEXAGONAL; }

// Lattices: how many grains there is room for, but not more than limit (0: no limit). PACKING_TOO_LARGE if the region
// has so many places that looking at them all would take minutes.
enum { PACKING_TOO_LARGE = -1 };
int64_t packing_count(const packing *p, int64_t limit);
// Where the first count of them are, and their radii (m). count is at most packing_count().
void packing_fill(const packing *p, int64_t count, scr_vec3 *position, double *radius);

// Grains on their way into a world. All zero is an empty list.
typedef struct packed_grains {
    int64_t count, position_capacity, radius_capacity;
    scr_vec3 *position;  // m
    double *radius;      // m
} packed_grains;
scr_status packed_grains_reserve(packed_grains *g, int64_t count, scr_error *error);
void packed_grains_free(packed_grains *g);

// Scattered ones, in the place of what the list held. FILL_POISSON: no two places are nearer than spacing x the largest
// diameter, and hardly another one would fit; with a limit the lowest are taken. FILL_RANDOM: one after the other
// anywhere in the region, spacing x the sum of their own radii apart, until there are `limit` of them or no place is
// found for the next. count is PACKING_TOO_LARGE as above.
scr_status packing_scatter(const packing *p, int64_t limit, packed_grains *g, scr_error *error);

#endif
