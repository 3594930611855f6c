// Bit sets against an array of flags.
#include "core/bitset.h"

#include "check.h"
#include "core/rng.h"

static void behaves_like_an_array_of_flags(void **state)
{
    (void)state;
    enum { BITS = 1000 };
    bool flag[BITS] = {false};
    scr_bitset set = {0};
    assert_int_equal(scr_bitset_resize(&set, BITS, NULL), SCR_OK);
    for (uint64_t step = 0; step < 20000; ++step) {
        double u[2];
        scr_uniform2(1, 2, step, u);
        int i = (int)(u[0] * BITS);
        flag[i] = u[1] < 0.6;
        if (flag[i]) scr_bitset_set(&set, i);
        else scr_bitset_clear(&set, i);
    }
    int64_t size = 0;
    for (int i = 0; i < BITS; ++i) {
        assert_int_equal(scr_bitset_test(&set, i), flag[i]);
        size += flag[i];
    }
    assert_int_equal(scr_bitset_size(&set), size);
    scr_bitset_free(&set);
    assert_null(set.word);
}

static void resizing_clears(void **state)
{
    (void)state;
    const int64_t sizes[] = {0, 1, 63, 64, 65, 5000, 128, 64, 1, 0};
    scr_bitset set = {0};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        assert_int_equal(scr_bitset_resize(&set, sizes[k], NULL), SCR_OK);
        assert_int_equal(scr_bitset_size(&set), 0);
        for (int64_t i = 0; i < sizes[k]; ++i) {
            assert_false(scr_bitset_test(&set, i));
            scr_bitset_set(&set, i);
        }
        assert_int_equal(scr_bitset_size(&set), sizes[k]);
    }
    scr_bitset_free(&set);
}

static void failed_resize_keeps_the_set(void **state)
{
    (void)state;
    scr_bitset set = {0};
    scr_error error = {0};
    assert_int_equal(scr_bitset_resize(&set, 100, NULL), SCR_OK);
    scr_bitset_set(&set, 99);
    scr_fail_allocation_in(0);
    assert_int_equal(scr_bitset_resize(&set, 1000000, &error), SCR_NO_MEMORY);
    assert_int_equal(error.status, SCR_NO_MEMORY);
    assert_int_equal(set.bit_count, 100);
    assert_true(scr_bitset_test(&set, 99));
    assert_int_equal(scr_bitset_size(&set), 1);
    scr_bitset_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behaves_like_an_array_of_flags),
        cmocka_unit_test(resizing_clears),
        cmocka_unit_test(failed_resize_keeps_the_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
