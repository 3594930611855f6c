// SPDX-License-Identifier: BSD-3-Clause
// The allocator, grow-only arrays and arenas.
#include "core/base/memory.h"

#include <string.h>

#include "check.h"

static bool is_aligned(const void *p, uintptr_t alignment) { return (uintptr_t)p % alignment == 0; }

static void every_block_is_aligned_and_writable(void **state)
{
    (void)state;
    const size_t sizes[] = {0, 1, 63, 64, 65, 4095, 1000000, (4 << 20) - 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        char *p = scr_alloc(sizes[i]);
        assert_non_null(p);
        assert_true(is_aligned(p, 64));
        memset(p, 1, sizes[i]);
        scr_free(p);
    }
    scr_free(NULL);
}

static void large_blocks_begin_on_a_huge_page(void **state)
{
    (void)state;
    const size_t sizes[] = {4 << 20, (4 << 20) + 1, 9000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        char *p = scr_alloc(sizes[i]);
        assert_non_null(p);
        assert_true(is_aligned(p, 2 << 20));
        p[sizes[i] - 1] = 1;
        scr_free(p);
    }
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    assert_true(scr_array_bytes(0, 8) == 0);
    assert_true(scr_array_bytes(1000, 24) == 24000);
    assert_true(scr_array_bytes(INT64_MAX, 1) == INT64_MAX);
    assert_true(scr_array_bytes(INT64_MAX, 8) == SIZE_MAX);
    assert_true(scr_array_bytes(-1, 8) == SIZE_MAX && scr_array_bytes(-2, 1) == SIZE_MAX);
    assert_true(scr_arena_bytes(8, INT64_MAX) == SIZE_MAX);
    assert_null(scr_alloc(SIZE_MAX));
    assert_null(scr_alloc(SIZE_MAX - 100));
    assert_null(scr_alloc((size_t)PTRDIFF_MAX + 1));
}

static void allocations_are_counted(void **state)
{
    (void)state;
    int64_t before = scr_allocation_count();
    void *p = scr_alloc(10), *q = scr_alloc(8 << 20);
    assert_int_equal(scr_allocation_count() - before, 2);
    scr_free(p);
    scr_free(q);
    assert_int_equal(scr_allocation_count() - before, 2);
}

static void only_the_nth_allocation_fails(void **state)
{
    (void)state;
    for (int n = 0; n < 4; ++n) {
        scr_fail_allocation_in(n);
        for (int i = 0; i < 6; ++i) {
            void *p = scr_alloc(16);
            assert_int_equal(p == NULL, i == n);
            scr_free(p);
        }
    }
    scr_fail_allocation_in(0);
    scr_fail_allocation_in(-1);
    void *p = scr_alloc(16);
    assert_non_null(p);
    scr_free(p);
}

static void new_arrays_are_zeros(void **state)
{
    (void)state;
    double *array = NULL;
    scr_error error = {0};
    assert_int_equal(scr_make_zeros(&array, 1000, sizeof *array, "numbers", &error), SCR_OK);
    for (int i = 0; i < 1000; ++i) assert_true(array[i] == 0.0);
    scr_free(array);
    assert_int_equal(scr_make_zeros(&array, 0, sizeof *array, "numbers", &error), SCR_OK);
    assert_non_null(array);
    scr_free(array);
    array = NULL;
    scr_fail_allocation_in(0);
    assert_int_equal(scr_make_zeros(&array, 10, sizeof *array, "numbers", &error), SCR_NO_MEMORY);
    scr_fail_allocation_in(-1);
    assert_non_null(strstr(error.message, "numbers"));
    assert_null(array);
}

static void growing_keeps_what_was_there(void **state)
{
    (void)state;
    int64_t *v = NULL, capacity = 0;
    for (int64_t i = 0; i < 20000; ++i) {
        assert_int_equal(scr_grow(&v, &capacity, i + 1, sizeof *v, "numbers", NULL), SCR_OK);
        assert_true(capacity > i);
        assert_true(is_aligned(v, 64));
        v[i] = i * i;
    }
    for (int64_t i = 0; i < 20000; ++i) assert_true(v[i] == i * i);
    scr_free(v);
}

static void growing_one_by_one_is_linear(void **state)
{
    (void)state;
    char *v = NULL;
    int64_t capacity = 0, copied = 0, n = 1000000;
    for (int64_t i = 0; i < n; ++i) {
        int64_t old = capacity;
        scr_grow(&v, &capacity, i + 1, 1, "bytes", NULL);
        if (capacity != old) copied += old;
    }
    assert_true(copied < 3 * n);  // 1 + 2/3 + (2/3)^2 + ...
    scr_free(v);
}

static void enough_room_is_left_alone(void **state)
{
    (void)state;
    double *v = NULL;
    int64_t capacity = 0;
    assert_int_equal(scr_grow(&v, &capacity, 0, sizeof *v, "numbers", NULL), SCR_OK);
    assert_null(v);
    assert_int_equal(scr_grow(&v, &capacity, 100, sizeof *v, "numbers", NULL), SCR_OK);
    double *before = v;
    int64_t count = scr_allocation_count();
    assert_int_equal(scr_grow(&v, &capacity, 100, sizeof *v, "numbers", NULL), SCR_OK);
    assert_ptr_equal(v, before);
    assert_int_equal(scr_allocation_count(), count);
    scr_free(v);
}

static void failed_growth_leaves_the_array_untouched(void **state)
{
    (void)state;
    int32_t *v = NULL;
    int64_t capacity = 0;
    scr_error error = {0};
    assert_int_equal(scr_grow(&v, &capacity, 50, sizeof *v, "contacts", &error), SCR_OK);
    for (int i = 0; i < 50; ++i) v[i] = i;
    int32_t *before = v;
    int64_t capacity_before = capacity;

    scr_fail_allocation_in(0);
    assert_int_equal(scr_grow(&v, &capacity, 1000, sizeof *v, "contacts", &error), SCR_NO_MEMORY);
    assert_int_equal(error.status, SCR_NO_MEMORY);
    assert_non_null(strstr(error.message, "contacts"));
    assert_int_equal(scr_grow(&v, &capacity, INT64_MAX / 2, sizeof *v, "contacts", &error), SCR_NO_MEMORY);

    assert_ptr_equal(v, before);
    assert_int_equal(capacity, capacity_before);
    for (int i = 0; i < 50; ++i) assert_int_equal(v[i], i);
    scr_free(v);
}

static void arena_arrays_are_aligned_and_apart(void **state)
{
    (void)state;
    scr_arena arena = {0};
    size_t need = scr_arena_bytes(1, 3) + scr_arena_bytes(8, 0) + scr_arena_bytes(8, 100) + scr_arena_bytes(4, 17);
    assert_int_equal(scr_arena_reserve(&arena, need, "scratch", NULL), SCR_OK);
    char *a = scr_arena_array(&arena, 1, 3);
    void *nothing = scr_arena_array(&arena, 8, 0);
    double *b = scr_arena_array(&arena, 8, 100);
    int32_t *c = scr_arena_array(&arena, 4, 17);
    assert_true(is_aligned(a, 64) && is_aligned(nothing, 64) && is_aligned(b, 64) && is_aligned(c, 64));
    assert_true(a + 3 <= (char *)b && (char *)(b + 100) <= (char *)c);
    assert_true(arena.used == need);  // the sum of scr_arena_bytes is exactly what is taken
    assert_true((char *)(c + 17) <= arena.base + arena.capacity);
    scr_arena_free(&arena);
    assert_null(arena.base);
    assert_true(arena.capacity == 0);
}

static void take_and_forget(scr_arena arena) { memset(scr_arena_array(&arena, 1, 512), 7, 512); }

static void a_copy_gives_its_memory_back(void **state)
{
    (void)state;
    scr_arena arena = {0};
    assert_int_equal(scr_arena_reserve(&arena, 1024, "scratch", NULL), SCR_OK);
    char *first = scr_arena_array(&arena, 1, 64);
    for (int i = 0; i < 100; ++i) take_and_forget(arena);  // 50 KiB in all
    char *second = scr_arena_array(&arena, 1, 64);
    assert_ptr_equal(second, first + 64);
    scr_arena_free(&arena);
}

static void reserving_less_allocates_nothing(void **state)
{
    (void)state;
    scr_arena arena = {0};
    assert_int_equal(scr_arena_reserve(&arena, 10000, "scratch", NULL), SCR_OK);
    int64_t count = scr_allocation_count();
    for (size_t bytes = 0; bytes <= 10000; bytes += 1000)
        assert_int_equal(scr_arena_reserve(&arena, bytes, "scratch", NULL), SCR_OK);
    assert_int_equal(scr_allocation_count(), count);
    scr_arena_free(&arena);
}

static void failed_reservation_keeps_the_block(void **state)
{
    (void)state;
    scr_arena arena = {0};
    scr_error error = {0};
    assert_int_equal(scr_arena_reserve(&arena, 1000, "scratch", NULL), SCR_OK);
    scr_arena before = arena;
    scr_fail_allocation_in(0);
    assert_int_equal(scr_arena_reserve(&arena, 100000, "pair lists", &error), SCR_NO_MEMORY);
    assert_non_null(strstr(error.message, "pair lists"));
    assert_int_equal(scr_arena_reserve(&arena, SIZE_MAX, "pair lists", &error), SCR_NO_MEMORY);
    assert_ptr_equal(arena.base, before.base);
    assert_true(arena.capacity == before.capacity);
    scr_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_aligned_and_writable),
        cmocka_unit_test(large_blocks_begin_on_a_huge_page),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(allocations_are_counted),
        cmocka_unit_test(only_the_nth_allocation_fails),
        cmocka_unit_test(new_arrays_are_zeros),
        cmocka_unit_test(growing_keeps_what_was_there),
        cmocka_unit_test(growing_one_by_one_is_linear),
        cmocka_unit_test(enough_room_is_left_alone),
        cmocka_unit_test(failed_growth_leaves_the_array_untouched),
        cmocka_unit_test(arena_arrays_are_aligned_and_apart),
        cmocka_unit_test(a_copy_gives_its_memory_back),
        cmocka_unit_test(reserving_less_allocates_nothing),
        cmocka_unit_test(failed_reservation_keeps_the_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
