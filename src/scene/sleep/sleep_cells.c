// SPDX-License-Identifier: BSD-3-Clause
#include "scene/sleep/sleep_cells.h"

#include <math.h>
#include <string.h>

#include "core/base/threads.h"

static const double CELLS_MAX = 1 << 21;
static const double NUMBER_MAX = 1e15;  // of a cell along an axis

static const field_info cell_fields[] = {
    FIELD(sleep_cells, disturbed, FIELD_I64, ""),
    SCALAR(sleep_cells, edge, FIELD_F64, "m"),
    SCALAR_WIDE(sleep_cells, first, FIELD_I64, 3, ""),
    SCALAR_WIDE(sleep_cells, size, FIELD_I64, 3, ""),
};

void sleep_cells_init(sleep_cells *g)
{
    *g = (sleep_cells){0};
    g->table = (table){"sleep_cells", cell_fields, sizeof cell_fields / sizeof *cell_fields, g, 0, 0, false};
}

void sleep_cells_free(sleep_cells *g)
{
    table_free(&g->table);
    scr_free(g->asleep);
}

bool sleep_cells_are_valid(const sleep_cells *g)
{
    double count = 1.0;
    if (g->table.count == 0) return true;
    for (int axis = 0; axis < 3; ++axis) {
        if (g->size[axis] < 1 || fabs((double)g->first[axis]) > NUMBER_MAX) return false;
        count *= (double)g->size[axis];
    }
    return count <= CELLS_MAX && g->table.count == (int64_t)count && g->edge > 0.0 && isfinite(g->edge);
}

// ---- where --------------------------------------------------------------------------------------------------------

static double number_along(double x, double edge)
{
    double at = floor(x / edge);
    return at > NUMBER_MAX ? NUMBER_MAX : at > -NUMBER_MAX ? at : -NUMBER_MAX;
}

static int64_t clamped(const sleep_cells *g, int axis, int64_t at)
{
    return at < 0 ? 0 : min_i64(at, g->size[axis] - 1);
}

static int64_t along(const sleep_cells *g, int axis, double x)
{
    return clamped(g, axis, (int64_t)number_along(x, g->edge) - g->first[axis]);
}

static int64_t cell_at(const sleep_cells *g, int64_t i, int64_t j, int64_t k)
{
    return (k * g->size[1] + j) * g->size[0] + i;
}

int64_t sleep_cell_of(const sleep_cells *g, scr_vec3 p)
{
    return cell_at(g, along(g, 0, p.x), along(g, 1, p.y), along(g, 2, p.z));
}

typedef struct cell_block {
    int64_t low[3], high[3];
} cell_block;

static cell_block block_of(const sleep_cells *g, const scr_aabb *box)
{
    return (cell_block){{along(g, 0, box->low.x), along(g, 1, box->low.y), along(g, 2, box->low.z)},
                        {along(g, 0, box->high.x), along(g, 1, box->high.y), along(g, 2, box->high.z)}};
}

static cell_block ring_of(const sleep_cells *g, int64_t i, int64_t j, int64_t k)
{
    return (cell_block){{clamped(g, 0, i - 1), clamped(g, 1, j - 1), clamped(g, 2, k - 1)},
                        {clamped(g, 0, i + 1), clamped(g, 1, j + 1), clamped(g, 2, k + 1)}};
}

static cell_block ring_of_cell(const sleep_cells *g, int64_t cell)
{
    return ring_of(g, cell % g->size[0], cell / g->size[0] % g->size[1], cell / (g->size[0] * g->size[1]));
}

// ---- disturbance --------------------------------------------------------------------------------------------------

static int64_t last_disturbed(const sleep_cells *g, const cell_block *b)
{
    int64_t last = INT64_MIN;
    for (int64_t k = b->low[2]; k <= b->high[2]; ++k)
        for (int64_t j = b->low[1]; j <= b->high[1]; ++j)
            for (int64_t i = b->low[0]; i <= b->high[0]; ++i) last = max_i64(last, g->disturbed[cell_at(g, i, j, k)]);
    return last;
}

int64_t sleep_ring_disturbed(const sleep_cells *g, int64_t cell)
{
    cell_block ring = ring_of_cell(g, cell);
    return last_disturbed(g, &ring);
}

bool sleep_cell_disturb(sleep_cells *g, int64_t cell, int64_t step)
{
    if (g->disturbed[cell] == step) return false;
    g->disturbed[cell] = step;
    cell_block b = ring_of_cell(g, cell);
    for (int64_t k = b.low[2]; k <= b.high[2]; ++k)
        for (int64_t j = b.low[1]; j <= b.high[1]; ++j)
            for (int64_t i = b.low[0]; i <= b.high[0]; ++i)
                if (g->asleep[cell_at(g, i, j, k)] > 0) return true;
    return false;
}

bool sleep_cells_disturb(sleep_cells *g, const scr_aabb *box, int64_t step)
{
    bool wakes = false;
    cell_block b = block_of(g, box);
    for (int64_t k = b.low[2]; k <= b.high[2]; ++k)
        for (int64_t j = b.low[1]; j <= b.high[1]; ++j)
            for (int64_t i = b.low[0]; i <= b.high[0]; ++i)
                wakes = sleep_cell_disturb(g, cell_at(g, i, j, k), step) || wakes;
    return wakes;
}

void sleep_cells_disturb_all(sleep_cells *g, int64_t step)
{
    for (int64_t c = 0; c < g->table.count; ++c) g->disturbed[c] = step;
}

// ---- cover --------------------------------------------------------------------------------------------------------

bool sleep_cells_contain(const sleep_cells *g, const scr_aabb *box)
{
    const double low[3] = {box->low.x, box->low.y, box->low.z}, high[3] = {box->high.x, box->high.y, box->high.z};
    for (int axis = 0; axis < 3; ++axis) {
        double first = (double)g->first[axis];
        if (number_along(low[axis], g->edge) < first) return false;
        if (number_along(high[axis], g->edge) >= first + (double)g->size[axis]) return false;
    }
    return g->table.count > 0;
}

static void choose_size(sleep_cells *g, const scr_aabb *box, double edge)
{
    const double low[3] = {box->low.x, box->low.y, box->low.z}, high[3] = {box->high.x, box->high.y, box->high.z};
    for (double count = INFINITY; count > CELLS_MAX; edge *= 2.0) {
        count = 1.0;
        g->edge = edge;
        for (int axis = 0; axis < 3; ++axis) {
            double first = number_along(low[axis], edge), last = number_along(high[axis], edge);
            g->first[axis] = (int64_t)first;
            g->size[axis] = (int64_t)fmin(last - first + 1.0, NUMBER_MAX);
            count *= (double)g->size[axis];
        }
    }
}

// What the old cells knew of a new one: edges are the same, or some power of two times as long.
static int64_t known_of(const sleep_cells *old, const sleep_cells *g, int64_t i, int64_t j, int64_t k, int64_t step)
{
    int64_t at[3] = {i, j, k};
    int64_t ratio = (int64_t)(g->edge / old->edge);
    cell_block b;
    if (old->table.count == 0 || g->edge < old->edge) return step;
    for (int axis = 0; axis < 3; ++axis) {
        int64_t low = (g->first[axis] + at[axis]) * ratio - old->first[axis];
        b.low[axis] = clamped(old, axis, low);
        b.high[axis] = clamped(old, axis, low + ratio - 1);
    }
    return last_disturbed(old, &b);
}

scr_status sleep_cells_cover(sleep_cells *g, const scr_aabb *box, double edge, int64_t step, scr_error *error)
{
    sleep_cells old = *g, next = *g;
    int64_t *disturbed = NULL;
    choose_size(&next, box, g->table.count > 0 ? fmax(edge, g->edge) : edge);
    int64_t count = next.size[0] * next.size[1] * next.size[2];
    scr_status status = scr_make_zeros(&disturbed, count, sizeof *disturbed, "cells of sleeping grains", error);
    if (status == SCR_OK)
        status = scr_grow(&g->asleep, &g->asleep_capacity, count, sizeof *g->asleep, "cells of sleeping grains", error);
    if (status == SCR_OK) {
        for (int64_t k = 0, c = 0; k < next.size[2]; ++k)
            for (int64_t j = 0; j < next.size[1]; ++j)
                for (int64_t i = 0; i < next.size[0]; ++i) disturbed[c++] = known_of(&old, &next, i, j, k, step);
        status = table_reserve(&g->table, count, error);
    }
    if (status == SCR_OK) {
        memcpy(g->disturbed, disturbed, (size_t)count * sizeof *disturbed);
        memset(g->asleep, 0, (size_t)count * sizeof *g->asleep);
        memcpy(g->first, next.first, sizeof g->first);
        memcpy(g->size, next.size, sizeof g->size);
        g->edge = next.edge;
        g->table.count = count;
    }
    scr_free(disturbed);
    return status;
}
