// SPDX-License-Identifier: BSD-3-Clause
// Features of a ground: bumps, ditches, slopes and piles, each added to what was there.
#ifndef SCENE_TERRAIN_GROUND_FEATURES_H
#define SCENE_TERRAIN_GROUND_FEATURES_H

#include "geometry/shape/height_grid.h"

typedef enum ground_feature_kind { FEATURE_BUMP, FEATURE_DITCH, FEATURE_SLOPE, FEATURE_PILE } ground_feature_kind;

typedef struct ground_feature {
    ground_feature_kind kind;
    double from[2], to[2];  // m; ditch, slope: both ends; bump, pile: from is the centre
    double size[2];         // m; bump: half its extents along x and y; pile: both are its radius
    double width, bottom;   // m; ditch: at the top and at the bottom
    double height;          // m; of the top of a bump or a pile, the depth of a ditch, the rise of a slope
} ground_feature;

double feature_height(const ground_feature *f, double x, double y);  // m, by which the ground is higher there
void feature_add(const ground_feature *f, height_grid *grid);

#endif
