// SPDX-License-Identifier: BSD-3-Clause
// Cells of space in which grains may sleep: cubes, counted from the origin of the world, so that a grid that grows
// keeps its cells. Cells on the edge of the grid go on outwards for ever: every point is in one.
//
// A cell knows the step count at which it was last disturbed. Its ring are the cells that touch it, and itself: 27.
#ifndef SCENE_SLEEP_SLEEP_CELLS_H
#define SCENE_SLEEP_SLEEP_CELLS_H

#include "core/arrays/table.h"
#include "geometry/surface/surface.h"

typedef struct sleep_cells {
    table table;         // "sleep_cells"
    int64_t *disturbed;  // step count
    double edge;         // scalar, m
    int64_t first[3];    // scalar: numbers of cell 0 along the axes
    int64_t size[3];     // scalar: cells along the axes, x fastest
    // derived: what sleepers.c keeps here
    int32_t *asleep;  // grains in it that sleep
    int64_t asleep_capacity;
} sleep_cells;

void sleep_cells_init(sleep_cells *g);
void sleep_cells_free(sleep_cells *g);
bool sleep_cells_are_valid(const sleep_cells *g);

bool sleep_cells_contain(const sleep_cells *g, const scr_aabb *box);
// Cover a box with cells of that edge, or of one that is twice as long, and again, if they were too many. What was
// known of cells stays known; where there were none, they were disturbed at `step`.
scr_status sleep_cells_cover(sleep_cells *g, const scr_aabb *box, double edge, int64_t step, scr_error *error);
int64_t sleep_cell_of(const sleep_cells *g, scr_vec3 p);
// The cells that a box is in. Does anybody sleep in their rings?
bool sleep_cells_disturb(sleep_cells *g, const scr_aabb *box, int64_t step);
bool sleep_cell_disturb(sleep_cells *g, int64_t cell, int64_t step);
void sleep_cells_disturb_all(sleep_cells *g, int64_t step);
int64_t sleep_ring_disturbed(const sleep_cells *g, int64_t cell);  // the last time in its ring

#endif
