// SPDX-License-Identifier: BSD-3-Clause
// Points of a unit cube: their laws, whatever the seed.
#include "check.h"
#include "study/design/unit_points.h"

enum { MOST = 1024, AXES = UNIT_AXES_MAX };
static double u[MOST * AXES];

// Each of `count` slices of the axis holds one of the points first .. first + count - 1.
static bool is_stratified(int64_t first, int count, int axes, int axis)
{
    bool taken[MOST] = {false};
    for (int64_t k = first; k < first + count; ++k) {
        double x = u[k * axes + axis];
        if (!(x >= 0.0 && x < 1.0)) return false;
        int slice = (int)(x * count);
        if (taken[slice]) return false;
        taken[slice] = true;
    }
    return true;
}

static void a_latin_hypercube_has_a_point_in_each_slice(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 5; ++seed) {
        latin_hypercube(seed, 37, 5, u);
        for (int axis = 0; axis < 5; ++axis) assert_true(is_stratified(0, 37, 5, axis));
    }
}

static void axes_of_a_hypercube_are_shuffled_apart(void **state)
{
    (void)state;
    double product = 0.0;
    latin_hypercube(1, MOST, 2, u);
    for (int k = 0; k < MOST; ++k) product += (u[2 * k] - 0.5) * (u[2 * k + 1] - 0.5);
    assert_within(12.0 * product / MOST, 0.0, 4.0 / sqrt(MOST));  // correlation: 4 standard deviations
}

static void a_block_of_a_sobol_sequence_has_a_point_in_each_slice(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; ++seed) {
        sobol_points(seed, MOST, AXES, u);
        for (int axis = 0; axis < AXES; ++axis) {
            for (int size = 1; size <= MOST; size *= 2) {
                for (int first = 0; first + size <= MOST; first += size)
                    assert_true(is_stratified(first, size, AXES, axis));
            }
        }
    }
}

// The first two axes are a (0, 2)-sequence: each elementary box of area 2^-m holds one of 2^m points.
static void two_axes_fill_every_elementary_box(void **state)
{
    (void)state;
    sobol_points(7, MOST, 2, u);
    for (int wide = 1; wide <= MOST; wide *= 2) {
        bool taken[MOST] = {false};
        int high = MOST / wide;
        for (int k = 0; k < MOST; ++k) {
            int box = (int)(u[2 * k] * wide) * high + (int)(u[2 * k + 1] * high);
            assert_false(taken[box]);
            taken[box] = true;
        }
    }
}

// Joe and Kuo's own points in ten dimensions: what two shifted points differ by, digit by digit, knows no shift.
static void the_sequence_is_that_of_joe_and_kuo(void **state)
{
    (void)state;
    static const double published[3][10] = {{.5, .5, .5, .5, .5, .5, .5, .5, .5, .5},
                                            {.75, .25, .25, .25, .75, .75, .25, .75, .75, .75},
                                            {.25, .75, .75, .75, .25, .25, .75, .25, .25, .25}};
    sobol_points(3, 4, 10, u);
    for (int k = 0; k < 3; ++k) {
        for (int axis = 0; axis < 10; ++axis) {
            uint32_t first = (uint32_t)(u[axis] * 0x1p32), other = (uint32_t)(u[(k + 1) * 10 + axis] * 0x1p32);
            assert_near((first ^ other) * 0x1p-32, published[k][axis], 0.0);
        }
    }
}

static void more_points_continue_the_sequence_and_seeds_differ(void **state)
{
    (void)state;
    double few[8 * 3], other[8 * 3];
    sobol_points(1, 8, 3, few);
    sobol_points(2, 8, 3, other);
    sobol_points(1, 100, 3, u);
    for (int k = 0; k < 8 * 3; ++k) {
        assert_true(few[k] == u[k]);
        assert_true(few[k] != other[k]);
    }
}

static void the_last_axis_of_a_grid_runs_fastest(void **state)
{
    (void)state;
    const int64_t counts[] = {2, 3, 4};
    int64_t place[3];
    for (int64_t point = 0; point < 24; ++point) {
        grid_place(point, counts, 3, place);
        assert_int_equal((place[0] * 3 + place[1]) * 4 + place[2], point);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_latin_hypercube_has_a_point_in_each_slice),
        cmocka_unit_test(axes_of_a_hypercube_are_shuffled_apart),
        cmocka_unit_test(a_block_of_a_sobol_sequence_has_a_point_in_each_slice),
        cmocka_unit_test(two_axes_fill_every_elementary_box),
        cmocka_unit_test(the_sequence_is_that_of_joe_and_kuo),
        cmocka_unit_test(more_points_continue_the_sequence_and_seeds_differ),
        cmocka_unit_test(the_last_axis_of_a_grid_runs_fastest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
