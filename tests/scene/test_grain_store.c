// SPDX-License-Identifier: BSD-3-Clause
// The store of parked grains: 64 bytes a grain at most, what is put is read, in memory as in files, and a full disk has
// a sentence.
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "check.h"
#include "scene/active/grain_store.h"

enum { CELLS = 40, MOST = 60 };

static stored_grain grain(int64_t k)
{
    double a = (double)k;
    return (stored_grain){{a, 1.0 / (a + 1.0), -a}, {0.8f, 0.6f, 0.0f, 0.0f}, 1e-3 * (a + 1.0),
                          (uint64_t)k + 5,          (uint64_t)k + 3,          (uint16_t)(k % 7)};
}

static void put(grain_store *s, int32_t *list, int64_t first, int64_t count)
{
    scr_error error;
    if (grain_store_reserve(s, count, 1, &error) != SCR_OK) fail_msg("%s", error.message);
    for (int64_t k = first; k < first + count; ++k) {
        stored_grain g = grain(k);
        assert_true(grain_store_fits(&g));
        grain_store_put(s, list, &g);
    }
}

static void assert_holds(const grain_store *s, int32_t list, int64_t first, int64_t count)
{
    stored_grain g[MOST];
    bool seen[MOST] = {false};
    assert_true(grain_store_list_is_valid(s, list, count));
    assert_int_equal(grain_store_read(s, list, g), count);
    for (int64_t k = 0; k < count; ++k) {
        int64_t which = (int64_t)g[k].id - 5;
        stored_grain expected = grain(which);
        assert_in_range(which, first, first + count - 1);
        assert_false(seen[which - first]);
        seen[which - first] = true;
        assert_memory_equal(&g[k].position, &expected.position, sizeof expected.position);
        assert_memory_equal(g[k].rotation, expected.rotation, sizeof expected.rotation);
        assert_true(g[k].radius == expected.radius && g[k].collider_id == expected.collider_id);
        assert_int_equal(g[k].material, expected.material);
    }
}

// Cells come and go in an order that mixes their chunks.
static uint64_t live_through(grain_store *s)
{
    int32_t list[CELLS];
    int64_t count[CELLS] = {0}, most = 0;
    for (int c = 0; c < CELLS; ++c) list[c] = NO_CHUNK;
    for (int round = 0; round < 600; ++round) {
        int c = (round * 17) % CELLS;
        if (count[c] > 0) {
            assert_holds(s, list[c], 100 * c, count[c]);
            grain_store_drop(s, &list[c]);
            assert_int_equal(list[c], NO_CHUNK);
            count[c] = 0;
        } else {
            count[c] = 1 + (round * 7) % MOST;
            put(s, &list[c], 100 * c, count[c]);
        }
        int64_t sum = 0;
        for (int k = 0; k < CELLS; ++k) sum += count[k];
        assert_int_equal(s->count, sum);
        assert_true(grain_store_is_valid(s));
        if (round < 200 && s->chunks.count > most) most = s->chunks.count;
    }
    assert_true(s->chunks.count <= most + most / 4);  // it does not grow for ever
    const table *tables[] = {&s->grains, &s->chunks};
    return tables_hash(tables, 2, 1);
}

static void what_is_put_is_read_in_memory_and_in_files(void **state)
{
    (void)state;
    grain_store in_memory, in_files;
    scr_error error;
    grain_store_init(&in_memory, 1e9);
    grain_store_init(&in_files, 1e3);
    assert_int_equal(grain_store_use_directory(&in_files, "/tmp", &error), SCR_OK);
    assert_true(live_through(&in_memory) == live_through(&in_files));
    assert_false(in_memory.is_mapped);
    assert_true(in_files.is_mapped);
    grain_store_free(&in_memory);
    grain_store_free(&in_files);
}

static void a_grain_takes_64_bytes_at_most(void **state)
{
    (void)state;
    grain_store s;
    int32_t list = NO_CHUNK;
    double bytes = 0.0;
    grain_store_init(&s, 1e9);
    put(&s, &list, 0, 1000 * STORE_CHUNK);
    for (int f = 0; f < s.grains.field_count; ++f) bytes += (double)field_size(&s.grains.field[f]);
    bytes += 2.0 * sizeof(int32_t) / STORE_CHUNK;
    assert_true(bytes <= 64.0);
    assert_int_equal(s.chunks.count, 1000);
    grain_store_free(&s);
}

// A limit on the size of files is a disk that is full.
static void a_full_disk_has_a_sentence_and_loses_nothing(void **state)
{
    (void)state;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    grain_store s;
    scr_error error;
    int32_t list = NO_CHUNK;
    grain_store_init(&s, 100.0);
    assert_int_equal(grain_store_use_directory(&s, "/tmp", &error), SCR_OK);
    put(&s, &list, 0, MOST);
    small = (struct rlimit){1 << 14, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(grain_store_reserve(&s, 100000, 1, &error), SCR_IO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_non_null(strstr(error.message, "no room on the disk"));
    assert_holds(&s, list, 0, MOST);
    grain_store_drop(&s, &list);
    grain_store_free(&s);
    grain_store_init(&s, 0.0);
    assert_int_equal(grain_store_use_directory(&s, "/no/such/directory", &error), SCR_OK);
    assert_int_equal(grain_store_reserve(&s, 1, 1, &error), SCR_IO);
    assert_non_null(strstr(error.message, "/no/such/directory"));
    grain_store_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_is_read_in_memory_and_in_files),
        cmocka_unit_test(a_grain_takes_64_bytes_at_most),
        cmocka_unit_test(a_full_disk_has_a_sentence_and_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
