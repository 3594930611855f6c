// SPDX-License-Identifier: BSD-3-Clause
// The contact cache: what was remembered is recalled, through any renumbering of the colliders; damage is seen.
#include "collision/contacts/contact_cache.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/maths/rng.h"

enum { COLLIDERS = 60, FEATURES = 3 };

static double uniform(uint64_t *next) { return scr_uniform(11, 0, (*next)++); }

static void must(scr_status status, const scr_error *error)
{
    if (status != SCR_OK) fail_msg("%s", error->message);
}

static void *make(int64_t count, size_t size)
{
    void *array = scr_alloc(scr_array_bytes(count > 0 ? count : 1, size));
    assert_non_null(array);
    return array;
}

// Contacts of some pairs (a, b), in order; what they carry is told by the two colliders' ids and the feature.
static float impulse_of(uint64_t id_a, uint64_t id_b, uint32_t feature, int axis)
{
    return (float)(1000 * id_a + 10 * id_b + feature) + 0.125f * (float)axis;
}

static contacts draw_contacts(int64_t n, const uint64_t *id, double share, uint64_t *next)
{
    contacts set = {0};
    int64_t most = n * n * FEATURES;
    set.start = make(n + 1, sizeof *set.start);
    set.a = make(most, sizeof *set.a), set.b = make(most, sizeof *set.b);
    set.impulse = make(3 * most, sizeof *set.impulse), set.previous = make(3 * most, sizeof *set.previous);
    set.allowance = make(most, sizeof *set.allowance);
    set.kept = make(most, sizeof *set.kept), set.geometry = make(most, sizeof *set.geometry);
    for (int64_t a = 0; a < n; ++a) {
        set.start[a] = set.count;
        for (int64_t b = 0; b < n; ++b) {
            if (id[a] >= id[b] || uniform(next) > share) continue;  // the elder one owns
            for (uint32_t f = 0; f < FEATURES; ++f) {
                if (f > 0 && uniform(next) < 0.5) continue;
                int64_t i = set.count++;
                set.a[i] = (int32_t)a, set.b[i] = (int32_t)b;
                for (int axis = 0; axis < 3; ++axis) {
                    set.impulse[3 * i + axis] = impulse_of(id[a], id[b], f, axis);
                    set.previous[3 * i + axis] = -impulse_of(id[a], id[b], f, axis);
                }
                // Against the impulses: nobody can take the place of one that is gone.
                set.kept[i] = (int32_t)i, set.geometry[i].feature = 7 * f;
                set.geometry[i].normal = vec3(-sqrt(1.0 / 3.0), -sqrt(1.0 / 3.0), -sqrt(1.0 / 3.0));
                set.allowance[i] = 0.5f * impulse_of(id[a], id[b], f, 0);
            }
        }
    }
    set.start[n] = set.count;
    return set;
}

static void deal_ids(uint64_t *id, int64_t n, uint64_t *next)
{
    for (int64_t k = 0; k < n; ++k) id[k] = (uint64_t)k + 1;
    for (int64_t k = n - 1; k > 0; --k) {
        int64_t other = (int64_t)(uniform(next) * (double)(k + 1));
        uint64_t t = id[k];
        id[k] = id[other], id[other] = t;
    }
}

// Recall into contacts of the same pairs and of others, and check each against what was remembered.
static void check_recall(const contact_cache *cache, contacts *asked, const contacts *known, int threads)
{
    uint8_t *is_new = make(asked->count, 1);
    contact_cache_recall(cache, asked, is_new, threads);
    for (int64_t i = 0; i < asked->count; ++i) {
        int64_t found = -1;
        for (int64_t k = 0; k < known->count && found < 0; ++k)
            if (known->a[k] == asked->a[i] && known->b[k] == asked->b[i] &&
                contact_feature(known, k) == contact_feature(asked, i))
                found = k;
        assert_int_equal(is_new[i], found < 0);
        for (int axis = 0; axis < 3; ++axis) {
            assert_true(asked->impulse[3 * i + axis] == (found < 0 ? 0.0f : known->impulse[3 * found + axis]));
            assert_true(asked->previous[3 * i + axis] == (found < 0 ? 0.0f : known->previous[3 * found + axis]));
        }
        assert_true(asked->allowance[i] == (found < 0 ? 0.0f : known->allowance[found]));
    }
    scr_free(is_new);
}

static void what_was_remembered_is_recalled(void **state)
{
    (void)state;
    uint64_t next = 0, id[COLLIDERS];
    scr_error error;
    contact_cache cache;
    contact_cache_init(&cache);
    for (int round = 0; round < 6; ++round) {
        deal_ids(id, COLLIDERS, &next);
        contacts known = draw_contacts(COLLIDERS, id, 0.1 * round, &next);
        contacts asked = draw_contacts(COLLIDERS, id, 0.3, &next);
        must(contact_cache_remember(&cache, &known, COLLIDERS, 1 + round % 4, &error), &error);
        assert_int_equal(cache.table.count, known.count);
        assert_true(contact_cache_is_valid(&cache, COLLIDERS));
        check_recall(&cache, &asked, &known, 1 + round % 3);
        contacts_free(&known);
        contacts_free(&asked);
    }
    contact_cache_free(&cache);
}

// Threads divide the contacts among them wherever that is: within the row of a collider, within a pair.
static void contacts_of_long_rows_are_recalled_by_any_number_of_threads(void **state)
{
    (void)state;
    enum { MANY = 120 };
    uint64_t next = 0, id[MANY];
    scr_error error;
    contact_cache cache;
    contact_cache_init(&cache);
    deal_ids(id, MANY, &next);
    contacts known = draw_contacts(MANY, id, 0.9, &next);
    must(contact_cache_remember(&cache, &known, MANY, 3, &error), &error);
    for (int threads = 1; threads <= 4; ++threads) {
        contacts asked = draw_contacts(MANY, id, 0.9, &next);
        assert_true(asked.count > 8192);
        check_recall(&cache, &asked, &known, threads);
        contacts_free(&asked);
    }
    contacts_free(&known);
    contact_cache_free(&cache);
}

// Colliders that were added since the cache was made have no history.
static void newcomers_are_new(void **state)
{
    (void)state;
    uint64_t next = 0, id[COLLIDERS];
    scr_error error;
    contact_cache cache;
    contact_cache_init(&cache);
    deal_ids(id, COLLIDERS, &next);
    contacts none = {0}, asked = draw_contacts(COLLIDERS, id, 0.3, &next);
    check_recall(&cache, &asked, &none, 2);  // a cache that never saw a step
    contacts known = draw_contacts(COLLIDERS / 2, id, 0.3, &next);
    must(contact_cache_remember(&cache, &known, COLLIDERS / 2, 1, &error), &error);
    check_recall(&cache, &asked, &known, 2);
    contacts_free(&known);
    contacts_free(&asked);
    contact_cache_free(&cache);
}

// ---- features that change ----

// Contacts of the pair (0, 1) and of (0, 2), with impulses along the given directions.
static contacts pair_contacts(int count, const int32_t *b, const uint32_t *feature, const scr_vec3 *normal,
                              const double *size)
{
    contacts set = {0};
    set.count = count;
    set.start = make(4, sizeof *set.start);
    set.a = make(count, sizeof *set.a), set.b = make(count, sizeof *set.b);
    set.impulse = make(3 * count, sizeof *set.impulse), set.previous = make(3 * count, sizeof *set.previous);
    set.allowance = make(count, sizeof *set.allowance);
    set.kept = make(count, sizeof *set.kept), set.geometry = make(count, sizeof *set.geometry);
    set.start[0] = 0, set.start[1] = set.start[2] = set.start[3] = count;
    for (int i = 0; i < count; ++i) {
        set.a[i] = 0, set.b[i] = b[i];
        const double n[3] = {normal[i].x, normal[i].y, normal[i].z};
        set.kept[i] = i, set.geometry[i].normal = normal[i], set.geometry[i].feature = feature[i];
        for (int axis = 0; axis < 3; ++axis) {
            set.impulse[3 * i + axis] = (float)(size[i] * n[axis]);
            set.previous[3 * i + axis] = (float)(0.5 * size[i] * n[axis]);
        }
        set.allowance[i] = (float)(0.001 * size[i]);
    }
    return set;
}

static const scr_vec3 UP = {0.0, 0.0, 1.0}, ALONG = {1.0, 0.0, 0.0}, LEANING = {0.28, 0.0, 0.96},
                      STEEP = {0.6, 0.0, 0.8};

typedef struct inheritance {
    const char *what;
    int known_count, asked_count;
    int32_t known_b[4], asked_b[4];
    uint32_t known_feature[4], asked_feature[4];
    scr_vec3 known_normal[4], asked_normal[4];
    double known_size[4];
    int heir_of[4];  // for each asked contact the known one it goes on with, -1: it is new
} inheritance;

static void a_contact_on_a_new_feature_goes_on_with_the_old_load(void **state)
{
    (void)state;
    const inheritance cases[] = {
        {"from triangle 5 to 9", 1, 1, {1}, {1}, {5}, {9}, {UP}, {UP}, {3.0}, {0}},
        {"over an edge", 1, 1, {1}, {1}, {5}, {9}, {UP}, {LEANING}, {3.0}, {0}},
        {"round a corner: not the same push", 1, 1, {1}, {1}, {5}, {9}, {UP}, {STEEP}, {3.0}, {-1}},
        {"it carried nothing", 1, 1, {1}, {1}, {5}, {9}, {UP}, {UP}, {0.0}, {-1}},
        {"another pair's", 1, 1, {1}, {2}, {5}, {9}, {UP}, {UP}, {3.0}, {-1}},
        {"the old one is still there", 1, 2, {1}, {1, 1}, {5}, {5, 9}, {UP}, {UP, UP}, {3.0}, {0, -1}},
        {"still there, after the new one", 1, 2, {1}, {1, 1}, {5}, {4, 5}, {UP}, {UP, UP}, {3.0}, {-1, 0}},
        {"one lasts, the other moves on", 2, 2, {1, 1}, {1, 1}, {5, 6}, {5, 9}, {UP, UP}, {UP, UP}, {3.0, 4.0}, {0, 1}},
        {"each its own", 2, 2, {1, 1}, {1, 1}, {5, 6}, {7, 8}, {UP, ALONG}, {ALONG, UP}, {3.0, 4.0}, {1, 0}},
        {"the better fit", 2, 1, {1, 1}, {1}, {5, 6}, {7}, {LEANING, UP}, {UP}, {3.0, 4.0}, {1}},
        {"one load, two heirs: the first", 1, 2, {1}, {1, 1}, {5}, {7, 8}, {UP}, {UP, UP}, {3.0}, {0, -1}},
        {"equal ones in order", 2, 2, {1, 1}, {1, 1}, {5, 6}, {7, 8}, {UP, UP}, {UP, UP}, {3.0, 4.0}, {0, 1}},
        {"two pairs", 2, 2, {1, 2}, {1, 2}, {5, 5}, {9, 9}, {UP, UP}, {UP, UP}, {3.0, 4.0}, {0, 1}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        const inheritance *t = &cases[c];
        const double none[4] = {0};
        scr_error error;
        contact_cache cache;
        contact_cache_init(&cache);
        contacts known = pair_contacts(t->known_count, t->known_b, t->known_feature, t->known_normal, t->known_size);
        contacts asked = pair_contacts(t->asked_count, t->asked_b, t->asked_feature, t->asked_normal, none);
        must(contact_cache_remember(&cache, &known, 3, 1, &error), &error);
        uint8_t is_new[4];
        contact_cache_recall(&cache, &asked, is_new, 2);
        for (int i = 0; i < t->asked_count; ++i) {
            int k = t->heir_of[i];
            if (is_new[i] != (k < 0)) fail_msg("%s: contact %d is %s", t->what, i, is_new[i] ? "new" : "an heir");
            for (int axis = 0; axis < 3; ++axis) {
                assert_true(asked.impulse[3 * i + axis] == (k < 0 ? 0.0f : known.impulse[3 * k + axis]));
                assert_true(asked.previous[3 * i + axis] == (k < 0 ? 0.0f : known.previous[3 * k + axis]));
            }
            assert_true(asked.allowance[i] == (k < 0 ? 0.0f : known.allowance[k]));
        }
        contacts_free(&known);
        contacts_free(&asked);
        contact_cache_free(&cache);
    }
}

// After a shuffle in which a share is dropped, every surviving pair has its impulse, and no other is there.
static void check_renumbered(double dropped, uint64_t *next)
{
    uint64_t id[COLLIDERS], new_id[COLLIDERS];
    int32_t new_number[COLLIDERS], order[COLLIDERS];
    int64_t kept = 0, surviving = 0;
    scr_error error;
    scr_arena scratch = {0};
    contact_cache cache;
    contact_cache_init(&cache);
    deal_ids(id, COLLIDERS, next);
    contacts known = draw_contacts(COLLIDERS, id, 0.3, next);
    must(contact_cache_remember(&cache, &known, COLLIDERS, 1, &error), &error);

    for (int32_t k = 0; k < COLLIDERS; ++k) order[k] = k;
    for (int64_t k = COLLIDERS - 1; k > 0; --k) {
        int64_t other = (int64_t)(uniform(next) * (double)(k + 1));
        int32_t t = order[k];
        order[k] = order[other], order[other] = t;
    }
    for (int k = 0; k < COLLIDERS; ++k) {
        bool gone = uniform(next) < dropped;
        new_number[order[k]] = gone ? -1 : (int32_t)kept;
        if (!gone) new_id[kept++] = id[order[k]];
    }
    for (int64_t i = 0; i < known.count; ++i) surviving += new_number[known.a[i]] >= 0 && new_number[known.b[i]] >= 0;

    must(contact_cache_renumber(&cache, new_number, kept, &scratch, 3, &error), &error);
    assert_int_equal(cache.table.count, surviving);
    assert_true(contact_cache_is_valid(&cache, kept));
    for (int64_t k = 0; k < cache.table.count; ++k) {
        uint64_t id_a = new_id[cache.a[k]], id_b = new_id[cache.b[k]];
        for (int axis = 0; axis < 3; ++axis) {
            assert_true(cache.impulse[3 * k + axis] == impulse_of(id_a, id_b, cache.feature[k] / 7u, axis));
            assert_true(cache.previous[3 * k + axis] == -impulse_of(id_a, id_b, cache.feature[k] / 7u, axis));
        }
        assert_true(cache.start[cache.a[k]] <= k && k < cache.start[cache.a[k] + 1]);
    }
    contacts_free(&known);
    contact_cache_free(&cache);
    scr_arena_free(&scratch);
}

static void renumbering_keeps_every_surviving_impulse(void **state)
{
    (void)state;
    uint64_t next = 0;
    const double dropped[] = {0.0, 0.05, 0.5, 0.95, 1.0};
    for (size_t k = 0; k < sizeof dropped / sizeof *dropped; ++k)
        for (int round = 0; round < 10; ++round) check_renumbered(dropped[k], &next);
}

// A failed renumbering changes nothing: it can be asked for again.
static void a_failed_renumbering_changes_nothing(void **state)
{
    (void)state;
    uint64_t next = 0, id[COLLIDERS];
    int32_t new_number[2 * COLLIDERS];
    scr_error error;
    deal_ids(id, COLLIDERS, &next);
    contacts known = draw_contacts(COLLIDERS, id, 0.3, &next);
    // Twice as many colliders now as when the cache was made, in reverse order.
    for (int32_t k = 0; k < 2 * COLLIDERS; ++k) new_number[k] = 2 * COLLIDERS - 1 - k;
    for (int64_t n = 0;; ++n) {
        contact_cache cache;
        scr_arena scratch = {0};
        contact_cache_init(&cache);
        must(contact_cache_remember(&cache, &known, COLLIDERS, 1, &error), &error);
        const table *tables[] = {&cache.table};
        uint64_t before = tables_hash(tables, 1, 1);
        scr_fail_allocation_in(n);
        scr_status status = contact_cache_renumber(&cache, new_number, 2 * COLLIDERS, &scratch, 1, &error);
        scr_fail_allocation_in(-1);
        if (status != SCR_OK) {
            assert_int_equal(status, SCR_NO_MEMORY);
            assert_true(tables_hash(tables, 1, 1) == before);
            must(contact_cache_renumber(&cache, new_number, 2 * COLLIDERS, &scratch, 1, &error), &error);
        }
        assert_int_equal(cache.table.count, known.count);
        assert_true(contact_cache_is_valid(&cache, 2 * COLLIDERS));
        contact_cache_free(&cache);
        scr_arena_free(&scratch);
        if (status == SCR_OK) {
            assert_true(n >= 2);
            break;
        }
    }
    contacts_free(&known);
}

static void damage_is_seen(void **state)
{
    (void)state;
    uint64_t next = 0, id[COLLIDERS];
    scr_error error;
    contact_cache cache;
    contact_cache_init(&cache);
    deal_ids(id, COLLIDERS, &next);
    contacts known = draw_contacts(COLLIDERS, id, 0.3, &next);
    must(contact_cache_remember(&cache, &known, COLLIDERS, 1, &error), &error);
    assert_true(contact_cache_is_valid(&cache, COLLIDERS));
    assert_false(contact_cache_is_valid(&cache, COLLIDERS / 2));  // colliders that are not there
    int64_t k = cache.table.count / 2, last = cache.table.count - 1;

#define assert_damage(place, value)                                                                                    \
    do {                                                                                                               \
        typeof(place) was = (place);                                                                                   \
        (place) = (value);                                                                                             \
        assert_false(contact_cache_is_valid(&cache, COLLIDERS));                                                       \
        (place) = was;                                                                                                 \
        assert_true(contact_cache_is_valid(&cache, COLLIDERS));                                                        \
    } while (0)

    assert_damage(cache.a[0], -1);
    assert_damage(cache.a[last], COLLIDERS);
    assert_damage(cache.b[k], -1);
    assert_damage(cache.b[k], COLLIDERS);
    assert_damage(cache.b[k], INT32_MIN);
    assert_damage(cache.b[k], cache.a[k]);  // touches itself
    assert_damage(cache.a[k], cache.a[0]);  // out of order
    assert_damage(cache.a[0], cache.a[last]);
    assert_damage(cache.b[k], cache.b[k - 1] - 1);  // within a row
    assert_damage(cache.impulse[3 * k + 1], NAN);
    assert_damage(cache.previous[3 * k + 2], INFINITY);
    assert_damage(cache.allowance[k], NAN);
    assert_damage(cache.allowance[k], -1.0f);
    for (int64_t i = 1; i <= last; ++i) {  // the same point twice
        if (cache.a[i] != cache.a[i - 1] || cache.b[i] != cache.b[i - 1]) continue;
        assert_damage(cache.feature[i], cache.feature[i - 1]);
        break;
    }
    contacts_free(&known);
    contact_cache_free(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_remembered_is_recalled),
        cmocka_unit_test(contacts_of_long_rows_are_recalled_by_any_number_of_threads),
        cmocka_unit_test(newcomers_are_new),
        cmocka_unit_test(a_contact_on_a_new_feature_goes_on_with_the_old_load),
        cmocka_unit_test(renumbering_keeps_every_surviving_impulse),
        cmocka_unit_test(a_failed_renumbering_changes_nothing),
        cmocka_unit_test(damage_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
