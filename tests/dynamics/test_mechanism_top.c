// SPDX-License-Identifier: BSD-3-Clause
// Spinning bodies held at a point: steady precession and nutation of a heavy top, and a body held at its centre of
// mass.
//
// With C the moment of inertia about the axis of symmetry, A that about any line across it through the pivot, spin n
// about the axis, tilt t and distance d of the centre of mass from the pivot, a top precesses steadily at the roots W
// of
//     A W^2 cos t - C n W + m g d = 0.
// Let go without precession at cos t = u0 it nods between u0 and the u with (1 - u^2) 2 m g d A = (C n)^2 (u0 - u).
#include "dynamics/mechanism.h"

static const double MASS = 1.0, RADIUS = 0.05, HALF = 0.01, DISTANCE = 0.1;  // kg, m
static const double TILT = 0.6, SPIN = 200.0;                                // rad, rad/s

static double axial(void) { return 0.5 * MASS * RADIUS * RADIUS; }
static double lateral(void) { return MASS * (0.25 * RADIUS * RADIUS + HALF * HALF / 3.0 + DISTANCE * DISTANCE); }

typedef struct top {
    scr_world *world;
    scr_body disc;
    scr_joint joint;
} top;

// A disc on a thin stem, tilted towards x.
static top make_top(double time_step, double precession)
{
    top t = {.world = mechanism_world(time_step, vec3(0.0, 0.0, -GRAVITY))};
    scr_vec3 axis = vec3(sin(TILT), 0.0, cos(TILT));
    t.disc = add_part(t.world, scr_cylinder(RADIUS, HALF, STEEL), MASS, vec3_scale(DISTANCE, axis),
                      turned(vec3(0.0, 1.0, 0.0), TILT));
    t.joint = join(t.world, SCR_JOINT_SPHERICAL, GROUND, t.disc, STILL, vec3(0.0, 0.0, 1.0));
    scr_vec3 spin = vec3_add(vec3(0.0, 0.0, precession), vec3_scale(SPIN - precession * cos(TILT), axis));
    turn_about(t.world, t.disc, STILL, spin);
    return t;
}

static double slow_root(void)
{
    double a = lateral() * cos(TILT), b = axial() * SPIN, c = MASS * GRAVITY * DISTANCE;
    return 2.0 * c / (b + sqrt(b * b - 4.0 * a * c));
}

// Relative error of the angle turned in the time of one turn, and how far the tilt strayed.
static double precession_error(double time_step, double *stray)
{
    double rate = slow_root(), turned_by = 0.0, before = 0.0;
    top t = make_top(time_step, rate);
    int steps = (int)(2.0 * PI / (rate * time_step));
    *stray = 0.0;
    for (int n = 0; n < steps; ++n) {
        step(t.world, 1);
        scr_vec3 at = state_of(t.world, t.disc).position;
        double now = atan2(at.y, at.x);
        turned_by += now - before + (now - before < -PI ? 2.0 * PI : now - before > PI ? -2.0 * PI : 0.0);
        before = now;
        *stray = fmax(*stray, fabs(acos(at.z / DISTANCE) - TILT));
    }
    assert_at_most(joint_state(t.world, t.joint).gap, 1e-9 * DISTANCE);
    scr_world_destroy(t.world);
    return turned_by / (rate * steps * time_step) - 1.0;
}

static void a_fast_top_precesses_steadily_at_the_exact_rate(void **state)
{
    (void)state;
    double stray, double_stray, coarse = precession_error(1e-3, &stray), fine = precession_error(5e-4, &double_stray);
    print_message("precession: off by %.2e, %.2e, order %.2f; tilt by %.2e, %.2e rad\n", coarse, fine,
                  order_of(coarse, fine), stray, double_stray);
    assert_at_most(fabs(coarse), 5e-3);
    assert_at_most(fabs(fine), 5e-3);
    assert_at_most(stray, 5e-3 * TILT);
    assert_within(order_of(stray, double_stray), 2.0, 0.3);
}

// u of the lower turning point, by bisection.
static double lowest_height(void)
{
    double u0 = cos(TILT), low = -1.0, high = u0, c = axial() * SPIN;
    for (int k = 0; k < 100; ++k) {
        double u = 0.5 * (low + high);
        bool is_above = (1.0 - u * u) * 2.0 * MASS * GRAVITY * DISTANCE * lateral() > c * c * (u0 - u);
        *(is_above ? &high : &low) = u;
    }
    return high;
}

static void a_top_let_go_nods_between_the_exact_heights(void **state)
{
    (void)state;
    top t = make_top(5e-4, 0.0);
    double low = 1.0, high = -1.0, energy = total_energy(t.world), about_z = scr_world_angular_momentum(t.world).z;
    for (int n = 0; n < 8000; ++n) {
        step(t.world, 1);
        double u = state_of(t.world, t.disc).position.z / DISTANCE;
        low = fmin(low, u);
        high = fmax(high, u);
    }
    double depth = cos(TILT) - lowest_height();
    print_message("nutation: depth %.6f, exactly %.6f; rises %.1e above its start\n", cos(TILT) - low, depth,
                  high - cos(TILT));
    assert_within(cos(TILT) - low, depth, 5e-3 * depth);
    assert_within(high, cos(TILT), 5e-3 * depth);
    assert_near(total_energy(t.world), energy, 1e-4);
    assert_near(scr_world_angular_momentum(t.world).z, about_z, 1e-10);
    scr_world_destroy(t.world);
}

// Euler's equations in body axes with the quaternion: w, then q.
static const scr_vec3 BLOCK = {0.1, 0.06, 0.02};  // m, half edges
static scr_vec3 block_inertia(void)
{
    return vec3(box_inertia(MASS, BLOCK.y, BLOCK.z), box_inertia(MASS, BLOCK.x, BLOCK.z),
                box_inertia(MASS, BLOCK.x, BLOCK.y));
}
static void euler_equations(const void *context, const long double *y, long double *rate)
{
    (void)context;
    scr_vec3 i = block_inertia();
    const long double *w = y, *q = y + 3;
    rate[0] = (i.y - i.z) / i.x * w[1] * w[2];
    rate[1] = (i.z - i.x) / i.y * w[2] * w[0];
    rate[2] = (i.x - i.y) / i.z * w[0] * w[1];
    rate[3] = 0.5L * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    rate[4] = 0.5L * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    rate[5] = 0.5L * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    rate[6] = 0.5L * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

// A block that turns about its middle axis, almost, so that it flips; held at its centre of mass, or by nothing. Gives
// how far its attitude is from y after 2 s.
static double flip_error(bool is_held, double time_step, const long double *y)
{
    scr_world *world = mechanism_world(time_step, is_held ? vec3(0.0, 0.0, -GRAVITY) : STILL);
    scr_body block = add_part(world, scr_box(BLOCK, STEEL), MASS, STILL, QUAT_IDENTITY);
    scr_joint joint = {0};
    if (is_held) joint = join(world, SCR_JOINT_SPHERICAL, GROUND, block, STILL, vec3(0.0, 0.0, 1.0));
    set_motion(world, block, STILL, vec3(0.1, 8.0, 0.05));
    scr_vec3 momentum = scr_world_angular_momentum(world);
    double energy = scr_world_energy(world).kinetic, worst = 0.0;
    for (int n = 0; n < (int)lround(2.0 / time_step); ++n) {
        step(world, 1);
        worst = fmax(worst, fabs(scr_world_energy(world).kinetic - energy));
    }
    assert_at_most(worst, 1e-4 * energy);
    assert_within3(scr_world_angular_momentum(world), momentum, 1e-12 * vec3_norm(momentum));
    if (is_held) assert_within3(joint_state(world, joint).force, vec3(0.0, 0.0, MASS * GRAVITY), 1e-9);
    scr_quat q = state_of(world, block).rotation, p = {(double)y[3], (double)y[4], (double)y[5], (double)y[6]};
    scr_world_destroy(world);
    scr_quat apart = quat_mul(quat_conj(p), q);
    return 2.0 * sqrt(apart.x * apart.x + apart.y * apart.y + apart.z * apart.z);
}

static void check_flip(bool is_held)
{
    long double y[7] = {0.1L, 8.0L, 0.05L, 1.0L, 0.0L, 0.0L, 0.0L};
    solve_ode(euler_equations, NULL, 7, y, 2.0, 200);
    double coarse = flip_error(is_held, 1e-3, y), fine = flip_error(is_held, 5e-4, y);
    print_message("flip: off by %.2e, %.2e rad, order %.2f\n", coarse, fine, order_of(coarse, fine));
    assert_at_most(fine, 2e-3);
    assert_within(order_of(coarse, fine), 2.0, 0.1);
}

static void a_block_held_at_its_centre_flips_and_keeps_momentum_and_energy(void **state)
{
    (void)state;
    check_flip(true);
}
static void a_free_block_flips_and_keeps_momentum_and_energy(void **state)
{
    (void)state;
    check_flip(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_top_precesses_steadily_at_the_exact_rate),
        cmocka_unit_test(a_top_let_go_nods_between_the_exact_heights),
        cmocka_unit_test(a_block_held_at_its_centre_flips_and_keeps_momentum_and_energy),
        cmocka_unit_test(a_free_block_flips_and_keeps_momentum_and_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
