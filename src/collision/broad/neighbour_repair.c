// SPDX-License-Identifier: BSD-3-Clause
// A neighbour list that a few colliders have outgrown is made complete for these alone.
//
// Where and when a collider's margin began to count is its own affair: while travel_i + reach_i <= margin_i holds for
// both of a pair, it can meet only if the places made_i and made_j are nearer than r_i + r_j + margin_i + margin_j. So
// a grain that has left its margin begins anew where it is, with the margin that it would be given now, and the list
// gets the pairs of it that it lacks. In a bed that flows this is one grain in ten thousand, which a blow has sent off;
// to look at all others from there costs little beside a grid and all its pairs. Pairs that nobody needs any more stay
// until the whole list is made anew.
//
// Only grains and planes are treated so, in a space that does not repeat itself. (Where all that moves has a drift in
// common, what margins are told in moves with it, and planes are what leaves them.)
#include <stdlib.h>
#include <string.h>

#include "collision/broad/neighbours_inside.h"
#include "core/base/threads.h"

enum {
    FOUND_MAX = 64 * REPAIR_MAX,  // pairs: with more of them the whole list is made anew
    STALE_SHARE = 16,             // and also with more than one in so many that a list has got by repair
    COLLIDERS_AT_ONCE = 1024,     // that a thread looks at
};

// Who begins anew: grains, where, and how far each looks; and planes.
typedef struct outgrown_colliders {
    int32_t grain[REPAIR_MAX];
    double x[REPAIR_MAX], y[REPAIR_MAX], z[REPAIR_MAX], reach[REPAIR_MAX];  // m
    const near_plane *plane[REPAIR_MAX];
    int64_t grain_count, plane_count;
} outgrown_colliders;

// Pairs that the list lacks: owner and other, as one number.
typedef struct lacking_pairs {
    uint64_t key[FOUND_MAX];
    int64_t count;
} lacking_pairs;

static bool can_repair(const neighbours *list, const colliders *c, const neighbour_motion *motion,
                       const int32_t *outgrown, int64_t count)
{
    if (c->period.any || colliders_have_sets(c) || motion->watched != NULL) return false;
    if (list->without_grain_pairs || list->is_wall != NULL) return false;
    if (count > REPAIR_MAX || list->added_count * STALE_SHARE > list->start[list->collider_count]) return false;
    for (int64_t k = 0; k < count; ++k)
        if (!collider_is_grain(c, outgrown[k]) && c->kind[outgrown[k]] != SCR_PLANE) return false;
    return true;
}

static bool is_listed(const neighbours *list, int64_t owner, int32_t other)
{
    for (int64_t k = list->start[owner]; k < list->start[owner + 1]; ++k)
        if (list->other[k] == other) return true;
    return false;
}

// By any thread, in any order: pairs are sorted afterwards.
static void add_pair(lacking_pairs *found, const neighbour_search *s, int32_t i, int32_t j)
{
    if (i == j || !neighbours_are_pair(s, i, j)) return;
    int32_t owner = collider_owns(s->c, i, j) ? i : j, other = owner == i ? j : i;
    if (is_listed(s->list, owner, other)) return;
    int64_t at = __atomic_fetch_add(&found->count, 1, __ATOMIC_RELAXED);
    if (at < FOUND_MAX) found->key[at] = (uint64_t)owner << 32 | (uint64_t)other;
}

static bool is_near(const outgrown_colliders *anew, int64_t k, const scr_vec3 *at, double reach)
{
    double x = at->x - anew->x[k], y = at->y - anew->y[k], z = at->z - anew->z[k], far = reach + anew->reach[k];
    return x * x + y * y + z * z < far * far;
}

static bool plane_is_near(const near_plane *plane, const scr_vec3 *at, double reach)
{
    return vec3_dot(plane->normal, vec3_sub(*at, plane->at)) < reach + plane->margin;
}

// Those that collider j, which is no plane, may meet.
static void look_from(const neighbour_search *s, const outgrown_colliders *anew, int32_t j, lacking_pairs *found)
{
    const scr_vec3 *at = &s->list->made_at[j];
    double reach = s->c->ball[j].r + (double)s->list->margin[j];
    bool some = false;
    for (int64_t k = 0; k < anew->grain_count; ++k) some |= is_near(anew, k, at, reach);
    for (int64_t k = 0; some && k < anew->grain_count; ++k)
        if (is_near(anew, k, at, reach)) add_pair(found, s, anew->grain[k], j);
    for (int64_t p = 0; p < anew->plane_count; ++p)
        if (plane_is_near(anew->plane[p], at, reach)) add_pair(found, s, j, anew->plane[p]->collider);
}

static void look_for_planes(const neighbour_search *s, const outgrown_colliders *anew, lacking_pairs *found)
{
    for (int64_t k = 0; k < anew->grain_count; ++k)
        for (int64_t p = 0; p < s->list->plane_count; ++p) {
            const near_plane *plane = &s->list->plane[p];
            scr_vec3 at = vec3(anew->x[k], anew->y[k], anew->z[k]);
            if (plane_is_near(plane, &at, anew->reach[k])) add_pair(found, s, anew->grain[k], plane->collider);
        }
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Two grains that both begin anew find each other twice.
static void sort_pairs(lacking_pairs *found)
{
    int64_t kept = 0;
    qsort(found->key, (size_t)found->count, sizeof *found->key, by_key);
    for (int64_t k = 0; k < found->count; ++k)
        if (k == 0 || found->key[k] != found->key[k - 1]) found->key[kept++] = found->key[k];
    found->count = kept;
}

// Put the pairs into their rows, the last row first: what lies behind it moves on to make room.
static void insert_pairs(neighbours *list, const lacking_pairs *found)
{
    int64_t n = list->collider_count, left = found->count, row = n + 1, end = list->start[n];
    while (left > 0) {
        int64_t owner = (int64_t)(found->key[left - 1] >> 32), first = left;
        while (first > 0 && (int64_t)(found->key[first - 1] >> 32) == owner) --first;
        // Rows behind the owner's have `left` new entries before them.
        int64_t from = list->start[owner + 1];
        memmove(list->other + from + left, list->other + from, (size_t)(end - from) * sizeof *list->other);
        for (; row > owner + 1; --row) list->start[row - 1] += left;
        // Within the row old and new ones are merged from behind.
        int64_t old = from, begin = list->start[owner], to = from + left;
        for (int64_t k = left; k > first;) {
            int32_t other = (int32_t)(uint32_t)found->key[k - 1];
            if (old > begin && list->other[old - 1] > other) list->other[--to] = list->other[--old];
            else list->other[--to] = other, --k;
        }
        end = old;
        left = first;
    }
}

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

// Their places and margins, in the frame of the list.
static outgrown_colliders begin_anew(neighbours *list, const colliders *c, const neighbour_motion *motion,
                                     const int32_t *outgrown, int64_t count)
{
    outgrown_colliders anew = {.grain_count = 0};
    scr_vec3 drift = vec3_sub(motion->drifted, list->made_drifted);
    for (int64_t k = 0; k < count; ++k) {
        int32_t i = outgrown[k];
        const ball *now = &c->ball[i];
        scr_vec3 at = vec3(now->x - drift.x, now->y - drift.y, now->z - drift.z);
        list->made_at[i] = at;
        list->margin[i] = neighbours_margin(c, motion, i);
        if (c->kind[i] == SCR_PLANE) {
            anew.plane[anew.plane_count++] = move_plane(list, c, i);
            continue;
        }
        int64_t to = anew.grain_count++;
        anew.grain[to] = i;
        anew.x[to] = at.x, anew.y[to] = at.y, anew.z[to] = at.z;
        anew.reach[to] = now->r + (double)list->margin[i];
    }
    return anew;
}

scr_status neighbours_repair(neighbours *list, const colliders *c, const neighbour_motion *motion,
                             const int32_t *outgrown, int64_t count, int threads, bool *done, scr_error *error)
{
    *done = false;
    if (!can_repair(list, c, motion, outgrown, count)) return SCR_OK;
    neighbour_search s = {list, c, motion->is_moved};
    lacking_pairs found;
    found.count = 0;
    outgrown_colliders anew = begin_anew(list, c, motion, outgrown, count);
    int64_t n = list->collider_count;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t first = 0; first < n; first += COLLIDERS_AT_ONCE)
        for (int64_t j = first; j < min_i64(first + COLLIDERS_AT_ONCE, n); ++j)
            if (c->kind[j] != SCR_PLANE) look_from(&s, &anew, (int32_t)j, &found);
    look_for_planes(&s, &anew, &found);
    if (found.count > FOUND_MAX) return SCR_OK;  // the list is made anew, margins and all
    sort_pairs(&found);
    int64_t total = list->start[n] + found.count;
    scr_status status =
        scr_grow(&list->other, &list->other_capacity, total, sizeof *list->other, "neighbour lists", error);
    if (status != SCR_OK) return status;
    insert_pairs(list, &found);
    list->added_count += found.count;
    ++list->repair_count;
    *done = true;
    return found.count > 0 ? neighbours_mark_others(list, c, threads, error) : SCR_OK;
}
