// SPDX-License-Identifier: BSD-3-Clause
// Statistics of least squares against the closed forms of a straight line, and against scatter itself.
#include "check.h"
#include "core/maths/rng.h"
#include "study/fit/least_squares.h"

enum { COUNT = 20 };

// y = p0 + p1 x at x = 0 .. COUNT - 1, errors of 1.
static void line_jacobian(double *j)
{
    for (int k = 0; k < COUNT; ++k) {
        j[2 * k] = 1.0;
        j[2 * k + 1] = k;
    }
}

static void a_lines_covariance_is_the_textbooks(void **state)
{
    (void)state;
    double j[2 * COUNT], inverse[4], sx = 0.0, sxx = 0.0;
    line_jacobian(j);
    for (int k = 0; k < COUNT; ++k) {
        sx += k;
        sxx += k * k;
    }
    double determinant = COUNT * sxx - sx * sx;
    assert_true(normal_inverse(j, COUNT, 2, inverse));
    assert_near(inverse[0], sxx / determinant, 1e-12);
    assert_near(inverse[1], -sx / determinant, 1e-12);
    assert_near(inverse[2], -sx / determinant, 1e-12);
    assert_near(inverse[3], COUNT / determinant, 1e-12);
}

static void one_step_ends_at_the_solution_of_a_linear_problem(void **state)
{
    (void)state;
    double j[2 * COUNT], inverse[4], residual[COUNT], step[2];
    line_jacobian(j);
    assert_true(normal_inverse(j, COUNT, 2, inverse));
    for (int k = 0; k < COUNT; ++k) residual[k] = -(0.7 - 0.3 * k);  // 0 + 0 x is tried, 0.7 - 0.3 x is right
    gauss_newton_step(j, inverse, residual, COUNT, 2, step);
    assert_near(step[0], 0.7, 1e-12);
    assert_near(step[1], -0.3, 1e-12);
}

static void scatter_of_answers_is_the_covariance(void **state)
{
    (void)state;
    enum { TRIES = 4000 };
    double j[2 * COUNT], inverse[4], residual[COUNT], step[2], squares = 0.0;
    line_jacobian(j);
    assert_true(normal_inverse(j, COUNT, 2, inverse));
    for (int t = 0; t < TRIES; ++t) {
        for (int k = 0; k < COUNT; ++k) residual[k] = scr_normal(1, (uint64_t)t, (uint64_t)k);
        gauss_newton_step(j, inverse, residual, COUNT, 2, step);
        squares += step[1] * step[1];
    }
    assert_near(squares / TRIES, inverse[3], 5.0 * sqrt(2.0 / TRIES));  // 5 standard deviations of a variance
}

static void parameters_that_do_the_same_are_not_told_apart(void **state)
{
    (void)state;
    double j[2 * COUNT], inverse[4];
    for (int k = 0; k < COUNT; ++k) {
        j[2 * k] = k;
        j[2 * k + 1] = 2.0 * k;
    }
    assert_false(normal_inverse(j, COUNT, 2, inverse));
    for (int k = 0; k < COUNT; ++k) j[2 * k + 1] = 0.0;
    assert_false(normal_inverse(j, COUNT, 2, inverse));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lines_covariance_is_the_textbooks),
        cmocka_unit_test(one_step_ends_at_the_solution_of_a_linear_problem),
        cmocka_unit_test(scatter_of_answers_is_the_covariance),
        cmocka_unit_test(parameters_that_do_the_same_are_not_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
