// SPDX-License-Identifier: BSD-3-Clause
// What each kind of joint leaves and what it carries: bodies slide, turn and fall as the closed forms of what is left
// say.
#include "dynamics/mechanism.h"

static const double TIME_STEP = 1e-3, MASS = 1.7, T = 1.0;  // s, kg, s
enum { STEPS = 1000 };
static const scr_vec3 HALF = {0.1, 0.07, 0.05};  // m

// Joint axes stand askew: a_z is the joint's z.
static scr_quat askew(void) { return random_rotation(23); }
static scr_vec3 axis(int k) { return quat_rotate(askew(), vec3(k == 0, k == 1, k == 2)); }
static const scr_vec3 DOWN = {0.0, 0.0, -9.81};

// A body held at its centre of mass by one joint to the ground, with some motion.
typedef struct held {
    scr_world *world;
    scr_body body;
    scr_joint joint;
} held;

static held hold(scr_joint_kind kind, scr_vec3 velocity, scr_vec3 spin)
{
    held h = {.world = mechanism_world(TIME_STEP, DOWN)};
    h.body = add_part(h.world, scr_box(HALF, STEEL), MASS, STILL, askew());
    scr_joint_def def = scr_joint_at(kind, GROUND, h.body, STILL, axis(2));
    def.frame_a.rotation = def.frame_b.rotation = askew();
    h.joint = add_joint(h.world, &def);
    set_motion(h.world, h.body, velocity, spin);
    return h;
}

// x = v t + g t^2/2 along the free directions; the rest of the weight is carried.
static void check_slide(held h, scr_vec3 velocity, scr_vec3 pull)
{
    step(h.world, STEPS);
    scr_body_state now = state_of(h.world, h.body);
    assert_within3(now.position, vec3_add(vec3_scale(T, velocity), vec3_scale(0.5 * T * T, pull)), 1e-10);
    assert_within3(now.velocity, vec3_add_scaled(velocity, T, pull), 1e-10);
    assert_within3(joint_state(h.world, h.joint).force, vec3_scale(MASS, vec3_sub(pull, DOWN)), 1e-8);
    assert_at_most(joint_state(h.world, h.joint).gap, 1e-12);
    assert_at_most(joint_state(h.world, h.joint).tilt, 1e-10);
}

static scr_vec3 part_along(scr_vec3 v, scr_vec3 unit) { return vec3_scale(vec3_dot(v, unit), unit); }

static void a_prismatic_joint_leaves_sliding(void **state)
{
    (void)state;
    scr_vec3 v = vec3_scale(0.7, axis(2));
    held h = hold(SCR_JOINT_PRISMATIC, v, STILL);
    check_slide(h, v, part_along(DOWN, axis(2)));
    assert_near(joint_state(h.world, h.joint).along, 0.7 * T + 0.5 * T * T * vec3_dot(DOWN, axis(2)), 1e-10);
    scr_world_destroy(h.world);
}

static void a_cylindrical_joint_leaves_sliding_and_turning(void **state)
{
    (void)state;
    scr_vec3 v = vec3_scale(-0.4, axis(2)), spin = vec3_scale(9.0, axis(2));
    held h = hold(SCR_JOINT_CYLINDRICAL, v, spin);
    check_slide(h, v, part_along(DOWN, axis(2)));
    assert_near(joint_state(h.world, h.joint).about, 9.0 * T, 1e-10);
    assert_within3(state_of(h.world, h.body).spin, spin, 1e-10);
    scr_world_destroy(h.world);
}

static void a_planar_joint_leaves_a_plane(void **state)
{
    (void)state;
    scr_vec3 v = vec3_add(vec3_scale(1.3, axis(0)), vec3_scale(-0.6, axis(1))), spin = vec3_scale(-5.0, axis(2));
    held h = hold(SCR_JOINT_PLANAR, v, spin);
    check_slide(h, v, vec3_sub(DOWN, part_along(DOWN, axis(2))));
    assert_near(joint_state(h.world, h.joint).about, -5.0 * T, 1e-10);
    scr_world_destroy(h.world);
}

// Any turning is left: the body turns as a free one does.
static void check_turns_freely(held h, scr_vec3 spin)
{
    scr_world *free_world = mechanism_world(TIME_STEP, STILL);
    scr_body free_body = add_part(free_world, scr_box(HALF, STEEL), MASS, STILL, askew());
    set_motion(free_world, free_body, STILL, spin);
    step(free_world, STEPS);
    scr_quat apart = quat_mul(quat_conj(state_of(free_world, free_body).rotation), state_of(h.world, h.body).rotation);
    assert_within(sqrt(apart.x * apart.x + apart.y * apart.y + apart.z * apart.z), 0.0, 1e-4);
    scr_world_destroy(free_world);
}

static void a_point_on_a_line_slides_and_turns_freely(void **state)
{
    (void)state;
    scr_vec3 v = vec3_scale(0.5, axis(2)), spin = vec3(3.0, -2.0, 4.0);
    held h = hold(SCR_JOINT_POINT_ON_LINE, v, spin);
    scr_vec3 angular_impulse = scr_world_angular_momentum(h.world);
    check_slide(h, v, part_along(DOWN, axis(2)));
    assert_within3(scr_world_angular_momentum(h.world), angular_impulse, 1e-12 * vec3_norm(angular_impulse) + 1e-12);
    check_turns_freely(h, spin);
    scr_world_destroy(h.world);
}

static void a_point_on_a_plane_falls_along_it_and_turns_freely(void **state)
{
    (void)state;
    scr_vec3 v = vec3_add(vec3_scale(0.7, axis(0)), vec3_scale(-0.2, axis(1))), spin = vec3(-1.0, 5.0, 2.0);
    held h = hold(SCR_JOINT_POINT_ON_PLANE, v, spin);
    check_slide(h, v, vec3_sub(DOWN, part_along(DOWN, axis(2))));
    check_turns_freely(h, spin);
    scr_world_destroy(h.world);
}

// A cantilever of two bodies, welded off their centres: force and moment at both welds.
static void a_fixed_joint_carries_force_and_moment(void **state)
{
    (void)state;
    scr_world *world = mechanism_world(TIME_STEP, DOWN);
    scr_body inner = add_part(world, scr_box(HALF, STEEL), MASS, vec3(0.3, 0.0, 0.0), askew());
    scr_body outer = add_part(world, scr_box(HALF, STEEL), 2.0 * MASS, vec3(0.8, 0.2, 0.0), random_rotation(3));
    scr_joint wall = join(world, SCR_JOINT_FIXED, GROUND, inner, STILL, vec3(1.0, 1.0, 1.0));
    scr_joint weld = join(world, SCR_JOINT_FIXED, inner, outer, vec3(0.5, 0.0, 0.0), axis(1));
    step(world, STEPS);
    double w = MASS * GRAVITY;
    assert_within3(joint_state(world, wall).force, vec3(0.0, 0.0, 3.0 * w), 1e-8);
    assert_within3(joint_state(world, wall).torque, vec3(2.0 * w * 0.2, -(w * 0.3 + 2.0 * w * 0.8), 0.0), 1e-8);
    assert_within3(joint_state(world, weld).force, vec3(0.0, 0.0, 2.0 * w), 1e-8);
    assert_within3(joint_state(world, weld).torque, vec3(2.0 * w * 0.2, -2.0 * w * 0.3, 0.0), 1e-8);
    assert_within3(state_of(world, outer).position, vec3(0.8, 0.2, 0.0), 1e-12);
    scr_world_destroy(world);
}

// Cardan's joint between shafts at an angle b: tan(out) = tan(in)/cos b, and
//     out'/in' = cos b / (1 - sin^2 b cos^2 in)
static void a_universal_joint_turns_unevenly(void **state)
{
    (void)state;
    const double angle = 0.6, speed = 11.0;
    scr_world *world = mechanism_world(TIME_STEP, STILL);
    scr_vec3 in_axis = vec3(0.0, 0.0, 1.0), out_axis = vec3(sin(angle), 0.0, cos(angle));
    scr_body in = add_part(world, scr_cylinder(0.05, 0.1, STEEL), 1.0, vec3(0.0, 0.0, -0.2), QUAT_IDENTITY);
    scr_body out = add_part(world, scr_cylinder(0.05, 0.1, STEEL), 1.0, vec3_scale(0.2, out_axis),
                            turned(vec3(0.0, 1.0, 0.0), angle));
    scr_joint drive = join(world, SCR_JOINT_REVOLUTE, GROUND, in, vec3(0.0, 0.0, -0.2), in_axis);
    scr_joint driven = join(world, SCR_JOINT_REVOLUTE, GROUND, out, vec3_scale(0.2, out_axis), out_axis);
    scr_joint_def def = scr_joint_at(SCR_JOINT_UNIVERSAL, in, out, STILL, in_axis);
    def.frame_a.rotation = QUAT_IDENTITY;
    def.frame_b.rotation = turned(vec3(0.0, 1.0, 0.0), angle);
    add_joint(world, &def);
    set_motion(world, in, STILL, vec3_scale(speed, in_axis));
    set_motion(world, out, STILL, vec3_scale(speed / cos(angle), out_axis));
    set_motor(world, drive, SCR_DRIVE_SPEED, constantly(speed));
    for (int n = 1; n <= STEPS; ++n) {
        step(world, 1);
        double turned_by = speed * TIME_STEP * n, s = sin(angle) * cos(turned_by);
        double expected = atan2(sin(turned_by), cos(angle) * cos(turned_by));
        scr_joint_state now = joint_state(world, driven);
        double apart = now.about - expected;
        assert_within(apart - 2.0 * PI * round(apart / (2.0 * PI)), 0.0, 1e-9);
        assert_near(now.about_rate, speed * cos(angle) / (1.0 - s * s), 1e-8);
    }
    assert_near(joint_state(world, driven).about, speed * T, 0.1);  // it counts its turns
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prismatic_joint_leaves_sliding),
        cmocka_unit_test(a_cylindrical_joint_leaves_sliding_and_turning),
        cmocka_unit_test(a_planar_joint_leaves_a_plane),
        cmocka_unit_test(a_point_on_a_line_slides_and_turns_freely),
        cmocka_unit_test(a_point_on_a_plane_falls_along_it_and_turns_freely),
        cmocka_unit_test(a_fixed_joint_carries_force_and_moment),
        cmocka_unit_test(a_universal_joint_turns_unevenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
