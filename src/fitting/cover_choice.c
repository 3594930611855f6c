// SPDX-License-Identifier: BSD-3-Clause
// Balls to choose from. On a thick wall hundreds of pieces have balls that differ little: the centres are put into
// cells, of a size that goes with what such a ball covers, and the deepest ball of a cell stands for all in it.
#include <string.h>

#include "core/arrays/radix_sort.h"
#include "fitting/cover.h"

// Edge of a cell over the radius of what a ball of the cell's size class covers of a plane.
static const double CELL_SIZE = 0.4;

// Balls whose cover has a radius between two powers of two share a grid. A collision of two cells loses a ball that
// others can replace.
static uint64_t cell_key(const cover_ball *ball, double error)
{
    int class;
    frexp(2.0 * sqrt(error * (fmax(ball->depth, 0.0) + error)), &class);
    double edge = ldexp(CELL_SIZE, class - 1);
    const double at[4] = {class, floor(ball->centre.x / edge), floor(ball->centre.y / edge),
                          floor(ball->centre.z / edge)};
    uint64_t hash = 0;
    for (int k = 0; k < 4; ++k) {
        hash = (hash ^ (uint64_t)(int64_t)at[k]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

// Of each cell the deepest ball, of equals the first: marks it. Returns how many.
static int64_t mark_deepest(const cover_ball *ball, const uint64_t *key, const uint32_t *order, int64_t n, bool *marked)
{
    int64_t cells = 0, deepest = 0;
    memset(marked, 0, (size_t)n * sizeof *marked);
    for (int64_t k = 0; k < n; ++k) {
        bool begins = k == 0 || key[k] != key[k - 1];
        if (begins || ball[order[k]].depth > ball[deepest].depth) deepest = order[k];
        bool ends = k == n - 1 || key[k] != key[k + 1];
        if (ends) marked[deepest] = true, ++cells;
    }
    return cells;
}

scr_status cover_choose_balls(const cover_pieces *pieces, double error, int threads, cover_ball **chosen,
                              int64_t *count, scr_error *reason)
{
    int64_t n = OWN_BALLS * pieces->count, capacity = 0;
    scr_arena scratch = {0};
    *chosen = NULL;
    *count = 0;
    scr_status status = scr_arena_reserve(&scratch,
                                          scr_arena_bytes(sizeof(uint64_t), n) + scr_arena_bytes(sizeof(uint32_t), n) +
                                              scr_arena_bytes(sizeof(bool), n) + scr_radix_sort_bytes(n),
                                          "balls", reason);
    if (status != SCR_OK) return status;
    scr_arena arena = scratch;
    uint64_t *key = scr_arena_array(&arena, sizeof *key, n);
    uint32_t *order = scr_arena_array(&arena, sizeof *order, n);
    bool *marked = scr_arena_array(&arena, sizeof *marked, n);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t k = 0; k < n; ++k) key[k] = cell_key(&pieces->ball[k], error), order[k] = (uint32_t)k;
    scr_radix_sort(key, order, n, 64, arena, threads);
    int64_t cells = mark_deepest(pieces->ball, key, order, n, marked);
    status = scr_grow(chosen, &capacity, cells + 1, sizeof **chosen, "balls", reason);
    for (int64_t k = 0; k < n && status == SCR_OK; ++k)
        if (marked[k]) (*chosen)[(*count)++] = pieces->ball[k];
    scr_arena_free(&scratch);
    return status;
}
