// SPDX-License-Identifier: BSD-3-Clause
// Motors: speed, position and force, constant and as a sine, along and about axes and as the length of an actuator.
// Where they take a body is the integral of what they are told; what they need for it is inertia times acceleration.
#include "dynamics/mechanism.h"

static const double MASS = 2.0, TIME_STEP = 1e-3;  // kg, s
static const scr_vec3 HALF = {0.1, 0.06, 0.08}, AXIS = {0.6, 0.0, 0.8};
enum { STEPS = 1000 };

// One freedom of a body, driven: sliding or turning, by several kinds of joints.
typedef struct driven {
    const char *name;
    scr_joint_kind kind;
    scr_axis axis;
} driven;
static const driven DRIVEN[] = {
    {"revolute", SCR_JOINT_REVOLUTE, SCR_AXIS_USUAL},
    {"prismatic", SCR_JOINT_PRISMATIC, SCR_AXIS_USUAL},
    {"cylindrical, along", SCR_JOINT_CYLINDRICAL, SCR_ALONG},
    {"cylindrical, about", SCR_JOINT_CYLINDRICAL, SCR_ABOUT},
    {"planar", SCR_JOINT_PLANAR, SCR_ABOUT},
    {"distance", SCR_JOINT_DISTANCE, SCR_AXIS_USUAL},
};
enum { KINDS = sizeof DRIVEN / sizeof *DRIVEN };
static const double ROD = 0.5;  // m, of the distance joint at the start

static bool turns(const driven *d) { return d->axis == SCR_ABOUT || d->kind == SCR_JOINT_REVOLUTE; }

typedef struct machine {
    scr_world *world;
    scr_body body;
    scr_joint joint;
    const driven *how;
    double inertia;  // kg or kg m^2
} machine;

// The body's z is the joint's axis. Without gravity: nothing but the motor acts.
static machine make_machine(const driven *how, double time_step, scr_drive drive, scr_function value, double max_force)
{
    machine m = {.world = mechanism_world(time_step, STILL), .how = how};
    scr_quat turn = turned(vec3(0.0, 1.0, 0.0), atan2(AXIS.x, AXIS.z));
    m.body = add_part(m.world, scr_box(HALF, STEEL), MASS, STILL, turn);
    m.inertia = turns(how) ? box_inertia(MASS, HALF.x, HALF.y) : MASS;
    scr_joint_def def = scr_joint_at(how->kind, GROUND, m.body, STILL, AXIS);
    if (how->kind == SCR_JOINT_DISTANCE) def.frame_a.position = vec3_scale(-ROD, AXIS);
    m.joint = add_joint(m.world, &def);
    scr_motor_def motor = scr_default_motor_def();
    motor.axis = how->axis;
    motor.drive = drive;
    motor.value = value;
    if (max_force > 0.0) motor.max_force = max_force;
    assert_ok(scr_joint_set_motor(m.world, m.joint, &motor, &error));
    return m;
}

static void start(machine *m, double speed)
{
    scr_vec3 v = vec3_scale(speed, AXIS);
    set_motion(m->world, m->body, turns(m->how) ? STILL : v, turns(m->how) ? v : STILL);
}

static double motion_of(const machine *m)
{
    scr_joint_state now = joint_state(m->world, m->joint);
    return turns(m->how) ? now.about : now.along - (m->how->kind == SCR_JOINT_DISTANCE ? ROD : 0.0);
}
static double rate_of(const machine *m)
{
    scr_joint_state now = joint_state(m->world, m->joint);
    return turns(m->how) ? now.about_rate : now.along_rate;
}

static const double SIZE = 0.3, RATE = 9.0;  // m or rad, rad/s
static double sine(const void *context, double t) { return *(const double *)context * sin(RATE * t); }
static double sine_of_length(const void *context, double t) { return ROD + sine(context, t); }

static void a_constant_speed_is_kept(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; ++k) {
        machine m = make_machine(&DRIVEN[k], TIME_STEP, SCR_DRIVE_SPEED, constantly(0.8), 0.0);
        step(m.world, 1);  // from rest at once
        assert_near(rate_of(&m), 0.8, 1e-12);
        double from = motion_of(&m);
        step(m.world, STEPS);
        assert_near(motion_of(&m) - from, 0.8 * STEPS * TIME_STEP, 1e-11);
        assert_near(rate_of(&m), 0.8, 1e-12);
        assert_within(joint_state(m.world, m.joint).motor_force, 0.0, 1e-8);
        scr_world_destroy(m.world);
    }
}

// x = size/rate (1 - cos(rate t)); the motor's force is inertia x size x rate cos(rate t).
typedef struct errors {
    double motion, force;
} errors;
static errors sine_speed_errors(const driven *how, double time_step)
{
    machine m = make_machine(how, time_step, SCR_DRIVE_SPEED, (scr_function){.at = sine, .context = &SIZE}, 0.0);
    errors e = {0.0, 0.0};
    for (int n = 1; n <= (int)lround(1.0 / time_step); ++n) {
        step(m.world, 1);
        double t = n * time_step, mean = (sin(RATE * t) - sin(RATE * (t - time_step))) / (RATE * time_step);
        e.motion = fmax(e.motion, fabs(motion_of(&m) - SIZE / RATE * (1.0 - cos(RATE * t))) / (SIZE / RATE));
        if (n > 1)
            e.force = fmax(e.force, fabs(joint_state(m.world, m.joint).motor_force / (m.inertia * SIZE * RATE) - mean));
    }
    scr_world_destroy(m.world);
    return e;
}

static void a_sine_of_speed_is_followed(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; ++k) {
        errors coarse = sine_speed_errors(&DRIVEN[k], 2e-3), fine = sine_speed_errors(&DRIVEN[k], 1e-3);
        print_message("%s, speed: motion off by %.1e, order %.2f; force by %.1e, order %.2f\n", DRIVEN[k].name,
                      fine.motion, order_of(coarse.motion, fine.motion), fine.force,
                      order_of(coarse.force, fine.force));
        assert_at_most(fine.motion, 1e-4);
        assert_at_most(fine.force, 1e-3);
        assert_true(order_of(coarse.motion, fine.motion) > 1.9);
    }
}

// A position is met exactly at the end of every step.
static errors sine_position_errors(const driven *how, double time_step)
{
    bool is_length = how->kind == SCR_JOINT_DISTANCE;
    scr_function f = {.at = is_length ? sine_of_length : sine, .context = &SIZE};
    machine m = make_machine(how, time_step, SCR_DRIVE_POSITION, f, 0.0);
    start(&m, SIZE * RATE);
    errors e = {0.0, 0.0};
    for (int n = 1; n <= (int)lround(1.0 / time_step); ++n) {
        step(m.world, 1);
        double t = n * time_step, mean = (cos(RATE * t) - cos(RATE * (t - time_step))) / (RATE * time_step);
        e.motion = fmax(e.motion, fabs(motion_of(&m) - SIZE * sin(RATE * t)));
        // Rates are differences over a step, so the first step corrects that of the start.
        double force = joint_state(m.world, m.joint).motor_force / (m.inertia * SIZE * RATE * RATE);
        if (n > 1) e.force = fmax(e.force, fabs(force - mean));
        assert_within(rate_of(&m), SIZE * RATE * cos(RATE * t), 1e-3 * SIZE * RATE);
    }
    scr_world_destroy(m.world);
    return e;
}

static void a_sine_of_position_is_met(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; ++k) {
        errors coarse = sine_position_errors(&DRIVEN[k], 2e-3), fine = sine_position_errors(&DRIVEN[k], 1e-3);
        print_message("%s, position: off by %.1e; force by %.1e, order %.2f\n", DRIVEN[k].name, fine.motion, fine.force,
                      order_of(coarse.force, fine.force));
        assert_at_most(fine.motion, 1e-11);
        assert_at_most(fine.force, 1e-3);
        assert_true(order_of(coarse.force, fine.force) > 1.9);
    }
}

static void a_constant_position_is_held(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; ++k) {
        bool is_length = DRIVEN[k].kind == SCR_JOINT_DISTANCE;
        machine m = make_machine(&DRIVEN[k], TIME_STEP, SCR_DRIVE_POSITION, constantly(is_length ? ROD : 0.0), 0.0);
        for (int n = 0; n < 100; ++n) {
            scr_vec3 push = vec3_scale(30.0, AXIS);
            assert_ok(scr_body_apply_force(m.world, m.body, turns(m.how) ? STILL : push, turns(m.how) ? push : STILL,
                                           &error));
            step(m.world, 1);
        }
        assert_within(motion_of(&m), 0.0, 1e-13);
        assert_near(joint_state(m.world, m.joint).motor_force, -30.0, 1e-9);
        scr_world_destroy(m.world);
    }
}

// x = f t^2 / 2 i: the step is exact for it.
static void a_constant_force_accelerates(void **state)
{
    (void)state;
    const double force = 0.4, t = STEPS * TIME_STEP;
    for (int k = 0; k < KINDS; ++k) {
        machine m = make_machine(&DRIVEN[k], TIME_STEP, SCR_DRIVE_FORCE, constantly(force), 0.0);
        step(m.world, STEPS);
        assert_near(motion_of(&m), 0.5 * force / m.inertia * t * t, 1e-10);
        assert_near(rate_of(&m), force / m.inertia * t, 1e-10);
        assert_near(joint_state(m.world, m.joint).motor_force, force, 1e-12);
        scr_world_destroy(m.world);
    }
}

// x = f/(i w^2) (w t - sin(w t)), within 1 s.
static double sine_force_error(const driven *how, double time_step)
{
    machine m = make_machine(how, time_step, SCR_DRIVE_FORCE, (scr_function){.at = sine, .context = &SIZE}, 0.0);
    double worst = 0.0, size = SIZE / (m.inertia * RATE * RATE);
    for (int n = 1; n <= (int)lround(1.0 / time_step); ++n) {
        step(m.world, 1);
        double t = n * time_step;
        worst = fmax(worst, fabs(motion_of(&m) - size * (RATE * t - sin(RATE * t))) / size);
    }
    scr_world_destroy(m.world);
    return worst;
}

static void a_sine_of_force_accelerates(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; ++k) {
        double coarse = sine_force_error(&DRIVEN[k], 2e-3), fine = sine_force_error(&DRIVEN[k], 1e-3);
        print_message("%s, force: off by %.1e, order %.2f\n", DRIVEN[k].name, fine, order_of(coarse, fine));
        assert_at_most(fine, 1e-3);
        assert_within(order_of(coarse, fine), 2.0, 0.1);
    }
}

// A hoist of limited force: below the weight it gives way by what it lacks; above it gets up to speed by what it has
// more.
static void a_motor_stalls_at_its_greatest_force(void **state)
{
    (void)state;
    const double weight = MASS * GRAVITY, speed = 0.05;
    for (int is_strong = 0; is_strong < 2; ++is_strong) {
        for (int drive = SCR_DRIVE_SPEED; drive <= SCR_DRIVE_POSITION; ++drive) {
            scr_world *world = mechanism_world(TIME_STEP, vec3(0.0, 0.0, -GRAVITY));
            scr_body load = add_part(world, scr_box(HALF, STEEL), MASS, STILL, QUAT_IDENTITY);
            scr_joint hoist = join(world, SCR_JOINT_PRISMATIC, GROUND, load, STILL, vec3(0.0, 0.0, 1.0));
            double most = (is_strong ? 1.01 : 0.99) * weight, share = most / weight - 1.0;
            scr_motor_def motor = scr_default_motor_def();
            motor.drive = (scr_drive)drive;
            motor.value = constantly(drive == SCR_DRIVE_SPEED ? speed : 0.0);
            motor.max_force = most;
            assert_ok(scr_joint_set_motor(world, hoist, &motor, &error));
            step(world, 400);
            scr_joint_state now = joint_state(world, hoist);
            if (is_strong && drive == SCR_DRIVE_POSITION) {
                assert_within(now.along, 0.0, 1e-12);
                assert_near(now.motor_force, weight, 1e-9);
            } else {
                assert_near(now.motor_force, most, 1e-9);
                assert_near(now.along_rate, share * GRAVITY * 0.4, 1e-9);
                assert_near(now.along, 0.5 * share * GRAVITY * 0.16, 5e-3);
            }
            step(world, 600);  // strong: at 0.51 s it has its speed
            now = joint_state(world, hoist);
            if (is_strong && drive == SCR_DRIVE_SPEED) {
                assert_near(now.along_rate, speed, 1e-9);
                assert_near(now.motor_force, weight, 1e-9);
            }
            scr_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_speed_is_kept),
        cmocka_unit_test(a_sine_of_speed_is_followed),
        cmocka_unit_test(a_sine_of_position_is_met),
        cmocka_unit_test(a_constant_position_is_held),
        cmocka_unit_test(a_constant_force_accelerates),
        cmocka_unit_test(a_sine_of_force_accelerates),
        cmocka_unit_test(a_motor_stalls_at_its_greatest_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
