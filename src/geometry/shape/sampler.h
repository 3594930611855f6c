// SPDX-License-Identifier: BSD-3-Clause
// Samplers: radii from a size distribution, and places for grains in a region.
//
// Everything drawn is a function of (seed, stream, index): stream is a number the caller gives to each thing that
// draws, below STREAM_LIMIT; index counts the grains.
#ifndef GEOMETRY_SHAPE_SAMPLER_H
#define GEOMETRY_SHAPE_SAMPLER_H

#include "geometry/shape/region.h"

static const uint64_t STREAM_LIMIT = (uint64_t)1 << 48;

typedef enum size_kind { SIZE_CONSTANT, SIZE_UNIFORM, SIZE_NORMAL, SIZE_LOGNORMAL, SIZE_TABLE, SIZE_SIEVE } size_kind;

// Radii of grains. Normal and lognormal ones are confined to [min, max]; mean and deviation are those of the radius
// before it is confined.
typedef struct size_distribution {
    size_kind kind;
    double min, max;         // m; the constant radius is both
    double mean, deviation;  // m
    // table: radius[i] is taken with probability share[i] / sum of share. Sieve: class i lies between radius[i] and
    // radius[i + 1], and share[i] is its share of the number of grains.
    int class_count;
    double *radius, *share;
} size_distribution;

double size_draw(const size_distribution *size, uint64_t seed, uint64_t stream, uint64_t index);  // m
double size_largest(const size_distribution *size);                                               // m
double size_mean_cube(const size_distribution *size);  // m^3; without the bounds of normal and lognormal radii
// Make `size` the curve of class_count + 1 sieves: radius[i] (m, rising) is that of the largest grain that passes sieve
// i, and passing[i] (0 to 1, not falling, not all the same) the share of the mass that does. Takes over both arrays.
void size_from_sieves(size_distribution *size, int class_count, double *radius, double *passing);

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
