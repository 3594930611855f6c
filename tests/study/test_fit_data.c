// SPDX-License-Identifier: BSD-3-Clause
// Curves read between their points, and what a run's log says.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "study/fit/fit_data.h"
#include "study/runs/run_log.h"
#include "study_text.h"

static void a_curve_is_read_between_its_points(void **state)
{
    (void)state;
    const double x[] = {0.0, 1.0, 3.0}, y[] = {0.0, 10.0, 30.0};
    for (double at = 0.0; at <= 3.0; at += 0.25) assert_near(curve_at(x, y, 3, at), 10.0 * at, 1e-14);
    assert_near(curve_at(x, y, 3, -1.0), 0.0, 0.0);  // beyond its ends, that at the end
    assert_near(curve_at(x, y, 3, 9.0), 30.0, 0.0);
}

static void where_it_turns_back_the_first_time_counts(void **state)
{
    (void)state;
    const double x[] = {0.0, 2.0, 1.0, 2.0}, y[] = {0.0, 2.0, 5.0, 9.0};
    assert_near(curve_at(x, y, 4, 1.5), 1.5, 1e-15);
    const double falling[] = {3.0, 1.0}, height[] = {0.0, 4.0};
    assert_near(curve_at(falling, height, 2, 2.0), 2.0, 1e-15);
}

static void holes_are_passed_over(void **state)
{
    (void)state;
    const double x[] = {0.0, 1.0, 2.0}, y[] = {NAN, 10.0, 20.0};
    assert_near(curve_at(x, y, 3, 0.5), 10.0, 0.0);
    assert_true(isnan(curve_at(x, (double[]){NAN, NAN, NAN}, 3, 0.5)));
}

static const char *write_file(const char *text)
{
    static char path[] = "/tmp/scree-fit-XXXXXX";
    strcpy(path, "/tmp/scree-fit-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_true(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    return path;
}

static void a_log_tells_how_far_a_run_is_and_why_it_failed(void **state)
{
    (void)state;
    char reason[100];
    const char *path = write_file("A ball: 2 bodies\n 12%  3 s left  t = 1\n 42%  2 s left\nscree: warning: mind\n"
                                  "scree: step 7: the ball is lost\nscree: the state is saved\n 99%  half a li");
    assert_near(run_log_share(path, 0.0), 0.42, 1e-15);
    assert_true(run_log_reason(path, reason, sizeof reason));
    assert_string_equal(reason, "step 7: the ball is lost");
    unlink(path);
    assert_near(run_log_share(path, 0.25), 0.25, 0.0);
    assert_false(run_log_reason(path, reason, sizeof reason));
}

static scr_status read_curve(const char *csv, const char *words, fit_data *data, scr_error *error)
{
    char text[600];
    study_plan plan;
    const char *path = write_file(csv);
    snprintf(text, sizeof text,
             "{'scene': 's', 'fit': {'parameters': {'a': {'from': 0, 'to': 1}}, 'targets': [{'probe': 'p.x', 'curve': "
             "'%s'%s}]}}",
             path, words);
    assert_int_equal(read_study(text, &plan, error), SCR_OK);
    scr_status status = fit_data_make(&plan, data, error);
    unlink(path);
    study_plan_free(&plan);
    return status;
}

static void measured_curves_are_any_columns(void **state)
{
    (void)state;
    fit_data data;
    scr_error error = {.message = ""};
    assert_int_equal(
        read_curve("u [m],f [N]\n0,3\n1,-4\n", ", 'column': 'f', 'against': 'u', 'weight': 2", &data, &error), SCR_OK);
    assert_int_equal(data.count, 2);
    assert_near(data.datum[1].across, 1.0, 0.0);
    assert_near(data.datum[1].measured, -4.0, 0.0);
    assert_near(data.datum[1].error, 0.05 * sqrt(12.5), 1e-14);
    assert_string_equal(data.unit[0], "N");
    fit_data_free(&data);
    assert_int_equal(read_curve("u,f\n0,3\n", ", 'column': 'g'", &data, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "has no column \"time\""));
    fit_data_free(&data);
    assert_int_equal(read_curve("time,p.x\n", "", &data, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "there is no row in it"));
    fit_data_free(&data);
    assert_int_equal(read_curve("time,p.x\n0,0\n", "", &data, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "\"error\" must say how well"));
    fit_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curve_is_read_between_its_points),
        cmocka_unit_test(where_it_turns_back_the_first_time_counts),
        cmocka_unit_test(holes_are_passed_over),
        cmocka_unit_test(a_log_tells_how_far_a_run_is_and_why_it_failed),
        cmocka_unit_test(measured_curves_are_any_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
