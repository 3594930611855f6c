// SPDX-License-Identifier: BSD-3-Clause
// Surfaces that convey, under every contact law: what lies on a belt is pulled along with mu g until it moves with it.
#include "copied_world.h"

typedef struct law_choice {
    scr_contact_law law;
    scr_friction_law friction;
    double time_step;  // s
} law_choice;

static const law_choice LAWS[] = {
    {SCR_COMPLIANT, SCR_FRICTION_CONVEX, 1e-3},
    {SCR_COMPLIANT, SCR_FRICTION_COULOMB, 1e-3},
    {SCR_RIGID, SCR_FRICTION_CONVEX, 1e-3},
    {SCR_PENALTY, SCR_FRICTION_CONVEX, 2e-5},
};
enum { LAW_COUNT = sizeof LAWS / sizeof *LAWS };

static const double MU = 0.4, BELT = 1.0;  // m/s

static scr_world *world_of(const law_choice *law, scr_material *stone)
{
    scr_world_def def = scr_default_world_def();
    def.contact.law = law->law;
    def.contact.friction = law->friction;
    def.time_step = law->time_step;
    def.solver.tolerance = 1e-6;
    scr_world *world = make_world(&def);
    scr_material_def material = scr_default_material_def();
    material.friction = MU;
    material.young = 1e7;
    assert_ok(scr_world_add_material(world, &material, stone, &error));
    return world;
}

// A long belt along x of its own frame, turned about z.
static scr_body add_belt(scr_world *world, scr_shape shape, double top, double angle)
{
    scr_body_def def = scr_default_body_def();
    def.kind = SCR_FIXED;
    def.position = vec3(0.0, 0.0, top);
    def.rotation = (scr_quat){cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    def.shapes = &shape;
    def.shape_count = 1;
    def.surface_velocity = vec3(BELT, 0.0, 0.0);
    return add_body(world, &def);
}

static void run_until(scr_world *world, double t)
{
    while (scr_world_time(world) < t - 0.5 * scr_world_time_step(world)) step(world, 1);
}

static void a_box_is_pulled_with_mu_g_and_then_moves_with_the_belt(void **state)
{
    (void)state;
    const double t1 = BELT / (MU * GRAVITY), angle = 0.5;  // s, rad
    const scr_vec3 along = vec3(cos(angle), sin(angle), 0.0);
    for (int k = 0; k < LAW_COUNT; ++k) {
        scr_material stone;
        scr_world *world = world_of(&LAWS[k], &stone);
        add_belt(world, scr_box(vec3(5.0, 0.5, 0.05), stone), -0.05, angle);
        scr_body box = add_box(world, stone, vec3(0.1, 0.1, 0.02), vec3(0.0, 0.0, 0.02), vec3(0.0, 0.0, 0.0));
        run_until(world, 0.5 * t1);
        assert_within3(state_of(world, box).velocity, vec3_scale(0.5 * BELT, along), 0.01 * BELT);
        run_until(world, 2.0 * t1);
        assert_within3(state_of(world, box).velocity, vec3_scale(BELT, along), 0.002 * BELT);
        scr_vec3 at = state_of(world, box).position, expected = vec3_scale(1.5 * BELT * t1, along);
        assert_within(at.x, expected.x, 0.01 * BELT * t1);
        assert_within(at.y, expected.y, 0.01 * BELT * t1);
        scr_world_destroy(world);
    }
}

// Friction acts at the lower end alone: m v r = 2/5 m r^2 w, and v + r w is the belt's velocity in the end.
static void a_ball_rolls_off_with_two_sevenths_of_the_speed(void **state)
{
    (void)state;
    for (int k = 0; k < LAW_COUNT; ++k) {
        scr_material stone;
        scr_world *world = world_of(&LAWS[k], &stone);
        add_belt(world, scr_plane(stone), 0.0, 0.0);
        scr_body ball = add_sphere(world, stone, 0.05, vec3(0.0, 0.0, 0.05), vec3(0.0, 0.0, 0.0));
        run_until(world, 0.3);
        scr_body_state now = state_of(world, ball);
        assert_near(now.velocity.x, 2.0 / 7.0 * BELT, 0.02);  // the lever is not quite r: a gap or an overlap of 1 %
        assert_near(now.spin.y, -5.0 / 7.0 * BELT / 0.05, 0.02);
        scr_world_destroy(world);
    }
}

// So many grains are in a bed, which looks after planes itself: a belt is none of those.
static void grains_of_a_bed_are_conveyed_too(void **state)
{
    (void)state;
    enum { GRAINS = 700 };
    scr_material stone;
    scr_world *world = world_of(&LAWS[LAW_COUNT - 1], &stone);
    scr_body belt = add_belt(world, scr_plane(stone), 0.0, 0.0);
    scr_body grain[GRAINS];
    for (int k = 0; k < GRAINS; ++k)
        grain[k] = add_sphere(world, stone, 0.05, vec3(0.2 * (k % 30), 0.2 * (k / 30), 0.05), vec3(0.0, 0.0, 0.0));
    run_until(world, 0.15);
    for (int k = 0; k < GRAINS; k += 50)
        assert_within(state_of(world, grain[k]).velocity.x, 2.0 / 7.0 * BELT, 0.003 * BELT);
    assert_ok(scr_body_set_surface_velocity(world, belt, vec3(0.0, 0.0, 0.0), &error));
    run_until(world, 0.3);  // now they slide, then roll on: 2/7 + 5/7 of what they had of rolling backwards
    for (int k = 0; k < GRAINS; k += 50) assert_within(state_of(world, grain[k]).velocity.x, 0.0, 0.003 * BELT);
    scr_world_destroy(world);
}

static void only_the_tangential_part_counts(void **state)
{
    (void)state;
    for (int k = 0; k < LAW_COUNT; ++k) {
        scr_material stone;
        scr_world *world = world_of(&LAWS[k], &stone);
        scr_body floor_body = add_floor(world, stone);
        scr_body ball = add_sphere(world, stone, 0.05, vec3(0.0, 0.0, 0.05), vec3(0.0, 0.0, 0.0));
        assert_ok(scr_body_set_surface_velocity(world, floor_body, vec3(0.0, 0.0, 3.0), &error));
        run_until(world, 0.1);
        assert_within3(state_of(world, ball).velocity, vec3(0.0, 0.0, 0.0), 1e-3);
        scr_world_destroy(world);
    }
}

static void it_is_state_and_goes_with_its_body(void **state)
{
    (void)state;
    scr_material stone;
    scr_world *world = world_of(&LAWS[0], &stone), *other = world_of(&LAWS[0], &stone);
    scr_body belt = add_belt(world, scr_plane(stone), 0.0, 0.0), same = add_belt(other, scr_plane(stone), 0.0, 0.0);
    add_sphere(world, stone, 0.05, vec3(0.0, 0.0, 0.05), vec3(0.0, 0.0, 0.0));
    add_sphere(other, stone, 0.05, vec3(0.0, 0.0, 0.05), vec3(0.0, 0.0, 0.0));
    assert_true(scr_world_hash(world) == scr_world_hash(other));
    assert_ok(scr_body_set_surface_velocity(other, same, vec3(BELT + 1e-9, 0.0, 0.0), &error));
    assert_true(scr_world_hash(world) != scr_world_hash(other));
    step(world, 20);
    scr_world_def def = scr_default_world_def();
    def.contact.law = LAWS[0].law;
    def.solver.tolerance = 1e-6;
    scr_world *loaded = resumed(world, &def);
    assert_within3(scr_body_surface_velocity(loaded, belt), vec3(BELT, 0.0, 0.0), 0.0);
    step(world, 20), step(loaded, 20);
    assert_true(scr_world_hash(world) == scr_world_hash(loaded));
    assert_ok(scr_world_remove_bodies(world, 1, &belt, &error));
    assert_within3(scr_body_surface_velocity(world, belt), vec3(0.0, 0.0, 0.0), 0.0);
    const scr_vec3 above = vec3(0.0, 0.0, 1.0);
    const double radius = 0.05;  // m
    scr_body next;               // it takes the record of the body that is gone
    assert_ok(scr_world_add_spheres(world, 1, &above, &radius, NULL, stone, &next, &error));
    assert_int_equal(next.index1, belt.index1);
    assert_within3(scr_body_surface_velocity(world, next), vec3(0.0, 0.0, 0.0), 0.0);
    assert_int_equal(scr_body_set_surface_velocity(world, next, vec3(NAN, 0.0, 0.0), NULL), SCR_BAD_INPUT);
    scr_world_destroy(world);
    scr_world_destroy(other);
    scr_world_destroy(loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_pulled_with_mu_g_and_then_moves_with_the_belt),
        cmocka_unit_test(a_ball_rolls_off_with_two_sevenths_of_the_speed),
        cmocka_unit_test(grains_of_a_bed_are_conveyed_too),
        cmocka_unit_test(only_the_tangential_part_counts),
        cmocka_unit_test(it_is_state_and_goes_with_its_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
