// SPDX-License-Identifier: BSD-3-Clause
#include "collision/broad/pair_list.h"

#include <math.h>

#include "core/base/threads.h"

enum { PROBES = 16, SPARE = 64 };  // buckets searched to guess the share; pairs of room that any bucket has
// a heap that spreads a little needs a few more: no reason to take memory in a steady step
enum { SPARE_BUCKETS = 64 };
static const double SHARE_MIN = 0.25, SHARE_MAX = 16.0, SHARE_HEADROOM = 1.25;

void pair_list_free(pair_list *list)
{
    scr_arena_free(&list->own_memory);
    scr_free(list->more);
    scr_free(list->first);
    scr_free(list->count);
}

// The share that a bucket with so many pairs would have needed.
static double share_of(const ball_grid *grid, int64_t bucket, int64_t found)
{
    double balls = (double)(grid->bucket_start[bucket + 1] - grid->bucket_start[bucket]);
    return fmax(0.0, (double)(found - SPARE)) / fmax(1.0, balls);
}

// Room for more than was needed, so that the next time a little more will do; where a few need very much, they are
// searched twice instead.
static double with_headroom(double share) { return fmin(SHARE_MAX, fmax(SHARE_MIN, SHARE_HEADROOM * share)); }

// A first guess: what a few buckets, spread over the grid, find.
static double probe_share(const ball_grid *grid, ball_pair_search *search, int threads)
{
    int64_t step = max_i64(1, grid->bucket_count / PROBES);
    double share = 0.0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(max : share)
    for (int64_t b = step / 2; b < grid->bucket_count; b += step)
        share = fmax(share, share_of(grid, b, search(grid, b, NULL, 0)));
    return with_headroom(share);
}

// Room for every bucket by its share of the balls; how much in all.
static int64_t lay_out(pair_list *list, const ball_grid *grid)
{
    int64_t sum = 0;
    for (int64_t b = 0; b < grid->bucket_count; ++b) {
        list->first[b] = sum;
        list->count[b] = (int64_t)(list->share * (double)(grid->bucket_start[b + 1] - grid->bucket_start[b])) + SPARE;
        sum += list->count[b];
    }
    return sum;
}

// Search the buckets again that had too little room.
static scr_status find_rest(pair_list *list, const ball_grid *grid, ball_pair_search *search, pair_sieve *sieve,
                            void *context, int threads, scr_error *error)
{
    int64_t sum = 0;
    for (int64_t b = 0; b < grid->bucket_count; ++b) {
        if (list->count[b] >= 0) continue;
        list->first[b] = ~sum;
        sum -= list->count[b];
    }
    if (sum == 0) return SCR_OK;
    scr_status status = scr_grow_anew(&list->more, &list->more_capacity, sum, sizeof *list->more, "pairs", error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t b = 0; b < grid->bucket_count; ++b) {
        if (list->count[b] >= 0) continue;
        ball_pair *pairs = list->more + ~list->first[b];
        list->count[b] = sieve(context, pairs, search(grid, b, pairs, -list->count[b]));
    }
    return SCR_OK;
}

scr_status pair_list_find(pair_list *list, const ball_grid *grid, ball_pair_search *search, pair_sieve *sieve,
                          void *context, int threads, scr_error *error)
{
    int64_t buckets = grid->bucket_count, capacity = buckets > list->first_capacity ? buckets + SPARE_BUCKETS : buckets;
    scr_status status =
        scr_grow_anew(&list->first, &list->first_capacity, capacity, sizeof *list->first, "pairs", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&list->count, &list->count_capacity, capacity, sizeof *list->count, "pairs", error);
    if (status != SCR_OK) return status;
    if (list->share == 0.0) list->share = probe_share(grid, search, threads);
    int64_t room = lay_out(list, grid);
    double share = 0.0;
    scr_arena *memory = list->memory != NULL ? list->memory : &list->own_memory;
    status = scr_arena_reserve(memory, scr_arena_bytes(sizeof *list->pair, room), "pairs", error);
    if (status != SCR_OK) return status;
    scr_arena arena = *memory;
    list->pair = scr_arena_array(&arena, sizeof *list->pair, room);

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(max : share)
    for (int64_t b = 0; b < buckets; ++b) {
        ball_pair *pairs = list->pair + list->first[b];
        int64_t found = search(grid, b, pairs, list->count[b]);
        list->count[b] = found <= list->count[b] ? sieve(context, pairs, found) : -found;
        share = fmax(share, share_of(grid, b, found));
    }
    if (share > list->share) list->share = fmax(list->share, with_headroom(share));
    return find_rest(list, grid, search, sieve, context, threads, error);
}
