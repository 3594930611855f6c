// SPDX-License-Identifier: BSD-3-Clause
// What the tests of mechanisms share: parts, joints, motors and springs in a line each, and references that owe nothing
// to the code they check: the arithmetic-geometric mean, and the extrapolated midpoint rule of Gragg, Bulirsch and
// Stoer in long double.
#ifndef TESTS_DYNAMICS_MECHANISM_H
#define TESTS_DYNAMICS_MECHANISM_H

#include "physics.h"

static const double PI = 3.14159265358979323846;
static const scr_body GROUND = {0, 0};
static const scr_material STEEL = {1};  // the one material of a mechanism_world
static const scr_vec3 STILL = {0.0, 0.0, 0.0};

static inline scr_world *mechanism_world_of(scr_contact_law law, double time_step, scr_vec3 gravity)
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = law;
    def.time_step = time_step;
    def.gravity = gravity;
    scr_world *world = make_world(&def);
    scr_material_def steel = scr_default_material_def();
    scr_material material;
    steel.young = 2e11;
    assert_ok(scr_world_add_material(world, &steel, &material, &error));
    assert_int_equal(material.index1, STEEL.index1);
    return world;
}
static inline scr_world *mechanism_world(double time_step, scr_vec3 gravity)
{
    return mechanism_world_of(SCR_COMPLIANT, time_step, gravity);
}

static inline scr_quat turned(scr_vec3 axis, double angle)
{
    scr_vec3 u = vec3_scale(sin(0.5 * angle), vec3_unit(axis));
    return (scr_quat){cos(0.5 * angle), u.x, u.y, u.z};
}

// A body of one shape that touches nothing.
static inline scr_body add_part(scr_world *world, scr_shape shape, double mass, scr_vec3 position, scr_quat rotation)
{
    scr_body_def def = scr_default_body_def();
    def.position = position;
    def.rotation = rotation;
    def.shapes = &shape;
    def.shape_count = 1;
    def.mass = mass;
    def.collides_with = 0;
    return add_body(world, &def);
}

// A ball that touches nothing, with the moment of inertia asked for.
static inline scr_body add_round_part(scr_world *world, double mass, double inertia, scr_vec3 position)
{
    return add_part(world, scr_sphere(sqrt(2.5 * inertia / mass), STEEL), mass, position, QUAT_IDENTITY);
}

// Of a box about its y axis: half x and half z count.
static inline double box_inertia(double mass, double half_x, double half_z)
{
    return mass / 3.0 * (half_x * half_x + half_z * half_z);
}

static inline void set_motion(scr_world *world, scr_body body, scr_vec3 velocity, scr_vec3 spin)
{
    scr_body_state state = state_of(world, body);
    state.velocity = velocity;
    state.spin = spin;
    set_state(world, body, state);
}

// The motion of a body that turns about a point at rest.
static inline void turn_about(scr_world *world, scr_body body, scr_vec3 point, scr_vec3 spin)
{
    set_motion(world, body, vec3_cross(spin, vec3_sub(state_of(world, body).position, point)), spin);
}

static inline scr_joint add_joint(scr_world *world, const scr_joint_def *def)
{
    scr_joint joint;
    assert_ok(scr_world_add_joint(world, def, &joint, &error));
    return joint;
}

static inline scr_joint join(scr_world *world, scr_joint_kind kind, scr_body a, scr_body b, scr_vec3 position,
                             scr_vec3 axis)
{
    scr_joint_def def = scr_joint_at(kind, a, b, position, axis);
    return add_joint(world, &def);
}

static inline scr_joint_state joint_state(const scr_world *world, scr_joint joint)
{
    scr_joint_state state;
    assert_ok(scr_joint_get_state(world, joint, &state, &error));
    return state;
}

static inline void set_motor(scr_world *world, scr_joint joint, scr_drive drive, scr_function value)
{
    scr_motor_def def = scr_default_motor_def();
    def.drive = drive;
    def.value = value;
    assert_ok(scr_joint_set_motor(world, joint, &def, &error));
}

static inline scr_function constantly(double value) { return (scr_function){.constant = value}; }

static inline scr_spring add_spring(scr_world *world, const scr_spring_def *def)
{
    scr_spring spring;
    assert_ok(scr_world_add_spring(world, def, &spring, &error));
    return spring;
}

static inline scr_spring_state spring_state(const scr_world *world, scr_spring spring)
{
    scr_spring_state state;
    assert_ok(scr_spring_get_state(world, spring, &state, &error));
    return state;
}

// ratio_a x motion of a + ratio_b x motion of b stays, each along its usual axis.
static inline scr_coupling couple(scr_world *world, scr_joint a, double ratio_a, scr_joint b, double ratio_b)
{
    scr_coupling_def def = {.count = 2, .joint = {a, b}, .ratio = {ratio_a, ratio_b}};
    scr_coupling coupling;
    assert_ok(scr_world_add_coupling(world, &def, &coupling, &error));
    return coupling;
}

// The larger of two errors shrinks by 2^order when the step is halved.
static inline double order_of(double error_of_step, double error_of_half)
{
    return log2(fabs(error_of_step / error_of_half));
}

// 2 pi / (rate x this) is the period of a pendulum of small-swing rate `rate` that swings to +- angle.
static inline double pendulum_mean(double angle)
{
    long double a = 1.0L, b = cosl(0.5L * (long double)angle);
    for (int k = 0; k < 8; ++k) {
        long double mean = 0.5L * (a + b);
        b = sqrtl(a * b);
        a = mean;
    }
    return (double)a;
}

// y' = f(y), advanced by `duration` in equal steps, each extrapolated from ODE_COLUMNS midpoint rules: order 2
// ODE_COLUMNS.
enum { ODE_SIZE = 16, ODE_COLUMNS = 8 };
typedef void ode(const void *context, const long double *y, long double *rate);

static inline void midpoint_rule(ode *f, const void *context, int n, const long double *y, long double step, int parts,
                                 long double *result)
{
    long double before[ODE_SIZE], now[ODE_SIZE], rate[ODE_SIZE], h = step / (long double)parts;
    f(context, y, rate);
    for (int i = 0; i < n; ++i) {
        before[i] = y[i];
        now[i] = y[i] + h * rate[i];
    }
    for (int k = 1; k < parts; ++k) {
        f(context, now, rate);
        for (int i = 0; i < n; ++i) {
            long double next = before[i] + 2.0L * h * rate[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    f(context, now, rate);
    for (int i = 0; i < n; ++i) result[i] = 0.5L * (now[i] + before[i] + h * rate[i]);
}

static inline void solve_ode(ode *f, const void *context, int n, long double *y, double duration, int steps)
{
    assert_true(n <= ODE_SIZE);
    for (int s = 0; s < steps; ++s) {
        long double column[ODE_COLUMNS][ODE_SIZE];
        for (int k = 0; k < ODE_COLUMNS; ++k) {
            midpoint_rule(f, context, n, y, (long double)duration / steps, 2 * (k + 1), column[k]);
            for (int j = k - 1; j >= 0;
                 --j) {  // Neville's scheme for step 0; column[j] holds k - 1's row until replaced
                long double ratio = (long double)(k + 1) / (long double)(j + 1);
                for (int i = 0; i < n; ++i)
                    column[j][i] = column[j + 1][i] + (column[j + 1][i] - column[j][i]) / (ratio * ratio - 1.0L);
            }
        }
        for (int i = 0; i < n; ++i) y[i] = column[0][i];
    }
}

#endif
