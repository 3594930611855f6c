// SPDX-License-Identifier: BSD-3-Clause
// Random spheres for the benchmarks of detection, from counters: any part of them can be made at any time.
#ifndef BENCH_SCATTER_H
#define BENCH_SCATTER_H

#include "scree/detect.h"

// Centres uniform in a cube, radii uniform in 0.5 .. 1.5; the edge of the cube for a mean number of contacts a sphere.
// The numbers are those of the drivers that measured other engines: a million spheres with seed 1 and 0.46 contacts a
// sphere have 459,627 contacts.
double scatter_edge(int64_t count, double contacts_per_ball);
void scatter_equal(scr_ball *balls, int64_t count, uint64_t seed, double edge);
// The same centres with radii 1 .. 1000, number ~ r^-3, in a cube with about as many contacts.
void scatter_power_law(scr_ball *balls, int64_t count, uint64_t seed);
// Radii 0.5 .. 1, and the last 100 have 500 .. 1000, in a cube with about as many contacts.
void scatter_giants(scr_ball *balls, int64_t count, uint64_t seed);

// Random spheres, radii 0.5 .. 1.5, in horizontal layers that are made when they are asked for.
typedef struct scattered_layers {
    uint64_t seed;
    int64_t layer_count, balls_a_layer;
    double edge, thickness;
    int threads;
} scattered_layers;
scattered_layers scatter_layers(int64_t layer_count, int64_t balls_a_layer, double contacts_per_ball, int threads);
scr_ball_layers scattered_source(scattered_layers *s);

#endif
