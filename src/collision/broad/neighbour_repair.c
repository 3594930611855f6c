// SPDX-License-Identifier: BSD-3-Clause
// A neighbour list that some colliders have outgrown is made complete for these alone.
//
// Where and when a collider's margin began to count is its own affair: while travel_i + reach_i <= margin_i holds for
// both of a pair, it can meet only if the places made_i and made_j are nearer than r_i + r_j + margin_i + margin_j. So
// a grain that has left its margin begins anew where it is, with the margin that it would be given now, and the list
// gets the pairs of it that it lacks. In a bed that flows this is one grain in ten thousand, which a blow has sent off;
// out of a silo one in fifty falls. Who begins anew looks for others in boxes about runs of colliders, and then in the
// runs: that costs little beside a grid of all and all its pairs. Those who will have left their margins soon begin
// anew with those who have: else the next step would be a repair, too. Pairs that nobody needs any more stay until the
// whole list is made anew.
//
// Only grains and planes are treated so, in a space that does not repeat itself. (Where all that moves has a drift in
// common, what margins are told in moves with it, and planes are what leaves them.)
#include <stdlib.h>
#include <string.h>

#include "collision/broad/neighbours_inside.h"
#include "collision/broad/run_boxes.h"
#include "core/base/threads.h"

enum {
    OUTGROWN_FEW = 64,    // colliders that a list is made complete for however few it has,
    OUTGROWN_SHARE = 32,  // and else at most one in so many
    FOUND_EACH = 16,      // pairs: with more of them in the mean the whole list is made anew,
    FOUND_FEW = 4096,     // but not for so many
    STALE_SHARE = 8,      // and also with more than one in so many that a list has got by repair
    GRAINS_AT_ONCE = 32,  // that a thread looks around
    LOOKS_EACH = 16,  // for each collider of the list; if there are more, order in memory says little of that in space
};

struct neighbour_repair {
    int32_t *grain;  // who begins anew
    const near_plane **plane;
    int64_t grain_count, plane_count, grain_capacity, plane_capacity;
    // About the balls of colliders, each with its margin, where they were when they began anew: of runs, and of groups
    // of runs
    run_boxes runs, groups;
    float *bound;  // m: of both
    int64_t bound_capacity;
    const run_kernels *kernels;
    int64_t looks;  // at colliders, so far
    // Pairs that the list lacks: owner and other, as one number.
    uint64_t *key;
    int64_t found, key_capacity;
};

void neighbours_repair_free(struct neighbour_repair *r)
{
    if (r == NULL) return;
    scr_free(r->grain);
    scr_free(r->plane);
    scr_free(r->bound);
    scr_free(r->key);
    scr_free(r);
}

int64_t neighbours_repair_most(int64_t collider_count)
{
    return max_i64(OUTGROWN_FEW, collider_count / OUTGROWN_SHARE);
}

static bool can_ever_repair(const neighbours *list, const colliders *c)
{
    return !c->period.any && !colliders_have_sets(c) && !list->without_grain_pairs && list->is_wall == NULL;
}

static bool can_repair(const neighbours *list, const colliders *c, const neighbour_motion *motion, int64_t count)
{
    if (list->repair == NULL || !can_ever_repair(list, c) || motion->watched != NULL) return false;
    int64_t n = list->collider_count;
    if (count > list->outgrown_capacity || list->added_count * STALE_SHARE > list->start[n]) return false;
    for (int64_t k = 0; k < count; ++k)
        if (!neighbours_can_begin_anew(c, list->outgrown[k])) return false;
    return true;
}

// ---- boxes ----

static const outer_box NOTHING = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static float float_below(double x)
{
    float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static outer_box box_about(scr_vec3 at, double reach)
{
    const double x[3] = {at.x, at.y, at.z};
    outer_box box;
    for (int axis = 0; axis < 3; ++axis) {
        box.low[axis] = float_below(x[axis] - reach);
        box.high[axis] = -float_below(-(x[axis] + reach));
    }
    return box;
}

static inline float lesser(float a, float b) { return a < b ? a : b; }
static inline float greater(float a, float b) { return a > b ? a : b; }

static inline void extend(outer_box *box, const outer_box *by)
{
    for (int axis = 0; axis < 3; ++axis) {
        box->low[axis] = lesser(box->low[axis], by->low[axis]);
        box->high[axis] = greater(box->high[axis], by->high[axis]);
    }
}

static inline void put_box(run_boxes *boxes, int64_t k, const outer_box *box)
{
    for (int axis = 0; axis < 3; ++axis) boxes->low[axis][k] = box->low[axis], boxes->high[axis][k] = box->high[axis];
}

static inline outer_box get_box(const run_boxes *boxes, int64_t k)
{
    outer_box box;
    for (int axis = 0; axis < 3; ++axis) box.low[axis] = boxes->low[axis][k], box.high[axis] = boxes->high[axis][k];
    return box;
}

static void extend_one(run_boxes *boxes, int64_t k, const outer_box *by)
{
    outer_box box = get_box(boxes, k);
    extend(&box, by);
    put_box(boxes, k, &box);
}

// How far a collider of the list reaches where it began anew.
static inline double reach_of(const neighbours *list, const colliders *c, int64_t i)
{
    return c->radius[i] + (double)list->margin[i];
}

// In doubles first: each bound is rounded once.
static outer_box box_of_run(const neighbours *list, const colliders *c, int64_t run)
{
    scr_vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = vec3_neg(low);
    int64_t first = run * RUN_COLLIDERS, last = min_i64(first + RUN_COLLIDERS, c->table.count);
    for (int64_t i = first; i < last; ++i) {
        if (c->kind[i] == SCR_PLANE) continue;
        scr_vec3 at = list->made_at[i];
        double reach = reach_of(list, c, i);
        low.x = at.x - reach < low.x ? at.x - reach : low.x, high.x = at.x + reach > high.x ? at.x + reach : high.x;
        low.y = at.y - reach < low.y ? at.y - reach : low.y, high.y = at.y + reach > high.y ? at.y + reach : high.y;
        low.z = at.z - reach < low.z ? at.z - reach : low.z, high.z = at.z + reach > high.z ? at.z + reach : high.z;
    }
    return (outer_box){{float_below(low.x), float_below(low.y), float_below(low.z)},
                       {-float_below(-high.x), -float_below(-high.y), -float_below(-high.z)}};
}

static int64_t whole_groups(int64_t boxes) { return GROUP_RUNS * block_count_of(boxes, GROUP_RUNS); }

static void lay_boxes(run_boxes *boxes, float **bound, int64_t count)
{
    boxes->count = count;
    for (int axis = 0; axis < 3; ++axis) {
        boxes->low[axis] = *bound, *bound += whole_groups(count);
        boxes->high[axis] = *bound, *bound += whole_groups(count);
    }
    for (int64_t k = count; k < whole_groups(count); ++k) put_box(boxes, k, &NOTHING);
}

static scr_status make_boxes(neighbours *list, const colliders *c, int threads, scr_error *error)
{
    struct neighbour_repair *r = list->repair;
    int64_t runs = block_count_of(c->table.count, RUN_COLLIDERS), groups = block_count_of(runs, GROUP_RUNS);
    scr_status status = scr_grow_anew(&r->bound, &r->bound_capacity, 6 * (whole_groups(runs) + whole_groups(groups)),
                                      sizeof *r->bound, "neighbour lists", error);
    if (status != SCR_OK) return status;
    float *bound = r->bound;
    lay_boxes(&r->runs, &bound, runs);
    lay_boxes(&r->groups, &bound, groups);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t group = 0; group < groups; ++group) {
        outer_box all = NOTHING;
        for (int64_t k = group * GROUP_RUNS; k < min_i64((group + 1) * GROUP_RUNS, runs); ++k) {
            outer_box box = box_of_run(list, c, k);
            put_box(&r->runs, k, &box);
            extend(&all, &box);
        }
        put_box(&r->groups, group, &all);
    }
    return SCR_OK;
}

scr_status neighbours_repair_reserve(neighbours *list, const colliders *c, int threads, scr_error *error)
{
    if (!can_ever_repair(list, c)) return SCR_OK;
    const char *what = "neighbour lists";
    int64_t n = c->table.count, most = neighbours_repair_most(n);
    scr_status status =
        list->repair != NULL ? SCR_OK : scr_make_zeros(&list->repair, 1, sizeof *list->repair, what, error);
    if (status != SCR_OK) return status;
    struct neighbour_repair *r = list->repair;
    r->kernels = KERNEL_TO_AVX512_FOR(!list->plain, run_kernels);
    const struct {
        void *array;
        int64_t *capacity, need;
        size_t size;
    } scratch[] = {{&list->outgrown, &list->outgrown_capacity, most, sizeof *list->outgrown},
                   {&r->grain, &r->grain_capacity, most, sizeof *r->grain},
                   {&r->plane, &r->plane_capacity, list->plane_count, sizeof *r->plane},
                   {&r->key, &r->key_capacity, max_i64(FOUND_FEW, FOUND_EACH * most), sizeof *r->key}};
    for (size_t k = 0; k < sizeof scratch / sizeof *scratch && status == SCR_OK; ++k)
        status = scr_grow_anew(scratch[k].array, scratch[k].capacity, scratch[k].need, scratch[k].size, what, error);
    return status == SCR_OK ? make_boxes(list, c, threads, error) : status;
}

// ---- who begins anew ----

static const near_plane *move_plane(neighbours *list, const colliders *c, int32_t i)
{
    near_plane *plane = list->plane;
    while (plane->collider != i) ++plane;
    plane->at = list->made_at[i];
    plane->normal = quat_z(c->rotation[c->place[i]]);
    plane->margin = (double)list->margin[i];
    list->made_rotation[c->place[i]] = c->rotation[c->place[i]];
    return plane;
}

static void begin_grain_anew(const neighbours *list, const colliders *c, int32_t i)
{
    struct neighbour_repair *r = list->repair;
    outer_box box = box_about(list->made_at[i], reach_of(list, c, i));
    r->grain[r->grain_count++] = i;
    extend_one(&r->runs, i / RUN_COLLIDERS, &box);
    extend_one(&r->groups, i / (RUN_COLLIDERS * GROUP_RUNS), &box);
}

// Their places and margins, in the frame of the list. False: some are nowhere.
static bool begin_anew(neighbours *list, const colliders *c, const neighbour_motion *motion, int64_t count)
{
    struct neighbour_repair *r = list->repair;
    scr_vec3 drift = vec3_sub(motion->drifted, list->made_drifted);
    r->grain_count = r->plane_count = r->found = r->looks = 0;
    for (int64_t k = 0; k < count; ++k) {
        int32_t i = list->outgrown[k];
        const ball *now = &c->ball[i];
        scr_vec3 at = vec3(now->x - drift.x, now->y - drift.y, now->z - drift.z);
        if (!vec3_is_finite(at)) return false;
        list->made_at[i] = at;
        list->margin[i] = neighbours_margin(c, motion, i);
        if (c->kind[i] == SCR_PLANE) r->plane[r->plane_count++] = move_plane(list, c, i);
        else begin_grain_anew(list, c, i);
    }
    return true;
}

// ---- pairs that the list lacks ----

static bool is_listed(const neighbours *list, int64_t owner, int32_t other)
{
    for (int64_t k = list->start[owner]; k < list->start[owner + 1]; ++k)
        if (list->other[k] == other) return true;
    return false;
}

// By any thread, in any order: pairs are sorted afterwards.
static void add_pair(const neighbour_search *s, int32_t i, int32_t j)
{
    struct neighbour_repair *r = s->list->repair;
    if (i == j) return;
    int32_t owner = collider_owns(s->c, i, j) ? i : j, other = owner == i ? j : i;
    if (is_listed(s->list, owner, other) || !neighbours_are_pair(s, i, j)) return;
    int64_t at = __atomic_fetch_add(&r->found, 1, __ATOMIC_RELAXED);
    if (at < r->key_capacity) r->key[at] = (uint64_t)owner << 32 | (uint64_t)other;
}

// A grain at the colliders of a run.
static void look_at_run(const neighbour_search *s, int32_t i, const ball *b, int64_t run)
{
    const neighbours *list = s->list;
    const colliders *c = s->c;
    int64_t first = run * RUN_COLLIDERS, count = min_i64(RUN_COLLIDERS, c->table.count - first);
    uint32_t near = 0;
    if (count == RUN_COLLIDERS) near = list->repair->kernels->balls(list->made_at, c->radius, list->margin, first, b);
    for (int64_t k = 0; k < count && count < RUN_COLLIDERS; ++k) {
        scr_vec3 d = vec3_sub(list->made_at[first + k], vec3(b->x, b->y, b->z));
        double far = b->r + reach_of(list, c, first + k);
        near |= (uint32_t)(vec3_dot(d, d) < far * far) << k;
    }
    for (; near != 0; near &= near - 1) {
        int64_t j = first + __builtin_ctz(near);
        if (c->kind[j] != SCR_PLANE) add_pair(s, i, (int32_t)j);
    }
}

// A grain at all that may be near it; how many colliders it has looked at.
static int64_t look_around(const neighbour_search *s, int32_t i)
{
    const struct neighbour_repair *r = s->list->repair;
    scr_vec3 at = s->list->made_at[i];
    ball b = {at.x, at.y, at.z, reach_of(s->list, s->c, i)};
    outer_box box = box_about(at, b.r);
    int64_t runs_seen = 0;
    for (int64_t first = 0; first < r->groups.count; first += GROUP_RUNS)
        for (uint32_t groups = r->kernels->boxes(&r->groups, first, &box); groups != 0; groups &= groups - 1) {
            int64_t first_run = (first + __builtin_ctz(groups)) * GROUP_RUNS;
            for (uint32_t runs = r->kernels->boxes(&r->runs, first_run, &box); runs != 0; runs &= runs - 1, ++runs_seen)
                look_at_run(s, i, &b, first_run + __builtin_ctz(runs));
        }
    return runs_seen * RUN_COLLIDERS;
}

// False: it is not worth while.
static bool look_around_all(const neighbour_search *s, int threads)
{
    struct neighbour_repair *r = s->list->repair;
    int64_t n = s->list->collider_count, most = r->grain_count > OUTGROWN_FEW ? LOOKS_EACH * n : INT64_MAX;
#pragma omp parallel for num_threads(threads) schedule(dynamic, GRAINS_AT_ONCE)
    for (int64_t k = 0; k < r->grain_count; ++k) {
        if (__atomic_load_n(&r->looks, __ATOMIC_RELAXED) > most) continue;
        __atomic_fetch_add(&r->looks, look_around(s, r->grain[k]), __ATOMIC_RELAXED);
    }
    return r->looks <= most;
}

static bool plane_is_near(const near_plane *plane, const scr_vec3 *at, double reach)
{
    return vec3_dot(plane->normal, vec3_sub(*at, plane->at)) < reach + plane->margin;
}

// Whether a plane may be near what is in a box; rather once too often.
static bool plane_meets(const near_plane *plane, const outer_box *box)
{
    const double n[3] = {plane->normal.x, plane->normal.y, plane->normal.z},
                 at[3] = {plane->at.x, plane->at.y, plane->at.z};
    double height = 0.0;
    for (int axis = 0; axis < 3; ++axis)
        height += n[axis] * ((double)(n[axis] > 0.0 ? box->low[axis] : box->high[axis]) - at[axis]);
    return !(height >= plane->margin);
}

// A plane at the colliders of a run,
static void look_from_plane_at_run(const neighbour_search *s, const near_plane *plane, int64_t run)
{
    const colliders *c = s->c;
    for (int64_t j = run * RUN_COLLIDERS; j < min_i64((run + 1) * RUN_COLLIDERS, c->table.count); ++j)
        if (c->kind[j] != SCR_PLANE && plane_is_near(plane, &s->list->made_at[j], reach_of(s->list, c, j)))
            add_pair(s, (int32_t)j, plane->collider);
}

// of a group of runs,
static void look_from_plane_at_group(const neighbour_search *s, const near_plane *plane, int64_t group)
{
    const struct neighbour_repair *r = s->list->repair;
    outer_box box = get_box(&r->groups, group);
    if (!plane_meets(plane, &box)) return;
    for (int64_t run = group * GROUP_RUNS; run < min_i64((group + 1) * GROUP_RUNS, r->runs.count); ++run) {
        box = get_box(&r->runs, run);
        if (plane_meets(plane, &box)) look_from_plane_at_run(s, plane, run);
    }
}

// and those that begin anew at all;
static void look_from_planes(const neighbour_search *s, int threads)
{
    const struct neighbour_repair *r = s->list->repair;
    if (r->plane_count == 0) return;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t group = 0; group < r->groups.count; ++group)
        for (int64_t p = 0; p < r->plane_count; ++p) look_from_plane_at_group(s, r->plane[p], group);
}

// at all planes those grains that do.
static void look_for_planes(const neighbour_search *s)
{
    const struct neighbour_repair *r = s->list->repair;
    for (int64_t k = 0; k < r->grain_count; ++k)
        for (int64_t p = 0; p < s->list->plane_count; ++p) {
            const near_plane *plane = &s->list->plane[p];
            int32_t i = r->grain[k];
            if (plane_is_near(plane, &s->list->made_at[i], reach_of(s->list, s->c, i))) add_pair(s, i, plane->collider);
        }
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Two grains that both begin anew find each other twice.
static void sort_pairs(struct neighbour_repair *r)
{
    int64_t kept = 0;
    qsort(r->key, (size_t)r->found, sizeof *r->key, by_key);
    for (int64_t k = 0; k < r->found; ++k)
        if (k == 0 || r->key[k] != r->key[kept - 1]) r->key[kept++] = r->key[k];
    r->found = kept;
}

// ---- their rows ----

// 64 bits from this one on.
static uint64_t bits_from(const uint64_t *bits, int64_t at)
{
    int shift = (int)(at % 64);
    uint64_t low = bits[at / 64] >> shift;
    return shift == 0 ? low : low | bits[at / 64 + 1] << (64 - shift);
}

// Bits first .. last - 1 go so many places up, word by word from behind.
static void move_bits(uint64_t *bits, int64_t first, int64_t last, int64_t up)
{
    for (int64_t end = last + up; end > first + up;) {
        int64_t begin = max_i64(first + up, (end - 1) / 64 * 64);
        uint64_t mask = UINT64_MAX >> (64 - (end - begin)) << begin % 64, *word = &bits[begin / 64];
        *word = (*word & ~mask) | (bits_from(bits, begin - up) << begin % 64 & mask);
        end = begin;
    }
}

static inline bool get_bit(const uint64_t *bits, int64_t k) { return bits[k / 64] >> k % 64 & 1; }
static inline void put_bit(uint64_t *bits, int64_t k, bool value)
{
    bits[k / 64] = (bits[k / 64] & ~((uint64_t)1 << k % 64)) | (uint64_t)value << k % 64;
}

// An entry of a row, and whether it is a pair of two grains, moves.
static inline void move_entry(neighbours *list, int64_t to, int64_t from)
{
    list->other[to] = list->other[from];
    put_bit(list->is_other, to, get_bit(list->is_other, from));
}

// Put the pairs into their rows, the last row first: what lies behind it moves on to make room.
static void insert_pairs(neighbours *list, const colliders *c, const struct neighbour_repair *found)
{
    int64_t n = list->collider_count, left = found->found, row = n + 1, end = list->start[n];
    while (left > 0) {
        int64_t owner = (int64_t)(found->key[left - 1] >> 32), first = left;
        while (first > 0 && (int64_t)(found->key[first - 1] >> 32) == owner) --first;
        // Rows behind the owner's have `left` new entries before them.
        int64_t from = list->start[owner + 1];
        memmove(list->other + from + left, list->other + from, (size_t)(end - from) * sizeof *list->other);
        move_bits(list->is_other, from, end, left);
        for (; row > owner + 1; --row) list->start[row - 1] += left;
        // Within the row old and new ones are merged from behind.
        int64_t old = from, begin = list->start[owner], to = from + left;
        for (int64_t k = left; k > first;) {
            int32_t other = (int32_t)(uint32_t)found->key[k - 1];
            if (old > begin && list->other[old - 1] > other) {
                move_entry(list, --to, --old);
                continue;
            }
            list->other[--to] = other, --k;
            put_bit(list->is_other, to, !collider_is_grain(c, owner) || !collider_is_grain(c, other));
        }
        end = old;
        left = first;
    }
}

static scr_status grow_rows(neighbours *list, int64_t more, scr_error *error)
{
    int64_t total = list->start[list->collider_count], known = neighbours_mark_words(total);
    int64_t words = neighbours_mark_words(total + more);
    const char *what = "neighbour lists";
    scr_status status = scr_grow(&list->other, &list->other_capacity, total + more, sizeof *list->other, what, error);
    if (status == SCR_OK)
        status = scr_grow(&list->is_other, &list->is_other_capacity, words, sizeof *list->is_other, what, error);
    if (status == SCR_OK && words > known)
        memset(list->is_other + known, 0, (size_t)(words - known) * sizeof *list->is_other);
    return status;
}

scr_status neighbours_repair(neighbours *list, const colliders *c, const neighbour_motion *motion, int64_t count,
                             int threads, bool *done, scr_error *error)
{
    *done = false;
    if (!can_repair(list, c, motion, count)) return SCR_OK;
    neighbour_search s = {list, c, motion->is_moved};
    struct neighbour_repair *r = list->repair;
    // From here on the list is made anew where it cannot be repaired, margins and all.
    if (!begin_anew(list, c, motion, count)) return SCR_OK;
    if (!look_around_all(&s, threads)) return SCR_OK;
    look_from_planes(&s, threads);
    look_for_planes(&s);
    if (r->found > r->key_capacity) return SCR_OK;
    sort_pairs(r);
    scr_status status = grow_rows(list, r->found, error);
    if (status != SCR_OK) return status;
    insert_pairs(list, c, r);
    list->added_count += r->found;
    ++list->repair_count;
    *done = true;
    return SCR_OK;
}
