// SPDX-License-Identifier: BSD-3-Clause
#include "collision/contacts/contact_cache.h"

#include <string.h>

#include "core/arrays/radix_sort.h"
#include "core/base/threads.h"

static const double LEAST_FIT = 0.9;  // cosine of impulse and normal: the impulse could have come from this contact
enum { HEIR_SEARCH = 64 };            // entries of a pair that may be inherited; a pair seldom has more than a few
enum { RECALL_CHUNK = 4096, REMEMBER_CHUNK = 4096 };  // contacts that a thread does in one go

static const field_info cache_fields[] = {
    FIELD(contact_cache, a, FIELD_I32, ""),
    FIELD(contact_cache, b, FIELD_I32, ""),
    FIELD(contact_cache, feature, FIELD_U32, ""),
    FIELD_WIDE(contact_cache, impulse, FIELD_F32, 3, "N s"),
    FIELD_WIDE(contact_cache, previous, FIELD_F32, 3, "N s"),
    FIELD(contact_cache, allowance, FIELD_F32, "m"),
};

static const field_info history_fields[] = {
    FIELD(contact_cache, a, FIELD_I32, ""),
    FIELD(contact_cache, b, FIELD_I32, ""),
    FIELD(contact_cache, feature, FIELD_U32, ""),
    FIELD_WIDE(contact_cache, impulse, FIELD_F32, 3, "N s"),
    FIELD_WIDE(contact_cache, spring, FIELD_F64, 3, "m"),
    FIELD_WIDE(contact_cache, roll, FIELD_F64, 3, "rad"),
    FIELD(contact_cache, in_touch, FIELD_U8, ""),
};

// Called as files and hashes have it.
static const field_info angular_impulse_fields[] = {
    {"twist", FIELD_F32, "N m s", 3, offsetof(contact_cache, angular_impulse), false},
};

static void init_with(contact_cache *cache, const field_info *field, size_t bytes)
{
    cache->table = (table){"contacts", field, (int)(bytes / sizeof *field), cache, 0, 0, false};
    cache->angular_impulses = (table){"contact_twists", angular_impulse_fields, 1, cache, 0, 0, false};
}

void contact_cache_init(contact_cache *cache)
{
    *cache = (contact_cache){0};
    init_with(cache, cache_fields, sizeof cache_fields);
}

void contact_cache_init_with_history(contact_cache *cache)
{
    *cache = (contact_cache){.keeps_history = true};
    init_with(cache, history_fields, sizeof history_fields);
}

void contact_cache_free(contact_cache *cache)
{
    table_free(&cache->table);
    table_free(&cache->angular_impulses);
    scr_free(cache->start);
}

scr_status contact_cache_index(contact_cache *cache, int64_t collider_count, scr_error *error)
{
    scr_status status = scr_grow(&cache->start, &cache->start_capacity, collider_count + 1, sizeof *cache->start,
                                 "contact cache", error);
    if (status != SCR_OK) return status;
    int64_t at = 0;
    for (int64_t i = 0; i <= collider_count; ++i) {
        while (at < cache->table.count && cache->a[at] < i) ++at;
        cache->start[i] = at;
    }
    cache->collider_count = collider_count;
    return SCR_OK;
}

// Does entry k come after the one before it: by a, then b, then feature?
static bool is_in_order(const contact_cache *cache, int64_t k)
{
    if (cache->a[k] != cache->a[k - 1]) return cache->a[k] > cache->a[k - 1];
    if (cache->b[k] != cache->b[k - 1]) return cache->b[k] > cache->b[k - 1];
    return cache->feature[k] > cache->feature[k - 1];
}

static bool numbers_are_valid(const contact_cache *cache, int64_t k)
{
    for (int64_t i = 3 * k; i < 3 * k + 3; ++i) {
        if (!isfinite(cache->impulse[i])) return false;
        if (cache->keeps_history ? !isfinite(cache->spring[i]) || !isfinite(cache->roll[i])
                                 : !isfinite(cache->previous[i]))
            return false;
    }
    return cache->keeps_history ? cache->in_touch[k] <= 1
                                : cache->allowance[k] >= 0.0f && isfinite(cache->allowance[k]);
}

bool contact_cache_has_numbers(const contact_cache *cache)
{
    if (cache->angular_impulses.count != 0 && cache->angular_impulses.count != cache->table.count) return false;
    for (int64_t k = 0; k < 3 * cache->angular_impulses.count; ++k)
        if (!isfinite(cache->angular_impulse[k])) return false;
    for (int64_t k = 0; k < cache->table.count; ++k)
        if (!numbers_are_valid(cache, k)) return false;
    return true;
}

bool contact_cache_is_valid(const contact_cache *cache, int64_t collider_count)
{
    if (!contact_cache_has_numbers(cache)) return false;
    for (int64_t k = 0; k < cache->table.count; ++k) {
        int32_t a = cache->a[k], b = cache->b[k];
        if (a < 0 || a >= collider_count || b < 0 || b >= collider_count || a == b) return false;
        if (k > 0 && !is_in_order(cache, k)) return false;
    }
    return true;
}

// Entries of the pair (a, b) stand together, in the row of a: the first one with at least this feature, or the end of
// the row. Rows are short but for those of a large body, which may touch thousands.
static int64_t lower_bound(const contact_cache *cache, int32_t a, int32_t b, uint32_t feature)
{
    if (a >= cache->collider_count) return cache->table.count;  // added since the cache was made
    int64_t first = cache->start[a], last = cache->start[a + 1];
    while (first < last) {
        int64_t middle = first + (last - first) / 2;
        bool before = cache->b[middle] < b || (cache->b[middle] == b && cache->feature[middle] < feature);
        if (before) first = middle + 1;
        else last = middle;
    }
    return first;
}

static bool is_of_pair(const contact_cache *cache, int64_t k, int32_t a, int32_t b)
{
    return k < cache->table.count && cache->a[k] == a && cache->b[k] == b;
}

int64_t contact_cache_find(const contact_cache *cache, int32_t a, int32_t b, uint32_t feature)
{
    int64_t k = lower_bound(cache, a, b, feature);
    return is_of_pair(cache, k, a, b) && cache->feature[k] == feature ? k : -1;
}

static void recall_history(const contact_cache *cache, contact_history *history, int64_t i, int64_t k)
{
    for (int axis = 0; axis < 3; ++axis) {
        history->spring[3 * i + axis] = k < 0 ? 0.0 : cache->spring[3 * k + axis];
        history->roll[3 * i + axis] = k < 0 ? 0.0 : cache->roll[3 * k + axis];
    }
    history->in_touch[i] = k >= 0 && cache->in_touch[k];
}

static void recall_angular_impulse(const contact_cache *cache, contacts *set, int64_t i, int64_t k)
{
    bool knows = k >= 0 && cache->angular_impulses.count > 0;
    for (int axis = 0; axis < 3; ++axis)
        set->last_angular_impulse[3 * i + axis] = knows ? cache->angular_impulse[3 * k + axis] : 0.0f;
}

static inline void recall_one(const contact_cache *cache, contacts *set, uint8_t *is_new, int64_t i, int64_t k)
{
    static const float none[3] = {0};
    is_new[i] = k < 0;
    if (cache->keeps_history) {
        recall_history(cache, &set->history, i, k);
        return;
    }
    memcpy(set->impulse + 3 * i, k < 0 ? none : cache->impulse + 3 * k, sizeof none);
    memcpy(set->previous + 3 * i, k < 0 ? none : cache->previous + 3 * k, sizeof none);
    set->allowance[i] = k < 0 ? 0.0f : cache->allowance[k];
    if (set->has_angular_impulses) recall_angular_impulse(cache, set, i, k);
}

// The cosine of the angle between an entry's impulse and a normal; 0 if it carried nothing.
static double fit(const contact_cache *cache, int64_t k, scr_vec3 n)
{
    const float *g = cache->impulse + 3 * k;
    scr_vec3 impulse = vec3((double)g[0], (double)g[1], (double)g[2]);
    double size = vec3_norm(impulse);
    return size > 0.0 ? vec3_dot(impulse, n) / size : 0.0;
}

// Of the entries first .. last - 1 that nobody has, the one that fits best and well enough; -1 if there is none.
static int64_t unclaimed_entry(const contact_cache *cache, int64_t first, int64_t last, uint64_t claimed, scr_vec3 n)
{
    int64_t best = -1;
    double best_fit = LEAST_FIT;
    for (int64_t k = first; k < last; ++k) {
        if (claimed >> (k - first) & 1) continue;
        double f = fit(cache, k, n);
        if (f > best_fit) best = k, best_fit = f;
    }
    return best;
}

// Where the entries of a contact's pair begin, or would. Contacts and entries have the same order, so that both are
// walked through side by side.
typedef struct recall_cursor {
    int32_t a;           // whose row it is; -1: of nobody yet
    int64_t entry, end;  // of the row
} recall_cursor;

static inline int64_t cursor_at(recall_cursor *at, const contact_cache *cache, int32_t a, int32_t b)
{
    if (at->a != a) {
        bool is_added = a >= cache->collider_count;  // since the cache was made
        *at = (recall_cursor){a, is_added ? cache->table.count : cache->start[a],
                              is_added ? cache->table.count : cache->start[a + 1]};
    }
    while (at->entry < at->end && cache->b[at->entry] < b) ++at->entry;
    return at->entry;
}

// The contacts first .. last - 1 are all those of one pair, whose entries begin at `entry`.
static void recall_pair(const contact_cache *cache, contacts *set, uint8_t *is_new, int64_t first, int64_t last,
                        int64_t entry)
{
    int32_t a = set->a[first], b = set->b[first];
    int64_t end = entry, found = 0;
    uint64_t claimed = 0;
    while (is_of_pair(cache, end, a, b) && end - entry < HEIR_SEARCH) ++end;
    for (int64_t i = first; i < last; ++i) {
        int64_t k = entry < end ? contact_cache_find(cache, a, b, contact_feature(set, i)) : -1;
        recall_one(cache, set, is_new, i, k);
        if (k < 0) continue;
        ++found;
        if (k < end) claimed |= (uint64_t)1 << (k - entry);
    }
    if (found == last - first || entry == end) return;  // the common case: nobody is new, or the pair is
    for (int64_t i = first; i < last; ++i) {
        if (!is_new[i]) continue;
        // Two grains have one contact, of one feature: an entry with another is not theirs.
        const contact_geometry *kept = contact_kept_geometry(set, i);
        int64_t k = kept != NULL ? unclaimed_entry(cache, entry, end, claimed, kept->normal) : -1;
        if (k < 0) continue;
        recall_one(cache, set, is_new, i, k);
        claimed |= (uint64_t)1 << (k - entry);
    }
}

static bool is_same_pair(const contacts *set, int64_t i, int64_t j)
{
    return set->a[i] == set->a[j] && set->b[i] == set->b[j];
}

// How many of the contacts from `first` on, before `last`, are the entries from `entry` on, one for one, pairs as a
// whole.
static int64_t lasting_run(const contact_cache *cache, const contacts *set, int64_t first, int64_t last, int64_t entry)
{
    int64_t most = min_i64(last - first, cache->table.count - entry), n = 0;
    const int32_t *a = set->a + first, *b = set->b + first, *known_a = cache->a + entry, *known_b = cache->b + entry;
    const uint32_t *known = cache->feature + entry;
    while (n < most && a[n] == known_a[n] && b[n] == known_b[n] && contact_feature(set, first + n) == known[n]) ++n;
    while (n > 0 && first + n < set->count && is_same_pair(set, first + n, first + n - 1)) --n;
    return n;
}

static void recall_run(const contact_cache *cache, contacts *set, uint8_t *is_new, int64_t first, int64_t count,
                       int64_t entry)
{
    if (cache->keeps_history || set->has_angular_impulses) {
        for (int64_t k = 0; k < count; ++k) recall_one(cache, set, is_new, first + k, entry + k);
        return;
    }
    size_t n = (size_t)count;
    memset(is_new + first, 0, n);
    memcpy(set->impulse + 3 * first, cache->impulse + 3 * entry, 3 * n * sizeof *set->impulse);
    memcpy(set->previous + 3 * first, cache->previous + 3 * entry, 3 * n * sizeof *set->previous);
    memcpy(set->allowance + first, cache->allowance + entry, n * sizeof *set->allowance);
}

// The pairs that begin among the contacts first .. last - 1. In a bed most pairs last, and with them long runs.
static void recall_chunk(const contact_cache *cache, contacts *set, uint8_t *is_new, int64_t first, int64_t last)
{
    recall_cursor cursor = {.a = -1};
    while (first > 0 && first < last && is_same_pair(set, first, first - 1)) ++first;
    for (int64_t i = first, next; i < last; i = next) {
        int64_t entry = cursor_at(&cursor, cache, set->a[i], set->b[i]), run = lasting_run(cache, set, i, last, entry);
        next = i + run;
        if (run > 0) {
            recall_run(cache, set, is_new, i, run, entry);
            continue;
        }
        for (next = i + 1; next < set->count && is_same_pair(set, next, i);) ++next;
        recall_pair(cache, set, is_new, i, next, entry);
    }
}

void contact_cache_recall(const contact_cache *cache, contacts *set, uint8_t *is_new, int threads)
{
    int64_t chunks = block_count_of(set->count, RECALL_CHUNK);
#pragma omp parallel for num_threads(loop_threads(set->count, threads)) schedule(static)
    for (int64_t c = 0; c < chunks; ++c)
        recall_chunk(cache, set, is_new, c * RECALL_CHUNK, min_i64((c + 1) * RECALL_CHUNK, set->count));
}

#define COPY(to, from, first, count) memcpy((to) + (first), (from) + (first), (size_t)(count) * sizeof *(to))

static void remember_range(contact_cache *cache, const contacts *set, index_range r)
{
    int64_t n = r.last - r.first;
    COPY(cache->a, set->a, r.first, n);
    COPY(cache->b, set->b, r.first, n);
    for (int64_t i = r.first; i < r.last; ++i) cache->feature[i] = contact_feature(set, i);
    COPY(cache->impulse, set->impulse, 3 * r.first, 3 * n);
    if (cache->keeps_history) {
        COPY(cache->spring, set->history.spring, 3 * r.first, 3 * n);
        COPY(cache->roll, set->history.roll, 3 * r.first, 3 * n);
        COPY(cache->in_touch, set->history.in_touch, r.first, n);
    } else {
        COPY(cache->previous, set->previous, 3 * r.first, 3 * n);
        COPY(cache->allowance, set->allowance, r.first, n);
    }
}

// An eighth more than asked for, as the contacts themselves have it: half as much again, which tables take when they
// grow, is much memory in a bed.
static scr_status reserve_some_more(table *t, int64_t count, scr_error *error)
{
    return count <= t->capacity ? SCR_OK : table_reserve(t, count + count / 8, error);
}

scr_status contact_cache_remember(contact_cache *cache, const contacts *set, int64_t collider_count, int threads,
                                  scr_error *error)
{
    int64_t n = set->count;
    bool stays_empty = n == 0 && cache->table.count == 0 && cache->collider_count == collider_count;
    int64_t angular_impulses = set->has_angular_impulses ? n : 0;
    scr_status status = reserve_some_more(&cache->table, n, error);
    if (status == SCR_OK) status = reserve_some_more(&cache->angular_impulses, angular_impulses, error);
    if (status == SCR_OK)
        status = scr_grow(&cache->start, &cache->start_capacity, collider_count + 1, sizeof *cache->start,
                          "contact cache", error);
    if (status != SCR_OK) return status;
    cache->table.count = n;
    cache->angular_impulses.count = angular_impulses;
    cache->collider_count = collider_count;
    if (angular_impulses > 0)
        memcpy(cache->angular_impulse, set->angular_impulse,
               3 * (size_t)angular_impulses * sizeof *cache->angular_impulse);
    if (!stays_empty || collider_count == 0)
        memcpy(cache->start, set->start, (size_t)(collider_count + 1) * sizeof *cache->start);
    if (n == 0) return SCR_OK;
    int64_t chunks = block_count_of(n, REMEMBER_CHUNK);
#pragma omp parallel for num_threads(loop_threads(n, threads)) schedule(static)
    for (int64_t c = 0; c < chunks; ++c)
        remember_range(cache, set, (index_range){c * REMEMBER_CHUNK, min_i64((c + 1) * REMEMBER_CHUNK, n)});
    return SCR_OK;
}

scr_status contact_cache_reserve(contact_cache *cache, int64_t collider_count, scr_arena *scratch, scr_error *error)
{
    int64_t n = cache->table.count;
    size_t bytes = scr_arena_bytes(sizeof(uint64_t), n) + scr_arena_bytes(sizeof(int32_t), n) +
                   scr_radix_sort_bytes(n) + table_gather_bytes(&cache->table, n) +
                   table_gather_bytes(&cache->angular_impulses, n);
    scr_status status = scr_grow(&cache->start, &cache->start_capacity, collider_count + 1, sizeof *cache->start,
                                 "contact cache", error);
    return status == SCR_OK ? scr_arena_reserve(scratch, bytes, "contact cache", error) : status;
}

scr_status contact_cache_grow(contact_cache *cache, int64_t more, bool rolls, scr_error *error)
{
    int64_t there = cache->table.count, total = there + more;
    scr_status status = table_reserve(&cache->table, total, error);
    rolls = (rolls || cache->angular_impulses.count > 0) && !cache->keeps_history;
    if (status == SCR_OK && rolls) status = table_reserve(&cache->angular_impulses, total, error);
    if (status != SCR_OK || !rolls) return status;
    for (int64_t k = 3 * cache->angular_impulses.count; k < 3 * there; ++k) cache->angular_impulse[k] = 0.0f;
    cache->angular_impulses.count = total;
    return SCR_OK;
}

scr_status contact_cache_renumber(contact_cache *cache, const int32_t *new_number, int64_t new_count,
                                  scr_arena *scratch, int threads, scr_error *error)
{
    int64_t n = cache->table.count, kept = 0;
    scr_status status = contact_cache_reserve(cache, new_count, scratch, error);
    if (status != SCR_OK) return status;  // after this nothing can fail
    scr_arena arena = *scratch;
    uint64_t *key = scr_arena_array(&arena, sizeof *key, n);
    int32_t *from = scr_arena_array(&arena, sizeof *from, n);
    int bits = scr_bits_for(new_count);
    for (int64_t k = 0; k < n; ++k) {
        int32_t a = new_number != NULL ? new_number[cache->a[k]] : cache->a[k];
        int32_t b = new_number != NULL ? new_number[cache->b[k]] : cache->b[k];
        cache->a[k] = a;
        cache->b[k] = b;
        if (a < 0 || b < 0) continue;
        key[kept] = ((uint64_t)a << bits) | (uint64_t)b;
        from[kept++] = (int32_t)k;
    }
    // Stable: the points of one pair keep their order.
    scr_radix_sort(key, (uint32_t *)from, kept, 2 * bits, arena, threads);
    table_gather(&cache->table, from, kept, arena, threads);
    if (cache->angular_impulses.count > 0) table_gather(&cache->angular_impulses, from, kept, arena, threads);
    return contact_cache_index(cache, new_count, error);
}
