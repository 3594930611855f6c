// SPDX-License-Identifier: BSD-3-Clause
// The law of springs: closed forms, the slope as a difference of forces, the energy as their integral.
#include "check.h"
#include "dynamics/joints/joints.h"

// One spring without stops, with room for a table.
static void make_spring(springs *s, int64_t pair_count)
{
    int64_t i;
    springs_init(s);
    assert_int_equal(springs_take(s, pair_count, &i, NULL), SCR_OK);
    assert_int_equal(i, 0);
    s->lower[0] = -INFINITY;
    s->upper[0] = INFINITY;
}

static double force_at(const springs *s, double length)
{
    double slope;
    return spring_force(s, 0, length, &slope);
}

static double slope_at(const springs *s, double length)
{
    double slope;
    spring_force(s, 0, length, &slope);
    return slope;
}

static void a_straight_spring_pulls_k_s_and_its_preload(void **state)
{
    (void)state;
    springs s;
    make_spring(&s, 0);
    s.rest[0] = 0.5;
    s.stiffness[0] = 200.0;
    s.preload[0] = 7.0;
    s.damping[0] = 3.0;
    assert_near(force_at(&s, 0.5), 7.0, 1e-15);
    assert_near(force_at(&s, 0.75), 57.0, 1e-15);
    assert_near(force_at(&s, 0.25), -43.0, 1e-15);
    assert_near(slope_at(&s, 0.25), 200.0, 0.0);
    assert_near(spring_energy(&s, 0, 0.5), 0.5 * 7.0 * 7.0 / 200.0, 1e-15);  // what it took to preload it
    assert_near(spring_energy(&s, 0, 0.75), 0.5 * 57.0 * 57.0 / 200.0, 1e-15);
    assert_near(spring_damping(&s, 0, 9.0), 3.0, 0.0);
    springs_free(&s);
}

static void stops_press_only_beyond_their_places(void **state)
{
    (void)state;
    springs s;
    make_spring(&s, 0);
    s.rest[0] = 1.0;
    s.stiffness[0] = 10.0;
    s.lower[0] = 0.75;
    s.upper[0] = 1.5;
    s.damping[0] = 1.0;
    s.stop_stiffness[0] = 1000.0;
    s.stop_damping[0] = 50.0;
    assert_near(force_at(&s, 0.75), -2.5, 1e-15);
    assert_near(force_at(&s, 0.5), -5.0 - 250.0, 1e-15);
    assert_near(force_at(&s, 1.5), 5.0, 1e-15);
    assert_near(force_at(&s, 1.75), 7.5 + 250.0, 1e-15);
    assert_near(slope_at(&s, 1.25), 10.0, 0.0);
    assert_near(slope_at(&s, 1.75), 1010.0, 0.0);
    assert_near(spring_damping(&s, 0, 1.0), 1.0, 0.0);
    assert_near(spring_damping(&s, 0, 0.5), 51.0, 0.0);
    assert_near(spring_energy(&s, 0, 1.75), 0.5 * 10.0 * 0.5625 + 0.5 * 1000.0 * 0.0625, 1e-15);
    springs_free(&s);
}

static void fill_table(springs *s, const double *pairs, int64_t count)
{
    for (int64_t k = 0; k < 2 * count; ++k) s->pairs[k] = pairs[k];
}

static void a_table_is_made_of_lines_that_go_on_outside(void **state)
{
    (void)state;
    const double pairs[] = {-0.2, -30.0, 0.1, 0.0, 0.3, 40.0, 0.4, 100.0};
    springs s;
    make_spring(&s, 4);
    fill_table(&s, pairs, 4);
    s.rest[0] = 2.0;
    for (int k = 0; k < 4; ++k) assert_within(force_at(&s, 2.0 + pairs[2 * k]), pairs[2 * k + 1], 1e-12);
    assert_near(force_at(&s, 2.2), 20.0, 1e-12);
    assert_near(slope_at(&s, 2.2), 200.0, 1e-12);
    assert_near(force_at(&s, 1.7), -40.0, 1e-12);  // before the first pair: 100 N/m
    assert_near(slope_at(&s, 1.7), 100.0, 1e-12);
    assert_near(force_at(&s, 2.5), 160.0, 1e-12);          // beyond the last: 600 N/m
    assert_within(spring_energy(&s, 0, 2.1), 0.0, 1e-12);  // where it carries no force
    assert_near(spring_energy(&s, 0, 2.0), 0.5, 1e-12);    // a triangle of 10 N over 0.1 m
    assert_near(spring_energy(&s, 0, 2.3), 4.0, 1e-12);
    assert_near(spring_energy(&s, 0, 1.8), 4.5, 1e-12);  // from -10 to -30 N over 0.2 m, backwards
    springs_free(&s);
}

static double integral(const springs *s, double from, double to)
{
    enum { N = 200000 };
    double sum = 0.0, step = (to - from) / N;
    for (int k = 0; k < N; ++k) sum += force_at(s, from + (k + 0.5) * step);
    return sum * step;
}

// Everything at once, at places off the corners.
static void slope_and_energy_belong_to_the_force(void **state)
{
    (void)state;
    const double pairs[] = {-0.31, 12.0, -0.05, -3.0, 0.02, 1.0, 0.17, -2.0, 0.5, 60.0};
    springs s;
    make_spring(&s, 5);
    fill_table(&s, pairs, 5);
    s.rest[0] = 0.7;
    s.preload[0] = -4.0;
    s.lower[0] = 0.45;
    s.upper[0] = 1.1;
    s.stop_stiffness[0] = 900.0;
    for (double length = 0.003; length < 1.6; length += 0.0517) {
        const double d = 1e-7;
        assert_within(slope_at(&s, length), (force_at(&s, length + d) - force_at(&s, length - d)) / (2.0 * d), 1e-5);
        assert_within(spring_energy(&s, 0, length) - spring_energy(&s, 0, 0.7), integral(&s, 0.7, length), 1e-7);
    }
    springs_free(&s);
}

// However it is preloaded, and whatever pulls it: nothing can take out more than is in it.
static void energy_is_never_negative_and_zero_without_force(void **state)
{
    (void)state;
    const double pairs[] = {-0.2, -30.0, 0.1, 0.0, 0.3, 40.0, 0.4, 100.0};
    for (int is_table = 0; is_table < 2; ++is_table) {
        for (double preload = -2900.0; preload < 3000.0; preload += 250.0) {
            springs s;
            make_spring(&s, is_table ? 4 : 0);
            if (is_table) fill_table(&s, pairs, 4);
            else s.stiffness[0] = 100.0;
            s.rest[0] = 1.0;
            s.preload[0] = preload;
            double least = INFINITY, scale = 0.0;
            for (double length = -40.0; length < 40.0; length += 0.001) {
                double energy = spring_energy(&s, 0, length);
                least = fmin(least, energy), scale = fmax(scale, energy);
            }
            assert_true(least > -1e-12 * scale);  // rounding
            assert_true(least < 1e-3);            // and it comes to zero, or as near as the lengths tried
            springs_free(&s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_spring_pulls_k_s_and_its_preload),
        cmocka_unit_test(stops_press_only_beyond_their_places),
        cmocka_unit_test(a_table_is_made_of_lines_that_go_on_outside),
        cmocka_unit_test(slope_and_energy_belong_to_the_force),
        cmocka_unit_test(energy_is_never_negative_and_zero_without_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
