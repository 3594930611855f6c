// SPDX-License-Identifier: BSD-3-Clause
#include "collision/broad/neighbours.h"

#include <string.h>

#include "collision/broad/neighbours_inside.h"
#include "collision/broad/outgrown.h"
#include "core/arrays/scan.h"
#include "core/arrays/short_sort.h"
#include "core/base/threads.h"

static const double REST_MARGIN = 0.05;    // of the size of what touches: what a body at rest gets
static const double SOON_STEPS = 2.0;      // who will have outgrown a list after so many more steps is repaired, too
static const double LARGEST_MARGIN = 0.4;  // of the radius: wider ones cost more in tests than they save in rebuilding

void neighbours_free(neighbours *list)
{
    scr_free(list->start);
    scr_free(list->other);
    scr_free(list->is_other);
    scr_free(list->margin);
    scr_free(list->made_at);
    scr_free(list->made_rotation);
    scr_free(list->plane);
    scr_free(list->trait);
    scr_free(list->apart);
    scr_free(list->outgrown);
    neighbours_repair_free(list->repair);
    ball_grid_free(&list->grid);
    pair_list_free(&list->pairs);
    images_free(&list->images);
    part_lists_free(&list->parts);
}

// How many cells from the shown one a coordinate was when the list was made.
static double made_cell(const neighbours *list, const periodic_cell *p, int axis, double x)
{
    return list->made_length[axis] > 0.0 ? floor((x - p->low[axis]) / list->made_length[axis]) : 0.0;
}

// m: how far a ball has come since the list was made. Where space is sheared, its cell slides with it, and the ball may
// have to do with cells above and below that slide as far again: half of that is put down to either of two balls. The
// same where lengths change.
static double way_of(const neighbours *list, const colliders *c, scr_vec3 drift, int64_t i)
{
    const ball *now = &c->ball[i];
    const scr_vec3 *then = &list->made_at[i];
    const periodic_cell *p = &c->period;
    scr_vec3 way = vec3(now->x - then->x - drift.x, now->y - then->y - drift.y, now->z - then->z - drift.z);
    if (p->is_stretched) {
        double grown[3], all = 0.0;
        for (int k = 0; k < 3; ++k) grown[k] = p->length[k] - list->made_length[k], all += fabs(grown[k]);
        scr_vec3 carried = vec3(grown[0] * made_cell(list, p, 0, then->x), grown[1] * made_cell(list, p, 1, then->y),
                                grown[2] * made_cell(list, p, 2, then->z));
        return vec3_norm(vec3_sub(way, carried)) + 0.5 * all;
    }
    if (!p->is_sheared) return vec3_norm(way);
    double slid = p->shear_offset - list->made_offset, layer = period_layer(p, *then);
    return vec3_norm(vec3_sub(way, period_flow(p, layer * slid))) + 0.5 * fabs(slid);
}

// How far the farthest point of a collider may have come since the list was made.
static double travelled(const neighbours *list, const colliders *c, scr_vec3 drift, int64_t i)
{
    double way = way_of(list, c, drift, i);
    int32_t p = c->place[i];
    if (c->kind[i] == SCR_SPHERE || p == NO_PLACE) return way;
    scr_quat q = c->rotation[p], made = list->made_rotation[p];
    if (q.w == made.w && q.x == made.x && q.y == made.y && q.z == made.z) return way;  // not even rounding
    scr_quat rotation = quat_mul(q, quat_conj(made));
    double half_chord = vec3_norm(vec3(rotation.x, rotation.y, rotation.z));  // sin of half the angle
    return way + 2.0 * c->radius[i] * half_chord;
}

// Colliders that have left their margins. Those are listed, and whoever will have after so many steps more, if the list
// can be repaired for him.
typedef struct outgrown_search {
    double steps;
    int32_t *item;  // in any order
    int64_t most;   // items at most
    int64_t due;    // how many have,
    int64_t found;  // and how many are to be listed
} outgrown_search;

static void find_outgrown_from(const neighbours *list, const colliders *c, const neighbour_motion *motion,
                               scr_vec3 drift, int64_t i, outgrown_search *search)
{
    double way = travelled(list, c, drift, i) + (double)motion->reach[i], margin = (double)list->margin[i];
    if (way + search->steps * (double)motion->travel[i] <= margin) return;
    if (!(way <= margin)) __atomic_fetch_add(&search->due, 1, __ATOMIC_RELAXED);
    else if (!neighbours_can_begin_anew(c, i)) return;
    int64_t at = __atomic_fetch_add(&search->found, 1, __ATOMIC_RELAXED);
    if (at < search->most) search->item[at] = (int32_t)i;
}

// The same of many that follow each other: most are spheres that have gone nowhere.
static void find_outgrown_from_many(const neighbours *list, const colliders *c, const neighbour_motion *motion,
                                    const outgrown_look *look, outgrown_bits *may_have, index_range range,
                                    outgrown_search *search)
{
    int64_t i = range.first;
    for (; i + OUTGROWN_AT_ONCE <= range.last; i += OUTGROWN_AT_ONCE)
        for (uint32_t bits = may_have(look, i); bits != 0; bits &= bits - 1)
            find_outgrown_from(list, c, motion, look->drift, i + __builtin_ctz(bits), search);
    for (; i < range.last; ++i) find_outgrown_from(list, c, motion, look->drift, i, search);
}

static void find_outgrown(const neighbours *list, const colliders *c, const neighbour_motion *motion, int threads,
                          outgrown_search *search)
{
    int64_t n = motion->watched != NULL ? motion->watched_count : list->collider_count;
    scr_vec3 drift = vec3_sub(motion->drifted, list->made_drifted);
    outgrown_look look = {c->ball,        list->made_at, list->margin, motion->reach,
                          motion->travel, c->kind,       drift,        search->steps};
    outgrown_bits *may_have = KERNEL_TO_AVX512_FOR(!list->plain, may_have_outgrown);
    bool one_by_one = motion->watched != NULL || period_moves(&c->period);
    search->due = search->found = 0;
    if (n == 0) return;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) {
        index_range range = chunk_of(n, t, threads);
        if (!one_by_one) find_outgrown_from_many(list, c, motion, &look, may_have, range, search);
        for (int64_t k = range.first; k < range.last && one_by_one; ++k)
            find_outgrown_from(list, c, motion, drift, motion->watched != NULL ? motion->watched[k] : k, search);
    }
}

static bool is_of(const neighbours *list, const colliders *c)
{
    return list->valid && list->collider_count == c->table.count;
}

scr_status neighbours_add_empty_rows(neighbours *list, int64_t n, scr_error *error)
{
    int64_t known = list->collider_count;
    if (!list->valid || list->start[known] > 0) return SCR_OK;
    scr_status status =
        scr_grow(&list->start, &list->start_capacity, n + 2, sizeof *list->start, "neighbour lists", error);
    for (int64_t k = known + 1; k <= n && status == SCR_OK; ++k) list->start[k] = 0;
    return status;
}

bool neighbours_are_complete(const neighbours *list, const colliders *c, const neighbour_motion *motion, int threads)
{
    outgrown_search search = {0};
    if (!is_of(list, c)) return false;
    find_outgrown(list, c, motion, threads, &search);
    return search.due == 0;
}

float neighbours_margin(const colliders *c, const neighbour_motion *motion, int64_t i)
{
    double r = isfinite(c->radius[i]) ? c->radius[i] : 0.0;
    double size = isfinite(c->radius[i]) ? collider_largest_size(c, i) : 0.0;
    double skin = fmax(REST_MARGIN * size, MARGIN_STEPS * (double)motion->travel[i]);
    if (!motion->is_moved[i] && motion->travel[i] == 0.0f) skin = 0.0;
    if (r > 0.0) skin = fmin(skin, LARGEST_MARGIN * r);
    return (float)(1.001 * ((double)motion->reach[i] + skin));
}

static void choose_margins(neighbours *list, const colliders *c, const neighbour_motion *motion, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < c->table.count; ++i) list->margin[i] = neighbours_margin(c, motion, i);
}

// Bits of neighbours.trait. Two common colliders are grains of different bodies that accept each other's groups:
// nothing else has to be asked. That a plane is near comes out only when rows are measured.
enum { TRAIT_MOVED = 1, TRAIT_COMMON = 2, TRAIT_NEAR_PLANE = 4 };

// The only collider of its body: those of a body stand together.
static bool is_alone(const colliders *c, int64_t i)
{
    return (i == 0 || c->body[i - 1] != c->body[i]) && (i + 1 == c->table.count || c->body[i + 1] != c->body[i]);
}

// Common are those of the groups that the last collider has: as good a choice as any where most are alike.
static void find_traits(neighbours *list, const colliders *c, const neighbour_motion *motion, int threads)
{
    int64_t n = c->table.count;
    uint32_t group = n > 0 ? c->group[n - 1] : 0, with = n > 0 ? c->collides_with[n - 1] : 0;
    bool meet = (group & with) != 0;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < n; ++i) {
        bool is_common =
            meet && c->group[i] == group && c->collides_with[i] == with && collider_is_grain(c, i) && is_alone(c, i);
        list->trait[i] = (uint8_t)((motion->is_moved[i] ? TRAIT_MOVED : 0) | (is_common ? TRAIT_COMMON : 0));
    }
}

static bool is_joined(const neighbour_search *s, int64_t i)
{
    return s->list->is_joined != NULL && s->list->is_joined[s->c->body[i]];
}

bool neighbours_keep_apart(const neighbours *list, int64_t body_a, int64_t body_b)
{
    uint64_t key = body_pair_key(body_a, body_b);
    int64_t low = 0, high = list->apart_count;
    while (low < high) {
        int64_t mid = (low + high) / 2;
        if (list->apart[mid] < key) low = mid + 1;
        else high = mid;
    }
    return low < list->apart_count && list->apart[low] == key;
}

static bool are_kept_apart(const neighbour_search *s, int64_t i, int64_t j)
{
    if (s->list->apart_count == 0 || !is_joined(s, i) || !is_joined(s, j)) return false;
    return neighbours_keep_apart(s->list, s->c->body[i], s->c->body[j]);
}

bool neighbours_are_pair(const neighbour_search *s, int64_t i, int64_t j)
{
    return (s->is_moved[i] | s->is_moved[j]) && colliders_may_touch(s->c, i, j) && !are_kept_apart(s, i, j);
}

// One that moves and no joint holds: what somebody else may look after.
static bool is_loose_grain(const neighbour_search *s, int64_t i)
{
    return collider_is_grain(s->c, i) && s->is_moved[i] && !is_joined(s, i);
}

static bool boxes_overlap(const scr_aabb *a, const scr_aabb *b, double reach)
{
    return a->low.x - reach < b->high.x && b->low.x - reach < a->high.x && a->low.y - reach < b->high.y &&
           b->low.y - reach < a->high.y && a->low.z - reach < b->high.z && b->low.z - reach < a->high.z;
}

// Two colliders whose balls meet, at least one of them no grain: do they as shapes?
static bool shapes_may_touch(const neighbour_search *s, int64_t i, int64_t j)
{
    double reach = (double)s->list->margin[i] + (double)s->list->margin[j];
    if (collider_is_oval(s->c, i) && collider_is_oval(s->c, j)) {
        if (!ovals_may_touch(s->c, i, j, reach)) return false;
        if (s->c->kind[i] == SCR_ELLIPSOID && s->c->kind[j] == SCR_ELLIPSOID) return true;
    }
    bool other_i = !collider_is_grain(s->c, i), other_j = !collider_is_grain(s->c, j);
    ball near_i = collider_nearest(s->c, i, j), near_j = collider_nearest(s->c, j, i);
    if (other_i && !collider_may_reach(s->c, i, &near_i, reach)) return false;
    if (other_j && !collider_may_reach(s->c, j, &near_j, reach)) return false;
    if (!other_i || !other_j) return true;
    placed_shape a = collider_placed(s->c, i), b = collider_placed_near(s->c, i, j);
    scr_aabb box_a = placed_aabb(&a), box_b = placed_aabb(&b);
    return boxes_overlap(&box_a, &box_b, reach);
}

// Two colliders, the owner first. Who owns a pair follows from state alone, so rows do not depend on the grid.
static ball_pair owned_pair(const colliders *c, uint32_t i, uint32_t j)
{
    return collider_owns(c, i, j) ? (ball_pair){i, j} : (ball_pair){j, i};
}

static bool may_be_neighbours(const neighbour_search *s, uint32_t i, uint32_t j)
{
    if (!neighbours_are_pair(s, i, j)) return false;
    bool two_grains = collider_is_grain(s->c, i) && collider_is_grain(s->c, j);
    bool is_left_out = s->list->without_grain_pairs && is_loose_grain(s, i) && is_loose_grain(s, j);
    return two_grains ? !is_left_out : shapes_may_touch(s, i, j);
}

// Keep the pairs that may touch, and turn them from entries of the grid into colliders.
static int64_t keep_neighbours(void *context, ball_pair *pairs, int64_t count)
{
    const neighbour_search *s = context;
    const ball_grid *grid = &s->list->grid;
    int64_t kept = 0;
    for (int64_t k = 0; k < count; ++k) {
        uint32_t i = grid->id_of[pairs[k].a], j = grid->id_of[pairs[k].b];
        if (s->c->period.any) {
            if (!images_are_nearest(&s->list->images, &s->c->period, i, j)) continue;
            i = s->list->images.collider[i], j = s->list->images.collider[j];
        }
        if (may_be_neighbours(s, i, j)) pairs[kept++] = owned_pair(s->c, i, j);
    }
    return kept;
}

// Two grains, the older one first. Which of the two that is nobody can foresee: a choice, no branch.
static inline ball_pair grains_by_age(const colliders *c, uint32_t i, uint32_t j)
{
    uint32_t swap = (i ^ j) & -(uint32_t)(c->id[j] < c->id[i]);
    return (ball_pair){i ^ swap, j ^ swap};
}

// The same where two common grains have only to be moved, one of them.
static int64_t keep_grains(void *context, ball_pair *pairs, int64_t count)
{
    const neighbour_search *s = context;
    const colliders *c = s->c;
    const uint32_t *id_of = s->list->grid.id_of;
    const uint8_t *trait = s->list->trait;
    int64_t kept = 0;
    for (int64_t k = 0; k < count; ++k) {
        uint32_t i = id_of[pairs[k].a], j = id_of[pairs[k].b];
        if ((trait[i] & trait[j] & TRAIT_COMMON) == 0) {
            if (may_be_neighbours(s, i, j)) pairs[kept++] = owned_pair(c, i, j);
            continue;
        }
        pairs[kept] = grains_by_age(c, i, j);
        kept += ((trait[i] | trait[j]) & TRAIT_MOVED) != 0;
    }
    return kept;
}

static pair_sieve *sieve_of(const neighbour_search *s)
{
    bool is_plain = !s->c->period.any && s->list->apart_count == 0 && !s->list->without_grain_pairs;
    return is_plain ? keep_grains : keep_neighbours;
}

static scr_status list_planes(neighbours *list, const colliders *c, scr_error *error)
{
    list->plane_count = 0;
    for (int64_t i = 0; i < c->table.count; ++i) {
        if (c->kind[i] != SCR_PLANE) continue;
        scr_status status =
            scr_grow(&list->plane, &list->plane_capacity, list->plane_count + 1, sizeof *list->plane, "planes", error);
        if (status != SCR_OK) return status;
        list->plane[list->plane_count++] = (near_plane){(int32_t)i, vec3(c->ball[i].x, c->ball[i].y, c->ball[i].z),
                                                        quat_z(c->rotation[c->place[i]]), (double)list->margin[i]};
    }
    return SCR_OK;
}

// The planes near collider i, written to `item` unless that is NULL; how many there are. Planes own no pair.
static int32_t find_planes(const neighbour_search *s, int64_t i, int32_t *item)
{
    const ball *b = &s->c->ball[i];
    int32_t count = 0;
    if (s->c->kind[i] == SCR_PLANE) return 0;
    for (int64_t k = 0; k < s->list->plane_count; ++k) {
        const near_plane *p = &s->list->plane[k];
        double height = vec3_dot(p->normal, vec3(b->x - p->at.x, b->y - p->at.y, b->z - p->at.z));
        if (!(height < b->r + (double)s->list->margin[i] + p->margin) || !neighbours_are_pair(s, i, p->collider))
            continue;
        if (s->list->is_wall != NULL && s->list->is_wall[p->collider] && is_loose_grain(s, i)) continue;
        if (item != NULL) item[count] = p->collider;
        ++count;
    }
    return count;
}

// Rows of a range of colliders: one thread reads all pairs and takes those that these own. Reading a pair costs little
// beside writing to a row, and so no two threads ever write to the same one. length: (collider count)
static void measure_rows(neighbours *list, const neighbour_search *s, index_range range, int64_t *length)
{
    for (int64_t i = range.first; i < range.last; ++i) {
        length[i] = find_planes(s, i, NULL);
        if (length[i] > 0) list->trait[i] |= TRAIT_NEAR_PLANE;
    }
    for (int64_t b = 0; b < list->grid.bucket_count; ++b) {
        const ball_pair *pair = pair_list_bucket(&list->pairs, b);
        for (int64_t k = 0; k < list->pairs.count[b]; ++k)
            if (pair[k].a >= range.first && pair[k].a < range.last) ++length[pair[k].a];
    }
}

static inline void put_in_order(int32_t *a, int32_t *b)
{
    int32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low, *b = high;
}

enum { RANKED = 8 };

// Each goes to where as many are that are less. No two are the same.
static void sort_by_rank(int32_t *item, int64_t count)
{
    int32_t from[RANKED], rank[RANKED] = {0};
    for (int i = 0; i < RANKED; ++i) from[i] = i < count ? item[i] : INT32_MAX;
    for (int k = 0; k < RANKED; ++k)
        for (int i = 0; i < RANKED; ++i) rank[i] += from[k] < from[i];
    for (int i = 0; i < count; ++i) item[rank[i]] = from[i];
}

// Rows are short: those of up to eight are sorted by comparisons that are the same for all of them, with nothing to
// foresee but the length.
static void sort_row(int32_t *item, int64_t count)
{
    if (count < 2) return;
    if (count > RANKED) short_sort(item, count);
    else if (count > 4) sort_by_rank(item, count);
    if (count > 4) return;
    int32_t a = item[0], b = item[1], c = count > 2 ? item[2] : INT32_MAX, d = count > 3 ? item[3] : INT32_MAX;
    put_in_order(&a, &b), put_in_order(&c, &d), put_in_order(&a, &c), put_in_order(&b, &d), put_in_order(&b, &c);
    item[0] = a, item[1] = b;
    if (count > 2) item[2] = c;
    if (count > 3) item[3] = d;
}

// next: (collider count) where rows begin; they are left where rows end
static void fill_rows(neighbours *list, const neighbour_search *s, index_range range, int64_t *next)
{
    int64_t begin = range.first < range.last ? next[range.first] : 0;
    int32_t *other = list->other;
    for (int64_t i = range.first; i < range.last; ++i)
        if (list->trait[i] & TRAIT_NEAR_PLANE) next[i] += find_planes(s, i, other + next[i]);
    for (int64_t b = 0; b < list->grid.bucket_count; ++b) {
        const ball_pair *pair = pair_list_bucket(&list->pairs, b);
        for (int64_t k = 0; k < list->pairs.count[b]; ++k) {
            int64_t i = pair[k].a;
            if (i >= range.first && i < range.last) other[next[i]++] = (int32_t)pair[k].b;
        }
    }
    for (int64_t i = range.first; i < range.last; begin = next[i++]) sort_row(other + begin, next[i] - begin);
}

enum { SPARE_WORDS = 8 };  // that follow the last one

// Rows of what is no grain are all of that kind. They may share a word with others' rows.
static void mark_row(neighbours *list, int64_t row)
{
    for (int64_t k = list->start[row]; k < list->start[row + 1]; ++k)
        __atomic_fetch_or(&list->is_other[k / 64], (uint64_t)1 << k % 64, __ATOMIC_RELAXED);
}

int64_t neighbours_mark_words(int64_t pairs) { return block_count_of(pairs, 64) + SPARE_WORDS; }

// Mark the pairs of the list that are not two grains.
static scr_status mark_others(neighbours *list, const colliders *c, int threads, scr_error *error)
{
    int64_t total = list->start[c->table.count];
    int64_t words = block_count_of(total, 64);
    scr_status status = scr_grow_anew(&list->is_other, &list->is_other_capacity, neighbours_mark_words(total),
                                      sizeof *list->is_other, "neighbour lists", error);
    if (status != SCR_OK) return status;
    memset(list->is_other + words, 0, SPARE_WORDS * sizeof *list->is_other);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (int64_t w = 0; w < words; ++w) {
            uint64_t bits = 0;
            for (int64_t k = 64 * w; k < min_i64(64 * w + 64, total); ++k)
                bits |= (uint64_t)!collider_is_grain(c, list->other[k]) << k % 64;
            list->is_other[w] = bits;
        }
#pragma omp for schedule(static)
        for (int64_t row = 0; row < c->table.count; ++row)
            if (!collider_is_grain(c, row)) mark_row(list, row);
    }
    return SCR_OK;
}

static scr_status make_rows(neighbours *list, const colliders *c, const neighbour_motion *motion, int threads,
                            scr_error *error)
{
    int64_t n = c->table.count;
    neighbour_search s = {list, c, motion->is_moved};
    scr_status status = list_planes(list, c, error);
    if (status == SCR_OK && c->period.any) {
        ball_images *images = &list->images;
        status = images_make(images, c, list->margin, error);
        if (status == SCR_OK)
            status = ball_grid_build(&list->grid, images->ball, images->margin, images->count, threads, error);
    } else if (status == SCR_OK) {
        status = ball_grid_build(&list->grid, c->ball, list->margin, n, threads, error);
    }
    if (status == SCR_OK)
        status = pair_list_find(&list->pairs, &list->grid, KERNEL_FOR(!list->plain, ball_pairs), sieve_of(&s), &s,
                                threads, error);
    if (status != SCR_OK) return status;

    // Where a row ends the next one begins: lengths become the beginnings of rows, filling makes them their ends.
    int64_t *row = list->start + 1;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) measure_rows(list, &s, chunk_of(n, t, threads), row);
    int64_t total = scr_scan_i64(row, n, threads);
    status = scr_grow_anew(&list->other, &list->other_capacity, total, sizeof *list->other, "neighbour lists", error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) fill_rows(list, &s, chunk_of(n, t, threads), row);
    list->start[0] = 0;
    status = mark_others(list, c, threads, error);
    if (status != SCR_OK) return status;
    return part_lists_make(&list->parts, c, list->start, list->other, list->margin, threads, error);
}

static scr_status grow_lists(neighbours *list, int64_t n, int64_t places, scr_error *error)
{
    if (n > GRID_BALLS_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "a world holds at most %lld shapes, not %lld", (long long)GRID_BALLS_MAX,
                        (long long)n);
    scr_status status =
        scr_grow(&list->margin, &list->margin_capacity, n, sizeof *list->margin, "neighbour margins", error);
    if (status == SCR_OK)
        status =
            scr_grow(&list->made_at, &list->made_capacity, n + 1, sizeof *list->made_at, "neighbour positions", error);
    if (status == SCR_OK)
        status = scr_grow(&list->made_rotation, &list->made_rotation_capacity, places, sizeof *list->made_rotation,
                          "neighbour rotations", error);
    if (status == SCR_OK)
        status = scr_grow(&list->trait, &list->trait_capacity, n, sizeof *list->trait, "neighbour lists", error);
    if (status == SCR_OK)
        status = scr_grow(&list->start, &list->start_capacity, n + 2, sizeof *list->start, "neighbour lists", error);
    return status;
}

static scr_status make_list(neighbours *list, const colliders *c, const neighbour_motion *motion, int threads,
                            scr_error *error)
{
    list->valid = false;
    int64_t n = c->table.count, places = c->places.table.count;
    scr_status status = grow_lists(list, n, places, error);
    if (status != SCR_OK) return status;

    choose_margins(list, c, motion, threads);
    find_traits(list, c, motion, threads);
    list->made_drifted = motion->drifted;
    list->made_offset = c->period.shear_offset;
    memcpy(list->made_length, c->period.length, sizeof list->made_length);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < n; ++i) list->made_at[i] = vec3(c->ball[i].x, c->ball[i].y, c->ball[i].z);
    if (places > 0) memcpy(list->made_rotation, c->rotation, (size_t)places * sizeof *c->rotation);
    status = make_rows(list, c, motion, threads, error);
    if (status == SCR_OK) status = neighbours_repair_reserve(list, c, threads, error);
    if (status != SCR_OK) return status;
    list->collider_count = n;
    list->valid = true;
    list->added_count = 0;
    ++list->build_count;
    return SCR_OK;
}

scr_status neighbours_update(neighbours *list, const colliders *c, const neighbour_motion *motion, int threads,
                             scr_error *error)
{
    if (is_of(list, c)) {
        outgrown_search search = {.steps = SOON_STEPS, .item = list->outgrown, .most = list->outgrown_capacity};
        find_outgrown(list, c, motion, threads, &search);
        bool is_complete = search.due == 0;
        if (!is_complete && search.found > search.most && search.due <= search.most) {
            search.steps = 0.0;
            find_outgrown(list, c, motion, threads, &search);
        }
        int64_t count = search.found;
        list->valid = is_complete;
        scr_status status =
            is_complete ? SCR_OK : neighbours_repair(list, c, motion, count, threads, &is_complete, error);
        list->valid = is_complete && status == SCR_OK;
        if (is_complete || status != SCR_OK) return status;
    }
    return make_list(list, c, motion, threads, error);
}
