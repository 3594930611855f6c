// SPDX-License-Identifier: BSD-3-Clause
// Grounds: heights over a rectangle, made of a raster, a profile, roughness and features, which add up. A ground is the
// surface of a rigid body, or what a fill lies under or on.
#ifndef SCENE_TERRAIN_GROUND_H
#define SCENE_TERRAIN_GROUND_H

#include "scene/formula/time_function.h"
#include "scene/terrain/ground_features.h"
#include "scene/terrain/roughness.h"

enum { GROUND_NONE = -1 };

typedef struct ground_def {
    int base;            // index of the ground it begins as a copy of, or GROUND_NONE
    double position[2];  // m; x and y of the middle
    double size[2];      // m along x and y; 0: of the raster
    double spacing;      // m; at most so far from point to point; 0: as the raster's pixels
    double height;       // m
    char *raster_path;   // NULL: none. Read when the ground is made
    bool has_range;
    double range[2];       // m; heights of black and white, or of the smallest and the largest number
    double pixel;          // m; 0: the raster knows, or it is stretched to the size
    number_pairs profile;  // m; height over x, the same along y; none if empty
    ground_roughness roughness;
    int feature_count;
    ground_feature *features;  // one after the other
} ground_def;

void ground_def_free(ground_def *def);  // what it owns
// base: that ground, made before. Roughness draws from the stream.
scr_status ground_make(const ground_def *def, const height_grid *base, uint64_t seed, uint64_t stream,
                       height_grid *grid, scr_error *error);

#endif
