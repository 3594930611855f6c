// SPDX-License-Identifier: BSD-3-Clause
// Contacts that ask more of a joint than it has: motors of limited force, dry friction and limits, each solved in one
// step with what they run into. No row gives more than its bound, and bodies move as the laws of Newton and Coulomb say
// for rows that give just that.
#include "dynamics/mechanism.h"

static const double MASS = 10.0, SIDE = 0.1, STEP = 1e-3;  // kg, m, s
static const scr_vec3 UP = {0.0, 0.0, 1.0}, FORWARD = {1.0, 0.0, 0.0};

// Every law and every solver.
typedef struct method {
    const char *name;
    scr_contact_law law;
    scr_solver_kind solver;
    scr_precision precision;
    scr_friction_law friction;
} method;
static const method METHODS[] = {
    {"ags", SCR_COMPLIANT, SCR_SOLVER_AGS, SCR_PRECISION_USUAL, SCR_FRICTION_CONVEX},
    {"gs", SCR_COMPLIANT, SCR_SOLVER_GS, SCR_PRECISION_USUAL, SCR_FRICTION_CONVEX},
    {"ags, double", SCR_COMPLIANT, SCR_SOLVER_AGS, SCR_PRECISION_DOUBLE, SCR_FRICTION_CONVEX},
    {"ags, Coulomb", SCR_COMPLIANT, SCR_SOLVER_AGS, SCR_PRECISION_DOUBLE, SCR_FRICTION_COULOMB},
    {"apgd", SCR_COMPLIANT, SCR_SOLVER_APGD, SCR_PRECISION_DOUBLE, SCR_FRICTION_CONVEX},
    {"jacobi", SCR_COMPLIANT, SCR_SOLVER_JACOBI, SCR_PRECISION_DOUBLE, SCR_FRICTION_CONVEX},
    {"bb", SCR_COMPLIANT, SCR_SOLVER_BB, SCR_PRECISION_DOUBLE, SCR_FRICTION_CONVEX},
    {"newton", SCR_COMPLIANT, SCR_SOLVER_NEWTON, SCR_PRECISION_DOUBLE, SCR_FRICTION_CONVEX},
    {"auto", SCR_COMPLIANT, SCR_SOLVER_AUTO, SCR_PRECISION_USUAL, SCR_FRICTION_CONVEX},
    {"rigid, ags", SCR_RIGID, SCR_SOLVER_AGS, SCR_PRECISION_USUAL, SCR_FRICTION_CONVEX},
    {"rigid, newton", SCR_RIGID, SCR_SOLVER_NEWTON, SCR_PRECISION_DOUBLE, SCR_FRICTION_CONVEX},
    {"penalty", SCR_PENALTY, SCR_SOLVER_AUTO, SCR_PRECISION_USUAL, SCR_FRICTION_CONVEX},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

static scr_world *world_of(const method *how, scr_vec3 gravity)
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = how->law;
    def.contact.friction = how->friction;
    def.solver.kind = how->solver;
    def.solver.precision = how->precision;
    def.solver.tolerance = 1e-5;
    def.solver.max_iterations = 20000;
    def.time_step = how->law == SCR_PENALTY ? 0.02 * STEP : STEP;
    def.gravity = gravity;
    scr_world *world = make_world(&def);
    scr_material_def steel = scr_default_material_def();
    scr_material material;
    steel.young = 1e9;
    steel.friction = 0.5;
    assert_ok(scr_world_add_material(world, &steel, &material, &error));
    return world;
}

static void go_on(scr_world *world, double seconds) { step(world, (int)lround(seconds / scr_world_time_step(world))); }

static scr_body add_solid(scr_world *world, scr_body_kind kind, scr_shape shape, double mass, scr_vec3 position)
{
    scr_body_def def = scr_default_body_def();
    def.kind = kind;
    def.position = position;
    def.shapes = &shape;
    def.shape_count = 1;
    if (kind == SCR_DYNAMIC) def.mass = mass;
    return add_body(world, &def);
}

static void drive(scr_world *world, scr_joint joint, scr_drive by, double value, double most)
{
    scr_motor_def motor = scr_default_motor_def();
    motor.drive = by;
    motor.value = constantly(value);
    motor.max_force = most;
    assert_ok(scr_joint_set_motor(world, joint, &motor, &error));
}

// ---- motors ----

// A block of 10 kg on a hoist, so far above the floor.
typedef struct hoist {
    scr_world *world;
    scr_body block;
    scr_joint joint;
} hoist;
static hoist make_hoist(const method *how, double height, double speed, double most)
{
    hoist h = {.world = world_of(how, vec3(0.0, 0.0, -GRAVITY))};
    add_floor(h.world, STEEL);
    double half = 0.5 * SIDE;
    h.block =
        add_solid(h.world, SCR_DYNAMIC, scr_box(vec3(half, half, half), STEEL), MASS, vec3(0.0, 0.0, half + height));
    h.joint = join(h.world, SCR_JOINT_PRISMATIC, GROUND, h.block, STILL, UP);
    drive(h.world, h.joint, SCR_DRIVE_SPEED, speed, most);
    return h;
}

// Lowered onto a floor by a motor that goes on: in no step faster than it was lowered, up or down, and the floor
// carries weight and motor.
static void a_load_that_is_lowered_stays_on_the_floor(void **state)
{
    (void)state;
    const double speed = 0.02, most = 100.0, weight = MASS * GRAVITY;
    for (int k = 0; k < METHOD_COUNT; ++k) {
        hoist h = make_hoist(&METHODS[k], 1e-3, -speed, most);
        double up = 0.0, down = 0.0, greatest = 0.0;
        int steps = (int)lround(0.15 / scr_world_time_step(h.world));
        for (int n = 0; n < steps; ++n) {
            step(h.world, 1);
            up = fmax(up, state_of(h.world, h.block).velocity.z);
            down = fmax(down, -state_of(h.world, h.block).velocity.z);
            greatest = fmax(greatest, fabs(joint_state(h.world, h.joint).motor_force));
        }
        print_message("%s: up at %.2e m/s, down at %.5f, motor %.4f N, floor %.4f N\n", METHODS[k].name, up, down,
                      greatest, contact_force_on(h.world, h.block).z);
        assert_at_most(greatest, most * (1.0 + 1e-12));
        assert_at_most(down, 1.001 * speed);
        assert_at_most(up, 0.1 * speed);
        assert_near(joint_state(h.world, h.joint).motor_force, -most, 1e-12);
        assert_near(contact_force_on(h.world, h.block).z, weight + most, 1e-3);
        assert_within(state_of(h.world, h.block).velocity.z, 0.0, 1e-6);
        scr_world_destroy(h.world);
    }
}

// Lifted by less than its weight a load lies where it is, and the floor carries the rest; by more it goes up.
static void a_hoist_lifts_what_it_can(void **state)
{
    (void)state;
    const double speed = 0.02, weight = MASS * GRAVITY;
    for (int k = 0; k < METHOD_COUNT; ++k) {
        for (int is_strong = 0; is_strong < 2; ++is_strong) {
            double most = (is_strong ? 1.2 : 0.6) * weight;
            hoist h = make_hoist(&METHODS[k], 0.0, speed, most);
            go_on(h.world, 0.1);
            scr_joint_state now = joint_state(h.world, h.joint);
            double floor = contact_force_on(h.world, h.block).z;
            assert_near(now.motor_force, is_strong ? weight : most, 1e-9);
            assert_within(floor, is_strong ? 0.0 : weight - most, 1e-3 * weight);
            assert_within(now.along_rate, is_strong ? speed : 0.0, 1e-5 * speed);
            scr_world_destroy(h.world);
        }
    }
}

// A wheel under a brake block that its weight presses on: the rim can hold mu W r. A weaker motor stalls with all it
// has; a stronger one turns the wheel with just that.
static void a_brake_stalls_a_motor_or_slips(void **state)
{
    (void)state;
    const double radius = 0.1, spin = 0.5, held = 0.5 * MASS * GRAVITY * radius;
    for (int k = 0; k < METHOD_COUNT; ++k) {
        for (int is_strong = 0; is_strong < 2; ++is_strong) {
            scr_world *world = world_of(&METHODS[k], vec3(0.0, 0.0, -GRAVITY));
            scr_body wheel = add_solid(world, SCR_DYNAMIC, scr_sphere(radius, STEEL), 2.0, STILL);
            scr_body block = add_solid(world, SCR_DYNAMIC, scr_box(vec3(SIDE, SIDE, 0.02), STEEL), MASS,
                                       vec3(0.0, 0.0, radius + 0.02));
            scr_joint axle = join(world, SCR_JOINT_REVOLUTE, GROUND, wheel, STILL, vec3(0.0, 1.0, 0.0));
            join(world, SCR_JOINT_PRISMATIC, GROUND, block, vec3(0.0, 0.0, radius), UP);
            drive(world, axle, SCR_DRIVE_SPEED, spin, (is_strong ? 1.5 : 0.5) * held);
            go_on(world, 0.1);
            scr_joint_state now = joint_state(world, axle);
            print_message("%s: torque %.5f of the brake's, %.2e rad/s\n", METHODS[k].name, now.motor_force / held,
                          now.about_rate);
            assert_near(now.motor_force, is_strong ? held : 0.5 * held, is_strong ? 1e-3 : 1e-9);
            assert_within(now.about_rate, is_strong ? spin : 0.0, is_strong ? 1e-6 : 1e-4);
            scr_world_destroy(world);
        }
    }
}

// A wheel drives a carriage against a wall: it stalls with all the torque t it has, the wall is pressed with t/r, and
// nothing bounces.
static void a_wheel_stalls_at_a_wall(void **state)
{
    (void)state;
    const double radius = 0.1, speed = 0.2, torque = 2.0, half = 0.5 * SIDE, gap = 0.01;
    for (int k = 0; k < METHOD_COUNT; ++k) {
        scr_world *world = world_of(&METHODS[k], vec3(0.0, 0.0, -GRAVITY));
        add_floor(world, STEEL);
        scr_vec3 up_there = vec3(0.0, 0.0, 0.3);
        scr_body wheel = add_solid(world, SCR_DYNAMIC, scr_sphere(radius, STEEL), 2.0, vec3(0.0, 0.0, radius));
        scr_body carriage = add_solid(world, SCR_DYNAMIC, scr_box(vec3(half, half, half), STEEL), MASS, up_there);
        add_solid(world, SCR_FIXED, scr_box(vec3(half, SIDE, SIDE), STEEL), 0.0, vec3(2.0 * half + gap, 0.0, 0.3));
        scr_joint axle = join(world, SCR_JOINT_REVOLUTE, carriage, wheel, vec3(0.0, 0.0, radius), vec3(0.0, 1.0, 0.0));
        // The carriage goes forward and down but does not turn: a slider is between it and the ground.
        scr_body slider = add_part(world, scr_sphere(0.05, STEEL), 0.01, up_there, QUAT_IDENTITY);
        join(world, SCR_JOINT_PRISMATIC, GROUND, slider, up_there, FORWARD);
        join(world, SCR_JOINT_PRISMATIC, slider, carriage, up_there, UP);
        drive(world, axle, SCR_DRIVE_SPEED, speed / radius, torque);
        double back = 0.0, greatest = 0.0;
        int steps = (int)lround(0.3 / scr_world_time_step(world));
        for (int n = 0; n < steps; ++n) {
            step(world, 1);
            back = fmax(back, -state_of(world, carriage).velocity.x);
            greatest = fmax(greatest, fabs(joint_state(world, axle).motor_force));
        }
        scr_joint_state now = joint_state(world, axle);
        print_message("%s: back at %.1e m/s, torque %.4f N m, wall %.4f N, %.1e rad/s\n", METHODS[k].name, back,
                      greatest, -contact_force_on(world, carriage).x, now.about_rate);
        assert_at_most(greatest, torque * (1.0 + 1e-12));
        assert_at_most(back, 0.05 * speed);
        assert_near(now.motor_force, torque, 1e-12);
        assert_within(now.about_rate, 0.0, 1e-3 * speed / radius);
        assert_near(-contact_force_on(world, carriage).x, torque / radius, 1e-2);
        scr_world_destroy(world);
    }
}

// ---- blows ----

// A slider at rest, and one of half its mass that comes from behind; nothing else acts along their rail, none bounces.
typedef struct rail {
    scr_world *world;
    scr_body struck, striker;
    scr_joint guide;  // of the one that is struck
} rail;
static const double STRIKER = 5.0, SPEED = 0.5;  // kg, m/s
static rail make_rail(const method *how, const scr_joint_def *guide)
{
    const double half = 0.5 * SIDE;
    scr_shape box = scr_box(vec3(half, half, half), STEEL);
    rail r = {.world = world_of(how, STILL)};
    r.struck = add_solid(r.world, SCR_DYNAMIC, box, MASS, STILL);
    r.striker = add_solid(r.world, SCR_DYNAMIC, box, STRIKER, vec3(-SIDE - 0.01 * SPEED, 0.0, 0.0));
    scr_joint_def def = *guide;
    def.b = r.struck;
    r.guide = add_joint(r.world, &def);
    join(r.world, SCR_JOINT_PRISMATIC, GROUND, r.striker, STILL, FORWARD);
    set_motion(r.world, r.striker, vec3(SPEED, 0.0, 0.0), STILL);
    return r;
}

// Both go on with the common speed of a blow without restitution, less what a force against them takes meanwhile.
static void check_common_speed(const rail *r, const char *name, double force)
{
    const double time = 0.06;  // s after the blow
    go_on(r->world, 0.01 + time);
    double all = MASS + STRIKER, expected = STRIKER * SPEED / all - force * time / all;
    double speed = state_of(r->world, r->struck).velocity.x;
    double momentum = (MASS * speed + STRIKER * state_of(r->world, r->striker).velocity.x) / all;
    print_message("%s: %.5f m/s, mean %.5f, %.5f expected\n", name, speed, momentum, expected);
    assert_near(momentum, expected, 1e-2);
    assert_near(speed, expected, 1e-2);
    scr_world_destroy(r->world);
}

static void friction_gives_way_to_a_blow(void **state)
{
    (void)state;
    const double friction = 20.0;  // N
    for (int k = 0; k < METHOD_COUNT; ++k) {
        scr_joint_def guide = scr_joint_at(SCR_JOINT_PRISMATIC, GROUND, GROUND, STILL, FORWARD);
        guide.friction_force = friction;
        rail r = make_rail(&METHODS[k], &guide);
        check_common_speed(&r, METHODS[k].name, friction);
    }
}

// A slider that a motor presses against its lower limit is struck away from it: a limit does not pull.
static void a_limit_does_not_hold_what_is_struck_away(void **state)
{
    (void)state;
    const double force = 20.0;  // N
    for (int k = 0; k < METHOD_COUNT; ++k) {
        scr_joint_def guide = scr_joint_at(SCR_JOINT_PRISMATIC, GROUND, GROUND, STILL, FORWARD);
        guide.lower = 0.0;
        rail r = make_rail(&METHODS[k], &guide);
        drive(r.world, r.guide, SCR_DRIVE_FORCE, -force, INFINITY);
        check_common_speed(&r, METHODS[k].name, force);
    }
}

// ---- many rows ----

// A chain with friction in all its hinges falls on the floor: what it has never grows, and no hinge gives more than its
// friction.
static void a_chain_with_friction_falls_and_gains_nothing(void **state)
{
    (void)state;
    enum { LINKS = 12 };
    const double half = 0.04, friction = 0.05;  // m, N m
    for (int k = 0; k < METHOD_COUNT; ++k) {
        bool is_exact = METHODS[k].solver == SCR_SOLVER_NEWTON || METHODS[k].solver == SCR_SOLVER_AUTO;
        if (!is_exact || METHODS[k].law == SCR_PENALTY) continue;
        scr_world *world = world_of(&METHODS[k], vec3(0.0, 0.0, -GRAVITY));
        add_floor(world, STEEL);
        scr_body last = GROUND;
        scr_joint hinge[LINKS];
        for (int n = 0; n < LINKS; ++n) {
            double x = 2.0 * half * n, z = 0.1 + 0.02 * (n % 3);
            scr_body link = add_solid(world, SCR_DYNAMIC, scr_sphere(0.8 * half, STEEL), 0.5, vec3(x, 0.0, z));
            scr_joint_def def =
                scr_joint_at(SCR_JOINT_REVOLUTE, last, link, vec3(x - half, 0.0, z), vec3(0.0, 1.0, 0.0));
            def.friction_force = friction;
            if (n > 0) hinge[n] = add_joint(world, &def);
            last = link;
        }
        scr_energy e = scr_world_energy(world);
        double before = e.kinetic + e.potential + e.elastic, gain = 0.0, start = before;
        int steps = (int)lround(0.5 / scr_world_time_step(world));
        for (int n = 0; n < steps; ++n) {
            step(world, 1);
            e = scr_world_energy(world);
            double now = e.kinetic + e.potential + e.elastic;
            gain = fmax(gain, now - before);
            before = now;
            for (int i = 1; i < LINKS; ++i)
                assert_at_most(fabs(joint_state(world, hinge[i]).torque.y), friction * (1.0 + 1e-9));
        }
        print_message("%s: %.4f of %.4f J left, gain in a step at most %.2e J\n", METHODS[k].name, before, start, gain);
        assert_at_most(gain, 1e-9 * start);
        scr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_is_lowered_stays_on_the_floor),
        cmocka_unit_test(a_hoist_lifts_what_it_can),
        cmocka_unit_test(a_brake_stalls_a_motor_or_slips),
        cmocka_unit_test(a_wheel_stalls_at_a_wall),
        cmocka_unit_test(friction_gives_way_to_a_blow),
        cmocka_unit_test(a_limit_does_not_hold_what_is_struck_away),
        cmocka_unit_test(a_chain_with_friction_falls_and_gains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
