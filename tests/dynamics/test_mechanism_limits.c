// SPDX-License-Identifier: BSD-3-Clause
// Limits with restitution, dry friction in joints, and joints that break.
#include "dynamics/mechanism.h"

static const double MASS = 2.0, TIME_STEP = 1e-3;  // kg, s
static const scr_vec3 Z = {0.0, 0.0, 1.0}, HALF = {0.1, 0.1, 0.1};

// A lift whose floor is `depth` below where it is let go.
static scr_world *make_lift(double time_step, double depth, double restitution, scr_joint *slide)
{
    scr_world *world = mechanism_world(time_step, vec3(0.0, 0.0, -GRAVITY));
    scr_body body = add_part(world, scr_box(HALF, STEEL), MASS, STILL, QUAT_IDENTITY);
    scr_joint_def def = scr_joint_at(SCR_JOINT_PRISMATIC, GROUND, body, STILL, Z);
    def.lower = -depth;
    def.restitution = restitution;
    *slide = add_joint(world, &def);
    return world;
}

// From an impact at speed v it rises to v^2/2g; the next impact has e times that speed.
static void a_limit_gives_back_its_share_of_speed(void **state)
{
    (void)state;
    const double depth = 0.5;
    for (int k = 0; k < 3; ++k) {
        double restitution = 0.4 * k, share = restitution * restitution;  // 0, 0.4, 0.8
        scr_joint slide;
        scr_world *world = make_lift(2e-4, depth, restitution, &slide);
        double first = sqrt(2.0 * depth / GRAVITY), top = -depth, deepest = 0.0;
        for (double t = 0.0; t < first * (1.0 + 1.9 * restitution); t += 2e-4) {  // up to the second impact
            step(world, 1);
            double now = joint_state(world, slide).along;
            deepest = fmin(deepest, now);
            if (t > first + 4e-4) top = fmax(top, now);
        }
        print_message("restitution %.1f: rises to %.5f of the fall, %.5f expected\n", restitution,
                      (top + depth) / depth, share);
        assert_within((top + depth) / depth, share, 5e-3);
        assert_at_most(-deepest - depth, 1e-6);
        scr_world_destroy(world);
    }
}

// Without other forces the speed after an impact is e times that before, at either limit, for every kind that has some.
static void every_limit_gives_back_its_share_of_speed(void **state)
{
    (void)state;
    const scr_joint_kind kind[] = {SCR_JOINT_REVOLUTE, SCR_JOINT_PRISMATIC, SCR_JOINT_CYLINDRICAL, SCR_JOINT_PLANAR,
                                   SCR_JOINT_DISTANCE};
    for (int k = 0; k < 10; ++k) {
        bool turns = kind[k / 2] == SCR_JOINT_REVOLUTE || kind[k / 2] == SCR_JOINT_PLANAR;
        double way = k % 2 == 0 ? 1.0 : -1.0, length = kind[k / 2] == SCR_JOINT_DISTANCE ? 0.5 : 0.0;
        scr_world *world = mechanism_world(TIME_STEP, STILL);
        scr_body body = add_part(world, scr_box(HALF, STEEL), MASS, STILL, QUAT_IDENTITY);
        scr_joint_def def = scr_joint_at(kind[k / 2], GROUND, body, STILL, Z);
        def.frame_a.position = vec3(0.0, 0.0, -length);
        def.lower = length - 0.0503;
        def.upper = length + 0.0503;
        def.restitution = 0.7;
        scr_joint joint = add_joint(world, &def);
        if (kind[k / 2] == SCR_JOINT_DISTANCE)
            set_motor(world, joint, SCR_DRIVE_FORCE, constantly(0.0));  // lets its length go
        set_motion(world, body, turns ? STILL : vec3(0.0, 0.0, way), turns ? vec3(0.0, 0.0, way) : STILL);
        step(world, 80);  // 50 ms there, and some of the way back
        scr_joint_state now = joint_state(world, joint);
        assert_near(turns ? now.about_rate : now.along_rate, -0.7 * way, 1e-9);
        assert_within(turns ? now.about : now.along, length + way * (0.0503 - 0.7 * (0.08 - 0.0503)), 1.8e-3);
        scr_world_destroy(world);
    }
}

// A motor of limited force presses a slide against its limit: the limit answers with as much.
static void a_motor_presses_against_a_limit(void **state)
{
    (void)state;
    scr_world *world = mechanism_world(TIME_STEP, STILL);
    scr_body body = add_part(world, scr_box(HALF, STEEL), MASS, STILL, QUAT_IDENTITY);
    scr_joint_def def = scr_joint_at(SCR_JOINT_PRISMATIC, GROUND, body, STILL, Z);
    def.upper = 0.02;
    scr_joint slide = add_joint(world, &def);
    scr_motor_def motor = scr_default_motor_def();
    motor.drive = SCR_DRIVE_SPEED;
    motor.value = constantly(0.1);
    motor.max_force = 50.0;
    assert_ok(scr_joint_set_motor(world, slide, &motor, &error));
    step(world, 1000);
    scr_joint_state now = joint_state(world, slide);
    assert_within(now.along, 0.02, 1e-8);
    assert_within(now.along_rate, 0.0, 1e-12);
    assert_near(now.motor_force, 50.0, 1e-9);
    assert_within3(now.force, STILL, 1e-6 * 50.0);  // motor and limit together
    scr_world_destroy(world);
}

static void a_body_rests_on_a_limit(void **state)
{
    (void)state;
    scr_joint slide;
    scr_world *world = make_lift(TIME_STEP, 0.05, 0.5, &slide);
    step(world, 2000);
    scr_joint_state now = joint_state(world, slide);
    assert_within(now.along, -0.05, 1e-7);
    assert_within(now.along_rate, 0.0, 1e-9);
    assert_near(now.force.z, MASS * GRAVITY, 1e-6);
    scr_world_destroy(world);
}

// A bar falls about its hinge onto a limit and rests there: the limit's moment is its weight's.
static void a_hinge_rests_at_its_limit(void **state)
{
    (void)state;
    scr_world *world = mechanism_world(TIME_STEP, vec3(0.0, 0.0, -GRAVITY));
    scr_body bar = add_part(world, scr_box(vec3(0.2, 0.02, 0.02), STEEL), MASS, vec3(0.2, 0.0, 0.0), QUAT_IDENTITY);
    scr_joint_def def = scr_joint_at(SCR_JOINT_REVOLUTE, GROUND, bar, STILL, vec3(0.0, 1.0, 0.0));
    def.lower = -0.1;
    def.upper = 0.6;
    scr_joint hinge = add_joint(world, &def);
    step(world, 2000);
    scr_joint_state now = joint_state(world, hinge);
    assert_within(now.about, 0.6, 1e-7);
    assert_within3(now.force, vec3(0.0, 0.0, MASS * GRAVITY), 1e-6);
    assert_within3(now.torque, vec3(0.0, -MASS * GRAVITY * 0.2 * cos(0.6), 0.0), 1e-6);
    scr_world_destroy(world);
}

// A disc on a shaft loses speed evenly and then stands: by a torque, or by friction m u r under its weight.
static void check_spin_down(double friction, double radius, double torque)
{
    const double spin = 10.0, disc = 0.2;
    double inertia = 0.5 * MASS * disc * disc, brake = friction * radius * MASS * GRAVITY + torque,
           time = inertia * spin / brake;
    scr_world *world = mechanism_world(TIME_STEP, vec3(0.0, 0.0, -GRAVITY));
    scr_body body =
        add_part(world, scr_cylinder(disc, 0.02, STEEL), MASS, STILL, turned(vec3(1.0, 0.0, 0.0), 0.5 * PI));
    scr_joint_def def = scr_joint_at(SCR_JOINT_REVOLUTE, GROUND, body, STILL, vec3(0.0, 1.0, 0.0));
    def.friction = friction;
    def.friction_radius = radius;
    def.friction_force = torque;
    scr_joint hinge = add_joint(world, &def);
    set_motion(world, body, STILL, vec3(0.0, spin, 0.0));
    for (int n = 1; n * TIME_STEP < time + 0.1; ++n) {
        step(world, 1);
        double left = fmax(0.0, spin * (1.0 - n * TIME_STEP / time));
        assert_within(joint_state(world, hinge).about_rate, left,
                      2e-3 * spin + (n == 1 ? spin * TIME_STEP / time : 0.0));
    }
    assert_within(joint_state(world, hinge).about_rate, 0.0, 1e-12);
    assert_near(joint_state(world, hinge).about, 0.5 * spin * time, 5e-3);
    scr_world_destroy(world);
}

static void a_disc_spins_down_evenly(void **state)
{
    (void)state;
    check_spin_down(0.0, 0.0, 0.5);
    check_spin_down(0.3, 0.05, 0.0);
    check_spin_down(0.2, 0.05, 0.3);
}

// On a slope of tan a = share x friction: sticks below 1, and above slides with g (sin a - m u cos a).
static double slide_on_slope(double share, double friction, double force, double push, int steps, double *rate)
{
    double angle = atan(share * friction);
    scr_world *world = mechanism_world(TIME_STEP, vec3(GRAVITY * sin(angle), 0.0, -GRAVITY * cos(angle)));
    scr_body body = add_part(world, scr_box(HALF, STEEL), MASS, STILL, QUAT_IDENTITY);
    scr_joint_def def = scr_joint_at(SCR_JOINT_PRISMATIC, GROUND, body, STILL, vec3(1.0, 0.0, 0.0));
    def.friction = friction;
    def.friction_force = force;
    scr_joint slide = add_joint(world, &def);
    for (int n = 0; n < steps; ++n) {
        apply_force(world, body, vec3(push, 0.0, 0.0));
        step(world, 1);
    }
    scr_joint_state now = joint_state(world, slide);
    *rate = now.along_rate;
    scr_world_destroy(world);
    return now.along;
}

static void a_slide_sticks_up_to_its_friction_and_slides_beyond(void **state)
{
    (void)state;
    enum { STEPS = 1000 };
    double rate, time = STEPS * TIME_STEP;
    assert_within(slide_on_slope(0.99, 0.4, 0.0, 0.0, STEPS, &rate), 0.0, 1e-6);
    assert_within(rate, 0.0, 1e-9);
    double slope = atan(1.01 * 0.4), excess = GRAVITY * (sin(slope) - 0.4 * cos(slope));
    double way = slide_on_slope(1.01, 0.4, 0.0, 0.0, STEPS, &rate);
    print_message("slope of 1.01: slid %.5f m, %.5f expected\n", way, 0.5 * excess * time * time);
    assert_near(way, 0.5 * excess * time * time, 1e-2);
    assert_near(rate, excess * time, 1e-2);
    assert_within(slide_on_slope(0.0, 0.0, 30.0, 0.99 * 30.0, STEPS, &rate), 0.0, 1e-10);
    assert_near(slide_on_slope(0.0, 0.0, 30.0, 1.01 * 30.0, STEPS, &rate), 0.5 * 0.3 / MASS * time * time, 1e-2);
    assert_near(slide_on_slope(0.0, 0.0, 30.0, -1.5 * 30.0, STEPS, &rate), -0.5 * 15.0 / MASS * time * time, 1e-2);
}

// A slide on a spring with friction f: every half swing loses 2 f/k, and it stops where the spring is weaker than f.
static void dry_friction_takes_the_same_from_every_swing(void **state)
{
    (void)state;
    const double stiffness = 800.0, force = 4.0, start = 0.0873;  // 20 rad/s
    scr_world *world = mechanism_world(5e-4, STILL);
    scr_body body = add_part(world, scr_box(HALF, STEEL), MASS, STILL, QUAT_IDENTITY);
    scr_joint_def def = scr_joint_at(SCR_JOINT_PRISMATIC, GROUND, body, STILL, Z);
    def.friction_force = force;
    scr_joint slide = add_joint(world, &def);
    scr_spring_def spring = scr_default_spring_def();
    spring.joint = slide;
    spring.rest = start;
    spring.stiffness = stiffness;
    add_spring(world, &spring);
    double loss = 2.0 * force / stiffness, turn = 0.0, before = 0.0;
    int swings = 0;
    for (int n = 0; n < 4000; ++n) {
        step(world, 1);
        scr_joint_state now = joint_state(world, slide);
        double way = swings % 2 == 0 ? 1.0 : -1.0;  // in which it swings
        if (before * way > 0.0 && now.along_rate * way <= 0.0 &&
            fabs(now.along - turn) > 0.1 * loss) {  // it turns, or stops
            ++swings;
            assert_within(now.along, start + way * (start - swings * loss), 2e-3 * start);
            turn = now.along;
        }
        before = now.along_rate;
    }
    assert_int_equal(swings,
                     9);  // 87.3 mm: 8 swings of 10 mm leave 7.3, the ninth 2.7 on the other side: less than f/k
    assert_within(joint_state(world, slide).along_rate, 0.0, 1e-12);
    assert_within(joint_state(world, slide).along, turn, 1e-3 * start);
    assert_at_most(stiffness * fabs(turn - start), force);
    scr_world_destroy(world);
}

// Pull or twist harder and harder: the joint breaks when it carries what it can, and then nothing.
static void check_breaking(bool by_torque)
{
    const double limit = 100.0, rise = 0.1;  // N or N m, and by how much more in every step
    scr_world *world = mechanism_world(TIME_STEP, STILL);
    scr_body body = add_part(world, scr_box(HALF, STEEL), MASS, STILL, QUAT_IDENTITY);
    scr_joint_def def = scr_joint_at(SCR_JOINT_FIXED, GROUND, body, STILL, Z);
    *(by_torque ? &def.break_torque : &def.break_force) = limit;
    scr_joint joint = add_joint(world, &def);
    for (int n = 1; n <= 1100; ++n) {
        scr_vec3 load = vec3(0.6 * rise * n, 0.0, 0.8 * rise * n);
        assert_ok(scr_body_apply_force(world, body, by_torque ? STILL : load, by_torque ? load : STILL, &error));
        step(world, 1);
        if (rise * n < limit - 1e-6) assert_false(joint_state(world, joint).is_broken);
        if (rise * n > limit + 1.001 * rise) assert_true(joint_state(world, joint).is_broken);
    }
    scr_vec3 before = scr_world_momentum(world), angular_impulse = scr_world_angular_momentum(world);
    assert_true(vec3_norm(by_torque ? angular_impulse : before) > 0.0);  // it flew off
    step(world, 100);
    assert_within3(scr_world_momentum(world), before, 1e-12);
    assert_within3(joint_state(world, joint).force, STILL, 0.0);
    scr_world_destroy(world);
}

static void a_joint_breaks_at_its_load(void **state)
{
    (void)state;
    check_breaking(false);
    check_breaking(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_gives_back_its_share_of_speed),
        cmocka_unit_test(every_limit_gives_back_its_share_of_speed),
        cmocka_unit_test(a_motor_presses_against_a_limit),
        cmocka_unit_test(a_body_rests_on_a_limit),
        cmocka_unit_test(a_hinge_rests_at_its_limit),
        cmocka_unit_test(a_disc_spins_down_evenly),
        cmocka_unit_test(a_slide_sticks_up_to_its_friction_and_slides_beyond),
        cmocka_unit_test(dry_friction_takes_the_same_from_every_swing),
        cmocka_unit_test(a_joint_breaks_at_its_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
