// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/penalty/bed/grain_rows.h"

#include "core/arrays/scan.h"
#include "core/arrays/short_sort.h"
#include "core/base/threads.h"

void grain_rows_free(grain_rows *rows)
{
    scr_free(rows->start);
    scr_free(rows->other);
    scr_free(rows->length);
    scr_free(rows->ball);
    ball_grid_free(&rows->grid);
    pair_list_free(&rows->pairs);
}

scr_status grain_rows_reserve(grain_rows *rows, int64_t count, scr_error *error)
{
    const char *what = "neighbours of grains";
    scr_status status = scr_grow_anew(&rows->ball, &rows->ball_capacity, count, sizeof *rows->ball, what, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&rows->length, &rows->length_capacity, count, sizeof *rows->length, what, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&rows->start, &rows->start_capacity, count + 1, sizeof *rows->start, what, error);
    return status;
}

typedef struct sieve {
    const ball_grid *grid;
    const colliders *colliders;
    const int32_t *collider;
} sieve;

// Entries of the grid become slots.
static int64_t keep_acceptable(void *context, ball_pair *pairs, int64_t count)
{
    const sieve *s = context;
    int64_t kept = 0;
    for (int64_t k = 0; k < count; ++k) {
        uint32_t i = s->grid->id_of[pairs[k].a], j = s->grid->id_of[pairs[k].b];
        if (colliders_may_touch(s->colliders, s->collider[i], s->collider[j])) pairs[kept++] = (ball_pair){i, j};
    }
    return kept;
}

static bool is_in(index_range range, int64_t i) { return i >= range.first && i < range.last; }

// One thread reads all pairs and takes those of its own rows: no two threads ever write to the same one.
static void measure_rows(grain_rows *rows, index_range range)
{
    for (int64_t i = range.first; i < range.last; ++i) rows->length[i] = 0;
    for (int64_t b = 0; b < rows->grid.bucket_count; ++b) {
        const ball_pair *pair = pair_list_bucket(&rows->pairs, b);
        for (int64_t k = 0; k < rows->pairs.count[b]; ++k) {
            if (is_in(range, pair[k].a)) ++rows->length[pair[k].a];
            if (is_in(range, pair[k].b)) ++rows->length[pair[k].b];
        }
    }
    for (int64_t i = range.first; i < range.last; ++i) rows->start[i] = rows->length[i];
}

static void fill_rows(grain_rows *rows, index_range range)
{
    for (int64_t i = range.first; i < range.last; ++i) rows->length[i] = 0;
    for (int64_t b = 0; b < rows->grid.bucket_count; ++b) {
        const ball_pair *pair = pair_list_bucket(&rows->pairs, b);
        for (int64_t k = 0; k < rows->pairs.count[b]; ++k) {
            int64_t i = pair[k].a, j = pair[k].b;
            if (is_in(range, i)) rows->other[rows->start[i] + rows->length[i]++] = (int32_t)j;
            if (is_in(range, j)) rows->other[rows->start[j] + rows->length[j]++] = (int32_t)i;
        }
    }
    for (int64_t i = range.first; i < range.last; ++i) short_sort(rows->other + rows->start[i], rows->length[i]);
}

scr_status grain_rows_make(grain_rows *rows, int64_t count, const colliders *c, const int32_t *collider, int threads,
                           scr_error *error)
{
    sieve s = {&rows->grid, c, collider};
    scr_status status = ball_grid_build(&rows->grid, rows->ball, NULL, count, threads, error);
    if (status == SCR_OK)
        status = pair_list_find(&rows->pairs, &rows->grid, KERNEL_FOR(!rows->plain, ball_pairs), keep_acceptable, &s,
                                threads, error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) measure_rows(rows, chunk_of(count, t, threads));
    int64_t total = scr_scan_i64(rows->start, count, threads);
    int64_t capacity =
        total > rows->other_capacity ? total + total / 8 : total;  // a bed that settles needs a little more
    status = scr_grow_anew(&rows->other, &rows->other_capacity, capacity, sizeof *rows->other, "neighbours of grains",
                           error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) fill_rows(rows, chunk_of(count, t, threads));
    return SCR_OK;
}
