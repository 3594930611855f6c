// SPDX-License-Identifier: BSD-3-Clause
// Which contacts of a pair of bodies are kept.
//
// Spread: the deepest contact, and farthest points: beginning with the mean of all, with the deepest one's normal, add
// again and again the contact with the largest
//     w_i^2 min over those so far k of ( |y_i - y_k|^2 + NORMAL_WEIGHT |n_i - n_k|^2 )
// The deepest takes part like any other: beginning there instead would leave out a corner near it.
// Here y are the contact points in units of their own extent: y = L^-1 x with L L^T = 12 C + FLATNESS tr(12 C) 1 and C
// the covariance of the points. A uniform rectangle becomes a unit square, so a narrow foot keeps its width as well as
// its length; what is flatter than the floor stays flat, so that roughness does not count as extent. Normals that
// differ much are far apart wherever they are: floor and wall are both represented. w = s / (s + gap - least gap), with
// s a small share of the extent, prefers contacts that carry load to those that are only near. Deep and near mean the
// gap at the end of the step, were the bodies not held: a wheel meets the next bump before it lies in it.
// Such points leave no contact farther from them than twice what the best choice of as many would (Gonzalez 1985).
//
// Stable: the same search is done once more with last step's contacts before all others. Its set is taken while it
// leaves no contact farther away than SLACK times what the fresh one does; so a set stays until it has become worse.
// What a dropped contact carried is not handed to others: sets change where the load moves on (a wheel that rolls over
// spheres), the solver finds the new forces in no more sweeps than with all contacts, and the motion is the same.
//
// Random: the contacts with the least of numbers drawn from the step, the two colliders' ids and the feature.
#include "collision/contacts/reduction.h"

#include <assert.h>
#include <string.h>

#include "core/arrays/radix_sort.h"
#include "core/arrays/scan.h"
#include "core/base/threads.h"
#include "core/maths/mat3.h"
#include "core/maths/rng.h"

static const double NORMAL_WEIGHT = 1.0;
static const double FLATNESS = 1e-4;    // of the squared extent: a ratio of widths of 1 to 100
static const double GAP_SHARE = 2e-3;   // of the extent: a gap that halves a contact's weight
static const double SAME_DEPTH = 1e-4;  // of the extent: depths that differ by less are equal
static const double SLACK = 1.5;

typedef struct candidate {
    scr_vec3 y, n;
    double gap;  // m, at the end of the step
    double weight2;
    double distance2;  // to the nearest one visited so far
    double number;     // random subsets: the least are kept
    bool was_kept, is_visited, is_taken, is_chosen;
} candidate;

typedef struct reducer {
    contacts *set;
    const colliders *c;
    const contact_cache *cache;
    const approach *motion;
    const reduction_rule *rule;
    uint64_t *key;         // (candidate count) pair of bodies
    int32_t *contact;      // (candidate count) sorted by pair, then in the contacts' order
    candidate *candidate;  // (candidate count)
    int64_t *group;        // (candidate count + 1) first candidate of each pair
    uint8_t *is_dropped;   // (contact count)
} reducer;

// ---- who may be too many ----

static bool has_siblings(const colliders *c, int64_t k)  // colliders of a body stand together
{
    return (k > 0 && c->body[k - 1] == c->body[k]) || (k + 1 < c->table.count && c->body[k + 1] == c->body[k]);
}

static bool has_parts(const colliders *c, int64_t k) { return kind_has_parts((scr_shape_kind)c->kind[k]); }

// May the pair of bodies of contact i have more contacts than the maximum? A grain owns all its contacts with bodies
// that are no grains: a short row of contacts decides for most.
static bool is_candidate(const reducer *r, int64_t i)
{
    int32_t a = r->set->a[i], b = r->set->b[i];
    if (collider_is_grain(r->c, a) && r->set->start[a + 1] - r->set->start[a] <= r->rule->max_per_pair) return false;
    if (has_siblings(r->c, a) || has_siblings(r->c, b) || has_parts(r->c, a) || has_parts(r->c, b)) return true;
    return r->rule->max_per_pair < MANIFOLD_MAX && !(collider_is_grain(r->c, a) && collider_is_grain(r->c, b));
}

static bool none_can_exceed(const colliders *c, int max_per_pair)
{
    int64_t n = c->table.count, bodies = n > 0 ? c->body[n - 1] + 1 : 0;
    if (max_per_pair == 0 || c->places.table.count == 0) return true;
    return max_per_pair >= MANIFOLD_MAX && n == bodies && (c->surfaces == NULL || c->surfaces->table.count == 0);
}

// ---- the choice within one pair ----

// The gap that contact i would have after the step if nothing held the bodies.
static double coming_gap(const reducer *r, int64_t i, const contact_geometry *at)
{
    scr_vec3 va = approach_velocity(r->motion, r->c->body[r->set->a[i]], at->point);
    scr_vec3 vb = approach_velocity(r->motion, r->c->body[r->set->b[i]], at->point);
    return at->gap + r->motion->time_step * vec3_dot(vec3_sub(vb, va), at->normal);
}

// The mean of y, and 12 times their covariance.
static mat3 spread_of(const candidate *item, int64_t count, scr_vec3 *mean)
{
    scr_vec3 sum = {0};
    mat3 s = {0};
    for (int64_t k = 0; k < count; ++k) sum = vec3_add(sum, item[k].y);
    *mean = vec3_scale(1.0 / (double)count, sum);
    for (int64_t k = 0; k < count; ++k) {
        scr_vec3 d = vec3_sub(item[k].y, *mean);
        const double v[3] = {d.x, d.y, d.z};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j <= i; ++j) s.m[i][j] += 12.0 / (double)count * v[i] * v[j];
    }
    return s;
}

// From points to units of their extent, which is returned; 0 if they all coincide.
static double scale_points(candidate *item, int64_t count)
{
    scr_vec3 mean;
    mat3 s = spread_of(item, count, &mean), l = {0};
    double extent2 = s.m[0][0] + s.m[1][1] + s.m[2][2];
    if (!(extent2 > 0.0)) {
        for (int64_t k = 0; k < count; ++k) item[k].y = vec3(0.0, 0.0, 0.0);
        return 0.0;
    }
    for (int i = 0; i < 3; ++i) {  // Cholesky
        for (int j = 0; j <= i; ++j) {
            double rest = s.m[i][j] + (i == j ? FLATNESS * extent2 : 0.0);
            for (int k = 0; k < j; ++k) rest -= l.m[i][k] * l.m[j][k];
            l.m[i][j] = i == j ? sqrt(fmax(rest, FLATNESS * extent2)) : rest / l.m[j][j];
        }
    }
    for (int64_t k = 0; k < count; ++k) {
        scr_vec3 d = vec3_sub(item[k].y, mean);
        item[k].y.x = d.x / l.m[0][0];
        item[k].y.y = (d.y - l.m[1][0] * item[k].y.x) / l.m[1][1];
        item[k].y.z = (d.z - l.m[2][0] * item[k].y.x - l.m[2][1] * item[k].y.y) / l.m[2][2];
    }
    return sqrt(extent2);
}

// The deepest; or, as good, the deepest of last step's.
static int64_t deepest(const candidate *item, int64_t count, bool old_first, double extent)
{
    int64_t best = 0, old = -1;
    for (int64_t k = 0; k < count; ++k) {
        if (item[k].gap < item[best].gap) best = k;
        if (item[k].was_kept && (old < 0 || item[k].gap < item[old].gap)) old = k;
    }
    return old_first && old >= 0 && item[old].gap <= item[best].gap + SAME_DEPTH * extent ? old : best;
}

static double distance2(const candidate *item, scr_vec3 y, scr_vec3 n)
{
    scr_vec3 dy = vec3_sub(item->y, y), dn = vec3_sub(item->n, n);
    return item->weight2 * (vec3_dot(dy, dy) + NORMAL_WEIGHT * vec3_dot(dn, dn));
}

// The farthest of those not visited, of last step's only if asked; -1 if there is none.
static int64_t farthest(const candidate *item, int64_t count, bool old_only)
{
    int64_t best = -1;
    for (int64_t k = 0; k < count; ++k) {
        if (item[k].is_visited || (old_only && !item[k].was_kept)) continue;
        if (best < 0 || item[k].distance2 > item[best].distance2) best = k;
    }
    return best;
}

// Take max contacts, and say how far (squared) the worst served of the others is from them.
static double take_spread(candidate *item, int64_t count, int max, bool old_first, double extent)
{
    int64_t first = deepest(item, count, old_first, extent);
    for (int64_t k = 0; k < count; ++k) {
        item[k].is_taken = k == first;
        item[k].is_visited = false;
        item[k].distance2 = distance2(&item[k], vec3(0.0, 0.0, 0.0), item[first].n);
    }
    for (int taken = 1; taken < max;) {
        int64_t next = old_first ? farthest(item, count, true) : -1;
        if (next < 0) next = farthest(item, count, false);
        taken += !item[next].is_taken;
        item[next].is_taken = item[next].is_visited = true;
        for (int64_t k = 0; k < count; ++k)
            item[k].distance2 = fmin(item[k].distance2, distance2(&item[k], item[next].y, item[next].n));
    }
    return item[farthest(item, count, false)].distance2;
}

static void choose_spread(const reducer *r, candidate *item, const int32_t *contact, int64_t count)
{
    bool any_old = false;
    double least = INFINITY;
    for (int64_t k = 0; k < count; ++k) {
        int64_t i = contact[k];
        contact_geometry at = contact_geometry_of(r->set, r->c, i);
        item[k].y = at.point;
        item[k].n = at.normal;
        item[k].gap = coming_gap(r, i, &at);
        item[k].was_kept = contact_cache_find(r->cache, r->set->a[i], r->set->b[i], contact_feature(r->set, i)) >= 0;
        any_old = any_old || item[k].was_kept;
        least = fmin(least, item[k].gap);
    }
    double extent = scale_points(item, count), easy = GAP_SHARE * extent;
    for (int64_t k = 0; k < count; ++k) {
        double weight = extent > 0.0 ? easy / (easy + item[k].gap - least) : 1.0;
        item[k].weight2 = weight * weight;
    }
    double fresh = take_spread(item, count, r->rule->max_per_pair, false, extent);
    for (int64_t k = 0; k < count; ++k) item[k].is_chosen = item[k].is_taken;
    if (!any_old) return;
    if (take_spread(item, count, r->rule->max_per_pair, true, extent) > SLACK * SLACK * fresh) return;
    for (int64_t k = 0; k < count; ++k) item[k].is_chosen = item[k].is_taken;
}

static double drawn_number(const reducer *r, int64_t i)
{
    const contacts *set = r->set;
    uint64_t a = r->c->id[set->a[i]], b = r->c->id[set->b[i]];
    const uint32_t counter[4] = {(uint32_t)a, (uint32_t)b, (uint32_t)(a >> 32) ^ contact_feature(set, i),
                                 (uint32_t)(b >> 32)};
    const uint32_t key[2] = {(uint32_t)r->rule->step, (uint32_t)(r->rule->step >> 32)};
    scr_random4 random = scr_philox(counter, key);
    return (double)random.v[0] * 0x1p-32 + (double)random.v[1] * 0x1p-64;
}

static void choose_random(const reducer *r, candidate *item, const int32_t *contact, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) item[k].number = drawn_number(r, contact[k]), item[k].is_chosen = false;
    for (int chosen = 0; chosen < r->rule->max_per_pair; ++chosen) {
        int64_t best = -1;
        for (int64_t k = 0; k < count; ++k)
            if (!item[k].is_chosen && (best < 0 || item[k].number < item[best].number)) best = k;
        item[best].is_chosen = true;
    }
}

static void reduce_group(const reducer *r, int64_t group)
{
    int64_t first = r->group[group], count = r->group[group + 1] - first;
    candidate *item = r->candidate + first;
    const int32_t *contact = r->contact + first;
    if (count <= r->rule->max_per_pair) return;
    if (r->rule->kind == SCR_REDUCE_RANDOM) choose_random(r, item, contact, count);
    else choose_spread(r, item, contact, count);
    for (int64_t k = 0; k < count; ++k) r->is_dropped[contact[k]] = !item[k].is_chosen;
}

// ---- all pairs ----

static int64_t count_candidates(const reducer *r, int threads)
{
    int64_t count = 0;
#pragma omp parallel for num_threads(loop_threads(r->set->count, threads)) schedule(static) reduction(+ : count)
    for (int64_t i = 0; i < r->set->count; ++i) count += is_candidate(r, i);
    return count;
}

// Candidates ordered by their pair of bodies; the sort is stable. Returns the number of pairs.
static int64_t group_candidates(const reducer *r, int64_t count, scr_arena arena, int threads)
{
    int bits = scr_bits_for(r->c->body[r->c->table.count - 1] + 1);
    int64_t at = 0, groups = 0;
    for (int64_t i = 0; i < r->set->count; ++i) {
        if (!is_candidate(r, i)) continue;
        uint64_t a = (uint64_t)r->c->body[r->set->a[i]], b = (uint64_t)r->c->body[r->set->b[i]];
        r->key[at] = a < b ? a << bits | b : b << bits | a;
        r->contact[at++] = (int32_t)i;
    }
    scr_radix_sort(r->key, (uint32_t *)r->contact, count, 2 * bits, arena, threads);
    for (int64_t k = 0; k < count; ++k)
        if (k == 0 || r->key[k] != r->key[k - 1]) r->group[groups++] = k;
    r->group[groups] = count;
    return groups;
}

static void close_up(void *array, size_t size, const uint8_t *is_dropped, int64_t count)
{
    char *bytes = array;
    int64_t to = 0;
    for (int64_t i = 0; i < count;) {
        int64_t first = i;
        while (i < count && !is_dropped[i]) ++i;
        if (to != first) memmove(bytes + (size_t)to * size, bytes + (size_t)first * size, (size_t)(i - first) * size);
        to += i - first;
        while (i < count && is_dropped[i]) ++i;
    }
}

// What is kept of contacts stands in their order, and closes up with them.
static void close_up_kept(contacts *set, int64_t old_count, const uint8_t *is_dropped)
{
    int32_t count = 0;
    int64_t to = 0, general = 0;
    for (int64_t i = 0; i < old_count; ++i) {
        if (is_dropped[i]) continue;
        int32_t kept = set->kept[i];
        if (kept != BETWEEN_GRAINS) {
            assert(kept >= count);
            set->geometry[count] = set->geometry[kept];
            general += !set->geometry[count].on_centre_line;
            kept = count++;
        }
        set->kept[to++] = kept;
    }
    set->kept_count = count;
    set->general_count = general;
}

// new_number (contact count + 1) receives how many are kept before each contact.
static void drop(contacts *set, int64_t collider_count, const uint8_t *is_dropped, int32_t *new_number, int threads)
{
    struct {
        void *array;
        size_t size;
    } arrays[] = {{NULL, 0},
                  {set->a, sizeof *set->a},
                  {set->b, sizeof *set->b},
                  {set->sphere_radius, 2 * sizeof *set->sphere_radius}};
    int64_t n = set->count;
    size_t count = sizeof arrays / sizeof *arrays - (set->has_sets ? 0 : 1);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < n; ++i) new_number[i] = !is_dropped[i];
#pragma omp single
        set->count = scr_scan_i32(new_number, n, 1);
#pragma omp for schedule(static)
        for (int64_t k = 0; k <= collider_count; ++k) set->start[k] = new_number[set->start[k]];
#pragma omp for schedule(dynamic, 1)
        for (size_t k = 0; k < count; ++k) {
            if (arrays[k].array != NULL) close_up(arrays[k].array, arrays[k].size, is_dropped, n);
            else close_up_kept(set, n, is_dropped);
        }
    }
}

scr_status contacts_reduce(contacts *set, const colliders *c, const contact_cache *cache, const approach *motion,
                           const reduction_rule *rule, scr_arena *scratch, int threads, scr_error *error)
{
    if (none_can_exceed(c, rule->max_per_pair)) return SCR_OK;
    reducer r = {.set = set, .c = c, .cache = cache, .motion = motion, .rule = rule};
    int64_t count = count_candidates(&r, threads), n = set->count;
    if (count <= rule->max_per_pair) return SCR_OK;
    size_t bytes = scr_arena_bytes(sizeof *r.key, count) + scr_arena_bytes(sizeof *r.contact, count) +
                   scr_arena_bytes(sizeof *r.candidate, count) + scr_arena_bytes(sizeof *r.group, count + 1) +
                   scr_arena_bytes(1, n) + scr_arena_bytes(sizeof(int32_t), n + 1) + scr_radix_sort_bytes(count);
    scr_status status = scr_arena_reserve(scratch, bytes, "contact reduction", error);
    if (status != SCR_OK) return status;
    scr_arena arena = *scratch;
    r.key = scr_arena_array(&arena, sizeof *r.key, count);
    r.contact = scr_arena_array(&arena, sizeof *r.contact, count);
    r.candidate = scr_arena_array(&arena, sizeof *r.candidate, count);
    r.group = scr_arena_array(&arena, sizeof *r.group, count + 1);
    r.is_dropped = scr_arena_array(&arena, 1, n);
    int32_t *new_number = scr_arena_array(&arena, sizeof *new_number, n + 1);

    int64_t groups = group_candidates(&r, count, arena, threads);
    memset(r.is_dropped, 0, (size_t)n);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int64_t g = 0; g < groups; ++g) reduce_group(&r, g);
    if (memchr(r.is_dropped, 1, (size_t)n) != NULL) drop(set, c->table.count, r.is_dropped, new_number, threads);
    return SCR_OK;
}
