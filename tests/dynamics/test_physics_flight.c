// SPDX-License-Identifier: BSD-3-Clause
// Bodies that touch nothing: free flight, applied forces, the spin of a free box.
//
// The time step is semi-implicit Euler: v' = v + h g, x' = x + h v'. After n steps, exactly,
//   v = v0 + n h g,   x = x0 + n h v0 + n (n + 1)/2 h^2 g
// which misses the parabola by h g t / 2: first order.
#include "dynamics/physics.h"

static scr_world_def free_space(double time_step)
{
    scr_world_def def = scr_default_world_def();
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.time_step = time_step;
    return def;
}

static void free_flight_follows_the_discrete_formula_to_rounding(void **state)
{
    (void)state;
    const double h = 1e-3;
    const int n = 1000;
    const scr_vec3 g = {0.3, -1.2, -9.81}, x0 = {0.1, 0.2, 5.0}, v0 = {3.0, -2.0, 4.0};
    scr_world_def def = free_space(h);
    def.gravity = g;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    scr_body ball = add_sphere(world, stone, 0.05, x0, v0),
             block = add_box(world, stone, vec3(0.1, 0.2, 0.3), vec3_neg(x0), v0);
    step(world, n);

    scr_vec3 v = vec3_add_scaled(v0, n * h, g),
             way = vec3_add_scaled(vec3_scale(n * h, v0), 0.5 * n * (n + 1) * h * h, g);
    assert_within3(state_of(world, ball).velocity, v, 1e-12);
    assert_within3(state_of(world, ball).position, vec3_add(x0, way), 1e-12);
    assert_within3(state_of(world, block).velocity, v, 1e-12);
    assert_within3(state_of(world, block).position, vec3_add(vec3_neg(x0), way), 1e-12);
    scr_world_destroy(world);
}

// How far from the parabola a ball is after one second.
static double parabola_error(double h)
{
    scr_world_def def = scr_default_world_def();
    def.time_step = h;
    scr_world *world = make_world(&def);
    scr_body ball = add_sphere(world, add_material(world, 0.5, 0.0), 0.1, vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 5.0));
    int n = (int)lround(1.0 / h);
    step(world, n);
    double z = state_of(world, ball).position.z, t = n * h;
    scr_world_destroy(world);
    return fabs(z - (5.0 * t - 0.5 * GRAVITY * t * t));
}

static void error_against_the_parabola_is_h_g_t_over_2(void **state)
{
    (void)state;
    assert_near(parabola_error(1e-2), 0.5 * 1e-2 * GRAVITY, 1e-9);
    assert_near(parabola_error(1e-2) / parabola_error(5e-3), 2.0, 1e-9);
    assert_near(parabola_error(5e-3) / parabola_error(2.5e-3), 2.0, 1e-9);
}

// Each step of free flight loses m (g h)^2 / 2 of energy, and never gains.
static void free_flight_loses_half_m_g_h_squared_a_step(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_body ball = add_sphere(world, add_material(world, 0.5, 0.0), 0.1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 2.0));
    double before = total_energy(world), gh = GRAVITY * def.time_step;
    step(world, 100);
    assert_near(before - total_energy(world), 100 * 0.5 * scr_body_mass(world, ball) * gh * gh, 1e-8);
    scr_world_destroy(world);
}

static void an_applied_force_acts_for_one_step_only(void **state)
{
    (void)state;
    scr_world_def def = free_space(1e-3);
    scr_world *world = make_world(&def);
    scr_body ball = add_sphere(world, add_material(world, 0.5, 0.0), 0.1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    double mass = scr_body_mass(world, ball), radius = 0.1, h = def.time_step;
    const scr_vec3 force = {20.0, -10.0, 5.0}, torque = {0.3, 0.2, -0.1};
    assert_ok(scr_body_apply_force(world, ball, force, torque, &error));
    step(world, 3);
    assert_within3(state_of(world, ball).velocity, vec3_scale(h / mass, force), 1e-15);
    assert_within3(state_of(world, ball).spin, vec3_scale(h / (0.4 * mass * radius * radius), torque), 1e-15);
    scr_world_destroy(world);
}

static void a_spinning_sphere_turns_by_spin_times_time(void **state)
{
    (void)state;
    scr_world_def def = free_space(1e-3);
    scr_world *world = make_world(&def);
    scr_body ball = add_sphere(world, add_material(world, 0.5, 0.0), 0.1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    scr_body_state spinning = state_of(world, ball);
    spinning.spin = vec3(0.0, 0.0, 2.0);
    set_state(world, ball, spinning);
    step(world, 500);  // 1 rad
    scr_quat q = state_of(world, ball).rotation;
    assert_within(q.w, cos(0.5), 1e-13);
    assert_within(q.z, sin(0.5), 1e-13);
    assert_within3(state_of(world, ball).spin, spinning.spin, 1e-13);
    scr_world_destroy(world);
}

// A box of edges 0.1, 0.2, 0.3 m in free space: about its axis of middle inertia (y) it tumbles.
static scr_world *free_box(double h, scr_vec3 spin, scr_body *box)
{
    scr_world_def def = free_space(h);
    scr_world *world = make_world(&def);
    scr_shape shape = scr_box(vec3(0.05, 0.1, 0.15), add_material(world, 0.5, 0.0));
    scr_body_def body = scr_default_body_def();
    body.shapes = &shape;
    body.shape_count = 1;
    body.rotation = random_rotation(3);
    body.spin = quat_rotate(body.rotation, spin);
    *box = add_body(world, &body);
    return world;
}

static scr_vec3 body_spin_of(const scr_world *world, scr_body box)
{
    scr_body_state now = state_of(world, box);
    return quat_unrotate(now.rotation, now.spin);
}

static void a_free_box_keeps_its_angular_momentum_to_rounding(void **state)
{
    (void)state;
    scr_body box;
    scr_world *world = free_box(1e-3, vec3(3.0, 5.0, 4.0), &box);
    scr_vec3 before = scr_world_angular_momentum(world);
    const int n = 10000;
    step(world, n);
    assert_within3(scr_world_angular_momentum(world), before, n * 2.2e-16 * vec3_norm(before));  // one rounding a step
    scr_world_destroy(world);
}

// Ten seconds of tumbling at 7 rad/s: the energy error of a step is third order in h and changes sign.
static void a_free_box_keeps_its_energy(void **state)
{
    (void)state;
    scr_body box;
    scr_world *world = free_box(1e-3, vec3(3.0, 5.0, 4.0), &box);
    double before = total_energy(world);
    for (int k = 0; k < 10; ++k) {
        step(world, 1000);
        assert_near(total_energy(world), before, 1e-4);
    }
    scr_world_destroy(world);
}

// Spun about its middle axis with a hair of something else, a box turns over and back (Dzhanibekov); about the axes of
// least and greatest inertia it does not.
static double least_share_of_spin(scr_vec3 axis)
{
    scr_body box;
    const double spin = 10.0, hair = 1e-3;
    scr_world *world = free_box(1e-3, vec3_scale(spin, vec3_add(axis, vec3(hair, hair, hair))), &box);
    double least = 1.0;
    for (int k = 0; k < 5000; ++k) {
        step(world, 1);
        least = fmin(least, vec3_dot(body_spin_of(world, box), axis) / spin);
    }
    scr_world_destroy(world);
    return least;
}

static void only_the_middle_axis_of_a_box_is_unstable(void **state)
{
    (void)state;
    assert_at_most(least_share_of_spin(vec3(0.0, 1.0, 0.0)), -0.99);  // turned over completely
    assert_at_most(0.99, least_share_of_spin(vec3(1.0, 0.0, 0.0)));
    assert_at_most(0.99, least_share_of_spin(vec3(0.0, 0.0, 1.0)));
}

// A box spun hard, at almost half a turn a step, must not gain energy without end.
static void a_box_spun_absurdly_fast_stays_bounded(void **state)
{
    (void)state;
    scr_body box;
    scr_world *world = free_box(1e-2, vec3(150.0, 200.0, 100.0), &box);
    double before = total_energy(world);
    scr_vec3 momentum = scr_world_angular_momentum(world);
    step(world, 5000);
    // L^2/(2 I) lies between its values for the greatest and the least inertia, which are (2^2 + 3^2)/(1^2 + 2^2)
    // apart.
    assert_at_most(total_energy(world), 13.0 / 5.0 * before);
    assert_within3(scr_world_angular_momentum(world), momentum, 1e-10 * vec3_norm(momentum));
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight_follows_the_discrete_formula_to_rounding),
        cmocka_unit_test(error_against_the_parabola_is_h_g_t_over_2),
        cmocka_unit_test(free_flight_loses_half_m_g_h_squared_a_step),
        cmocka_unit_test(an_applied_force_acts_for_one_step_only),
        cmocka_unit_test(a_spinning_sphere_turns_by_spin_times_time),
        cmocka_unit_test(a_free_box_keeps_its_angular_momentum_to_rounding),
        cmocka_unit_test(a_free_box_keeps_its_energy),
        cmocka_unit_test(only_the_middle_axis_of_a_box_is_unstable),
        cmocka_unit_test(a_box_spun_absurdly_fast_stays_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
