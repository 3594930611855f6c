// SPDX-License-Identifier: BSD-3-Clause
// The Gaussian filter against closed forms.
#include "check.h"
#include "core/maths/rng.h"
#include "view/plot/gaussian_filter.h"

enum { COUNT = 1001 };
static const double SIGMA = 0.05;  // s

static double random01(uint32_t i)
{
    uint32_t counter[4] = {i, 0, 0, 0}, key[2] = {3, 5};
    return scr_philox(counter, key).v[0] / 4294967296.0;
}

static void even_times(double *time)
{
    for (int i = 0; i < COUNT; ++i) time[i] = 0.002 * i;
}

// Steps between nothing and 4 ms.
static void uneven_times(double *time)
{
    time[0] = 0.0;
    for (int i = 1; i < COUNT; ++i) time[i] = time[i - 1] + 0.004 * random01((uint32_t)i);
}

static bool is_inside(const double *time, int i)
{
    return time[i] - time[0] >= 4.0 * SIGMA && time[COUNT - 1] - time[i] >= 4.0 * SIGMA;
}

static void constants_pass_to_the_bit_ends_included(void **state)
{
    (void)state;
    double time[COUNT], value[COUNT], result[COUNT];
    uneven_times(time);
    for (int i = 0; i < COUNT; ++i) value[i] = 0.1;
    gaussian_filter(time, value, COUNT, SIGMA, result);
    for (int i = 0; i < COUNT; ++i) assert_true(result[i] == 0.1);
}

static void straight_lines_pass_in_the_inside_however_sampled(void **state)
{
    (void)state;
    double time[COUNT], value[COUNT], result[COUNT];
    for (int uneven = 0; uneven < 2; ++uneven) {
        if (uneven) uneven_times(time);
        else even_times(time);
        for (int i = 0; i < COUNT; ++i) value[i] = 3.0 - 7.0 * time[i];
        gaussian_filter(time, value, COUNT, SIGMA, result);
        int inside = 0;
        for (int i = 0; i < COUNT; ++i) {
            if (!is_inside(time, i)) continue;
            assert_within(result[i], value[i], 1e-12);
            ++inside;
        }
        assert_true(inside > COUNT / 2);
    }
}

// Half a window of a line y = t has its mean sigma sqrt(2 / pi) away from the end: that is what renormalising gives.
static void an_end_is_the_mean_of_what_is_there(void **state)
{
    (void)state;
    double time[COUNT], result[COUNT];
    even_times(time);
    gaussian_filter(time, time, COUNT, SIGMA, result);
    assert_near(result[0], SIGMA * sqrt(2.0 / 3.14159265358979323846), 0.02);  // the first sample counts in full
    assert_near(time[COUNT - 1] - result[COUNT - 1], result[0], 1e-9);
}

// Truncation at 4 sigma leaves out 6e-5 of the weight.
static void a_sine_is_lowered_by_the_transform_of_the_gaussian(void **state)
{
    (void)state;
    double time[COUNT], value[COUNT], result[COUNT];
    even_times(time);
    for (double turn = 0.1; turn < 3.1; turn += 0.5) {  // sigma omega
        double omega = turn / SIGMA;
        for (int i = 0; i < COUNT; ++i) value[i] = sin(omega * time[i] + 0.3);
        gaussian_filter(time, value, COUNT, SIGMA, result);
        for (int i = 0; i < COUNT; ++i)
            if (is_inside(time, i)) assert_within(result[i], exp(-0.5 * turn * turn) * value[i], 3e-4);
    }
}

// Samples three times as dense in one half must not pull the result towards that half.
static void dense_samples_do_not_count_more(void **state)
{
    (void)state;
    double time[COUNT], value[COUNT], result[COUNT], t = 0.0;
    const double omega = 1.0 / SIGMA;
    for (int i = 0; i < COUNT; ++i) {
        time[i] = t;
        value[i] = cos(omega * t);
        t += t < 0.75 ? 0.001 : 0.003;
    }
    gaussian_filter(time, value, COUNT, SIGMA, result);
    for (int i = 0; i < COUNT; ++i)
        if (is_inside(time, i)) assert_within(result[i], exp(-0.5) * value[i], 1e-3);
}

static void it_commutes_with_shifts_of_time_and_value(void **state)
{
    (void)state;
    double time[COUNT], value[COUNT], result[COUNT], moved_time[COUNT], moved_value[COUNT], moved[COUNT];
    uneven_times(time);
    for (int i = 0; i < COUNT; ++i) {
        value[i] = random01((uint32_t)(5000 + i));
        moved_time[i] = time[i] + 8.0;
        moved_value[i] = value[i] - 2.0;
    }
    gaussian_filter(time, value, COUNT, SIGMA, result);
    gaussian_filter(moved_time, moved_value, COUNT, SIGMA, moved);
    for (int i = 0; i < COUNT; ++i) assert_within(moved[i], result[i] - 2.0, 1e-11);
}

static void what_is_no_number_stays_and_does_not_spread(void **state)
{
    (void)state;
    double time[COUNT], value[COUNT], result[COUNT];
    even_times(time);
    for (int i = 0; i < COUNT; ++i) value[i] = i > 400 && i < 440 ? NAN : i == 700 ? INFINITY : 5.0;
    gaussian_filter(time, value, COUNT, SIGMA, result);
    for (int i = 0; i < COUNT; ++i) {
        if (i > 400 && i < 440) assert_true(isnan(result[i]));
        else if (i == 700) assert_true(result[i] == INFINITY);
        else assert_true(result[i] == 5.0);
    }
}

static void few_samples_and_equal_times_are_no_trouble(void **state)
{
    (void)state;
    const double time[] = {1.0, 1.0, 1.0}, value[] = {4.0, NAN, 6.0};
    double result[3];
    gaussian_filter(time, value, 0, SIGMA, result);
    gaussian_filter(time, value, 1, SIGMA, result);
    assert_true(result[0] == 4.0);
    gaussian_filter(time, value, 3, SIGMA, result);
    assert_true(result[0] == 4.0 && isnan(result[1]) && result[2] == 6.0);
    gaussian_filter(time, &value[1], 1, SIGMA, result);
    assert_true(isnan(result[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_pass_to_the_bit_ends_included),
        cmocka_unit_test(straight_lines_pass_in_the_inside_however_sampled),
        cmocka_unit_test(an_end_is_the_mean_of_what_is_there),
        cmocka_unit_test(a_sine_is_lowered_by_the_transform_of_the_gaussian),
        cmocka_unit_test(dense_samples_do_not_count_more),
        cmocka_unit_test(it_commutes_with_shifts_of_time_and_value),
        cmocka_unit_test(what_is_no_number_stays_and_does_not_spread),
        cmocka_unit_test(few_samples_and_equal_times_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
