// SPDX-License-Identifier: BSD-3-Clause
// The points of a sweep.
#include "study/plan/study_points.h"
#include "study/table/study_table.h"
#include "study_text.h"

static study_plan plan;

static study_points points_of(const char *text)
{
    scr_error error = {.message = ""};
    study_points points;
    assert_int_equal(read_study(text, &plan, &error), SCR_OK);
    assert_int_equal(study_points_make(&plan, &points, &error), SCR_OK);
    return points;
}

static void release(study_points *points)
{
    study_points_free(points);
    study_plan_free(&plan);
}

static void a_grid_has_every_combination_in_decimals(void **state)
{
    (void)state;
    study_points p = points_of("{'scene': 's', 'vary': {'a': {'from': 0.2, 'to': 0.8, 'count': 7}, 'b': ['x', 2]}}");
    assert_int_equal(p.count, 14);
    assert_string_equal(p.value[2 * 2].text, "0.3");
    assert_string_equal(p.value[2 * 13].text, "0.8");
    assert_string_equal(p.value[1].text, "\"x\"");
    assert_string_equal(p.value[1].shown, "x");
    assert_true(isnan(p.value[1].number) && p.value[3].number == 2.0);
    release(&p);
}

static void a_list_goes_side_by_side(void **state)
{
    (void)state;
    study_points p =
        points_of("{'scene': 's', 'design': 'list', 'vary': {'a': [1, 2, 3], 'b': [[1], {'c': 2}, null]}}");
    assert_int_equal(p.count, 3);
    assert_string_equal(p.value[2].text, "2");
    assert_string_equal(p.value[3].text, "{\"c\":2}");
    assert_string_equal(p.value[5].text, "null");
    release(&p);
}

static void samples_stay_in_their_ranges_and_share_out_whole_numbers(void **state)
{
    (void)state;
    study_points p =
        points_of("{'scene': 's', 'design': 'latin_hypercube', 'points': 60, 'vary': {"
                  "'a': {'from': 1e-3, 'to': 10, 'scale': 'log'}, 'n': {'from': 1, 'to': 6, 'whole': true},"
                  "'w': ['x', 'y', 'z']}}");
    int dice[7] = {0}, words[3] = {0}, decades[4] = {0};
    assert_int_equal(p.count, 60);
    for (int k = 0; k < 60; ++k) {
        assert_true(p.value[3 * k].number >= 1e-3 && p.value[3 * k].number <= 10.0);
        ++decades[(int)floor(log10(p.value[3 * k].number)) + 3];
        ++dice[(int)p.value[3 * k + 1].number];
        ++words[p.value[3 * k + 2].shown[0] - 'x'];
    }
    for (int k = 1; k <= 6; ++k) assert_int_equal(dice[k], 10);
    for (int k = 0; k < 3; ++k) assert_int_equal(words[k], 20);
    for (int k = 0; k < 4; ++k) assert_int_equal(decades[k], 15);
    release(&p);
}

static void seeds_alone_are_one_point(void **state)
{
    (void)state;
    study_points p = points_of("{'scene': 's', 'seeds': 5}");
    assert_int_equal(p.count, 1);
    release(&p);
}

static void scatter_is_that_of_what_is_there(void **state)
{
    (void)state;
    const double value[] = {1.0, -1.0, NAN, -1.0, 4.0, -1.0, 7.0, -1.0};  // every second one
    figure_statistics s = statistics_of(value, 4, 2);
    assert_int_equal(s.count, 3);
    assert_near(s.mean, 4.0, 1e-15);
    assert_near(s.deviation, 3.0, 1e-15);
    s = statistics_of(value, 1, 1);
    assert_true(s.count == 1 && s.mean == 1.0 && isnan(s.deviation));
    assert_true(isnan(statistics_of(&value[2], 1, 1).mean));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_every_combination_in_decimals),
        cmocka_unit_test(a_list_goes_side_by_side),
        cmocka_unit_test(samples_stay_in_their_ranges_and_share_out_whole_numbers),
        cmocka_unit_test(seeds_alone_are_one_point),
        cmocka_unit_test(scatter_is_that_of_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
