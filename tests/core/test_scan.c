// SPDX-License-Identifier: BSD-3-Clause
// Prefix sums against adding up one by one.
#include "core/arrays/scan.h"

#include "check.h"
#include "core/base/memory.h"
#include "core/maths/rng.h"

// Around zero, and on both sides of where threads begin to share the work.
static const int64_t sizes[] = {0, 1, 2, 3, 1000, 65535, 65536, 65537, 200001};

static int64_t count_at(int64_t i) { return (int64_t)(scr_uniform(1, 2, (uint64_t)i) * 9.0); }

static void check_i64(int64_t n, int threads)
{
    int64_t *start = scr_alloc(scr_array_bytes(n + 1, sizeof *start));
    for (int64_t i = 0; i < n; ++i) start[i] = count_at(i) << 33;  // beyond 32 bits
    start[n] = -1;
    int64_t total = scr_scan_i64(start, n, threads), sum = 0;
    for (int64_t i = 0; i < n; ++i) {
        assert_true(start[i] == sum);
        sum += count_at(i) << 33;
    }
    assert_true(start[n] == sum && total == sum);
    scr_free(start);
}

static void check_i32(int64_t n, int threads)
{
    int32_t *start = scr_alloc(scr_array_bytes(n + 1, sizeof *start));
    for (int64_t i = 0; i < n; ++i) start[i] = (int32_t)count_at(i);
    start[n] = -1;
    int64_t total = scr_scan_i32(start, n, threads), sum = 0;
    for (int64_t i = 0; i < n; ++i) {
        assert_true(start[i] == sum);
        sum += count_at(i);
    }
    assert_true(start[n] == sum && total == sum);
    scr_free(start);
}

static void entry_is_the_sum_of_all_before_it(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        for (int threads = 1; threads <= 4; ++threads) {
            check_i64(sizes[k], threads);
            check_i32(sizes[k], threads);
        }
    }
}

// More parts than the parts' table holds, and parts with nothing in them.
static void many_threads_are_fine(void **state)
{
    (void)state;
    check_i64(65536, 300);
    check_i32(70001, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entry_is_the_sum_of_all_before_it),
        cmocka_unit_test(many_threads_are_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
