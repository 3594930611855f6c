// SPDX-License-Identifier: BSD-3-Clause
// Samplers: radii from a size distribution, kinds and rotations of grains.
//
// Everything drawn is a function of (seed, stream, index): stream is a number the caller gives to each thing that
// draws, below STREAM_LIMIT; index counts the grains.
#ifndef GEOMETRY_SHAPE_SAMPLER_H
#define GEOMETRY_SHAPE_SAMPLER_H

#include <stdint.h>

#include "core/maths/quat.h"

static const uint64_t STREAM_LIMIT = (uint64_t)1 << 48;
enum {
    STREAM_BITS = 16,                    // a caller's stream is 2^STREAM_BITS of the generator's
    JITTER_STREAM = 1 << 15,             // of these: by how much grains are moved off their places,
    SCATTER_STREAM = JITTER_STREAM + 1,  // and where scattered ones are tried
};

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

#endif
