// SPDX-License-Identifier: BSD-3-Clause
// Pendulums: the period of one against the complete elliptic integral, and two kinds of more freedom against an
// integration of their own equations. Errors shrink with the square of the step.
//
// A body that hangs from a point at distance d of its centre of mass, with moment of inertia i about that, has
//     T = 2 pi / (w M(1, cos(A/2))),   w^2 = m g d / (i + m d^2)
// for swings to +-A, M the arithmetic-geometric mean. On a rod that does not turn it, i = 0.
#include "dynamics/mechanism.h"

static const double MASS = 1.3, DISTANCE = 0.25, SWING = 2.0;  // kg, m, rad
static const scr_vec3 HALF = {0.03, 0.05, 0.2};                // m

// Everything stands askew, so that no axis is special.
static scr_quat askew(void) { return random_rotation(11); }
static scr_vec3 askew_vec(double x, double y, double z) { return quat_rotate(askew(), vec3(x, y, z)); }

typedef struct pendulum {
    scr_world *world;
    scr_body body, carrier;  // carrier: what it hangs from
    scr_joint joint;
} pendulum;

typedef enum hanging { FROM_THE_GROUND, FROM_A_CARRIER, UNDER_PENALTY, ABOVE_A_FLOOR } hanging;
static const scr_vec3 CARRIED = {0.7, -0.4, 0.3};  // m/s

// At rest at an angle, or carried along. Angles turn about -y, from -z towards x.
static pendulum make_pendulum(scr_joint_kind kind, double time_step, hanging how)
{
    scr_contact_law law = how == UNDER_PENALTY ? SCR_PENALTY : SCR_COMPLIANT;
    pendulum p = {.world = mechanism_world_of(law, time_step, askew_vec(0.0, 0.0, -GRAVITY)), .carrier = GROUND};
    scr_vec3 centre = askew_vec(DISTANCE * sin(SWING), 0.0, -DISTANCE * cos(SWING)), pin = askew_vec(0.0, 0.0, 0.0);
    scr_quat rotation = quat_mul(askew(), turned(vec3(0.0, -1.0, 0.0), SWING));
    if (how == ABOVE_A_FLOOR) {  // that it could touch, but does not
        add_shape(p.world, SCR_FIXED, scr_plane(STEEL), vec3(0.0, 0.0, -1.0), STILL);
        scr_shape box = scr_box(HALF, STEEL);
        scr_body_def body = scr_default_body_def();
        body.position = centre;
        body.rotation = rotation;
        body.shapes = &box;
        body.shape_count = 1;
        body.mass = MASS;
        p.body = add_body(p.world, &body);
    } else p.body = add_part(p.world, scr_box(HALF, STEEL), MASS, centre, rotation);
    if (how == FROM_A_CARRIER) {
        scr_shape hook = scr_sphere(0.01, STEEL);
        scr_body_def def = scr_default_body_def();
        def.kind = SCR_KINEMATIC;
        def.velocity = CARRIED;
        def.shapes = &hook;
        def.shape_count = 1;
        p.carrier = add_body(p.world, &def);
        set_motion(p.world, p.body, CARRIED, STILL);
    }
    scr_joint_def def = scr_joint_at(kind, p.carrier, p.body, pin, askew_vec(0.0, -1.0, 0.0));
    if (kind == SCR_JOINT_DISTANCE) def.frame_b.position = centre;
    if (kind == SCR_JOINT_UNIVERSAL) def.frame_a.rotation = def.frame_b.rotation = askew();  // it turns about x and y
    p.joint = add_joint(p.world, &def);
    return p;
}

static double pendulum_rate(scr_joint_kind kind)
{
    double i = kind == SCR_JOINT_DISTANCE ? 0.0 : box_inertia(MASS, HALF.x, HALF.z);
    return sqrt(MASS * GRAVITY * DISTANCE / (i + MASS * DISTANCE * DISTANCE));
}

static double angle_of(const pendulum *p)
{
    scr_vec3 at = state_of(p->world, p->body).position;
    if (p->carrier.index1 != 0) at = vec3_sub(at, state_of(p->world, p->carrier).position);
    at = quat_unrotate(askew(), at);
    return atan2(at.x, -at.z);
}

// After 1 1/4 periods it should hang straight down: by how much of its period it is late.
static double lateness(scr_joint_kind kind, hanging how, int steps_a_period)
{
    double rate = pendulum_rate(kind), period = 2.0 * PI / (rate * pendulum_mean(SWING));
    pendulum p = make_pendulum(kind, period / steps_a_period, how);
    step(p.world, steps_a_period * 5 / 4);
    double late = angle_of(&p) / (2.0 * rate * sin(0.5 * SWING)) / (1.25 * period);
    scr_joint_state joint = joint_state(p.world, p.joint);
    assert_at_most(joint.gap, 1e-9 * DISTANCE);
    scr_world_destroy(p.world);
    return late;
}

static void check_period(scr_joint_kind kind, hanging how)
{
    double coarse = lateness(kind, how, 400), fine = lateness(kind, how, 800);
    print_message("period: off by %.2e with 400 steps, %.2e with 800, order %.3f\n", coarse, fine,
                  order_of(coarse, fine));
    assert_at_most(fabs(fine), 5e-5);
    assert_within(order_of(coarse, fine), 2.0, 0.03);
}

static void a_hinged_body_swings_with_the_elliptic_period(void **state)
{
    (void)state;
    check_period(SCR_JOINT_REVOLUTE, FROM_THE_GROUND);
}
static void a_body_on_a_ball_joint_swings_with_the_elliptic_period(void **state)
{
    (void)state;
    check_period(SCR_JOINT_SPHERICAL, FROM_THE_GROUND);
}
static void a_body_on_a_universal_joint_swings_with_the_elliptic_period(void **state)
{
    (void)state;
    check_period(SCR_JOINT_UNIVERSAL, FROM_THE_GROUND);
}
static void a_body_on_a_rod_swings_with_the_elliptic_period(void **state)
{
    (void)state;
    check_period(SCR_JOINT_DISTANCE, FROM_THE_GROUND);
}

static void a_body_on_something_that_moves_as_told_swings_alike(void **state)
{
    (void)state;
    check_period(SCR_JOINT_REVOLUTE, FROM_A_CARRIER);
    check_period(SCR_JOINT_DISTANCE, FROM_A_CARRIER);
}
static void a_hinged_body_swings_alike_under_the_penalty_law(void **state)
{
    (void)state;
    check_period(SCR_JOINT_REVOLUTE, UNDER_PENALTY);
    check_period(SCR_JOINT_SPHERICAL, UNDER_PENALTY);
}

static void a_hinged_body_that_could_touch_swings_alike(void **state)
{
    (void)state;
    check_period(SCR_JOINT_REVOLUTE, ABOVE_A_FLOOR);
    check_period(SCR_JOINT_SPHERICAL, ABOVE_A_FLOOR);
}

// At the bottom the pin carries the weight and m d times the square of the rate, 2 w sin(A/2).
static void the_pin_carries_weight_and_centrifugal_force(void **state)
{
    (void)state;
    enum { STEPS = 500 };
    double rate = pendulum_rate(SCR_JOINT_REVOLUTE), quarter = 0.5 * PI / (rate * pendulum_mean(SWING));
    double lowest = 2.0 * rate * sin(0.5 * SWING);
    pendulum p = make_pendulum(SCR_JOINT_REVOLUTE, quarter / STEPS, FROM_THE_GROUND);
    step(p.world, STEPS);
    scr_joint_state joint = joint_state(p.world, p.joint);
    step(p.world, 1);  // means over the steps before and after
    scr_vec3 force = vec3_scale(0.5, vec3_add(joint.force, joint_state(p.world, p.joint).force));
    scr_vec3 expected = askew_vec(0.0, 0.0, MASS * (GRAVITY + DISTANCE * lowest * lowest));
    assert_within3(force, expected, 1e-3 * vec3_norm(expected));
    assert_within3(joint.torque, STILL, 1e-9 * MASS * GRAVITY * DISTANCE);
    assert_near(joint.about, -SWING, 1e-4);
    assert_near(joint.about_rate, -lowest, 1e-4);
    scr_world_destroy(p.world);
}

// Two bars in a row: lengths to their centres of mass, between the pins of the first, moments of inertia.
static const double M1 = 1.0, M2 = 0.6, L1 = 0.4, C1 = 0.18, C2 = 0.15, HALF1 = 0.2, HALF2 = 0.15, THICK = 0.02;
static const double START1 = 1.0, START2 = -0.4;  // rad, from straight down

static void double_pendulum(const void *context, const long double *y, long double *rate)
{
    (void)context;
    long double i1 = box_inertia(M1, THICK, HALF1), i2 = box_inertia(M2, THICK, HALF2), s = sinl(y[0] - y[1]);
    long double a = i1 + M1 * C1 * C1 + M2 * L1 * L1, b = M2 * L1 * C2 * cosl(y[0] - y[1]), c = i2 + M2 * C2 * C2;
    long double f = -M2 * L1 * C2 * s * y[3] * y[3] - (M1 * C1 + M2 * L1) * GRAVITY * sinl(y[0]);
    long double g = M2 * L1 * C2 * s * y[2] * y[2] - M2 * C2 * GRAVITY * sinl(y[1]);
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (f * c - g * b) / (a * c - b * b);
    rate[3] = (g * a - f * b) / (a * c - b * b);
}

// How far both angles are from y after 2 s.
static double double_pendulum_error(const long double *y, double time_step)
{
    scr_world *world = mechanism_world(time_step, vec3(0.0, 0.0, -GRAVITY));
    scr_vec3 axis = vec3(0.0, -1.0, 0.0), pin = vec3(L1 * sin(START1), 0.0, -L1 * cos(START1));
    scr_body first = add_part(world, scr_box(vec3(THICK, 0.05, HALF1), STEEL), M1,
                              vec3(C1 * sin(START1), 0.0, -C1 * cos(START1)), turned(axis, START1));
    scr_body second = add_part(world, scr_box(vec3(THICK, 0.05, HALF2), STEEL), M2,
                               vec3_add(pin, vec3(C2 * sin(START2), 0.0, -C2 * cos(START2))), turned(axis, START2));
    scr_joint top = join(world, SCR_JOINT_REVOLUTE, GROUND, first, STILL, axis);
    scr_joint middle = join(world, SCR_JOINT_REVOLUTE, first, second, pin, axis);
    double energy = total_energy(world);
    step(world, (int)lround(2.0 / time_step));
    double angle1 = START1 + joint_state(world, top).about,
           angle2 = START2 - START1 + angle1 + joint_state(world, middle).about;
    assert_within(total_energy(world), energy, 1e-4 * M1 * GRAVITY * L1);
    scr_world_destroy(world);
    return hypot(angle1 - (double)y[0], angle2 - (double)y[1]);
}

static void a_double_pendulum_follows_its_equations(void **state)
{
    (void)state;
    long double y[4] = {START1, START2, 0.0L, 0.0L}, finer[4] = {START1, START2, 0.0L, 0.0L};
    solve_ode(double_pendulum, NULL, 4, y, 2.0, 300);
    solve_ode(double_pendulum, NULL, 4, finer, 2.0, 450);
    for (int k = 0; k < 4; ++k) assert_within((double)y[k], (double)finer[k], 1e-13);
    double coarse = double_pendulum_error(y, 2e-3), fine = double_pendulum_error(y, 1e-3);
    print_message("double pendulum: off by %.2e, %.2e rad, order %.3f\n", coarse, fine, order_of(coarse, fine));
    assert_at_most(fine, 1e-3);
    assert_within(order_of(coarse, fine), 2.0, 0.1);
}

// A point on a rod, anywhere: x'' = g + x (-x.g - v.v) / |x|^2.
static void spherical_pendulum(const void *context, const long double *y, long double *rate)
{
    (void)context;
    long double square = y[0] * y[0] + y[1] * y[1] + y[2] * y[2], speed = y[3] * y[3] + y[4] * y[4] + y[5] * y[5];
    long double pull = (y[2] * GRAVITY - speed) / square;
    for (int k = 0; k < 3; ++k) {
        rate[k] = y[3 + k];
        rate[3 + k] = pull * y[k] - (k == 2 ? GRAVITY : 0.0L);
    }
}

static double spherical_pendulum_error(const long double *y, double time_step)
{
    scr_world *world = mechanism_world(time_step, vec3(0.0, 0.0, -GRAVITY));
    scr_body ball = add_round_part(world, 2.0, 0.01, vec3(0.3, 0.0, -0.4));
    scr_joint_def def = scr_joint_at(SCR_JOINT_DISTANCE, GROUND, ball, STILL, vec3(0.0, 0.0, 1.0));
    def.frame_b.position = vec3(0.3, 0.0, -0.4);
    add_joint(world, &def);
    set_motion(world, ball, vec3(0.0, 1.2, 0.0), STILL);
    double about_z = scr_world_angular_momentum(world).z;
    step(world, (int)lround(2.0 / time_step));
    scr_vec3 at = state_of(world, ball).position;
    assert_near(scr_world_angular_momentum(world).z, about_z, 1e-11);
    assert_near(vec3_norm(at), 0.5, 1e-11);
    scr_world_destroy(world);
    return vec3_norm(vec3_sub(at, vec3((double)y[0], (double)y[1], (double)y[2])));
}

static void a_spherical_pendulum_follows_its_equations(void **state)
{
    (void)state;
    long double y[6] = {0.3L, 0.0L, -0.4L, 0.0L, 1.2L, 0.0L};
    solve_ode(spherical_pendulum, NULL, 6, y, 2.0, 100);
    double coarse = spherical_pendulum_error(y, 2e-3), fine = spherical_pendulum_error(y, 1e-3);
    print_message("spherical pendulum: off by %.2e, %.2e m, order %.3f\n", coarse, fine, order_of(coarse, fine));
    assert_at_most(fine, 1e-4);
    assert_within(order_of(coarse, fine), 2.0, 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hinged_body_swings_with_the_elliptic_period),
        cmocka_unit_test(a_body_on_a_ball_joint_swings_with_the_elliptic_period),
        cmocka_unit_test(a_body_on_a_universal_joint_swings_with_the_elliptic_period),
        cmocka_unit_test(a_body_on_a_rod_swings_with_the_elliptic_period),
        cmocka_unit_test(a_body_on_something_that_moves_as_told_swings_alike),
        cmocka_unit_test(a_hinged_body_swings_alike_under_the_penalty_law),
        cmocka_unit_test(a_hinged_body_that_could_touch_swings_alike),
        cmocka_unit_test(the_pin_carries_weight_and_centrifugal_force),
        cmocka_unit_test(a_double_pendulum_follows_its_equations),
        cmocka_unit_test(a_spherical_pendulum_follows_its_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
