// SPDX-License-Identifier: BSD-3-Clause
// The bed's two lists: who may come near whom, and the packs of those that are near.
#include "dynamics/penalty/bed/grain_lists.h"
#include "core/base/threads.h"

static const double LEAST_MARGIN = 0.02, LARGEST_MARGIN = 0.3;  // of the mean radius
static const double LEAST_SKIN = 0.2, LARGEST_SKIN = 0.8;       // of the mean radius
static const double ROUNDING = 1e-6;    // of the largest radius: no gap is known better than this in any precision
static const double CLEARANCE = 2.0;    // of the mean radius: between blocks that are not near each other
static const double WORN_MARGIN = 0.5;  // of the margin wanted: rows that leave less to packs are made anew
// A wider margin lists more pairs, a narrower one lasts fewer steps. Both cost alike at r sqrt(1.3 v h / r), v the rate
// at which grains come nearer: measured in a dense bed, where pairs are 0.75 of a step and grow by 2.3 margin / r, and
// making packs takes 2.3 steps. It seems flat: with 0.5 and 3.0 instead, packs of 64,000 grains are made 16.5 and 8.8
// times in 600 steps, not 12.7, and no difference of the mean step was seen (one run each).
static const double MARGIN_BALANCE = 1.3;
static const double SKIN_MARGINS = 4.0;
enum { SPARE_SHARE = 16, SPARE_PACKS = 2, SPARE_PAIRS = 2 };  // room: a share of what there is, packs; for a grain

double lists_half_step(const grain_bed *bed, const grain_source *source)
{
    return bed->kernels->has_lines ? 0.5 * source->time_step : 0.0;
}
double grain_lists_reach(const grain_bed *bed)
{
    return 2.0 * bed->largest_radius + bed->neck + bed->skin + CLEARANCE * bed->mean_radius;
}
static double rounding_of(const grain_bed *bed) { return ROUNDING * bed->largest_radius; }
static bool has_walls(const grain_bed *bed, int64_t block) { return bed->largest_range[block].wall_count > 0; }

static double wanted_margin(const grain_bed *bed, double rate, double time_step)
{
    double r = bed->mean_radius;
    double margin = fmin(LARGEST_MARGIN * r, fmax(LEAST_MARGIN * r, sqrt(MARGIN_BALANCE * rate * time_step * r)));
    return fmax(margin, 2.0 * rounding_of(bed));
}

// ---- rows ----

pack_range measure_block(const grain_bed *bed, double half, int64_t block, double wall_reach)
{
    const grain_record *record = grains_now(bed);
    int64_t first = block * GRAIN_BLOCK, last = min_i64(first + GRAIN_BLOCK, bed->count);
    pack_range range = {0};
    for (int64_t i = first; i < last; ++i) {
        int32_t contacts = bed->rows.length[i];
        for (int32_t k = 0; k < bed->rows.length[i]; ++k) {
            int64_t j = bed->rows.other[bed->rows.start[i] + k];
            if (j < first || j >= last) ++range.crossing_count;
            else range.internal_count += j > i;
        }
        for (int32_t w = 0; w < bed->walls.count; ++w) {
            bool is_near = wall_is_near(&bed->walls, w, record, i, half, wall_reach);
            range.wall_count += is_near, contacts += is_near;
        }
        range.most_contacts = contacts > range.most_contacts ? contacts : range.most_contacts;
    }
    return range;
}

// As far as the block's grains may go before one of them could come to a wall that is not listed: the skin, or if none
// is within it the least gap.
static double wall_clearance(const grain_bed *bed, double half, int64_t block)
{
    const grain_record *record = grains_now(bed);
    int64_t first = block * GRAIN_BLOCK, last = min_i64(first + GRAIN_BLOCK, bed->count);
    double least = INFINITY;
    if (has_walls(bed, block)) return bed->skin;
    for (int64_t i = first; i < last; ++i)
        for (int32_t w = 0; w < bed->walls.count && bed->collider[i] >= 0; ++w)
            least = fmin(least, wall_gap(&bed->walls.wall[w], &record[i], half) - bed->neck);
    return fmax(least, bed->skin);
}

// Their balls, half a skin and a neck larger than the grains, and the box around them: in the cell that is shown, if
// space repeats itself.
static block_box lay_balls(grain_bed *bed, double half, int64_t block)
{
    const grain_record *record = grains_now(bed);
    int64_t first = block * GRAIN_BLOCK, last = min_i64(first + GRAIN_BLOCK, bed->count);
    block_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int64_t i = first; i < last; ++i) {
        const grain_record *g = &record[i];
        scr_vec3 x = {g->x[0] + half * g->v[0], g->x[1] + half * g->v[1], g->x[2] + half * g->v[2]};
        if (bed->period != NULL) x = period_wrapped(bed->period, x);
        const double at[3] = {x.x, x.y, x.z}, reach = g->radius + 0.5 * (bed->skin + bed->neck);
        bool is_in = bed->collider[i] >= 0;
        for (int axis = 0; axis < 3 && is_in; ++axis) {
            box.low[axis] = fmin(box.low[axis], at[axis] - reach);
            box.high[axis] = fmax(box.high[axis], at[axis] + reach);
        }
        bed->rows.ball[i] = (scr_ball){at[0], at[1], at[2], is_in ? reach : INFINITY};
    }
    return box;
}

static double largest_margin(const grain_bed *bed, double time_step)
{
    return wanted_margin(bed, largest_rate(&bed->wear), time_step);
}

static scr_status make_rows(grain_bed *bed, const grain_source *source, int threads, scr_error *error)
{
    int64_t blocks = block_count_of(bed->count, GRAIN_BLOCK);
    scr_status status = grain_rows_reserve(&bed->rows, bed->count, error);
    if (status == SCR_OK) status = grain_wear_reserve(&bed->wear, blocks, error);
    if (status != SCR_OK) return status;
    double r = bed->mean_radius, half = lists_half_step(bed, source), margin = largest_margin(bed, source->time_step);
    bed->has_rows = false;
    bed->skin = fmin(LARGEST_SKIN * r, fmax(LEAST_SKIN * r, SKIN_MARGINS * margin));
    bed->skin = fmax(bed->skin, 2.0 * margin);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t b = 0; b < blocks; ++b) bed->wear.box[b] = lay_balls(bed, half, b);
    if (bed->period != NULL) status = grain_rows_add_images(&bed->rows, bed->count, bed->period, error);
    if (status == SCR_OK)
        status = grain_rows_make(&bed->rows, bed->count, source->colliders, bed->collider, threads, error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t b = 0; b < blocks; ++b) {
        bed->largest_range[b] = measure_block(bed, half, b, bed->skin + bed->neck);
        bed->wear.wall_clearance[b] = wall_clearance(bed, half, b);
    }
    status = grain_wear_restart(&bed->wear, CLEARANCE * r, bed->period, threads, error);
    if (status != SCR_OK) return status;
    bed->undo.most_contacts = 0;
    for (int64_t b = 0; b < blocks; ++b)
        bed->undo.most_contacts = max_i64(bed->undo.most_contacts, bed->largest_range[b].most_contacts);
    bed->has_rows = true;
    bed->listed_slots = bed->count;
    ++bed->rows_made;
    return SCR_OK;
}

// ---- packs ----

// Packs that a block gets room for. Where grains come and go a block may have some more pairs before the rows are made
// anew, and the last one, which they come to, as many as if it were full.
static int64_t room_for(const grain_bed *bed, int64_t block, int32_t count)
{
    int64_t packs = block_count_of(count, bed->kernels->lanes), left = (block + 1) * GRAIN_BLOCK - bed->count;
    if (bed->changes.marked_slots == 0) return packs;
    return packs + packs / SPARE_SHARE + SPARE_PACKS + SPARE_PAIRS * max_i64(left, 0) / bed->kernels->lanes;
}

// Places for the packs of every block; their number is returned, and that of packs at walls.
static int64_t lay_out(const grain_bed *bed, pack_set *set, int64_t *wall_packs)
{
    int64_t sum = 0, walls = 0;
    for (int64_t b = 0; b < block_count_of(bed->count, GRAIN_BLOCK); ++b) {
        set->range[b].internal_first = sum;
        sum += room_for(bed, b, bed->largest_range[b].internal_count);
        set->range[b].crossing_first = sum;
        sum += room_for(bed, b, bed->largest_range[b].crossing_count);
        set->range[b].wall_first = walls;
        walls += bed->walls.count > 0 ? room_for(bed, b, bed->largest_range[b].wall_count) : 0;
        set->range[b].wall_count = 0;
    }
    *wall_packs = walls;
    return sum;
}

// Where a block's packs end, those of pairs or those at walls.
static int64_t packs_end(const pack_set *set, int64_t block)
{
    return block + 1 < set->block_count ? set->range[block + 1].internal_first : set->pack_count;
}
static int64_t wall_packs_end(const pack_set *set, int64_t block)
{
    return block + 1 < set->block_count ? set->range[block + 1].wall_first : set->wall_pack_count;
}

bool block_has_room(const grain_bed *bed, int64_t block)
{
    const pack_set *set = &bed->pairs[bed->pairs_now];
    const pack_range *need = &bed->largest_range[block], *at = &set->range[block];
    const int lanes = bed->kernels->lanes;
    return block_count_of(need->internal_count, lanes) <= at->crossing_first - at->internal_first &&
           block_count_of(need->crossing_count, lanes) <= packs_end(set, block) - at->crossing_first &&
           block_count_of(need->wall_count, lanes) <= wall_packs_end(set, block) - at->wall_first;
}

// The most bytes that the packs of one block may take.
static size_t block_bytes(const grain_bed *bed, const pack_set *set)
{
    const grain_kernels *k = bed->kernels;
    size_t most = 0;
    for (int64_t b = 0; b < set->block_count; ++b) {
        size_t packs = (size_t)(packs_end(set, b) - set->range[b].internal_first);
        size_t walls = (size_t)(wall_packs_end(set, b) - set->range[b].wall_first);
        size_t bytes = packs * (k->pack_bytes + (size_t)bed->layout.coefficients * k->coefficient_bytes +
                                (bed->layout.rolls ? k->roll_bytes : 0) + (bed->layout.necks ? k->neck_bytes : 0)) +
                       walls * k->wall_pack_bytes;
        most = bytes > most ? bytes : most;
    }
    return most;
}

static const char *const what = "pairs of grains";

// Capacities are bytes, as a pack's size is the kernel's.
static scr_status grow_packs(void **packs, int64_t *capacity, int64_t count, size_t size, scr_error *error)
{
    int64_t bytes = count * (int64_t)size;
    return scr_grow_anew(packs, capacity, bytes > *capacity ? bytes + bytes / 8 : bytes, 1, what, error);
}

static scr_status reserve_packs(grain_bed *bed, pack_set *set, scr_error *error)
{
    int64_t blocks = block_count_of(bed->count, GRAIN_BLOCK);
    scr_status status = scr_grow_anew(&set->range, &set->range_capacity, blocks, sizeof *set->range, what, error);
    if (status != SCR_OK) return status;
    const grain_kernels *k = bed->kernels;
    int64_t walls, packs = lay_out(bed, set, &walls);
    set->block_count = blocks, set->pack_count = packs, set->wall_pack_count = walls;
    set->layout = bed->layout;
    status = grow_packs(&set->pack, &set->pack_capacity, packs, k->pack_bytes, error);
    if (status == SCR_OK)
        status = grow_packs(&set->coefficients, &set->coefficients_capacity, packs,
                            (size_t)bed->layout.coefficients * k->coefficient_bytes, error);
    if (status == SCR_OK)
        status = grow_packs(&set->roll, &set->roll_capacity, packs, bed->layout.rolls ? k->roll_bytes : 0, error);
    if (status == SCR_OK)
        status = grow_packs(&set->neck, &set->neck_capacity, packs, bed->layout.necks ? k->neck_bytes : 0, error);
    if (status == SCR_OK)
        status = grow_packs(&bed->candidates, &bed->candidates_capacity, packs, k->candidate_bytes, error);
    if (status == SCR_OK) status = grow_packs(&set->wall_pack, &set->wall_capacity, walls, k->wall_pack_bytes, error);
    size_t bytes = (block_bytes(bed, set) / PACKS_ALIGNMENT + 1) * PACKS_ALIGNMENT;
    if (bytes > bed->old_bytes) bytes += bytes / 8 / PACKS_ALIGNMENT * PACKS_ALIGNMENT;
    else bytes = bed->old_bytes;
    if (status == SCR_OK) bed->old_bytes = bytes;
    return status;
}

grain_fill grain_bed_fill(const grain_bed *bed, const grain_source *source, const grain_materials *law, pack_set *to)
{
    return (grain_fill){
        .record = grains_now(bed),
        .count = bed->count,
        .half_step = lists_half_step(bed, source),
        .margin = bed->margin,
        .neck = bed->neck,
        .units = 1.0 / bed->unit,
        .line = bed->line[bed->now],
        .rows_are_new = to != &bed->pairs[bed->pairs_now],
        .worn = bed->is_worn,
        .candidates = bed->candidates,
        .row_start = bed->rows.start,
        .row_length = bed->rows.length,
        .other = bed->rows.other,
        .from = bed->has_packs ? &bed->pairs[bed->pairs_now] : NULL,
        .spring = bed->spring,
        .spring_start = bed->spring_start,
        .spring_count = bed->spring_count,
        .mark = bed->changes.are_pending ? bed->changes.mark : NULL,
        .carried = bed->changes.carried,
        .carried_count = bed->changes.carried_count,
        .law = law,
        .period = bed->period,
        .walls = &bed->walls,
        .largest_range = bed->largest_range,
        .to = to,
    };
}

static scr_status make_packs(grain_bed *bed, const grain_source *source, int threads, scr_error *error)
{
    pack_set *to = &bed->pairs[1 - bed->pairs_now];
    scr_status status = reserve_packs(bed, to, error);
    if (status != SCR_OK) return status;
    const grain_materials law = {source->materials, source->contact, bed->material, source->bodies->inv_mass};
    const grain_fill fill = grain_bed_fill(bed, source, &law, to);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t b = 0; b < bed->wear.block_count; ++b) {
        bed->kernels->fill(&fill, b, NULL);
        grain_wear_note_packs(&bed->wear, b);
        bed->is_worn[b] = 0;
    }
    bed->pairs_now = 1 - bed->pairs_now;
    bed->has_packs = true;
    grain_changes_settle(&bed->changes);
    bed->blocks_filled += bed->wear.block_count;
    return SCR_OK;
}

// ---- both ----

// How wide a margin the rows still allow for.
static double margin_left(const grain_bed *bed, int64_t block, double far)
{
    double worn = fmax(rows_wear(&bed->wear, block, bed->skin), far);
    return bed->skin - worn - rounding_of(bed);
}

static void choose_margins(grain_bed *bed, double time_step)
{
    for (int64_t b = 0; b < bed->wear.block_count; ++b)
        bed->margin[b] = fmin(wanted_margin(bed, wear_rate(&bed->wear, b, has_walls(bed, b)), time_step),
                              margin_left(bed, b, -INFINITY));
}

// What no packs look after: blocks that were not near each other, and walls that no grain of a block was near. However
// little grains of a block move against each other, these may come.
static bool rows_hold(const grain_bed *bed, double far)
{
    const double most = bed->skin - rounding_of(bed);
    if (far > most) return false;
    for (int64_t b = 0; b < bed->wear.block_count; ++b)
        if (!has_walls(bed, b) && wall_wear(&bed->wear, b, bed->skin) > most) return false;
    return true;
}

// Blocks whose packs do not hold for the next step, with the margins of new ones. False if the rows are too worn for
// them.
static bool find_worn(grain_bed *bed, double time_step)
{
    const double far = far_wear(&bed->wear);
    if (!rows_hold(bed, far)) return false;
    for (int64_t b = 0; b < bed->wear.block_count; ++b) {
        bool holds = packs_wear(&bed->wear, b, has_walls(bed, b)) + rounding_of(bed) <= bed->margin[b];
        if (holds && bed->is_worn[b] == 0) continue;
        double wanted = wanted_margin(bed, wear_rate(&bed->wear, b, has_walls(bed, b)), time_step);
        double left = margin_left(bed, b, far);
        if (left < WORN_MARGIN * wanted) return false;
        bed->margin[b] = fmin(wanted, left);
        bed->is_worn[b] |= PACKS_WORN;
    }
    return true;
}

scr_status grain_bed_keep_lists(grain_bed *bed, const grain_source *source, int threads, scr_error *error)
{
    if (bed->lines_are_behind) grain_bed_write_lines(bed, source, threads);
    scr_status status = grain_bed_follow_changes(bed, source, error);
    if (status != SCR_OK) return status;
    if (bed->has_rows && bed->has_packs && find_worn(bed, source->time_step)) return SCR_OK;
    status = make_rows(bed, source, threads, error);
    if (status != SCR_OK) return status;
    grain_bed_measure_overlaps(bed, source);
    choose_margins(bed, source->time_step);
    status = make_packs(bed, source, threads, error);
    bed->has_rows = status == SCR_OK;  // the packs that are still there go by other rows
    return status;
}
