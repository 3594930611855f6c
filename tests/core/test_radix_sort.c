// SPDX-License-Identifier: BSD-3-Clause
// The radix sort against a plain merge of the same list.
#include "core/arrays/radix_sort.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/maths/rng.h"

enum { GUARD = 4096 };  // bytes behind the scratch that nobody may touch

typedef struct entry {
    uint64_t key;
    uint32_t value;  // the place in the unsorted list, so comparing it makes the oracle stable
} entry;

static int compare(const void *a, const void *b)
{
    const entry *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->value < q->value ? -1 : p->value > q->value;
}

typedef struct list {
    uint64_t *key;
    uint32_t *value;
    entry *expected;
    scr_arena arena;
    int64_t n;
} list;

static list list_create(int64_t n)
{
    list l = {.n = n};
    l.key = scr_alloc(scr_array_bytes(n, sizeof *l.key));
    l.value = scr_alloc(scr_array_bytes(n, sizeof *l.value));
    l.expected = scr_alloc(scr_array_bytes(n, sizeof *l.expected));
    assert_int_equal(scr_arena_reserve(&l.arena, scr_radix_sort_bytes(n) + GUARD, "scratch", NULL), SCR_OK);
    return l;
}

static void list_destroy(list *l)
{
    scr_free(l->key);
    scr_free(l->value);
    scr_free(l->expected);
    scr_arena_free(&l->arena);
}

static uint64_t random_bits(int64_t i)
{
    const uint32_t counter[4] = {(uint32_t)i, 0, 0, 0}, key[2] = {1, 2};
    scr_random4 r = scr_philox(counter, key);
    return (uint64_t)r.v[0] << 32 | r.v[1];
}

// Sort n keys, random in the bits of mask and with the bits of always set, and compare with qsort.
static void check_sort(int64_t n, uint64_t mask, uint64_t always, int key_bits, int threads)
{
    list l = list_create(n);
    for (int64_t i = 0; i < n; ++i) {
        l.key[i] = (random_bits(i) & mask) | always;
        l.value[i] = (uint32_t)i;
        l.expected[i] = (entry){l.key[i], (uint32_t)i};
    }
    qsort(l.expected, (size_t)n, sizeof *l.expected, compare);
    scr_arena exact = {l.arena.base, 0, scr_radix_sort_bytes(n)};
    memset(exact.base + exact.capacity, 'g', GUARD);
    scr_radix_sort(l.key, l.value, n, key_bits, exact, threads);
    for (int i = 0; i < GUARD; ++i) assert_int_equal(exact.base[exact.capacity + (size_t)i], 'g');
    for (int64_t i = 0; i < n; ++i) {
        assert_true(l.key[i] == l.expected[i].key);
        assert_int_equal(l.value[i], l.expected[i].value);
    }
    list_destroy(&l);
}

static void agrees_with_qsort_for_any_size(void **state)
{
    (void)state;
    const int64_t sizes[] = {0, 1, 2, 3, 100, 4095, 4096, 4097, 30011};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        for (int threads = 1; threads <= 4; ++threads) check_sort(sizes[k], UINT64_MAX, 0, 64, threads);
    }
}

static void agrees_with_qsort_for_any_key_width(void **state)
{
    (void)state;
    for (int bits = 1; bits <= 64; ++bits) {
        uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
        check_sort(5000, mask, 0, bits, 1 + bits % 4);
    }
}

// Few different keys: each comes thousands of times and its values must stay in order.
static void stable_for_equal_keys(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; ++threads) {
        check_sort(20000, 3, 0, 2, threads);
        check_sort(20000, 0, 5, 3, threads);
        check_sort(20000, (uint64_t)1 << 63, 0, 64, threads);
    }
}

// Digits in which all keys agree are skipped, wherever they are.
static void constant_bits_do_not_matter(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; ++threads) {
        check_sort(9000, 0xff0000ff00ff0000, 0x00aa55000000aa55, 64, threads);
        check_sort(9000, 0x8001, 0x0ff0, 16, threads);
        check_sort(9000, 0x1010101010101010, 0, 64, threads);
    }
}

static void sorted_and_reversed_lists_are_nothing_special(void **state)
{
    (void)state;
    int64_t n = 10000;
    for (int threads = 1; threads <= 4; ++threads) {
        list l = list_create(n);
        for (int64_t i = 0; i < n; ++i) {
            l.key[i] = (uint64_t)(n - i);
            l.value[i] = (uint32_t)i;
        }
        for (int twice = 0; twice < 2; ++twice) {
            scr_radix_sort(l.key, l.value, n, 20, l.arena, threads);
            for (int64_t i = 0; i < n; ++i) assert_true(l.key[i] == (uint64_t)i + 1 && l.value[i] == n - 1 - i);
        }
        list_destroy(&l);
    }
}

static void more_threads_than_parts_are_fine(void **state)
{
    (void)state;
    check_sort(5000, UINT64_MAX, 0, 64, 100);
}

static void allocates_nothing(void **state)
{
    (void)state;
    list l = list_create(5000);
    memset(l.key, 0, 5000 * sizeof *l.key);
    l.key[0] = 7;
    int64_t before = scr_allocation_count();
    scr_radix_sort(l.key, l.value, 5000, 64, l.arena, 2);
    assert_int_equal(scr_allocation_count(), before);
    list_destroy(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_qsort_for_any_size),
        cmocka_unit_test(agrees_with_qsort_for_any_key_width),
        cmocka_unit_test(stable_for_equal_keys),
        cmocka_unit_test(constant_bits_do_not_matter),
        cmocka_unit_test(sorted_and_reversed_lists_are_nothing_special),
        cmocka_unit_test(more_threads_than_parts_are_fine),
        cmocka_unit_test(allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
