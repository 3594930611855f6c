// SPDX-License-Identifier: BSD-3-Clause
// A neighbour list that some colliders have outgrown is made complete for these alone.
//
// Where and when a collider's margin began to count is its own affair: while travel_i + reach_i <= margin_i holds for
// both of a pair, it can meet only if the places made_i and made_j are nearer than r_i + r_j + margin_i + margin_j. So
// a grain that has left its margin begins anew where it is, with the margin that it would be given now, and the list
// gets the pairs of it that it lacks. In a bed that flows this is one grain in ten thousand, which a blow has sent off;
// out of a silo one in fifty falls. Those who begin anew are put into cells, and all others look there: that costs
// little beside a grid of all and all its pairs. Pairs that nobody needs any more stay until the whole list is made
// anew.
//
//     R       the largest reach r + margin of those who begin anew
//     small   2 R: what others may reach to find all that they may meet in their own cell and those around it,
//     edge    R + small or more. Who reaches farther looks at all who begin anew
//
// Only grains and planes are treated so, in a space that does not repeat itself. (Where all that moves has a drift in
// common, what margins are told in moves with it, and planes are what leaves them.)
#include <stdlib.h>
#include <string.h>

#include "collision/broad/neighbours_inside.h"
#include "core/base/threads.h"

enum {
    OUTGROWN_FEW = 64,         // colliders that a list is made complete for however few it has,
    OUTGROWN_SHARE = 32,       // and else at most one in so many
    FOUND_EACH = 16,           // pairs: with more of them in the mean the whole list is made anew,
    FOUND_FEW = 4096,          // but not for so many
    STALE_SHARE = 8,           // and also with more than one in so many that a list has got by repair
    COLLIDERS_AT_ONCE = 1024,  // that a thread looks at
    CELLS_FEW = 1024,          // cells, at most: so many, or as many as there are colliders
    CELLS_MAX = 1 << 18,
    LOOKS_EACH = 16,  // of those who reach far, for each collider of the list
};
static const double SMALL_REACHES = 2.0, EDGE_GROWTH = 1.5;
static const double FARTHEST_REACHES = 1e12;  // from the origin: cells are known to their rounding

// A grain that begins anew: where, and how far it looks.
typedef struct anew_grain {
    double x, y, z, reach;  // m
    int32_t collider;
} anew_grain;

struct neighbour_repair {
    anew_grain *grain;  // by cell
    anew_grain *given;  // in any order, before they are
    const near_plane **plane;
    int64_t grain_count, plane_count, grain_capacity, given_capacity, plane_capacity;
    // The cells, one and a half layers of empty ones around them.
    double low[3], edge, small, reach;  // m
    double cells_a_metre;
    int64_t size[3];
    int32_t *start;    // (cell count + 1) first grain of a cell
    uint8_t *is_near;  // (cell count) whether there is a grain in the cell or in those around it
    int64_t cells_max, start_capacity, near_capacity;
    // Pairs that the list lacks: owner and other, as one number.
    uint64_t *key;
    int64_t found, key_capacity;
};

void neighbours_repair_free(struct neighbour_repair *r)
{
    if (r == NULL) return;
    scr_free(r->grain);
    scr_free(r->given);
    scr_free(r->plane);
    scr_free(r->start);
    scr_free(r->is_near);
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
        if (!collider_is_grain(c, list->outgrown[k]) && c->kind[list->outgrown[k]] != SCR_PLANE) return false;
    return true;
}

scr_status neighbours_repair_reserve(neighbours *list, const colliders *c, scr_error *error)
{
    if (!can_ever_repair(list, c)) return SCR_OK;
    const char *what = "neighbour lists";
    int64_t n = c->table.count, most = neighbours_repair_most(n);
    scr_status status =
        list->repair != NULL ? SCR_OK : scr_make_zeros(&list->repair, 1, sizeof *list->repair, what, error);
    if (status != SCR_OK) return status;
    struct neighbour_repair *r = list->repair;
    r->cells_max = min_i64(CELLS_MAX, max_i64(CELLS_FEW, n));
    const struct {
        void *array;
        int64_t *capacity, need;
        size_t size;
    } scratch[] = {{&list->outgrown, &list->outgrown_capacity, most, sizeof *list->outgrown},
                   {&r->grain, &r->grain_capacity, most, sizeof *r->grain},
                   {&r->given, &r->given_capacity, most, sizeof *r->given},
                   {&r->plane, &r->plane_capacity, list->plane_count, sizeof *r->plane},
                   {&r->start, &r->start_capacity, r->cells_max + 2, sizeof *r->start},
                   {&r->is_near, &r->near_capacity, r->cells_max, sizeof *r->is_near},
                   {&r->key, &r->key_capacity, max_i64(FOUND_FEW, FOUND_EACH * most), sizeof *r->key}};
    for (size_t k = 0; k < sizeof scratch / sizeof *scratch && status == SCR_OK; ++k)
        status = scr_grow_anew(scratch[k].array, scratch[k].capacity, scratch[k].need, scratch[k].size, what, error);
    return status;
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

// Their places and margins, in the frame of the list.
static void begin_anew(neighbours *list, const colliders *c, const neighbour_motion *motion, int64_t count)
{
    struct neighbour_repair *r = list->repair;
    scr_vec3 drift = vec3_sub(motion->drifted, list->made_drifted);
    r->grain_count = r->plane_count = r->found = 0;
    for (int64_t k = 0; k < count; ++k) {
        int32_t i = list->outgrown[k];
        const ball *now = &c->ball[i];
        scr_vec3 at = vec3(now->x - drift.x, now->y - drift.y, now->z - drift.z);
        list->made_at[i] = at;
        list->margin[i] = neighbours_margin(c, motion, i);
        if (c->kind[i] == SCR_PLANE) r->plane[r->plane_count++] = move_plane(list, c, i);
        else r->given[r->grain_count++] = (anew_grain){at.x, at.y, at.z, now->r + (double)list->margin[i], i};
    }
}

// ---- their cells ----

// The cell that a coordinate is in, as a number with a fraction: below 0 or beyond the last one it is outside. All in
// cells are rounded alike, and what is outside by rounding has an empty cell between it and the grains.
static inline double place_along(const struct neighbour_repair *r, int axis, double x)
{
    return (x - r->low[axis]) * r->cells_a_metre;
}

// What is below the first cell counts as in it.
static inline int64_t cell_along(const struct neighbour_repair *r, int axis, double x)
{
    return (int64_t)place_along(r, axis, x);
}

static int64_t cell_at(const struct neighbour_repair *r, const int64_t at[3])
{
    return (at[2] * r->size[1] + at[1]) * r->size[0] + at[0];
}

static int64_t cell_of(const struct neighbour_repair *r, const anew_grain *g)
{
    return cell_at(r, (int64_t[3]){cell_along(r, 0, g->x), cell_along(r, 1, g->y), cell_along(r, 2, g->z)});
}

static int64_t cell_count(const struct neighbour_repair *r) { return r->size[0] * r->size[1] * r->size[2]; }

// False: they are too far off for cells so small.
static bool lay_cells(struct neighbour_repair *r)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, cells = INFINITY;
    r->reach = 0.0;
    for (int64_t k = 0; k < r->grain_count; ++k) {
        const double at[3] = {r->given[k].x, r->given[k].y, r->given[k].z};
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = fmin(low[axis], at[axis]);
            high[axis] = fmax(high[axis], at[axis]);
        }
        r->reach = fmax(r->reach, r->given[k].reach);
    }
    for (int axis = 0; axis < 3; ++axis)
        if (!(fmax(fabs(low[axis]), fabs(high[axis])) < FARTHEST_REACHES * r->reach)) return false;
    r->small = SMALL_REACHES * r->reach;
    for (r->edge = r->reach + r->small; cells > (double)r->cells_max; r->edge *= EDGE_GROWTH) {
        cells = 1.0;
        for (int axis = 0; axis < 3; ++axis) cells *= floor((high[axis] - low[axis]) / r->edge) + 5.0;
    }
    r->edge /= EDGE_GROWTH;
    r->cells_a_metre = 1.0 / r->edge;
    for (int axis = 0; axis < 3; ++axis) {
        r->low[axis] = low[axis] - 1.5 * r->edge;
        r->size[axis] = cell_along(r, axis, high[axis]) + 3;
    }
    return true;
}

static void mark_around(struct neighbour_repair *r, int64_t cell)
{
    int64_t row = r->size[0], layer = row * r->size[1];
    for (int64_t z = -layer; z <= layer; z += layer)
        for (int64_t y = -row; y <= row; y += row)
            for (int64_t x = -1; x <= 1; ++x) r->is_near[cell + z + y + x] = 1;
}

// A counting sort of the grains by their cells.
static void fill_cells(struct neighbour_repair *r)
{
    int64_t cells = cell_count(r);
    memset(r->start, 0, (size_t)(cells + 2) * sizeof *r->start);
    memset(r->is_near, 0, (size_t)cells);
    int32_t *next = r->start + 1;  // while they are filled a cell's entry says where its next grain goes
    for (int64_t k = 0; k < r->grain_count; ++k) ++next[cell_of(r, &r->given[k]) + 1];
    for (int64_t i = 0; i < cells; ++i) next[i + 1] += next[i];
    for (int64_t k = 0; k < r->grain_count; ++k) {
        int64_t cell = cell_of(r, &r->given[k]);
        r->grain[next[cell]++] = r->given[k];
        mark_around(r, cell);
    }
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
    if (i == j || !neighbours_are_pair(s, i, j)) return;
    int32_t owner = collider_owns(s->c, i, j) ? i : j, other = owner == i ? j : i;
    if (is_listed(s->list, owner, other)) return;
    int64_t at = __atomic_fetch_add(&r->found, 1, __ATOMIC_RELAXED);
    if (at < r->key_capacity) r->key[at] = (uint64_t)owner << 32 | (uint64_t)other;
}

static void look_at(const neighbour_search *s, int32_t j, const scr_vec3 *at, double reach, int64_t first, int64_t last)
{
    const anew_grain *grain = s->list->repair->grain;
    for (int64_t k = first; k < last; ++k) {
        double x = at->x - grain[k].x, y = at->y - grain[k].y, z = at->z - grain[k].z, far = reach + grain[k].reach;
        if (x * x + y * y + z * z < far * far) add_pair(s, grain[k].collider, j);
    }
}

static void look_around(const neighbour_search *s, int32_t j, const scr_vec3 *at, double reach)
{
    const struct neighbour_repair *r = s->list->repair;
    const double x[3] = {at->x, at->y, at->z};
    int64_t own[3], from[3], to[3];
    for (int axis = 0; axis < 3; ++axis) {
        double place = place_along(r, axis, x[axis]);
        if (!(place >= 0.0 && place < (double)r->size[axis])) return;
        own[axis] = (int64_t)place;
    }
    if (!r->is_near[cell_at(r, own)]) return;
    for (int axis = 0; axis < 3; ++axis) {
        from[axis] = max_i64(0, cell_along(r, axis, x[axis] - reach - r->reach));
        to[axis] = min_i64(r->size[axis] - 1, cell_along(r, axis, x[axis] + reach + r->reach));
    }
    for (int64_t z = from[2]; z <= to[2]; ++z)
        for (int64_t y = from[1]; y <= to[1]; ++y) {
            int64_t row = (z * r->size[1] + y) * r->size[0];
            look_at(s, j, at, reach, r->start[row + from[0]], r->start[row + to[0] + 1]);
        }
}

static bool plane_is_near(const near_plane *plane, const scr_vec3 *at, double reach)
{
    return vec3_dot(plane->normal, vec3_sub(*at, plane->at)) < reach + plane->margin;
}

// Those that collider j, which is no plane, may meet.
static void look_from(const neighbour_search *s, int32_t j)
{
    const struct neighbour_repair *r = s->list->repair;
    const scr_vec3 *at = &s->list->made_at[j];
    double reach = s->c->ball[j].r + (double)s->list->margin[j];
    if (r->grain_count > 0 && reach <= r->small) look_around(s, j, at, reach);
    else look_at(s, j, at, reach, 0, r->grain_count);
    for (int64_t p = 0; p < r->plane_count; ++p)
        if (plane_is_near(r->plane[p], at, reach)) add_pair(s, j, r->plane[p]->collider);
}

static void look_for_planes(const neighbour_search *s)
{
    const struct neighbour_repair *r = s->list->repair;
    for (int64_t k = 0; k < r->grain_count; ++k)
        for (int64_t p = 0; p < s->list->plane_count; ++p) {
            const near_plane *plane = &s->list->plane[p];
            scr_vec3 at = vec3(r->grain[k].x, r->grain[k].y, r->grain[k].z);
            if (plane_is_near(plane, &at, r->grain[k].reach)) add_pair(s, r->grain[k].collider, plane->collider);
        }
}

// Whether so many reach so far that a list made anew is cheaper.
static bool is_dear(const neighbours *list, const colliders *c, int threads)
{
    const struct neighbour_repair *r = list->repair;
    int64_t n = list->collider_count, far = 0;
    if (r->grain_count <= OUTGROWN_FEW) return false;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : far)
    for (int64_t j = 0; j < n; ++j) far += !(c->ball[j].r + (double)list->margin[j] <= r->small);
    return far * r->grain_count > LOOKS_EACH * n;
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

// Put the pairs into their rows, the last row first: what lies behind it moves on to make room.
static void insert_pairs(neighbours *list, const struct neighbour_repair *found)
{
    int64_t n = list->collider_count, left = found->found, row = n + 1, end = list->start[n];
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

scr_status neighbours_repair(neighbours *list, const colliders *c, const neighbour_motion *motion, int64_t count,
                             int threads, bool *done, scr_error *error)
{
    *done = false;
    if (!can_repair(list, c, motion, count)) return SCR_OK;
    neighbour_search s = {list, c, motion->is_moved};
    struct neighbour_repair *r = list->repair;
    begin_anew(list, c, motion, count);
    // From here on the list is made anew where it cannot be repaired, margins and all.
    if (r->grain_count > 0 && !lay_cells(r)) return SCR_OK;
    if (r->grain_count > 0) fill_cells(r);
    if (is_dear(list, c, threads)) return SCR_OK;
    int64_t n = list->collider_count;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t first = 0; first < n; first += COLLIDERS_AT_ONCE)
        for (int64_t j = first; j < min_i64(first + COLLIDERS_AT_ONCE, n); ++j)
            if (c->kind[j] != SCR_PLANE) look_from(&s, (int32_t)j);
    look_for_planes(&s);
    if (r->found > r->key_capacity) return SCR_OK;
    sort_pairs(r);
    int64_t total = list->start[n] + r->found;
    scr_status status =
        scr_grow(&list->other, &list->other_capacity, total, sizeof *list->other, "neighbour lists", error);
    if (status != SCR_OK) return status;
    insert_pairs(list, r);
    list->added_count += r->found;
    ++list->repair_count;
    *done = true;
    return r->found > 0 ? neighbours_mark_others(list, c, threads, error) : SCR_OK;
}
