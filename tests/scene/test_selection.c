// SPDX-License-Identifier: BSD-3-Clause
// Selections: exactly those that meet the condition, ascending, whoever looked.
#include "scene/parts/selection.h"

#include "check.h"

static int64_t find_multiples(const void *context, int64_t first, int64_t last, int32_t *hits)
{
    int64_t divisor = *(const int64_t *)context, count = 0;
    for (int64_t i = first; i < last; ++i) {
        if (i % divisor == 0) hits[count++] = (int32_t)i;
    }
    return count;
}

static void all_that_meet_the_condition_are_listed_in_order(void **state)
{
    (void)state;
    static const int64_t sizes[] = {0, 1, 4095, 4096, 4097, 100000}, divisors[] = {1, 3, 5000, 1000000};
    selection s = {0};
    for (int n = 0; n < 6; ++n) {
        for (int d = 0; d < 4; ++d) {
            for (int threads = 1; threads <= 4; ++threads) {
                assert_int_equal(selection_reserve(&s, sizes[n], NULL), SCR_OK);
                selection_make(&s, sizes[n], find_multiples, &divisors[d], threads);
                assert_int_equal(s.count, (sizes[n] + divisors[d] - 1) / divisors[d]);
                for (int64_t k = 0; k < s.count; ++k) assert_int_equal(s.index[k], k * divisors[d]);
            }
        }
    }
    selection_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_that_meet_the_condition_are_listed_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
