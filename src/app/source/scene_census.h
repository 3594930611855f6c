// SPDX-License-Identifier: BSD-3-Clause
// What a scene builds, counted: for scree check and scree info.
#ifndef APP_SOURCE_SCENE_CENSUS_H
#define APP_SOURCE_SCENE_CENSUS_H

#include <stdio.h>

#include "scene/run/simulation.h"

// The definitions of a scene, as they are written: "2 materials, 3 bodies, 1 fill, ...".
void print_scene_census(FILE *out, const scene *s);

enum { KIND_COUNT = SCR_SPHERE_SET + 1 };

// What is in a world.
typedef struct census {
    int64_t bodies, dynamic, fixed, kinematic;
    int64_t shapes[KIND_COUNT];  // by kind
    int64_t spheres_of_sets;     // of all sphere sets
} census;
census count_world(const scr_world *world);
// "2,000 spheres, 1 box"; no end of line.
void print_shapes(FILE *out, const census *c);

#endif
