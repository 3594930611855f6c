// SPDX-License-Identifier: BSD-3-Clause
// The dense bed of /peers/dem for the penalty law: equal spheres of radius 5 mm, E = 5 MPa, Hertz-Mindlin with history,
// about 16 diameters deep. One tile of 8,000 is settled in a box by scree itself and laid side by side in mirrored
// copies. The peers' bed is periodic at its sides; here five planes stand around it, for them as for us.
#ifndef BENCH_PENALTY_BED_H
#define BENCH_PENALTY_BED_H

#include "scree/scree.h"

enum { PENALTY_TILE = 8000 };
static const double PENALTY_RADIUS = 5e-3, PENALTY_TILE_WIDTH = 0.21, PENALTY_STEP = 1e-5;  // m, m, s

typedef struct penalty_tile {
    scr_vec3 position[PENALTY_TILE];
} penalty_tile;

scr_status penalty_tile_settle(penalty_tile *tile, scr_error *error);
// The centres of nx x ny tiles; to be freed with scr_free. NULL if there is no memory.
scr_vec3 *penalty_bed_positions(const penalty_tile *tile, int nx, int ny);
scr_status penalty_bed_lay(const scr_vec3 *position, int nx, int ny, const scr_world_def *def,
                           const scr_material_def *stuff, scr_world **world, scr_error *error);
// The first so many of five planes: floor, then the sides of a box of lx x ly.
scr_status penalty_bed_add_planes(scr_world *world, double lx, double ly, int count, scr_material material,
                                  scr_error *error);
scr_world_def penalty_bed_def(void);
scr_material_def penalty_bed_material(void);

#endif
