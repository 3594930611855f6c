// SPDX-License-Identifier: BSD-3-Clause
// The bed's two lists: who may come near whom, and the packs of those that are near.
#include "core/base/threads.h"
#include "dynamics/penalty/bed/grain_bed.h"

static const double LEAST_MARGIN = 0.02, LARGEST_MARGIN = 0.3;  // of the mean radius
static const double LEAST_SKIN = 0.2, LARGEST_SKIN = 0.8;       // of the mean radius
static const double ROUNDING = 1e-6;  // of the largest radius: no gap is known better than this in any precision
// A wider margin lists more pairs, a narrower one lasts fewer steps. Both cost alike at r sqrt(1.3 (2 v h) / r):
// measured in a dense bed, where pairs are 0.75 of a step and grow by 2.3 margin / r, and making packs takes 2.3 steps.
static const double MARGIN_BALANCE = 1.3;
static const double SKIN_MARGINS = 4.0;

static grain_record *present(const grain_bed *bed) { return bed->record[bed->now]; }

static void choose_margins(grain_bed *bed, double time_step)
{
    double r = bed->mean_radius, travel = 2.0 * bed->top_speed * time_step;
    bed->margin = fmin(LARGEST_MARGIN * r, fmax(LEAST_MARGIN * r, sqrt(MARGIN_BALANCE * travel * r)));
    bed->margin = fmax(bed->margin, 2.0 * ROUNDING * bed->largest_radius);
}

// How many pairs the rows of a block hold, and how many grains are as near to a wall as those in rows to each other.
static pack_range measure_block(const grain_bed *bed, int64_t block)
{
    const grain_record *record = present(bed);
    int64_t first = block * GRAIN_BLOCK, last = min_i64(first + GRAIN_BLOCK, bed->count);
    pack_range range = {0};
    for (int64_t i = first; i < last; ++i) {
        for (int64_t k = bed->rows.start[i]; k < bed->rows.start[i + 1]; ++k) {
            int64_t j = bed->rows.other[k];
            if (j < first || j >= last) ++range.crossing_count;
            else range.internal_count += j > i;
        }
        for (int32_t w = 0; w < bed->walls.count; ++w)
            range.wall_count += wall_is_near(&bed->walls, w, record, i, bed->skin);
    }
    return range;
}

static scr_status make_rows(grain_bed *bed, const grain_source *source, int threads, scr_error *error)
{
    scr_status status = grain_rows_reserve(&bed->rows, bed->count, error);
    if (status != SCR_OK) return status;
    const grain_record *record = present(bed);
    double r = bed->mean_radius;
    bed->has_rows = false;
    bed->skin = fmin(LARGEST_SKIN * r, fmax(LEAST_SKIN * r, SKIN_MARGINS * bed->margin));
    bed->skin = fmax(bed->skin, 2.0 * bed->margin);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < bed->count; ++i) {
        const grain_record *g = &record[i];
        bed->rows.ball[i] =
            (scr_ball){g->x[0], g->x[1], g->x[2], bed->collider[i] >= 0 ? g->radius + 0.5 * bed->skin : INFINITY};
    }
    status = grain_rows_make(&bed->rows, bed->count, source->colliders, bed->collider, threads, error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t b = 0; b < block_count_of(bed->count, GRAIN_BLOCK); ++b) bed->largest_range[b] = measure_block(bed, b);
    bed->has_rows = true;
    bed->rows_travel = 0.5 * source->time_step * bed->top_speed;  // it may be from here to the midpoint
    ++bed->rows_made;
    return SCR_OK;
}

// Places for the packs of every block; their number is returned, and that of packs at walls.
static int64_t lay_out(const grain_bed *bed, pack_set *set, int64_t *wall_packs)
{
    int64_t sum = 0, walls = 0;
    for (int64_t b = 0; b < block_count_of(bed->count, GRAIN_BLOCK); ++b) {
        set->range[b].internal_first = sum;
        sum += block_count_of(bed->largest_range[b].internal_count, bed->kernels->lanes);
        set->range[b].crossing_first = sum;
        sum += block_count_of(bed->largest_range[b].crossing_count, bed->kernels->lanes);
        set->range[b].wall_first = walls;
        walls += block_count_of(bed->largest_range[b].wall_count, bed->kernels->lanes);
        set->range[b].wall_count =
            bed->largest_range[b].wall_count;  // at most so many; the fill says how many there are
    }
    *wall_packs = walls;
    return sum;
}

static scr_status reserve_packs(const grain_bed *bed, pack_set *set, scr_error *error)
{
    const char *what = "pairs of grains";
    int64_t blocks = block_count_of(bed->count, GRAIN_BLOCK);
    scr_status status = scr_grow_anew(&set->range, &set->range_capacity, blocks, sizeof *set->range, what, error);
    if (status != SCR_OK) return status;
    int64_t walls, packs = lay_out(bed, set, &walls), capacity = packs > set->pack_capacity ? packs + packs / 8 : packs;
    status = scr_grow_anew(&set->pack, &set->pack_capacity, capacity, bed->kernels->pack_bytes, what, error);
    if (status == SCR_OK && !bed->is_uniform)
        status = scr_grow_anew(&set->coefficients, &set->coefficients_capacity, capacity,
                               bed->kernels->coefficient_bytes, what, error);
    capacity = walls > set->wall_capacity ? walls + walls / 8 : walls;
    if (status == SCR_OK)
        status = scr_grow_anew(&set->wall_pack, &set->wall_capacity, capacity, bed->kernels->wall_pack_bytes,
                               "grains at walls", error);
    return status;
}

static scr_status make_packs(grain_bed *bed, const grain_source *source, int threads, scr_error *error)
{
    pack_set *to = &bed->pairs[1 - bed->pairs_now];
    scr_status status = reserve_packs(bed, to, error);
    if (status != SCR_OK) return status;
    const grain_materials law = {source->materials, source->contact, bed->material};
    const grain_fill fill = {
        .record = present(bed),
        .count = bed->count,
        .margin = bed->margin,
        .unit = bed->unit,
        .row_start = bed->rows.start,
        .other = bed->rows.other,
        .from = bed->has_packs ? &bed->pairs[bed->pairs_now] : NULL,
        .spring = bed->spring,
        .spring_start = bed->spring_start,
        .spring_count = bed->spring_count,
        .law = &law,
        .walls = &bed->walls,
        .to = to,
    };
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t b = 0; b < block_count_of(bed->count, GRAIN_BLOCK); ++b) bed->kernels->fill(&fill, b);
    to->now = 0;
    bed->pairs_now = 1 - bed->pairs_now;
    bed->has_packs = true;
    bed->packs_travel = 0.5 * source->time_step * bed->top_speed;
    ++bed->packs_made;
    return SCR_OK;
}

scr_status grain_bed_keep_lists(grain_bed *bed, const grain_source *source, int threads, scr_error *error)
{
    double rounding = ROUNDING * bed->largest_radius;
    if (bed->has_rows && bed->has_packs && 2.0 * bed->packs_travel + rounding <= bed->margin) return SCR_OK;
    choose_margins(bed, source->time_step);
    scr_status status = SCR_OK;
    if (!bed->has_rows || bed->margin + 2.0 * bed->rows_travel + rounding > bed->skin)
        status = make_rows(bed, source, threads, error);
    return status == SCR_OK ? make_packs(bed, source, threads, error) : status;
}
