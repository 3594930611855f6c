// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/penalty/bed/grain_wear.h"

#include <assert.h>
#include <string.h>

#include "core/arrays/scan.h"
#include "core/base/memory.h"
#include "core/base/threads.h"

void grain_wear_free(grain_wear *wear)
{
    void *arrays[] = {wear->rate,       wear->motion, wear->wall_clearance, wear->box,
                      wear->near_start, wear->near,   wear->since,          wear->near_one};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
}

scr_status grain_wear_reserve(grain_wear *wear, int64_t n, scr_error *error)
{
    const char *what = "blocks of grains";
    scr_status status = scr_grow_anew(&wear->rate, &wear->rate_capacity, n, sizeof *wear->rate, what, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&wear->motion, &wear->motion_capacity, n, sizeof *wear->motion, what, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&wear->wall_clearance, &wear->wall_clearance_capacity, n, sizeof *wear->wall_clearance,
                               what, error);
    if (status == SCR_OK) status = scr_grow_anew(&wear->box, &wear->box_capacity, n, sizeof *wear->box, what, error);
    if (status == SCR_OK)
        status =
            scr_grow_anew(&wear->near_start, &wear->near_start_capacity, n + 1, sizeof *wear->near_start, what, error);
    wear->block_count = status == SCR_OK ? n : 0;
    return status;
}

static double norm(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

block_motion block_rate(const double low[3], const double high[3])
{
    block_motion m = {0};
    double size[3];
    if (!(low[0] <= high[0])) return m;
    for (int axis = 0; axis < 3; ++axis) {
        m.drift[axis] = 0.5 * (low[axis] + high[axis]);
        size[axis] = high[axis] - low[axis];
    }
    m.stray = 0.5 * norm(size);
    return m;
}

bool boxes_are_near(const grain_wear *wear, const block_box *a, const block_box *b, double clearance)
{
    bool across_shear = false;
    for (int k = 0; k < 3; ++k) {
        int axis = wear->gradient < 0 ? k : (wear->gradient + k) % 3;  // the gradient first
        double above = b->low[axis] - a->high[axis], below = a->low[axis] - b->high[axis];
        double length = wear->length[axis], gap = fmax(above, below);
        bool is_far = gap > clearance;
        if (length > 0.0)
            gap = fmin(gap, fmin(fmax(above + length, below - length), fmax(above - length, below + length)));
        if (axis == wear->flow && across_shear) continue;
        if (gap > clearance) return false;
        if (axis == wear->gradient) across_shear = is_far;
    }
    return true;
}

// Blocks near a block go to near, unless that is NULL; their number is returned.
static int64_t find_near(const grain_wear *wear, int64_t block, int32_t *near)
{
    int64_t count = 0;
    for (int64_t c = 0; c < wear->block_count; ++c) {
        if (!boxes_are_near(wear, &wear->box[block], &wear->box[c], wear->clearance)) continue;
        if (near != NULL) near[count] = (int32_t)c;
        ++count;
    }
    return count;
}

scr_status grain_wear_restart(grain_wear *wear, double clearance, const periodic_cell *period, int threads,
                              scr_error *error)
{
    const char *what = "blocks of grains";
    int64_t n = wear->block_count;
    wear->clearance = clearance;
    wear->widest = 1.0;
    for (int axis = 0; axis < 3; ++axis) wear->length[axis] = period != NULL ? period->length[axis] : 0.0;
    bool is_sheared = period != NULL && period->is_sheared;
    wear->gradient = is_sheared ? period->gradient : -1, wear->flow = is_sheared ? period->flow : -1;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t b = 0; b < n; ++b) wear->near_start[b] = find_near(wear, b, NULL);
    int64_t total = scr_scan_i64(wear->near_start, n, threads);
    int64_t capacity = total > wear->near_capacity ? total + total / 4 : total;
    scr_status status = scr_grow_anew(&wear->near, &wear->near_capacity, capacity, sizeof *wear->near, what, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&wear->since, &wear->since_capacity, capacity, sizeof *wear->since, what, error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t b = 0; b < n; ++b) find_near(wear, b, wear->near + wear->near_start[b]);
    memset(wear->motion, 0, (size_t)n * sizeof *wear->motion);
    return SCR_OK;
}

// What was known of the blocks that were near already goes along.
static void list_near_anew(grain_wear *wear, int64_t block, int64_t first, int64_t last)
{
    int64_t count = find_near(wear, block, wear->near_one), to = last;
    for (int64_t k = count - 1, old = wear->near_start[block + 1] - 1; k >= 0; --k) {
        int32_t other = wear->near_one[k];
        while (old >= wear->near_start[block] && wear->near[old] > other) --old;
        bool was_near = old >= wear->near_start[block] && wear->near[old] == other;
        wear->since[--to] = was_near ? wear->since[old] : wear->motion[other];
        wear->near[to] = other;
    }
    assert(to == first);
    (void)first;
}

// From the last block to the first: lists only grow, and what is written lies behind all that is still to be read.
scr_status grain_wear_widen(grain_wear *wear, scr_error *error)
{
    const char *what = "blocks of grains";
    int64_t n = wear->block_count, total = 0;
    for (int64_t b = 0; b < n; ++b) total += find_near(wear, b, NULL);
    if (total == wear->near_start[n]) return SCR_OK;
    scr_status status = scr_grow(&wear->near, &wear->near_capacity, total, sizeof *wear->near, what, error);
    if (status == SCR_OK)
        status = scr_grow(&wear->since, &wear->since_capacity, total, sizeof *wear->since, what, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&wear->near_one, &wear->near_one_capacity, n, sizeof *wear->near_one, what, error);
    if (status != SCR_OK) return status;
    for (int64_t b = n - 1, last = total; b >= 0; --b) {
        int64_t first = last - find_near(wear, b, NULL);
        list_near_anew(wear, b, first, last);
        wear->near_start[b + 1] = last;
        last = first;
    }
    return SCR_OK;
}

void grain_wear_note_packs(grain_wear *wear, int64_t block)
{
    for (int64_t k = wear->near_start[block]; k < wear->near_start[block + 1]; ++k)
        wear->since[k] = wear->motion[wear->near[k]];
}

void grain_wear_add_step(grain_wear *wear, double time_step, const periodic_cell *period)
{
    double h[3] = {time_step, time_step, time_step};
    for (int axis = 0; axis < 3 && period != NULL && period->is_stretched; ++axis) {
        if (period->length[axis] == 0.0) continue;
        h[axis] *= wear->length[axis] * period->inverse[axis];
        wear->widest = fmax(wear->widest, period->length[axis] / wear->length[axis]);
    }
    const double longest = fmax(h[0], fmax(h[1], h[2]));
    for (int64_t b = 0; b < wear->block_count; ++b) {
        for (int axis = 0; axis < 3; ++axis) wear->motion[b].drift[axis] += h[axis] * wear->rate[b].drift[axis];
        wear->motion[b].stray += longest * wear->rate[b].stray;
    }
}

void grain_wear_add_stray(grain_wear *wear, double stray)
{
    for (int64_t b = 0; b < wear->block_count; ++b) wear->motion[b].stray += stray;
}

static block_motion less(const block_motion *a, const block_motion *b)
{
    return (block_motion){{a->drift[0] - b->drift[0], a->drift[1] - b->drift[1], a->drift[2] - b->drift[2]},
                          a->stray - b->stray};
}

static double approach(const block_motion *a, const block_motion *b)
{
    return a->stray + b->stray + norm(less(a, b).drift);
}

static double wall_approach(const block_motion *a) { return a->stray + norm(a->drift); }

// The largest approach of pairs, one grain of which is in the block.
static double largest_approach(const grain_wear *wear, int64_t block, const block_motion *motion)
{
    double most = 2.0 * motion[block].stray;
    for (int64_t k = wear->near_start[block]; k < wear->near_start[block + 1]; ++k)
        most = fmax(most, approach(&motion[block], &motion[wear->near[k]]));
    return most;
}

double packs_wear(const grain_wear *wear, int64_t block, bool has_walls)
{
    block_motion own = {0};
    for (int64_t k = wear->near_start[block]; k < wear->near_start[block + 1]; ++k)
        if (wear->near[k] == block) own = less(&wear->motion[block], &wear->since[k]);
    double most = has_walls ? fmax(2.0 * own.stray, wall_approach(&own)) : 2.0 * own.stray;
    for (int64_t k = wear->near_start[block]; k < wear->near_start[block + 1]; ++k) {
        block_motion other = less(&wear->motion[wear->near[k]], &wear->since[k]);
        most = fmax(most, approach(&own, &other));
    }
    return wear->widest * most;
}

double rows_wear(const grain_wear *wear, int64_t block, double skin)
{
    return fmax(largest_approach(wear, block, wear->motion), wall_wear(wear, block, skin));
}

double wall_wear(const grain_wear *wear, int64_t block, double skin)
{
    return wall_approach(&wear->motion[block]) - (wear->wall_clearance[block] - skin);
}

double wear_rate(const grain_wear *wear, int64_t block, bool has_walls)
{
    double pairs = largest_approach(wear, block, wear->rate);
    return has_walls ? fmax(pairs, wall_approach(&wear->rate[block])) : pairs;
}

// Of any two blocks.
static double any_approach(const block_motion *motion, int64_t count)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, stray = 0.0;
    for (int64_t b = 0; b < count; ++b) {
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = fmin(low[axis], motion[b].drift[axis]);
            high[axis] = fmax(high[axis], motion[b].drift[axis]);
        }
        stray = fmax(stray, motion[b].stray);
    }
    return 2.0 * stray + 2.0 * block_rate(low, high).stray;
}

double any_wear(const grain_wear *wear) { return any_approach(wear->motion, wear->block_count); }
double block_way(const grain_wear *wear, int64_t block) { return wall_approach(&wear->motion[block]); }
double far_wear(const grain_wear *wear) { return any_wear(wear) - wear->clearance; }
double largest_rate(const grain_wear *wear) { return any_approach(wear->rate, wear->block_count); }
