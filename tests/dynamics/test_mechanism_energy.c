// SPDX-License-Identifier: BSD-3-Clause
// What frictionless mechanisms keep: energy over a thousand revolutions, momentum while motors and springs work inside.
#include "dynamics/mechanism.h"

static const scr_vec3 AXIS = {0.0, -1.0, 0.0};  // angles turn from x towards z

static scr_body add_bar(scr_world *world, scr_vec3 from, scr_vec3 to, double mass)
{
    scr_vec3 along = vec3_sub(to, from);
    return add_part(world, scr_box(vec3(0.5 * vec3_norm(along), 0.02, 0.015), STEEL), mass,
                    vec3_add_scaled(from, 0.5, along), turned(AXIS, atan2(along.z, along.x)));
}

// A crank-rocker: see test_mechanism_linkage.c. Its crank starts along x, where the others turn, too.
static const double CRANK = 0.1, GROUND_PIN = 0.4, COUPLER = 0.35, ROCKER = 0.25, ROD = 0.35;  // m
static const double SPEED = 20.0;                                                              // rad/s, of the crank

static scr_joint add_four_bar(scr_world *world, bool has_spring)
{
    double d = GROUND_PIN - CRANK, along = (COUPLER * COUPLER - ROCKER * ROCKER + d * d) / (2.0 * d);
    scr_vec3 a = vec3(CRANK, 0.0, 0.0), b = vec3(CRANK + along, 0.0, sqrt(COUPLER * COUPLER - along * along));
    scr_vec3 pin = vec3(GROUND_PIN, 0.0, 0.0);
    scr_body crank = add_bar(world, STILL, a, 0.5), coupler = add_bar(world, a, b, 0.8),
             rocker = add_bar(world, pin, b, 1.1);
    scr_joint joint = join(world, SCR_JOINT_REVOLUTE, GROUND, crank, STILL, AXIS);
    join(world, SCR_JOINT_REVOLUTE, crank, coupler, a, AXIS);
    join(world, SCR_JOINT_REVOLUTE, coupler, rocker, b, AXIS);
    join(world, SCR_JOINT_REVOLUTE, GROUND, rocker, pin, AXIS);
    // Pin A moves along z, and B at a right angle to the rocker: equal speeds along the coupler.
    scr_vec3 u = vec3_unit(vec3_sub(b, a)), across = vec3_cross(AXIS, vec3_sub(b, pin)),
             va = vec3(0.0, 0.0, CRANK * SPEED);
    double rotating = vec3_dot(u, va) / vec3_dot(u, across);
    scr_vec3 vb = vec3_scale(rotating, across);
    turn_about(world, crank, STILL, vec3_scale(SPEED, AXIS));
    turn_about(world, rocker, pin, vec3_scale(rotating, AXIS));
    double spin = vec3_dot(vec3_sub(vb, va), vec3_cross(AXIS, u)) / COUPLER;
    set_motion(world, coupler, vec3_scale(0.5, vec3_add(va, vb)), vec3_scale(spin, AXIS));
    if (has_spring) {
        scr_spring_def spring = scr_default_spring_def();
        spring.b = rocker;
        spring.point_a = vec3(0.8, 0.0, 0.2);
        spring.point_b = b;
        spring.rest = 0.3;
        spring.stiffness = 4.0;
        add_spring(world, &spring);
    }
    return joint;
}

// A flywheel drives a piston to and fro. Where the crank lies along the rod, the piston stands still.
static scr_joint add_engine(scr_world *world)
{
    scr_vec3 a = vec3(CRANK, 0.0, 0.0), b = vec3(CRANK + ROD, 0.0, 0.0);
    scr_body wheel =
        add_part(world, scr_cylinder(0.15, 0.02, STEEL), 1.0, STILL, turned(vec3(1.0, 0.0, 0.0), 0.5 * PI));
    scr_body rod = add_bar(world, a, b, 0.8),
             piston = add_part(world, scr_box(vec3(0.03, 0.03, 0.03), STEEL), 1.1, b, QUAT_IDENTITY);
    scr_joint joint = join(world, SCR_JOINT_REVOLUTE, GROUND, wheel, STILL, AXIS);
    join(world, SCR_JOINT_REVOLUTE, wheel, rod, a, AXIS);
    join(world, SCR_JOINT_REVOLUTE, rod, piston, b, AXIS);
    join(world, SCR_JOINT_PRISMATIC, GROUND, piston, b, vec3(1.0, 0.0, 0.0));
    set_motion(world, wheel, STILL, vec3_scale(SPEED, AXIS));
    set_motion(world, rod, vec3(0.0, 0.0, 0.5 * CRANK * SPEED), vec3_scale(-SPEED * CRANK / ROD, AXIS));
    return joint;
}

// Energy over a thousand revolutions: how far it ever is from the start, and the line fitted to it, both of the whole.
typedef struct drift {
    double largest, first_tenth, trend;
} drift;

enum { REVOLUTIONS = 1000, STEPS_A_TURN = 48 };
static drift measure_drift(scr_world *world, scr_joint crank)
{
    double first = total_energy(world), size = scr_world_energy(world).kinetic;
    double st = 0.0, se = 0.0, stt = 0.0, ste = 0.0, n = 0.0;
    drift d = {0.0, 0.0, 0.0};
    for (double turns = 0.0; turns < REVOLUTIONS; n += 1.0) {
        step(world, 1);
        turns = joint_state(world, crank).about / (2.0 * PI);
        double e = (total_energy(world) - first) / size;
        d.largest = fmax(d.largest, fabs(e));
        if (turns < 0.1 * REVOLUTIONS) d.first_tenth = d.largest;
        st += turns;
        se += e;
        stt += turns * turns;
        ste += turns * e;
        assert_true(n < 4.0 * REVOLUTIONS * STEPS_A_TURN);  // it goes on turning
    }
    d.trend = (n * ste - st * se) / (n * stt - st * st) * REVOLUTIONS;
    print_message("energy over %d revolutions: within %.2e (%.2e in the first tenth), trend %.1e\n", REVOLUTIONS,
                  d.largest, d.first_tenth, d.trend);
    return d;
}

static void check_drift(scr_world *world, scr_joint crank)
{
    drift d = measure_drift(world, crank);
    assert_at_most(d.largest, 2e-2);  // of the order of the squared angle of a step
    assert_at_most(d.largest, 1.1 * d.first_tenth);
    assert_at_most(fabs(d.trend), 1e-2 * d.largest);
    assert_at_most(joint_state(world, crank).gap, 1e-6 * CRANK);
    scr_world_destroy(world);
}

static const double TIME_STEP = 2.0 * 3.14159265358979323846 / 20.0 / STEPS_A_TURN;  // s, at SPEED

static void a_four_bar_keeps_its_energy_over_1000_revolutions(void **state)
{
    (void)state;
    scr_world *world = mechanism_world(TIME_STEP, STILL);
    check_drift(world, add_four_bar(world, false));
}
static void a_four_bar_with_a_spring_keeps_its_energy_over_1000_revolutions(void **state)
{
    (void)state;
    scr_world *world = mechanism_world(TIME_STEP, STILL);
    check_drift(world, add_four_bar(world, true));
}
static void a_flywheel_with_a_piston_keeps_its_energy_over_1000_revolutions(void **state)
{
    (void)state;
    scr_world *world = mechanism_world(TIME_STEP, vec3(0.0, 0.0, -GRAVITY));
    check_drift(world, add_engine(world));
}

static double wave(const void *context, double t)
{
    const double *size = context;
    return *size * sin(7.0 * t);
}

// Four bars that float in space, with every kind of motor and two springs inside.
static void a_floating_linkage_keeps_its_momentum_while_its_motors_work(void **state)
{
    (void)state;
    enum { BARS = 4 };
    static const double torque = 2.0, angle = 0.5;
    scr_world *world = mechanism_world(1e-3, STILL);
    scr_body bar[BARS];
    scr_joint joint[BARS];
    for (int k = 0; k < BARS; ++k) {
        bar[k] = add_part(world, scr_box(vec3(0.1, 0.03, 0.02), STEEL), 0.5 + 0.3 * k, vec3(0.2 * k + 0.1, 0.0, 0.0),
                          QUAT_IDENTITY);
        if (k > 0)
            joint[k] = join(world, SCR_JOINT_REVOLUTE, bar[k - 1], bar[k], vec3(0.2 * k, 0.0, 0.0),
                            vec3(0.3 * k, 0.5, 1.0 - 0.4 * k));
    }
    set_motor(world, joint[1], SCR_DRIVE_FORCE, (scr_function){.at = wave, .context = &torque});
    set_motor(world, joint[2], SCR_DRIVE_POSITION, (scr_function){.at = wave, .context = &angle});
    set_motor(world, joint[3], SCR_DRIVE_SPEED, constantly(1.5));
    scr_spring_def spring = scr_default_spring_def();
    spring.a = bar[0];
    spring.b = bar[2];
    spring.point_a = vec3(0.1, 0.03, 0.02);
    spring.point_b = vec3(0.5, 0.03, 0.02);
    spring.rest = 0.3;
    spring.stiffness = 300.0;
    spring.damping = 0.5;
    add_spring(world, &spring);
    scr_spring_def coil = scr_default_spring_def();
    coil.joint = joint[1];
    coil.stiffness = 3.0;
    add_spring(world, &coil);
    for (int k = 0; k < BARS; ++k) {  // all move and turn together
        scr_vec3 spin = vec3(1.0, -2.0, 0.5), at = state_of(world, bar[k]).position;
        set_motion(world, bar[k], vec3_add(vec3(0.3, 0.2, -0.1), vec3_cross(spin, at)), spin);
    }
    // The first step starts the motors, which are inside, too.
    scr_vec3 push = scr_world_momentum(world), angular_impulse = scr_world_angular_momentum(world);
    double energy = scr_world_energy(world).kinetic, most = energy;
    for (int n = 0; n < 3000; ++n) {
        step(world, 1);
        most = fmax(most, scr_world_energy(world).kinetic);
    }
    scr_vec3 push_after = scr_world_momentum(world), twist_after = scr_world_angular_momentum(world);
    print_message("momentum off by %.1e, angular by %.1e; kinetic energy grew %.1f-fold on the way\n",
                  vec3_norm(vec3_sub(push_after, push)) / vec3_norm(push),
                  vec3_norm(vec3_sub(twist_after, angular_impulse)) / vec3_norm(angular_impulse), most / energy);
    assert_within3(push_after, push, 1e-12 * vec3_norm(push));
    assert_within3(twist_after, angular_impulse, 1e-11 * vec3_norm(angular_impulse));
    assert_true(most > 1.5 * energy);
    scr_world_destroy(world);
}

// N m
static double swinging_torque(const void *context, double t)
{
    (void)context;
    return 6.0 * sin(13.0 * t);
}
// rad/s
static double swinging_speed(const void *context, double t)
{
    (void)context;
    return SPEED + 5.0 * sin(13.0 * t);
}

// The largest difference of what the motor of an engine did and what its energy grew by, in half a second.
static double imbalance(scr_drive drive, double time_step)
{
    scr_world *world = mechanism_world(time_step, vec3(0.0, 0.0, -GRAVITY));
    scr_joint crank = add_engine(world);
    set_motor(world, crank, drive, (scr_function){.at = drive == SCR_DRIVE_FORCE ? swinging_torque : swinging_speed});
    double first = total_energy(world), work = 0.0, most_work = 0.0, largest = 0.0;
    for (int k = 0; k < (int)lround(0.5 / time_step); ++k) {
        step(world, 1);
        work += time_step * joint_state(world, crank).motor_power;
        most_work = fmax(most_work, fabs(work));
        largest = fmax(largest, fabs(work - (total_energy(world) - first)));
    }
    scr_world_destroy(world);
    return largest / most_work;
}

static void the_power_of_a_motor_balances_the_energy_to_second_order(void **state)
{
    (void)state;
    const scr_drive drives[] = {SCR_DRIVE_FORCE, SCR_DRIVE_SPEED};
    for (int k = 0; k < 2; ++k) {
        double coarse = imbalance(drives[k], 1e-3), middle = imbalance(drives[k], 5e-4),
               fine = imbalance(drives[k], 2.5e-4);
        print_message("drive %d: off by %.2e, %.2e, %.2e of the work\n", (int)drives[k], coarse, middle, fine);
        assert_at_most(1.8, order_of(coarse, middle));
        assert_at_most(1.8, order_of(middle, fine));
        assert_at_most(coarse, 1e-2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_keeps_its_energy_over_1000_revolutions),
        cmocka_unit_test(a_four_bar_with_a_spring_keeps_its_energy_over_1000_revolutions),
        cmocka_unit_test(a_flywheel_with_a_piston_keeps_its_energy_over_1000_revolutions),
        cmocka_unit_test(a_floating_linkage_keeps_its_momentum_while_its_motors_work),
        cmocka_unit_test(the_power_of_a_motor_balances_the_energy_to_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
