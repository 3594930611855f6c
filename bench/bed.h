// SPDX-License-Identifier: BSD-3-Clause
// Settled beds for benchmarks: one tile of 4,000 spheres is dropped into a box and settled, then laid side by side in
// mirrored copies, so that grains that touch a wall touch their mirror image. About 16 layers, radius 5 mm +- 10 %.
#ifndef BENCH_BED_H
#define BENCH_BED_H

#include "scree/scree.h"

enum { BED_TILE = 4000 };

typedef struct bed_tile {
    scr_vec3 position[BED_TILE];
    double radius[BED_TILE];
    double width;
} bed_tile;

scr_status bed_settle_tile(bed_tile *tile, int threads, scr_error *error);
// A world of one material, given back, with floor and walls of a box [0, lx] x [0, ly] by five planes.
scr_status bed_open_box(const scr_world_def *def, double lx, double ly, scr_world **world, scr_material *material,
                        scr_error *error);
// A world with nx x ny tiles inside such a box.
scr_status bed_lay(const bed_tile *tile, int nx, int ny, const scr_world_def *def, scr_world **world, scr_error *error);

#endif
