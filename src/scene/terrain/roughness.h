// SPDX-License-Identifier: BSD-3-Clause
// Random roughness of a class of ISO 8608: what a road of that class adds to a ground.
#ifndef SCENE_TERRAIN_ROUGHNESS_H
#define SCENE_TERRAIN_ROUGHNESS_H

#include "geometry/shape/height_grid.h"

typedef struct ground_roughness {
    bool present;
    int iso_class;             // 0 for A to 7 for H
    bool is_extruded;          // the same along y, else the same in all directions
    double shortest, longest;  // m, of waves
} ground_roughness;

// The standard's one-sided power spectral density of vertical displacement, m^3, at n cycles a metre.
double iso8608_density(int iso_class, double n);
void roughness_add(const ground_roughness *r, uint64_t seed, uint64_t stream, height_grid *grid);

#endif
