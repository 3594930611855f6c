// SPDX-License-Identifier: BSD-3-Clause
// Functions of time.
#include <math.h>

#include "check.h"
#include "scene/formula/time_function.h"

static void a_table_is_followed_by_straight_lines_and_held_at_its_ends(void **state)
{
    (void)state;
    double rows[] = {1.0, 10.0, 2.0, 20.0, 4.0, -20.0, 4.5, 0.0};
    time_function f = {.kind = TIME_TABLE, .table = {4, rows}};
    assert_near(time_function_at(&f, -5.0), 10.0, 0.0);
    assert_near(time_function_at(&f, 1.0), 10.0, 0.0);
    assert_near(time_function_at(&f, 1.25), 12.5, 1e-15);
    assert_near(time_function_at(&f, 2.0), 20.0, 0.0);
    assert_near(time_function_at(&f, 3.0), 0.0, 1e-13);
    assert_near(time_function_at(&f, 4.0), -20.0, 0.0);
    assert_near(time_function_at(&f, 4.25), -10.0, 1e-13);
    assert_near(time_function_at(&f, 4.5), 0.0, 0.0);
    assert_near(time_function_at(&f, 1e9), 0.0, 0.0);
    f.table.count = 1;
    assert_near(time_function_at(&f, 0.0), 10.0, 0.0);
    assert_near(time_function_at(&f, 7.0), 10.0, 0.0);
}

static void a_sine_does_not_lose_digits_in_a_long_run(void **state)
{
    (void)state;
    time_function f = {.kind = TIME_SINE, .amplitude = 3.0, .frequency = 0.25, .phase = 0.5, .offset = 1.0};
    for (int i = 0; i < 100; ++i) {
        double t = 0.0625 * i;
        assert_near(time_function_at(&f, t), 1.0 + 3.0 * sin(0.5 * M_PI * t + 0.5), 1e-12);
        assert_near(time_function_at(&f, t + 4e6), time_function_at(&f, t), 0.0);  // whole turns later
    }
}

static void the_world_is_given_the_same_numbers(void **state)
{
    (void)state;
    expression *e;
    int at;
    scr_error error;
    assert_int_equal(expression_compile("2 + t^2", NULL, 0, true, &e, &at, &error), SCR_OK);
    time_function formula = {.kind = TIME_FORMULA, .formula = e}, constant = {.constant = 7.0};
    scr_function call = time_function_call(&formula), fixed = time_function_call(&constant);
    assert_near(call.at(call.context, 3.0), 11.0, 0.0);
    assert_null(fixed.at);
    assert_near(fixed.constant, 7.0, 0.0);
    assert_near(time_function_at(&constant, 3.0), 7.0, 0.0);
    time_function_free(&formula);
}

// Of pieces the last one that has begun counts, from its very beginning; null, and the time before the first, are
// nothing: 0 for those who need a number.
static void pieces_follow_each_other_and_may_be_nothing(void **state)
{
    (void)state;
    double rows[] = {0.0, 0.0, 10.0, 10.0};
    time_piece pieces[] = {{.from = 1.0, .value = {.constant = 3.0}},
                           {.from = 2.0, .is_nothing = true},
                           {.from = 4.0, .value = {.kind = TIME_TABLE, .table = {2, rows}}}};
    time_function f = {.kind = TIME_PIECES, .piece = pieces, .piece_count = 3};
    const double times[] = {0.5, 1.0, 1.999, 2.0, 3.0, 4.0, 7.5, 20.0}, values[] = {0, 3, 3, 0, 0, 4, 7.5, 10};
    for (int k = 0; k < 8; ++k) {
        assert_near(time_function_at(&f, times[k]), values[k], 1e-15);
        assert_int_equal(time_function_is_nothing(&f, times[k], (phase_now){0}), values[k] == 0.0);
    }
    assert_false(time_function_has_formula(&f));
    pieces[2].value.kind = TIME_FORMULA;
    assert_true(time_function_has_formula(&f));
    pieces[2].value.kind = TIME_TABLE;
    scr_function motor = time_function_call(&f);  // at the end of its last step it drives as before
    assert_near(motor.at(motor.context, 2.0), 3.0, 0.0);
    assert_near(motor.at(motor.context, 7.5), 7.5, 1e-15);
    time_function zero = {.constant = 0.0};
    assert_false(time_function_is_nothing(&zero, 0.0, (phase_now){0}));
}

// In a phase its own function counts, of the time since that phase began; a phase without one has 0. A formula in any
// of them makes the whole one that may have no number.
static void functions_by_phase_count_from_its_beginning(void **state)
{
    (void)state;
    double rows[] = {0.0, 0.0, 10.0, 10.0};
    time_function of_phase[] = {{.constant = 3.0}, {.constant = 0.0}, {.kind = TIME_TABLE, .table = {2, rows}}};
    time_function f = {.kind = TIME_BY_PHASE, .of_phase = of_phase, .phase_count = 3};
    assert_near(time_function_in(&f, 7.0, (phase_now){0, 0.0}), 3.0, 0.0);
    assert_near(time_function_in(&f, 7.0, (phase_now){1, 2.0}), 0.0, 0.0);
    assert_near(time_function_in(&f, 7.0, (phase_now){2, 2.5}), 4.5, 1e-15);
    assert_false(time_function_is_nothing(&f, 7.0, (phase_now){1, 2.0}));
    of_phase[1].kind = TIME_NOTHING;
    assert_true(time_function_is_nothing(&f, 7.0, (phase_now){1, 2.0}));
    assert_false(time_function_is_nothing(&f, 7.0, (phase_now){2, 2.5}));
    assert_near(time_function_in(&f, 7.0, (phase_now){1, 2.0}), 0.0, 0.0);
    assert_false(time_function_has_formula(&f));
    of_phase[2].kind = TIME_FORMULA;
    assert_true(time_function_has_formula(&f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_followed_by_straight_lines_and_held_at_its_ends),
        cmocka_unit_test(a_sine_does_not_lose_digits_in_a_long_run),
        cmocka_unit_test(the_world_is_given_the_same_numbers),
        cmocka_unit_test(pieces_follow_each_other_and_may_be_nothing),
        cmocka_unit_test(functions_by_phase_count_from_its_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
