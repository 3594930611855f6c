// SPDX-License-Identifier: BSD-3-Clause
// What a user may rely on while bodies come, go and move in memory: handles, groups, removal, re-sorting, and a run
// that stops by itself before it becomes nonsense.
#include <string.h>

#include "contact_view.h"
#include "dynamics/physics.h"

static const scr_vec3 STILL = {0.0, 0.0, 0.0};

// --- groups

static double height_after_fall(uint32_t group, uint32_t collides_with, uint32_t floor_group,
                                uint32_t floor_collides_with)
{
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    scr_shape plane = scr_plane(stone), ball = scr_sphere(0.05, stone);
    scr_body_def floor = scr_default_body_def(), body = scr_default_body_def();
    floor.kind = SCR_FIXED;
    floor.shapes = &plane;
    floor.shape_count = 1;
    floor.group = floor_group;
    floor.collides_with = floor_collides_with;
    body.position = vec3(0.0, 0.0, 0.1);
    body.shapes = &ball;
    body.shape_count = 1;
    body.group = group;
    body.collides_with = collides_with;
    add_body(world, &floor);
    scr_body handle = add_body(world, &body);
    step(world, 300);
    double z = state_of(world, handle).position.z;
    scr_world_destroy(world);
    return z;
}

static void bodies_touch_only_if_each_accepts_the_other(void **state)
{
    (void)state;
    const double rest = 0.05, tolerance = 1e-4;
    assert_within(height_after_fall(1, ~0u, 1, ~0u), rest, tolerance);
    assert_within(height_after_fall(2, 4, 4, 2), rest, tolerance);
    assert_at_most(height_after_fall(2, 4, 4, 1), -0.1);            // the floor does not accept group 2
    assert_at_most(height_after_fall(2, 1, 4, ~0u), -0.1);          // the ball does not accept group 4
    assert_within(height_after_fall(6, 1, 1, 4), rest, tolerance);  // one common bit is enough
}

// --- handles

static void a_stale_handle_is_refused_with_a_sentence(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    scr_body gone = add_sphere(world, stone, 0.1, STILL, STILL),
             stays = add_sphere(world, stone, 0.1, vec3(1.0, 0.0, 0.0), STILL);
    assert_ok(scr_world_remove_bodies(world, 1, &gone, &error));
    scr_body reborn = add_sphere(world, stone, 0.1, vec3(2.0, 0.0, 0.0), STILL);  // takes the free record

    scr_error error;
    scr_body_state now;
    scr_vec3 force, torque;
    assert_false(scr_body_is_alive(world, gone));
    assert_true(scr_body_is_alive(world, stays) && scr_body_is_alive(world, reborn));
    assert_int_equal(scr_body_get_state(world, gone, &now, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "stale"));
    assert_int_equal(scr_body_set_state(world, gone, &now, &error), SCR_BAD_INPUT);
    assert_int_equal(scr_body_apply_force(world, gone, STILL, STILL, &error), SCR_BAD_INPUT);
    assert_int_equal(scr_body_contact_force(world, gone, &force, &torque, &error), SCR_BAD_INPUT);
    assert_int_equal(scr_world_remove_bodies(world, 1, &gone, &error), SCR_BAD_INPUT);
    assert_int_equal(scr_body_get_state(world, (scr_body){0}, &now, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "null"));
    assert_true(scr_body_mass(world, gone) == 0.0);
    assert_within(state_of(world, reborn).position.x, 2.0, 0.0);
    assert_within(state_of(world, stays).position.x, 1.0, 0.0);

    // All or none: a list with one bad handle, or one twice, removes nobody.
    scr_body list[2] = {stays, gone}, twice[2] = {stays, stays};
    assert_int_equal(scr_world_remove_bodies(world, 2, list, &error), SCR_BAD_INPUT);
    assert_int_equal(scr_world_remove_bodies(world, 2, twice, &error), SCR_BAD_INPUT);
    assert_true(scr_body_is_alive(world, stays));
    scr_world_destroy(world);
}

static void a_force_on_a_body_that_is_removed_does_no_harm(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    scr_body gone = add_sphere(world, stone, 0.1, STILL, STILL),
             stays = add_sphere(world, stone, 0.1, vec3(1.0, 0.0, 0.0), STILL);
    apply_force(world, gone, vec3(1e3, 0.0, 0.0));
    assert_ok(scr_world_remove_bodies(world, 1, &gone, &error));
    step(world, 1);
    assert_within(state_of(world, stays).velocity.x, 0.0, 0.0);
    scr_world_destroy(world);
}

// Spheres added in bulk are the same bodies as those added one by one: same mass, same inertia.
static void spheres_in_bulk_are_spheres(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.gravity = STILL;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    const double radius = 0.07;
    const scr_vec3 at = {1.0, 0.0, 0.0}, push = {1.0, 2.0, 3.0};
    scr_body ball[2] = {add_sphere(world, stone, radius, STILL, STILL)};
    assert_ok(scr_world_add_spheres(world, 1, &at, &radius, NULL, stone, &ball[1], &error));
    double mass = scr_body_mass(world, ball[0]);
    for (int k = 0; k < 2; ++k) assert_ok(scr_body_apply_force(world, ball[k], push, push, &error));
    step(world, 1);
    for (int k = 0; k < 2; ++k) {
        assert_within3(state_of(world, ball[k]).velocity, vec3_scale(def.time_step / mass, push), 1e-15);
        assert_within3(state_of(world, ball[k]).spin, vec3_scale(def.time_step / (0.4 * mass * radius * radius), push),
                       1e-14);
    }
    scr_world_destroy(world);
}

// --- removal

// A tower loses a storey from its middle: the upper part falls, the lower does not notice.
static void removing_a_body_lets_what_it_carried_fall(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.solver.tolerance = 1e-3;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    scr_body storey[3], floor = add_floor(world, stone);
    const double half = 0.05;
    for (int k = 0; k < 3; ++k)
        storey[k] = add_box(world, stone, vec3(half, half, half), vec3(0.0, 0.0, (2 * k + 1) * half), STILL);
    step(world, 200);
    assert_ok(scr_world_remove_bodies(world, 1, &storey[1], &error));
    assert_int_equal(contact_count(world), 0);  // those of the last step are no longer valid
    step(world, 100);
    assert_near(state_of(world, storey[2]).position.z, 5.0 * half - 0.5 * GRAVITY * 0.01, 0.01);
    assert_within(state_of(world, storey[0]).position.z, half, 1e-5);
    step(world, 400);
    assert_within(state_of(world, storey[2]).position.z, 3.0 * half, 1e-4);
    assert_near(-contact_force_on(world, floor).z, 2.0 * GRAVITY * scr_body_mass(world, storey[0]), 0.001);
    scr_world_destroy(world);
}

// --- re-sorting

enum { CROWD = 600 };

static void check_view(const scr_world *world, const scr_body *body, const uint64_t *id)
{
    scr_body_view view = scr_world_bodies(world);
    assert_int_equal(view.count, CROWD);
    for (int64_t i = 0; i < view.count; ++i) {
        scr_body_state now = state_of(world, view.handle[i]);
        assert_true(now.position.x == view.x[i] && now.velocity.z == view.vz[i] && now.rotation.w == view.qw[i]);
        uint64_t k = view.id[i] - 1;
        assert_true(body[k].index1 == view.handle[i].index1 && id[k] == view.id[i]);
    }
}

// Grains in no order at all, each with a radius of its own, fly apart: after each re-sort every handle still leads to
// the grain it was given for. Free flight says where that is.
static void handles_follow_bodies_through_re_sorting(void **state)
{
    (void)state;
    static scr_vec3 at[CROWD], velocity[CROWD];
    static double radius[CROWD];
    static scr_body body[CROWD];
    static uint64_t id[CROWD];
    scr_world_def def = scr_default_world_def();
    def.gravity = STILL;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    for (int k = 0; k < CROWD; ++k) {
        int place = (k * 371) % CROWD;  // a permutation
        at[k] = vec3_scale(0.1, vec3(place % 9, place / 9 % 9, place / 81));
        velocity[k] = vec3_scale(2.0, vec3_sub(at[k], vec3(0.4, 0.4, 0.4)));  // Hubble's law: nobody meets anybody
        radius[k] = 0.01 + 1e-5 * k;
        id[k] = (uint64_t)k + 1;
    }
    assert_ok(scr_world_add_spheres(world, CROWD, at, radius, velocity, stone, body, &error));
    check_view(world, body, id);
    bool moved = false;
    for (int k = 0; k < 5; ++k) {
        step(world, 80);
        check_view(world, body, id);
        scr_body_view view = scr_world_bodies(world);
        for (int64_t i = 0; i < view.count; ++i) moved = moved || view.id[i] != (uint64_t)i + 1;
    }
    assert_true(moved);  // they were sorted
    for (int k = 0; k < CROWD; ++k) {
        assert_within3(state_of(world, body[k]).position, vec3_add_scaled(at[k], scr_world_time(world), velocity[k]),
                       1e-12);
        double mass = 2500.0 * 4.0 / 3.0 * 3.14159265358979323846 * radius[k] * radius[k] * radius[k];
        assert_near(scr_body_mass(world, body[k]), mass, 1e-12);
    }
    scr_world_destroy(world);
}

// The order in which bodies are made must not matter but for rounding: contacts, warm starts and allowances are carried
// over re-sorting. Two balls resting on a block do so from the first to the last step.
static void contacts_survive_re_sorting(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.solver.tolerance = 1e-3;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    const double radius = 0.03;
    scr_body ball[2] = {add_sphere(world, stone, radius, vec3(0.2, 0.0, 0.1 + radius), STILL),
                        add_sphere(world, stone, radius, vec3(-0.2, 0.0, 0.1 + radius), STILL)};
    add_sphere(world, stone, radius, vec3(5.0, 5.0, 100.0), STILL);
    scr_body block = add_box(world, stone, vec3(0.3, 0.2, 0.05), vec3(0.0, 0.0, 0.05), STILL),
             floor = add_floor(world, stone);
    step(world, 100);
    double weight = GRAVITY * (scr_body_mass(world, block) + 2.0 * scr_body_mass(world, ball[0]));
    for (int k = 0; k < 400; ++k) {
        step(world, 1);
        assert_near(-contact_force_on(world, floor).z, weight, 0.001);
        assert_near(contact_force_on(world, ball[0]).z, GRAVITY * scr_body_mass(world, ball[0]), 0.001);
    }
    scr_world_destroy(world);
}

// --- stopping

// A failed step leaves the world as it was, says which step and which body, and can be tried again.
static void check_stops(scr_world *world, const char *step_name, const char *body_name)
{
    uint64_t before = scr_world_hash(world);
    int64_t steps = scr_world_step_count(world);
    for (int attempt = 0; attempt < 2; ++attempt) {
        scr_error error = {0};
        assert_int_equal(scr_world_step(world, &error), SCR_DIVERGED);
        assert_int_equal(error.status, SCR_DIVERGED);
        if (strstr(error.message, step_name) == NULL || strstr(error.message, body_name) == NULL)
            fail_msg("\"%s\" does not name %s and %s", error.message, step_name, body_name);
        assert_true(scr_world_hash(world) == before);
        assert_int_equal(scr_world_step_count(world), steps);
    }
}

// A few bodies far apart, in no spatial order; the third is the one to go wrong.
static scr_world *scattered(scr_body body[4], scr_body *floor)
{
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    const scr_vec3 at[4] = {{3.0, 1.0, 1.0}, {0.0, 0.0, 0.1}, {-2.0, 3.0, 2.0}, {1.0, -1.0, 0.5}};
    for (int k = 0; k < 4; ++k) body[k] = add_sphere(world, stone, 0.1, at[k], STILL);
    *floor = add_floor(world, stone);
    return world;
}

static void a_body_faster_than_the_limit_stops_the_run(void **state)
{
    (void)state;
    scr_body body[4], floor;
    for (int steps = 0; steps <= 10; steps += 10) {  // in the first step, where bodies are sorted too, and later
        scr_world *world = scattered(body, &floor);
        step(world, steps);
        scr_body_state now = state_of(world, body[2]);
        now.velocity.x = 2e3;
        set_state(world, body[2], now);
        check_stops(world, steps == 0 ? "step 1," : "step 11,", "body 3 ");
        now.velocity.x = 10.0;  // mended, it goes on
        set_state(world, body[2], now);
        step(world, 1);
        scr_world_destroy(world);
    }
}

static void an_enormous_force_stops_the_run(void **state)
{
    (void)state;
    scr_body body[4], floor;
    scr_world *world = scattered(body, &floor);
    step(world, 3);
    apply_force(world, body[2], vec3(0.0, 1e308, 0.0));
    apply_force(world, body[2], vec3(0.0, 1e308, 0.0));
    check_stops(world, "step 4,", "body 3 ");
    scr_world_destroy(world);
}

static void an_endless_spin_stops_the_run(void **state)
{
    (void)state;
    scr_body body[4], floor;
    scr_world *world = scattered(body, &floor);
    scr_body_state now = state_of(world, body[2]);
    now.spin = vec3(1e200, 0.0, 0.0);
    set_state(world, body[2], now);
    check_stops(world, "step 1,", "body 3 ");
    scr_world_destroy(world);
}

// What is only unusual goes on: a push from rest without gravity, a spinning rod that kicks a ball, a fast paddle.
static void unusual_is_not_diverged(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.gravity = STILL;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    scr_body pushed = add_sphere(world, stone, 0.05, vec3(0.0, 5.0, 0.0), STILL);
    apply_force(world, pushed, vec3(100.0, 0.0, 0.0));
    step(world, 1);
    assert_at_most(1e-3, state_of(world, pushed).velocity.x);
    scr_world_destroy(world);

    for (int kinematic = 0; kinematic <= 1; ++kinematic) {
        world = make_world(&def);
        stone = add_material(world, 0.5, 0.0);
        scr_shape shape = scr_box(vec3(0.5, 0.02, 0.02), stone);
        scr_body_def rod = scr_default_body_def();
        rod.kind = kinematic ? SCR_KINEMATIC : SCR_DYNAMIC;
        rod.spin = vec3(0.0, 0.0, 20.0);
        rod.shapes = &shape;
        rod.shape_count = 1;
        add_body(world, &rod);
        scr_body ball = add_sphere(world, stone, 0.03, vec3(0.45, 0.1, 0.0), STILL);
        step(world, 200);
        assert_at_most(1.0, vec3_norm(state_of(world, ball).velocity));
        scr_world_destroy(world);
    }
}

// Bodies at one and the same place, a speck against a boulder: not pretty, but neither a crash nor nonsense.
static void absurd_setups_are_survived_or_stopped(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    add_floor(world, stone);
    for (int k = 0; k < 5; ++k) {
        add_sphere(world, stone, 0.1, vec3(0.0, 0.0, 0.1), STILL);
        add_box(world, stone, vec3(0.1, 0.1, 0.1), vec3(0.0, 0.0, 0.1), STILL);
    }
    add_sphere(world, stone, 1e-4, vec3(2.0, 0.0, 1e-4), STILL);
    add_sphere(world, stone, 1.0, vec3(2.0, 0.0, 1.0 + 2e-4), STILL);
    for (int k = 0; k < 300; ++k) {
        scr_error error;
        scr_status status = scr_world_step(world, &error);
        if (status == SCR_DIVERGED) break;
        assert_int_equal(status, SCR_OK);
    }
    scr_body_view view = scr_world_bodies(world);
    for (int64_t i = 0; i < view.count; ++i)
        assert_true(isfinite(view.x[i]) && isfinite(view.vz[i]) && isfinite(view.wx[i]) && isfinite(view.qw[i]));
    scr_world_destroy(world);
}

// --- definitions that are refused

static void wrong_definitions_name_the_field(void **state)
{
    (void)state;
    scr_error error;
    scr_world *none;
    scr_world_def def = scr_default_world_def();
    def.time_step = 0.0;
    assert_int_equal(scr_world_create(&def, &none, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "time_step"));
    assert_null(none);

    def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material_def material = scr_default_material_def();
    scr_material stone;
    material.restitution = 1.5;
    assert_int_equal(scr_world_add_material(world, &material, &stone, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "restitution"));
    stone = add_material(world, 0.5, 0.0);

    scr_shape plane = scr_plane(stone);
    scr_body_def body = scr_default_body_def();
    scr_body handle;
    body.shapes = &plane;
    body.shape_count = 1;
    assert_int_equal(scr_world_add_body(world, &body, &handle, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "plane"));
    assert_int_equal(scr_world_bodies(world).count, 0);

    const scr_vec3 at[2] = {{0.0, 0.0, 0.0}, {NAN, 0.0, 0.0}};
    const double radius[2] = {0.1, 0.1};
    assert_int_equal(scr_world_add_spheres(world, 2, at, radius, NULL, stone, NULL, &error), SCR_BAD_INPUT);
    assert_int_equal(scr_world_bodies(world).count, 0);
    scr_world_destroy(world);
}

// Two pairs of spheres that overlap by known shares of the smaller radius, and one that does not.
static void overlaps_are_shares_of_the_smaller_radius(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    const double small = 0.1, large = 0.2, gap[3] = {-0.02 * small, -0.05 * small, 0.01 * small};
    for (int k = 0; k < 3; ++k) {
        add_sphere(world, stone, large, vec3(k, 0.0, 0.0), STILL);
        add_sphere(world, stone, small, vec3(k, 0.0, small + large + gap[k]), STILL);
    }
    assert_within(scr_world_overlap(world).max, 0.0, 0.0);
    assert_ok(scr_world_find_contacts(world, &error));
    assert_int_equal(contact_count(world), 3);
    assert_near(scr_world_overlap(world).mean, 0.035, 1e-6);
    assert_near(scr_world_overlap(world).max, 0.05, 1e-6);
    scr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_touch_only_if_each_accepts_the_other),
        cmocka_unit_test(a_stale_handle_is_refused_with_a_sentence),
        cmocka_unit_test(a_force_on_a_body_that_is_removed_does_no_harm),
        cmocka_unit_test(spheres_in_bulk_are_spheres),
        cmocka_unit_test(removing_a_body_lets_what_it_carried_fall),
        cmocka_unit_test(handles_follow_bodies_through_re_sorting),
        cmocka_unit_test(contacts_survive_re_sorting),
        cmocka_unit_test(a_body_faster_than_the_limit_stops_the_run),
        cmocka_unit_test(an_enormous_force_stops_the_run),
        cmocka_unit_test(an_endless_spin_stops_the_run),
        cmocka_unit_test(unusual_is_not_diverged),
        cmocka_unit_test(absurd_setups_are_survived_or_stopped),
        cmocka_unit_test(wrong_definitions_name_the_field),
        cmocka_unit_test(overlaps_are_shares_of_the_smaller_radius),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
