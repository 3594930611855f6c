// SPDX-License-Identifier: BSD-3-Clause
// Machines in a few thousand grains: a bucket (a mesh) on its path through 5,000 spheres, and a sprung cart of 11
// bodies on 2,500. Materials resist rolling and spinning, or nothing but sliding.
#ifndef BENCH_MACHINE_SCENES_H
#define BENCH_MACHINE_SCENES_H

#include "scree/scree.h"

typedef enum machine { MACHINE_BUCKET, MACHINE_CART, MACHINES } machine;
extern const char *const MACHINE_NAMES[MACHINES];

// A settled bed with the machine in it, at work.
scr_status machine_scene(machine which, bool rolls, const scr_world_def *def, scr_world **world, scr_error *error);

#endif
