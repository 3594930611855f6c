// SPDX-License-Identifier: BSD-3-Clause
// The cells of the active box: squares in the plan, whole columns in height, each as a whole live, fixed or parked.
//
// Cells on the edge of the grid go on outwards for ever: every grain is in one. Which state a cell is in follows from
// the footings of the bodies that the box is around, and from the state that it was in: with c the edge of a cell,
// a cell whose centre is in the plan grown by
//   0                  is live
//   c                  stays live if it is
//   c + shell          is fixed
//   2 c + shell        stays fixed, and becomes so if it was live
// and parked otherwise. So a body that goes to and fro by less than c changes nothing, and the shell between live and
// parked cells has its thickness at all times.
#ifndef SCENE_ACTIVE_CELL_GRID_H
#define SCENE_ACTIVE_CELL_GRID_H

#include "core/arrays/table.h"
#include "scene/active/active_plan.h"

typedef enum cell_state { CELL_LIVE, CELL_FIXED, CELL_PARKED, CELL_STATE_COUNT } cell_state;

typedef struct cell_grid {
    table table;        // "active_cells"
    uint8_t *state;     // cell_state
    int32_t *list;      // of the store: its parked grains
    int32_t *parked;    // their number
    int32_t *contacts;  // of the store of contacts: theirs
    int64_t *changed;   // 1 + the step count at which they were last others; 0: never
    double low[2];      // scalar, m: the corner of cell 0
    double edge;        // scalar, m
    int64_t size[2];    // scalar: cells along x and y, x fastest
} cell_grid;

// Cells that change, as found by cell_grid_choose.
typedef struct cell_changes {
    int64_t count, cell_capacity, state_capacity;
    int64_t *cell;
    uint8_t *state;     // that it changes to
    int64_t looked_at;  // cells, since the start: a measure of work, no state
} cell_changes;

void cell_grid_init(cell_grid *g);
void cell_grid_free(cell_grid *g);
// Cells that cover a rectangle, all live and empty. SCR_BAD_INPUT if they are too many.
scr_status cell_grid_cover(cell_grid *g, const double low[2], const double high[2], double edge, scr_error *error);
bool cell_grid_is_valid(const cell_grid *g);
int64_t cell_of(const cell_grid *g, double x, double y);

// What changes when the bodies come from some footings to others; was == NULL: from nowhere, every cell is looked at.
scr_status cell_grid_choose(const cell_grid *g, const scene_active_box *box, const active_footing *was,
                            const active_footing *now, cell_changes *changes, scr_error *error);
scr_status cell_grid_release(const cell_grid *g, cell_changes *changes, scr_error *error);  // all become live
void cell_changes_free(cell_changes *changes);

#endif
