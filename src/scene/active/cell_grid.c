// SPDX-License-Identifier: BSD-3-Clause
#include "scene/active/cell_grid.h"

#include <math.h>
#include <string.h>

#include "core/base/threads.h"

static const double CELLS_MAX = 1 << 26;

static const field_info cell_fields[] = {
    FIELD(cell_grid, state, FIELD_U8, ""),    FIELD(cell_grid, list, FIELD_I32, ""),
    FIELD(cell_grid, parked, FIELD_I32, ""),  FIELD(cell_grid, contacts, FIELD_I32, ""),
    FIELD(cell_grid, changed, FIELD_I64, ""), SCALAR_WIDE(cell_grid, low, FIELD_F64, 2, "m"),
    SCALAR(cell_grid, edge, FIELD_F64, "m"),  SCALAR_WIDE(cell_grid, size, FIELD_I64, 2, ""),
};

void cell_grid_init(cell_grid *g)
{
    *g = (cell_grid){0};
    g->table = (table){"active_cells", cell_fields, sizeof cell_fields / sizeof *cell_fields, g, 0, 0, false};
}

void cell_grid_free(cell_grid *g) { table_free(&g->table); }

scr_status cell_grid_cover(cell_grid *g, const double low[2], const double high[2], double edge, scr_error *error)
{
    double count = 1.0;
    g->edge = edge;
    for (int axis = 0; axis < 2; ++axis) {
        double cells = fmax(1.0, ceil((high[axis] - low[axis]) / edge));
        count *= cells;
        if (!(count <= CELLS_MAX))
            return scr_fail(error, SCR_BAD_INPUT, "there would be more than %g cells of %g m", CELLS_MAX, edge);
        g->low[axis] = low[axis];
        g->size[axis] = (int64_t)cells;
    }
    scr_status status = table_reserve(&g->table, (int64_t)count, error);
    if (status != SCR_OK) return status;
    g->table.count = (int64_t)count;
    for (int64_t c = 0; c < g->table.count; ++c) {
        g->state[c] = CELL_LIVE;
        g->list[c] = -1;
        g->contacts[c] = -1;
        g->parked[c] = 0;
        g->changed[c] = 0;
    }
    return SCR_OK;
}

bool cell_grid_is_valid(const cell_grid *g)
{
    bool is_grid = g->size[0] >= 1 && g->size[1] >= 1 && (double)g->size[0] * (double)g->size[1] <= CELLS_MAX &&
                   g->table.count == g->size[0] * g->size[1] && g->edge > 0.0 && isfinite(g->edge) &&
                   isfinite(g->low[0]) && isfinite(g->low[1]);
    if (!is_grid) return false;
    for (int64_t c = 0; c < g->table.count; ++c)
        if (g->state[c] >= CELL_STATE_COUNT || g->parked[c] < 0 || (g->parked[c] > 0 && g->state[c] != CELL_PARKED))
            return false;
    return true;
}

static int64_t along(const cell_grid *g, int axis, double x)
{
    double at = floor((x - g->low[axis]) / g->edge);
    if (!(at > 0.0)) return 0;
    return at < (double)g->size[axis] ? (int64_t)at : g->size[axis] - 1;
}

int64_t cell_of(const cell_grid *g, double x, double y) { return along(g, 1, y) * g->size[0] + along(g, 0, x); }

// ---- states -------------------------------------------------------------------------------------------------------

// How the cell lies to the plans of all bodies together.
static bool is_within(const scene_active_box *box, const active_footing *now, double x, double y, double grow)
{
    for (int k = 0; k < box->around_count; ++k)
        if (plan_contains(box, &now[k], x, y, grow)) return true;
    return false;
}

static cell_state next_state(const scene_active_box *box, const active_footing *now, double x, double y, double edge,
                             cell_state was)
{
    if (is_within(box, now, x, y, 0.0)) return CELL_LIVE;
    if (was == CELL_LIVE && is_within(box, now, x, y, edge)) return CELL_LIVE;
    if (is_within(box, now, x, y, edge + box->shell)) return CELL_FIXED;
    if (was != CELL_PARKED && is_within(box, now, x, y, 2.0 * edge + box->shell)) return CELL_FIXED;
    return CELL_PARKED;
}

typedef struct cell_range {
    int64_t first[2], last[2];
} cell_range;

static cell_range range_of_all(const cell_grid *g) { return (cell_range){{0, 0}, {g->size[0] - 1, g->size[1] - 1}}; }

// The cells that a plan, however it is grown, may reach at either of two footings.
static cell_range range_near(const cell_grid *g, const scene_active_box *box, const active_footing *was,
                             const active_footing *now)
{
    double reach = plan_reach(box, 2.0 * g->edge + box->shell) + g->edge;
    double low[2] = {fmin(was->x, now->x) - reach, fmin(was->y, now->y) - reach};
    double high[2] = {fmax(was->x, now->x) + reach, fmax(was->y, now->y) + reach};
    return (cell_range){{along(g, 0, low[0]), along(g, 1, low[1])}, {along(g, 0, high[0]), along(g, 1, high[1])}};
}

static scr_status add_change(cell_changes *changes, int64_t cell, cell_state state, scr_error *error)
{
    const char *what = "cells of the active box";
    int64_t need = changes->count + 1;
    scr_status status = scr_grow(&changes->cell, &changes->cell_capacity, need, sizeof *changes->cell, what, error);
    if (status == SCR_OK)
        status = scr_grow(&changes->state, &changes->state_capacity, need, sizeof *changes->state, what, error);
    if (status != SCR_OK) return status;
    changes->cell[changes->count] = cell;
    changes->state[changes->count++] = (uint8_t)state;
    return SCR_OK;
}

static bool range_holds(const cell_range *r, int64_t i, int64_t j)
{
    return i >= r->first[0] && i <= r->last[0] && j >= r->first[1] && j <= r->last[1];
}

// Ranges of several bodies overlap: a cell is looked at in the first one that holds it.
static bool is_seen(const cell_grid *g, const scene_active_box *box, const active_footing *was,
                    const active_footing *now, int before, int64_t i, int64_t j)
{
    for (int k = 0; k < before; ++k) {
        cell_range other = range_near(g, box, &was[k], &now[k]);
        if (range_holds(&other, i, j)) return true;
    }
    return false;
}

scr_status cell_grid_choose(const cell_grid *g, const scene_active_box *box, const active_footing *was,
                            const active_footing *now, cell_changes *changes, scr_error *error)
{
    changes->count = 0;
    int rounds = was == NULL ? 1 : box->around_count;
    for (int k = 0; k < rounds; ++k) {
        cell_range r = was == NULL ? range_of_all(g) : range_near(g, box, &was[k], &now[k]);
        for (int64_t j = r.first[1]; j <= r.last[1]; ++j) {
            for (int64_t i = r.first[0]; i <= r.last[0]; ++i) {
                int64_t cell = j * g->size[0] + i;
                if (was != NULL && is_seen(g, box, was, now, k, i, j)) continue;
                double x = g->low[0] + ((double)i + 0.5) * g->edge, y = g->low[1] + ((double)j + 0.5) * g->edge;
                cell_state state = next_state(box, now, x, y, g->edge, (cell_state)g->state[cell]);
                ++changes->looked_at;
                if (state == g->state[cell]) continue;
                scr_status status = add_change(changes, cell, state, error);
                if (status != SCR_OK) return status;
            }
        }
    }
    return SCR_OK;
}

scr_status cell_grid_release(const cell_grid *g, cell_changes *changes, scr_error *error)
{
    scr_status status = SCR_OK;
    changes->count = 0;
    for (int64_t c = 0; c < g->table.count && status == SCR_OK; ++c)
        if (g->state[c] != CELL_LIVE) status = add_change(changes, c, CELL_LIVE, error);
    return status;
}

void cell_changes_free(cell_changes *changes)
{
    scr_free(changes->cell);
    scr_free(changes->state);
    *changes = (cell_changes){0};
}
