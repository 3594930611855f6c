// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/penalty/bed/grain_changes.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/threads.h"
#include "dynamics/penalty/bed/grain_lists.h"
#include "dynamics/penalty/bed/grain_rotation.h"

enum { CHANGES_FEW = 256, CHANGES_SHARE = 64 };  // with more of them, of all slots, rows that are made anew cost less

void grain_changes_free(grain_changes *c)
{
    scr_free(c->mark);
    scr_free(c->was);
    scr_free(c->now);
    scr_free(c->slot);
    scr_free(c->carried);
}

void grain_changes_forget(grain_changes *c)
{
    if (c->marked_slots > 0) memset(c->mark, 0, (size_t)c->marked_slots);
    c->count = c->carried_count = 0;
    c->are_pending = false;
    c->overlap = 0.0;
}

void grain_changes_settle(grain_changes *c)
{
    for (int64_t k = 0; k < c->count && c->are_pending; ++k) c->mark[c->slot[k]] &= SLOT_FRESH;
    c->are_pending = false;
    c->carried_count = 0;
}

void grain_changes_end(grain_changes *c)
{
    for (int64_t k = 0; k < c->count; ++k) c->mark[c->slot[k]] = 0;
    c->count = 0;
    c->overlap = 0.0;
}

// ---- who comes and who leaves ----

static scr_status reserve_marks(grain_changes *c, int64_t slots, scr_error *error)
{
    const char *what = "grains that come and go";
    scr_status status = scr_grow(&c->mark, &c->mark_capacity, slots, sizeof *c->mark, what, error);
    if (status == SCR_OK) status = scr_grow(&c->was, &c->was_capacity, slots, sizeof *c->was, what, error);
    if (status == SCR_OK) status = scr_grow(&c->now, &c->now_capacity, slots, sizeof *c->now, what, error);
    if (status == SCR_OK) status = scr_grow(&c->slot, &c->slot_capacity, slots, sizeof *c->slot, what, error);
    if (status != SCR_OK || slots <= c->marked_slots) return status;
    memset(c->mark + c->marked_slots, 0, (size_t)(slots - c->marked_slots));
    c->marked_slots = slots;
    return SCR_OK;
}

scr_status grain_bed_reserve_changes(grain_bed *bed, int64_t more, scr_error *error)
{
    scr_status status = reserve_marks(&bed->changes, bed->count + more, error);
    return status == SCR_OK && more > 0 ? grain_bed_widen(bed, bed->count + more, error) : status;
}

static void mark_slot(grain_changes *c, int32_t slot, int32_t was, uint8_t fresh)
{
    if (c->mark[slot] == 0) c->slot[c->count++] = slot;
    c->mark[slot] = SLOT_CHANGED | fresh;
    c->was[slot] = was;
    c->are_pending = true;
}

void grain_bed_take_more(grain_bed *bed, const grain_source *source)
{
    int64_t first = bed->count;
    bed->has_moments = false;
    bed->count = source->bodies->table.count;
    for (int64_t i = first; i < bed->count; ++i) {
        grain_bed_take_body(bed, source, i);
        mark_slot(&bed->changes, (int32_t)i, NEW_GRAIN, SLOT_FRESH);
    }
    grain_bed_measure_rates(bed, first / GRAIN_BLOCK);
}

static void move_grain(grain_bed *bed, int32_t from, int32_t to)
{
    grain_changes *c = &bed->changes;
    for (int k = 0; k < 2; ++k) {
        if (k == 0 || !bed->in_place) bed->record[k][to] = bed->record[k][from];
        if (bed->kernels->has_lines) bed->line[k][to] = bed->line[k][from];
    }
    if (bed->follows_rotations) bed->rotating[to] = bed->rotating[from];
    bed->material[to] = bed->material[from];
    mark_slot(c, to, c->mark[from] & SLOT_CHANGED ? c->was[from] : from, c->mark[from] & SLOT_FRESH);
}

void grain_bed_let_go(grain_bed *bed, const grain_moves *moves)
{
    bed->has_moments = false;
    for (int64_t k = 0; k < moves->count; ++k) move_grain(bed, moves->filler[k], moves->hole[k]);
    for (int64_t i = moves->slots_left; i < bed->count; ++i) mark_slot(&bed->changes, (int32_t)i, NEW_GRAIN, 0);
    bed->grain_count -= bed->count - moves->slots_left;
    bed->count = moves->slots_left;
}

// ---- springs ----

static bool is_changed(const grain_bed *bed, int64_t slot) { return (bed->changes.mark[slot] & SLOT_CHANGED) != 0; }

static void find_where_they_are(grain_bed *bed)
{
    grain_changes *c = &bed->changes;
    for (int64_t k = 0; k < c->count; ++k) c->now[c->slot[k]] = GONE;
    for (int64_t k = 0; k < c->count; ++k) {
        int32_t slot = c->slot[k];
        if (is_changed(bed, slot) && slot < bed->count && c->was[slot] != NEW_GRAIN) c->now[c->was[slot]] = slot;
    }
}

// The grain that was there is called so now.
static int32_t slot_now(const grain_bed *bed, int32_t slot)
{
    return is_changed(bed, slot) ? bed->changes.now[slot] : slot;
}

// False: one of the two is gone.
static bool rename_spring(const grain_bed *bed, grain_spring *s)
{
    s->a = slot_now(bed, s->a);
    if (s->b >= 0) s->b = slot_now(bed, s->b);
    else return s->a != GONE;
    if (s->a == GONE || s->b == GONE) return false;
    if (s->a < s->b) return true;
    int32_t low = s->b;
    s->b = s->a, s->a = low;
    for (int axis = 0; axis < 3; ++axis) s->stretch[axis] = -s->stretch[axis], s->roll[axis] = -s->roll[axis];
    return true;
}

void grain_bed_rename_springs(grain_bed *bed)
{
    int64_t kept = 0;
    if (!bed->changes.are_pending) return;
    find_where_they_are(bed);
    for (int64_t k = 0; k < bed->spring_count; ++k) {
        grain_spring s = bed->spring[k];
        if (rename_spring(bed, &s)) bed->spring[kept++] = s;
    }
    bed->spring_count = kept;
}

static int by_slots(const void *x, const void *y)
{
    const grain_spring *s = x, *t = y;
    if (s->a != t->a) return s->a < t->a ? -1 : 1;
    return (s->b > t->b) - (s->b < t->b);
}

// A pair of two blocks is found in both.
static void sort_carried(grain_changes *c)
{
    int64_t kept = 0;
    if (c->carried_count == 0) return;
    qsort(c->carried, (size_t)c->carried_count, sizeof *c->carried, by_slots);
    for (int64_t k = 0; k < c->carried_count; ++k)
        if (k == 0 || by_slots(&c->carried[k], &c->carried[kept - 1]) != 0) c->carried[kept++] = c->carried[k];
    c->carried_count = kept;
}

static scr_status carry_springs_of(grain_bed *bed, int64_t block, scr_error *error)
{
    grain_changes *c = &bed->changes;
    const pack_set *set = &bed->pairs[bed->pairs_now];
    int64_t found = bed->kernels->springs_of(set, block, c->mark, NULL);
    scr_status status = scr_grow(&c->carried, &c->carried_capacity, c->carried_count + found, sizeof *c->carried,
                                 "springs of grains", error);
    if (status != SCR_OK) return status;
    grain_spring *here = c->carried + c->carried_count;
    bed->kernels->springs_of(set, block, c->mark, here);
    for (int64_t k = 0; k < found; ++k) {
        grain_spring s = here[k];
        if (rename_spring(bed, &s)) c->carried[c->carried_count++] = s;
    }
    return SCR_OK;
}

// Those of grains that have another slot now, from the packs of the blocks they were in.
static scr_status carry_springs(grain_bed *bed, scr_error *error)
{
    grain_changes *c = &bed->changes;
    const int64_t blocks = bed->pairs[bed->pairs_now].block_count;
    scr_status status = SCR_OK;
    c->carried_count = 0;
    find_where_they_are(bed);
    for (int64_t b = 0; b < blocks; ++b) bed->has_movers[b] = 0;
    for (int64_t k = 0; k < c->count; ++k) {
        int32_t slot = c->slot[k];
        if (is_changed(bed, slot) && c->now[slot] != GONE) bed->has_movers[slot / GRAIN_BLOCK] = 1;
    }
    for (int64_t b = 0; b < blocks && status == SCR_OK; ++b)
        if (bed->has_movers[b]) status = carry_springs_of(bed, b, error);
    sort_carried(c);
    return status;
}

// ---- rows ----

// Where grains stand in relation to each other now, and what may have worn off the rows.
typedef struct now_and_then {
    const grain_source *source;
    double half, worn;  // s, m
} now_and_then;

static void touch(grain_bed *bed, int64_t slot) { bed->is_worn[slot / GRAIN_BLOCK] = PAIRS_CHANGED; }

// The ball by which a grain would have been in the rows, as a box.
static block_box box_then(const grain_bed *bed, const now_and_then *t, int64_t i)
{
    scr_vec3 x = grain_midpoint(bed, i, t->source->time_step);
    const double at[3] = {x.x, x.y, x.z}, *drift = bed->wear.motion[i / GRAIN_BLOCK].drift;
    const double reach = grain_motion(bed, i)->radius + 0.5 * (bed->skin + bed->neck);
    block_box box;
    for (int axis = 0; axis < 3; ++axis) {
        double from = at[axis] - drift[axis];
        if (bed->period != NULL) from = period_wrapped_along(bed->period, axis, from);
        box.low[axis] = from - reach, box.high[axis] = from + reach;
    }
    return box;
}

static void enclose(grain_bed *bed, const now_and_then *t, int64_t i)
{
    block_box *all = &bed->wear.box[i / GRAIN_BLOCK], own = box_then(bed, t, i);
    for (int axis = 0; axis < 3; ++axis) {
        all->low[axis] = fmin(all->low[axis], own.low[axis]);
        all->high[axis] = fmax(all->high[axis], own.high[axis]);
    }
}

// Rows are those of before: others in them may have left since, too.
static void drop_from_rows(grain_bed *bed, int64_t was)
{
    grain_rows *rows = &bed->rows;
    touch(bed, was);
    for (int64_t k = 0; k < rows->length[was]; ++k) {
        int32_t other = rows->other[rows->start[was] + k];
        grain_rows_drop(rows, other, (int32_t)was);
        touch(bed, other);
    }
    rows->length[was] = 0;
}

static double distance(const grain_bed *bed, const now_and_then *t, scr_vec3 from, int64_t j)
{
    scr_vec3 way = vec3_sub(grain_midpoint(bed, j, t->source->time_step), from);
    return vec3_norm(bed->period != NULL ? period_offset(bed->period, way) : way);
}

static void note_overlap(grain_bed *bed, int64_t i, int64_t j, double distance)
{
    double both = grain_motion(bed, i)->radius + grain_motion(bed, j)->radius;
    bed->changes.overlap = fmax(bed->changes.overlap, both - distance);
}

static void measure_overlap_with_walls(grain_bed *bed, const now_and_then *t, int64_t i)
{
    for (int32_t w = 0; w < bed->walls.count; ++w)
        bed->changes.overlap = fmax(bed->changes.overlap, -wall_gap(&bed->walls.wall[w], &grains_now(bed)[i], t->half));
}

void grain_bed_measure_overlaps(grain_bed *bed, const grain_source *source)
{
    const grain_rows *rows = &bed->rows;
    const now_and_then t = {source, lists_half_step(bed, source), 0.0};
    for (int64_t n = 0; n < bed->changes.count; ++n) {
        int32_t i = bed->changes.slot[n];
        if (!(bed->changes.mark[i] & SLOT_FRESH)) continue;
        scr_vec3 at = grain_midpoint(bed, i, source->time_step);
        for (int32_t k = 0; k < rows->length[i]; ++k) {
            int32_t j = rows->other[rows->start[i] + k];
            note_overlap(bed, i, j, distance(bed, &t, at, j));
        }
        measure_overlap_with_walls(bed, &t, i);
    }
}

// Two grains in changed slots find each other once.
static bool add_pairs_in_block(grain_bed *bed, const now_and_then *t, int64_t i, int64_t block)
{
    const grain_record *record = grains_now(bed);
    const colliders *c = t->source->colliders;
    const double reach = record[i].radius + bed->skin + bed->neck + t->worn;
    const scr_vec3 at = grain_midpoint(bed, i, t->source->time_step);
    for (int64_t j = block * GRAIN_BLOCK; j < min_i64((block + 1) * GRAIN_BLOCK, bed->count); ++j) {
        double d = distance(bed, t, at, j);
        if (!(d < reach + record[j].radius)) continue;
        if (bed->collider[j] < 0 || j == i || (j > i && is_changed(bed, j))) continue;
        if (!colliders_may_touch(c, bed->collider[i], bed->collider[j])) continue;
        note_overlap(bed, i, j, d);
        if (!grain_rows_add(&bed->rows, (int32_t)i, (int32_t)j)) return false;
        touch(bed, j);
    }
    return true;
}

static bool add_pairs(grain_bed *bed, const now_and_then *t, int64_t i)
{
    block_box box = box_then(bed, t, i);
    touch(bed, i);
    measure_overlap_with_walls(bed, t, i);
    for (int64_t b = 0; b < bed->wear.block_count; ++b)
        if (boxes_are_near(&bed->wear, &box, &bed->wear.box[b], 0.0) && !add_pairs_in_block(bed, t, i, b)) return false;
    return true;
}

// ---- blocks ----

// Walls that a grain would have had in reach when the rows were made are counted by where it is now, less the way that
// its block may have gone since.
static void measure_touched(grain_bed *bed, const now_and_then *t, int64_t block)
{
    grain_wear *wear = &bed->wear;
    double way = block_way(wear, block);
    bed->largest_range[block] = measure_block(bed, t->half, block, bed->skin + bed->neck + way);
    bed->undo.most_contacts = max_i64(bed->undo.most_contacts, bed->largest_range[block].most_contacts);
    if (bed->largest_range[block].wall_count > 0) wear->wall_clearance[block] = bed->skin;
}

static void keep_clear_of_walls(grain_bed *bed, const now_and_then *t, int64_t i)
{
    int64_t block = i / GRAIN_BLOCK;
    double *least = &bed->wear.wall_clearance[block], way = block_way(&bed->wear, block);
    for (int32_t w = 0; w < bed->walls.count; ++w) {
        double gap = wall_gap(&bed->walls.wall[w], &grains_now(bed)[i], t->half) - bed->neck - way;
        *least = fmax(bed->skin, fmin(*least, gap));
    }
}

static bool follow_in_rows(grain_bed *bed, const now_and_then *t, scr_status *status, scr_error *error)
{
    grain_changes *c = &bed->changes;
    for (int64_t k = 0; k < c->count; ++k)
        if (is_changed(bed, c->slot[k]) && c->slot[k] < bed->listed_slots) drop_from_rows(bed, c->slot[k]);
    for (int64_t i = bed->listed_slots; i < bed->count; ++i) bed->rows.start[i] = bed->rows.length[i] = 0;
    for (int64_t k = 0; k < c->count; ++k)
        if (c->slot[k] < bed->count) enclose(bed, t, c->slot[k]), keep_clear_of_walls(bed, t, c->slot[k]);
    *status = grain_wear_widen(&bed->wear, error);
    for (int64_t k = 0; k < c->count && *status == SCR_OK; ++k)
        if (is_changed(bed, c->slot[k]) && c->slot[k] < bed->count && !add_pairs(bed, t, c->slot[k])) return false;
    for (int64_t b = 0; b < bed->wear.block_count; ++b) {
        if (bed->is_worn[b] != PAIRS_CHANGED) continue;
        measure_touched(bed, t, b);
        if (!block_has_room(bed, b)) return false;
    }
    bed->listed_slots = bed->count;
    return *status == SCR_OK;
}

scr_status grain_bed_follow_changes(grain_bed *bed, const grain_source *source, scr_error *error)
{
    grain_changes *c = &bed->changes;
    if (!c->are_pending) return SCR_OK;
    scr_status status = carry_springs(bed, error);
    if (status != SCR_OK) return status;
    const now_and_then t = {source, lists_half_step(bed, source), any_wear(&bed->wear)};
    bool is_still = bed->period == NULL || (!bed->period->is_stretched && bed->period->shear_velocity == 0.0);
    bool can = bed->has_rows && is_still && c->count <= max_i64(CHANGES_FEW, bed->count / CHANGES_SHARE) &&
               block_count_of(bed->count, GRAIN_BLOCK) == bed->pairs[bed->pairs_now].block_count;
    if (can && follow_in_rows(bed, &t, &status, error)) return SCR_OK;
    bed->has_rows = false;
    return status;
}
