// SPDX-License-Identifier: BSD-3-Clause
// Samplers: radii from a size distribution, and places for grains in a region.
//
// Everything drawn is a function of (seed, stream, index): stream is a number the caller gives to each thing that
// draws, below STREAM_LIMIT; index counts the grains.
#ifndef GEOMETRY_SHAPE_SAMPLER_H
#define GEOMETRY_SHAPE_SAMPLER_H

#include "geometry/shape/region.h"

static const uint64_t STREAM_LIMIT = (uint64_t)1 << 48;

typedef enum size_kind { SIZE_CONSTANT, SIZE_UNIFORM, SIZE_NORMAL, SIZE_LOGNORMAL, SIZE_TABLE } size_kind;

// Radii of grains. Normal and lognormal ones are confined to [min, max]; mean and deviation are those of the radius
// before it is confined.
typedef struct size_distribution {
    size_kind kind;
    double min, max;         // m; the constant radius is both
    double mean, deviation;  // m
    int class_count;         // table: radius[i] is taken with probability share[i] / sum of share
    double *radius, *share;
} size_distribution;

double size_draw(const size_distribution *size, uint64_t seed, uint64_t stream, uint64_t index);  // m
double size_largest(const size_distribution *size);                                               // m

// One of `count` classes, each with probability share[i] / sum of share.
int class_draw(const double *share, int count, uint64_t seed, uint64_t stream, uint64_t index);

// A rotation, all equally likely.
scr_quat rotation_draw(uint64_t seed, uint64_t stream, uint64_t index);

typedef enum fill_pattern { FILL_GRID, FILL_JITTERED, FILL_HEXAGONAL } fill_pattern;

// Grains on the places of a pattern, wholly inside a region, layer by layer from the lowest z up.
typedef struct packing {
    fill_pattern pattern;
    const region *region;
    const size_distribution *size;
    double spacing;  // distance of neighbours over the largest diameter; >= 1 keeps them apart
    double jitter;   // 0 to 1, share of the free room by which a grain is moved off its place; jittered pattern
    uint64_t seed, stream;
    double reach;  // how far a grain reaches from its place, over its radius: 1 for a sphere
} packing;

// How many grains there is room for, but not more than limit (0: no limit). PACKING_TOO_LARGE if the region has so many
// places that looking at them all would take minutes.
enum { PACKING_TOO_LARGE = -1 };
int64_t packing_count(const packing *p, int64_t limit);
// Where the first count of them are, and their radii (m). count is at most packing_count().
void packing_fill(const packing *p, int64_t count, scr_vec3 *position, double *radius);

#endif
