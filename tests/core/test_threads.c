// SPDX-License-Identifier: BSD-3-Clause
// Block sums, and the barrier.
#include "core/base/threads.h"

#include <time.h>

#include <omp.h>

#include "check.h"
#include "core/base/memory.h"
#include "core/maths/rng.h"

static void there_is_a_core(void **state)
{
    (void)state;
    assert_true(scr_core_count() >= 1);
}

static void blocks_cover_the_list(void **state)
{
    (void)state;
    assert_int_equal(block_count_of(0, 8), 0);
    assert_int_equal(block_count_of(1, 8), 1);
    assert_int_equal(block_count_of(8, 8), 1);
    assert_int_equal(block_count_of(9, 8), 2);
    assert_int_equal(min_i64(-1, 2), -1);
    assert_int_equal(max_i64(-1, 2), 2);
}

static void parts_lie_end_to_end(void **state)
{
    (void)state;
    for (int64_t n = 0; n < 50; ++n) {
        for (int parts = 1; parts < 9; ++parts) {
            int64_t end = 0;
            for (int p = 0; p < parts; ++p) {
                index_range r = chunk_of(n, p, parts);
                assert_true(r.first == end && r.last >= r.first && r.last - r.first <= block_count_of(n, parts));
                end = r.last;
            }
            assert_int_equal(end, n);
        }
    }
}

static void sum_of_whole_numbers_is_exact(void **state)
{
    (void)state;
    double v[3 * SUM_BLOCK + 1], block_sum[4];
    for (int i = 0; i < 3 * SUM_BLOCK + 1; ++i) v[i] = i;
    const int64_t sizes[] = {0, 1, 2, SUM_BLOCK - 1, SUM_BLOCK, SUM_BLOCK + 1, 3 * SUM_BLOCK, 3 * SUM_BLOCK + 1};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        double n = (double)sizes[k];
        for (int threads = 1; threads <= 4; ++threads)
            assert_true(scr_sum(v, sizes[k], block_sum, threads) == n * (n - 1.0) / 2.0);
    }
}

// Numbers whose sum depends on the order in which they are added.
static void thread_count_never_changes_a_sum(void **state)
{
    (void)state;
    int64_t n = 100003;
    double *v = scr_alloc(scr_array_bytes(n, sizeof *v));
    double *block_sum = scr_alloc(scr_array_bytes(block_count_of(n, SUM_BLOCK), sizeof *block_sum));
    for (int64_t i = 0; i < n; ++i) v[i] = scr_normal(1, 2, (uint64_t)i) * (i % 7 == 0 ? 1e9 : 1.0);
    double one = scr_sum(v, n, block_sum, 1);
    long double exact = 0.0L;
    for (int64_t i = 0; i < n; ++i) exact += v[i];
    assert_near(one, (double)exact, 1e-10);
    for (int threads = 2; threads <= 4; ++threads) assert_true(scr_sum(v, n, block_sum, threads) == one);
    scr_free(v);
    scr_free(block_sum);
}

// More threads than there are cores, some of them late, so that others have gone to sleep.
static void nobody_passes_before_all_have_come(void **state)
{
    (void)state;
    enum { ROUNDS = 400, MOST = 6 };
    for (int threads = 1; threads <= MOST; ++threads) {
        static atomic_int came[ROUNDS];
        atomic_int early = 0;
        scr_barrier barrier = {0};
        for (int r = 0; r < ROUNDS; ++r) came[r] = 0;
#pragma omp parallel num_threads(threads)
        for (int r = 0; r < ROUNDS; ++r) {
            const struct timespec late = {0, 200000};  // ns
            if (r % 7 == 0 && r % omp_get_num_threads() == omp_get_thread_num()) nanosleep(&late, NULL);
            ++came[r];
            scr_barrier_wait(&barrier, omp_get_num_threads());
            if (came[r] != omp_get_num_threads()) ++early;
        }
        assert_int_equal(early, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_a_core),
        cmocka_unit_test(blocks_cover_the_list),
        cmocka_unit_test(parts_lie_end_to_end),
        cmocka_unit_test(sum_of_whole_numbers_is_exact),
        cmocka_unit_test(thread_count_never_changes_a_sum),
        cmocka_unit_test(nobody_passes_before_all_have_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
