// SPDX-License-Identifier: BSD-3-Clause
// Couplings: gears, a rack, a differential, a planet that rolls about a sun. Ratios hold over many turns, and a
// constant torque gives the constant acceleration of the reduced inertia, sum of i (motion/motion of the input)^2.
#include "dynamics/mechanism.h"

static const scr_vec3 Z = {0.0, 0.0, 1.0};
static const double TIME_STEP = 1e-3, TORQUE = 0.5;  // s, N m

typedef struct wheel {
    scr_body body;
    scr_joint joint;
    double inertia;  // kg m^2
} wheel;

static wheel add_wheel(scr_world *world, scr_body on, double radius, double mass, scr_vec3 at)
{
    wheel w = {.body = add_part(world, scr_cylinder(radius, 0.02, STEEL), mass, at, QUAT_IDENTITY)};
    w.joint = join(world, SCR_JOINT_REVOLUTE, on, w.body, at, Z);
    w.inertia = 0.5 * mass * radius * radius;
    return w;
}

static double rotating(const scr_world *world, scr_joint joint) { return joint_state(world, joint).about; }
static double turning_rate(const scr_world *world, scr_joint joint) { return joint_state(world, joint).about_rate; }

static void gears_keep_their_ratio_over_many_turns(void **state)
{
    (void)state;
    enum { STEPS = 5000 };
    const double r1 = 0.05, r2 = 0.137;
    scr_world *world = mechanism_world(TIME_STEP, STILL);
    wheel one = add_wheel(world, GROUND, r1, 1.0, STILL),
          two = add_wheel(world, GROUND, r2, 3.0, vec3(r1 + r2, 0.0, 0.0));
    scr_coupling gear = couple(world, one.joint, r1, two.joint, r2);
    double ratio = r1 / r2, acceleration = TORQUE / (one.inertia + two.inertia * ratio * ratio), t = STEPS * TIME_STEP;
    set_motor(world, one.joint, SCR_DRIVE_FORCE, constantly(TORQUE));
    scr_coupling_state coupling = {0};
    for (int n = 0; n < STEPS; ++n) {
        step(world, 1);
        assert_ok(scr_coupling_get_state(world, gear, &coupling, &error));
        assert_within(coupling.error, 0.0, 1e-9 * r1);
        assert_within(turning_rate(world, two.joint), -ratio * turning_rate(world, one.joint), 1e-9 * acceleration * t);
    }
    assert_true(rotating(world, one.joint) > 100.0 * 2.0 * PI);
    assert_near(rotating(world, one.joint), 0.5 * acceleration * t * t, 1e-10);
    assert_near(rotating(world, two.joint), -ratio * rotating(world, one.joint), 1e-12);
    assert_near(turning_rate(world, one.joint), acceleration * t, 1e-10);
    assert_near(r2 * coupling.force, two.inertia * -ratio * acceleration, 1e-6);
    print_message("gears: %.0f turns, error %.1e m\n", rotating(world, one.joint) / (2.0 * PI), coupling.error);
    scr_world_destroy(world);
}

// A weight on a rack turns its pinion: a = g m / (m + i/r^2).
static void a_rack_turns_its_pinion(void **state)
{
    (void)state;
    enum { STEPS = 1000 };
    const double radius = 0.04, mass = 1.5, t = STEPS * TIME_STEP;
    scr_world *world = mechanism_world(TIME_STEP, vec3(0.0, 0.0, -GRAVITY));
    scr_vec3 beside = vec3(radius, 0.0, 0.0);
    scr_body rack = add_part(world, scr_box(vec3(0.01, 0.01, 0.3), STEEL), mass, beside, QUAT_IDENTITY);
    scr_body pinion =
        add_part(world, scr_cylinder(radius, 0.02, STEEL), 2.0, STILL, turned(vec3(1.0, 0.0, 0.0), 0.5 * PI));
    scr_joint slide = join(world, SCR_JOINT_PRISMATIC, GROUND, rack, beside, Z);
    scr_joint hinge = join(world, SCR_JOINT_REVOLUTE, GROUND, pinion, STILL, vec3(0.0, 1.0, 0.0));
    couple(world, slide, 1.0, hinge, radius);  // turning about y sends its +x side down
    step(world, STEPS);
    double acceleration = GRAVITY * mass / (mass + 0.5 * 2.0), fallen = 0.5 * acceleration * t * t;
    assert_near(joint_state(world, slide).along, -fallen, 1e-10);
    assert_near(rotating(world, hinge), fallen / radius, 1e-10);
    assert_near(joint_state(world, slide).along_rate, -acceleration * t, 1e-10);
    scr_world_destroy(world);
}

// The cage turns by the mean of its two shafts. With torque t on the cage and q on one shaft,
//     cage'' = (a'' + b'')/2,   i_a a'' = t'/2 + q,   i_b b'' = t'/2,   i_c cage'' = t - t'
static void a_differential_shares_torque_equally(void **state)
{
    (void)state;
    enum { STEPS = 2000 };
    scr_world *world = mechanism_world(TIME_STEP, STILL);
    wheel cage = add_wheel(world, GROUND, 0.1, 1.0, STILL), a = add_wheel(world, GROUND, 0.2, 1.0, vec3(0.0, 0.0, 0.3)),
          b = add_wheel(world, GROUND, 0.15, 1.0, vec3(0.0, 0.0, -0.3));
    scr_coupling_def def = {.count = 3, .joint = {cage.joint, a.joint, b.joint}, .ratio = {-2.0, 1.0, 1.0}};
    scr_coupling coupling;
    scr_coupling_state now;
    assert_ok(scr_world_add_coupling(world, &def, &coupling, &error));
    const double q = -0.1, t = STEPS * TIME_STEP, half = 0.5 / a.inertia + 0.5 / b.inertia;
    set_motor(world, cage.joint, SCR_DRIVE_FORCE, constantly(TORQUE));
    set_motor(world, a.joint, SCR_DRIVE_FORCE, constantly(q));
    step(world, STEPS);
    double shared = (TORQUE / cage.inertia - 0.5 * q / a.inertia) / (0.5 * half + 1.0 / cage.inertia);
    double turn_a = (0.5 * shared + q) / a.inertia, turn_b = 0.5 * shared / b.inertia;
    assert_near(turning_rate(world, a.joint), turn_a * t, 1e-9);
    assert_near(turning_rate(world, b.joint), turn_b * t, 1e-9);
    assert_near(turning_rate(world, cage.joint), 0.5 * (turn_a + turn_b) * t, 1e-9);
    assert_ok(scr_coupling_get_state(world, coupling, &now, &error));
    assert_near(now.force, 0.5 * shared, 1e-6);
    assert_within(now.error, 0.0, 1e-10);
    // One shaft held: the other turns twice as fast as the cage.
    double before_a = rotating(world, a.joint), before_cage = rotating(world, cage.joint);
    set_motor(world, b.joint, SCR_DRIVE_SPEED, constantly(0.0));
    step(world, 1);
    double held = rotating(world, b.joint);
    before_a = rotating(world, a.joint), before_cage = rotating(world, cage.joint);
    step(world, 500);
    assert_within(rotating(world, b.joint), held, 1e-10);
    assert_near(rotating(world, a.joint) - before_a, 2.0 * (rotating(world, cage.joint) - before_cage), 1e-11);
    scr_world_destroy(world);
}

// A planet on an arm rolls about a fixed sun: against the arm it turns by sun/planet of the arm's angle, so in all by
// 1 + sun/planet, and the arm feels i_arm + m l^2 + i_planet (1 + sun/planet)^2.
static double planet_error(double time_step)
{
    const double sun = 0.06, planet = 0.04, length = sun + planet, arm_mass = 0.5, torque = 0.1, t = 2.0;
    scr_world *world = mechanism_world(time_step, STILL);
    scr_body arm = add_part(world, scr_box(vec3(0.5 * length, 0.01, 0.01), STEEL), arm_mass,
                            vec3(0.5 * length, 0.0, 0.0), QUAT_IDENTITY);
    scr_joint hub = join(world, SCR_JOINT_REVOLUTE, GROUND, arm, STILL, Z);
    wheel w = add_wheel(world, arm, planet, 0.8, vec3(length, 0.0, 0.0));
    couple(world, hub, -sun, w.joint, planet);
    set_motor(world, hub, SCR_DRIVE_FORCE, constantly(torque));
    step(world, (int)lround(t / time_step));
    double share = 1.0 + sun / planet;
    double inertia = box_inertia(arm_mass, 0.5 * length, 0.01) + 0.25 * arm_mass * length * length +
                     0.8 * length * length + w.inertia * share * share;
    double off = rotating(world, hub) / (0.5 * torque / inertia * t * t) - 1.0;
    assert_near(rotating(world, w.joint), sun / planet * rotating(world, hub), 1e-11);
    assert_near(state_of(world, w.body).spin.z, share * turning_rate(world, hub), 1e-9);
    scr_world_destroy(world);
    return off;
}

static void a_planet_rolls_about_its_sun(void **state)
{
    (void)state;
    double coarse = planet_error(2e-3), fine = planet_error(1e-3);  // the arm's circle is followed to second order
    print_message("planet: off by %.1e, %.1e, order %.2f\n", coarse, fine, order_of(coarse, fine));
    assert_at_most(fabs(fine), 1e-4);
    assert_within(order_of(coarse, fine), 2.0, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gears_keep_their_ratio_over_many_turns),
        cmocka_unit_test(a_rack_turns_its_pinion),
        cmocka_unit_test(a_differential_shares_torque_equally),
        cmocka_unit_test(a_planet_rolls_about_its_sun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
