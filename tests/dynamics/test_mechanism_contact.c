// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms that touch the ground: a table on its legs, a sprung cart that rolls down a slope, and a heavy body that
// stands on a ring of light shoes on grains lighter still.
#include "dynamics/ring.h"

// A table top of 20 kg on four legs of 1 kg with round feet, welded on or sliding on springs.
enum { LEGS = 4 };
static const double TOP = 20.0, LEG = 1.0, FOOT = 0.03, REACH = 0.4, HEIGHT = 0.5;  // kg, m
typedef struct stand {
    scr_world *world;
    scr_body top, leg[LEGS];
    scr_joint joint[LEGS];
} stand;

static stand make_stand(double stiffness)
{
    scr_world_def def = scr_default_world_def();
    def.solver.tolerance = 1e-4;
    stand s = {.world = make_world(&def)};
    scr_material wood = add_material(s.world, 0.6, 0.0);
    add_floor(s.world, wood);
    scr_shape board = scr_box(vec3(0.5, 0.5, 0.02), wood), foot = scr_sphere(FOOT, wood);
    scr_body_def top = scr_default_body_def(), leg = top;
    top.position = vec3(0.0, 0.0, HEIGHT);
    top.shapes = &board;
    top.mass = TOP;
    leg.shapes = &foot;
    leg.mass = LEG;
    top.shape_count = leg.shape_count = 1;
    s.top = add_body(s.world, &top);
    for (int k = 0; k < LEGS; ++k) {
        leg.position = vec3(k % 2 == 0 ? REACH : -REACH, k < 2 ? REACH : -REACH, FOOT);
        s.leg[k] = add_body(s.world, &leg);
        s.joint[k] = join(s.world, stiffness > 0.0 ? SCR_JOINT_PRISMATIC : SCR_JOINT_FIXED, s.top, s.leg[k],
                          leg.position, vec3(0.0, 0.0, 1.0));
        if (stiffness == 0.0) continue;
        scr_spring_def spring = scr_default_spring_def();
        spring.joint = s.joint[k];
        spring.stiffness = stiffness;
        spring.damping = 2.0 * 0.5 * sqrt(stiffness * 0.25 * TOP);
        add_spring(s.world, &spring);
    }
    return s;
}

static void a_table_stands_on_its_four_legs(void **state)
{
    (void)state;
    stand s = make_stand(0.0);
    step(s.world, 1000);
    double z = state_of(s.world, s.top).position.z, sum = 0.0;
    for (int k = 0; k < LEGS; ++k) {
        sum += contact_force_on(s.world, s.leg[k]).z;
        assert_near(contact_force_on(s.world, s.leg[k]).z, (0.25 * TOP + LEG) * GRAVITY, 1e-2);
        assert_near(joint_state(s.world, s.joint[k]).force.z, -0.25 * TOP * GRAVITY, 1e-2);
        assert_at_most(joint_state(s.world, s.joint[k]).gap, 1e-6 * HEIGHT);
    }
    assert_near(sum, (TOP + LEGS * LEG) * GRAVITY, 1e-3);
    step(s.world, 1000);
    assert_within(state_of(s.world, s.top).position.z, z, 1e-7);
    scr_world_destroy(s.world);
}

static void a_sprung_table_sinks_by_its_weight_over_its_springs(void **state)
{
    (void)state;
    const double stiffness = 2e3;
    stand s = make_stand(stiffness);
    step(s.world, 3000);
    for (int k = 0; k < LEGS; ++k) {
        assert_near(joint_state(s.world, s.joint[k]).along, 0.25 * TOP * GRAVITY / stiffness, 1e-3);
        assert_near(contact_force_on(s.world, s.leg[k]).z, (0.25 * TOP + LEG) * GRAVITY, 1e-3);
    }
    scr_world_destroy(s.world);
}

// Four wheels that roll without slipping, down a slope, pushed by motors in their hubs:
//     a = (g sin(slope) M + 4 t/r) / (M + 4 i/r^2), M the mass of all, t the torque of a motor
static double rolling_speed(scr_contact_law law, scr_shape_kind shape, double slope, double torque, double time_step,
                            double time, double *expected)
{
    const double radius = 0.1, frame_mass = 12.0, wheel_mass = 1.5;
    scr_world_def def = scr_default_world_def();
    def.contact.law = law;
    def.time_step = time_step;
    def.gravity = vec3(GRAVITY * sin(slope), 0.0, -GRAVITY * cos(slope));
    scr_world *world = make_world(&def);
    scr_material_def rubber_def = scr_default_material_def();
    rubber_def.young = law == SCR_PENALTY ? 1e8 : 1e9;  // stiff: where it sinks in, a wheel is smaller
    rubber_def.friction = 0.9;
    rubber_def.restitution = 0.2;
    scr_material rubber;
    assert_ok(scr_world_add_material(world, &rubber_def, &rubber, &error));
    add_floor(world, rubber);
    scr_body_def frame = scr_default_body_def(), wheel = frame;
    scr_shape box = scr_box(vec3(0.4, 0.15, 0.04), rubber);
    scr_shape round = shape == SCR_SPHERE ? scr_sphere(radius, rubber) : scr_cylinder(radius, 0.03, rubber);
    if (shape == SCR_CYLINDER) round.rotation = turned(vec3(1.0, 0.0, 0.0), 0.5 * PI);
    frame.shapes = &box;
    wheel.shapes = &round;
    frame.shape_count = wheel.shape_count = 1;
    frame.position = vec3(0.0, 0.0, radius + 0.05);
    frame.mass = frame_mass;
    wheel.mass = wheel_mass;
    scr_body body = add_body(world, &frame);
    for (int k = 0; k < 4; ++k) {
        wheel.position = vec3(k % 2 == 0 ? 0.3 : -0.3, k < 2 ? 0.3 : -0.3, radius);
        scr_joint hub =
            join(world, SCR_JOINT_REVOLUTE, body, add_body(world, &wheel), wheel.position, vec3(0.0, 1.0, 0.0));
        set_motor(world, hub, SCR_DRIVE_FORCE, constantly(torque));
    }
    step(world, (int)lround(time / time_step));
    double all = frame_mass + 4.0 * wheel_mass, speed = state_of(world, body).velocity.x;
    *expected = (GRAVITY * sin(slope) * all + 4.0 * torque / radius) /
                (all + 4.0 * wheel_mass * (shape == SCR_SPHERE ? 0.4 : 0.5)) * time;
    assert_within(state_of(world, body).velocity.y, 0.0, 1e-3 * speed);
    scr_world_destroy(world);
    return speed;
}

static void check_cart(scr_contact_law law, double slope, double torque, double time_step, double time)
{
    for (int k = 0; k < 2; ++k) {
        double expected,
            speed = rolling_speed(law, k == 0 ? SCR_SPHERE : SCR_CYLINDER, slope, torque, time_step, time, &expected);
        print_message("cart on %s: %.5f m/s, %.5f expected\n", k == 0 ? "balls" : "cylinders", speed, expected);
        assert_near(speed, expected, 2e-3);
    }
}

static void a_cart_rolls_down_a_slope(void **state)
{
    (void)state;
    check_cart(SCR_COMPLIANT, 0.15, 0.0, 1e-3, 1.0);
}
static void a_cart_rolls_down_a_slope_under_the_penalty_law(void **state)
{
    (void)state;
    check_cart(SCR_PENALTY, 0.15, 0.0, 2e-5, 0.2);
}

static void motors_drive_a_cart_uphill(void **state)
{
    (void)state;
    check_cart(SCR_COMPLIANT, -0.1, 1.0, 1e-3, 1.0);
    check_cart(SCR_PENALTY, -0.1, 1.0, 2e-5, 0.2);
}

static void a_heavy_body_stands_on_a_ring_of_light_shoes(void **state)
{
    (void)state;
    only_if_long();
    enum { SETTLE = 200, WATCH = 100 };
    const double length = 0.7;  // m
    scr_world_def def = scr_default_world_def();
    def.contact.damping = 3.0 * def.time_step;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.6, 0.0), smooth = add_material(world, 0.0, 0.0);
    int grains = add_bed(world, stone, smooth, length, 2);
    ring r = add_ring(world, stone, vec3(0.5 * length, 0.5 * BED_WIDTH, BED_LAYER + 2.0 * GRAIN + SHOE_HALF_HEIGHT));
    step(world, SETTLE);
    scr_body_state before = state_of(world, r.body);
    double weight = (BODY_MASS + RING_SHOES * SHOE_MASS) * GRAVITY, mean = 0.0, low = INFINITY, high = 0.0, gap = 0.0,
           fastest = 0.0;
    for (int n = 0; n < WATCH; ++n) {
        step(world, 1);
        assert_true(scr_world_report(world).is_solved);
        double carried = contact_force_on(world, r.body).z;  // what body and shoes do to each other adds up to nothing
        for (int k = 0; k < RING_SHOES; ++k) carried += contact_force_on(world, r.shoe[k]).z;
        mean += carried / WATCH;
        low = fmin(low, carried);
        high = fmax(high, carried);
        fastest = fmax(fastest, vec3_norm(state_of(world, r.body).velocity));
        for (int k = 0; k < RING_SHOES && n % 20 == 0; ++k) gap = fmax(gap, joint_state(world, r.hinge[k]).gap);
    }
    scr_vec3 moved = vec3_sub(state_of(world, r.body).position, before.position);
    print_message("%d grains carry %.5f of the weight on average, %.5f to %.5f in any step; the body moves by %.1e m "
                  "in %.1f s, at "
                  "%.1e m/s at most; gaps %.1e of a shoe\n",
                  grains, mean / weight, low / weight, high / weight, vec3_norm(moved), WATCH * def.time_step, fastest,
                  gap / SHOE_PITCH);
    assert_near(mean, weight, 1e-2);
    assert_near(low, weight, 1e-2);
    assert_near(high, weight, 1e-2);
    assert_at_most(vec3_norm(moved), 1e-4);
    assert_at_most(gap, 1e-6 * SHOE_PITCH);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_stands_on_its_four_legs),
        cmocka_unit_test(a_sprung_table_sinks_by_its_weight_over_its_springs),
        cmocka_unit_test(a_cart_rolls_down_a_slope),
        cmocka_unit_test(a_cart_rolls_down_a_slope_under_the_penalty_law),
        cmocka_unit_test(motors_drive_a_cart_uphill),
        cmocka_unit_test(a_heavy_body_stands_on_a_ring_of_light_shoes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
