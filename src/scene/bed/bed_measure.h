// SPDX-License-Identifier: BSD-3-Clause
// What can be said of a bed in figures.
#ifndef SCENE_BED_BED_MEASURE_H
#define SCENE_BED_BED_MEASURE_H

#include "scene/bed/bed.h"

enum { SIZE_BINS = 10, LAYERS = 8, NEIGHBOUR_BINS = 13 };

// A grain that is no sphere counts as the sphere of its volume, which is its mass over its density.
typedef struct bed_figures {
    scr_vec3 low, high;       // m, of those spheres
    double mass;              // kg
    double kinetic;           // J, of all grains together
    double least, most;       // m, radii
    double passing[3];        // m, diameters: a tenth, half and nine tenths of the mass are of finer grains
    double share[SIZE_BINS];  // of the mass, by radius from least to most in equal steps
    // Share of space that grains fill, a median diameter away from the sides, unless that leaves less than one; along
    // axes that repeat all of the cell counts.
    double packing;
    double bottom, top;                 // m; along z: of the grains, or of the cell
    double layer[LAYERS];               // the same of layers of equal height between these
    double coordination;                // grains that a grain presses against, on average
    double neighbours[NEIGHBOUR_BINS];  // share of grains that press against 0, 1, 2, ...; the last: or more
} bed_figures;

scr_status bed_measure(const bed *b, bed_figures *figures, scr_error *error);

#endif
