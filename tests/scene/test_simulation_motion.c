// SPDX-License-Identifier: BSD-3-Clause
// Bodies that move by formulae are where the formulae say; gravity follows its own; bodies go when their time has come.
#include "core/maths/quat.h"
#include "make_scene.h"

static scene_body *add_paddle(test_scene *t, scr_vec3 position)
{
    scene_body *body = add_body(t, "paddle", SCR_KINEMATIC, scr_box(vec3(0.3, 0.1, 0.02), (scr_material){1}), position);
    body->has_motion = true;
    body->motion.axis = vec3(0, 0, 1);
    return body;
}

static scr_body_state paddle_state(simulation *sim)
{
    scr_body_view bodies = scr_world_bodies(simulation_world(sim));
    scr_body_state state;
    assert_int_equal(scr_body_get_state(simulation_world(sim), bodies.handle[0], &state, NULL), SCR_OK);
    return state;
}

static void a_position_is_reached_exactly_at_every_step(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_body *body = add_paddle(&t, vec3(9, 9, 9));  // where the formula says otherwise, the formula holds
    body->motion.has_position = true;
    body->motion.position = formulae(&t, "0.3 * sin(7 * t)", "0.1 * t ^ 2", "1");
    simulation *sim = created(&t.s, 1);
    double h = t.s.world.time_step;
    scr_vec3 before = paddle_state(sim).position;
    assert_true(before.x == 0.0 && before.y == 0.0 && before.z == 1.0);
    for (int n = 1; n <= 2000; ++n) {
        advance_steps(sim, 1);
        double time = n * h;
        scr_body_state now = paddle_state(sim);
        assert_true(now.position.x == time_function_at(&body->motion.position.x, time));
        assert_true(now.position.y == time_function_at(&body->motion.position.y, time));
        assert_true(now.position.z == 1.0);
        assert_within(now.velocity.x, (now.position.x - before.x) / h, 1e-12);
        before = now.position;
    }
    simulation_destroy(sim);
    scene_end(&t);
}

// A box whose centre is half a metre off the frame's origin turns about that origin.
static void an_angle_turns_the_body_about_its_frames_origin(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_body *body = add_paddle(&t, vec3(1, 2, 3));
    t.shapes[0].position = vec3(0.5, 0, 0);
    body->motion.has_angle = true;
    body->motion.angle = formula(&t, "0.5 + 3 * t");
    simulation *sim = created(&t.s, 1);
    for (int n = 0; n <= 1000; ++n) {
        double angle = 0.5 + 3.0 * n * t.s.world.time_step;
        scr_placed_shape box = scr_world_shape(simulation_world(sim), 0);
        assert_within(box.position.x, 1 + 0.5 * cos(angle), 1e-14);
        assert_within(box.position.y, 2 + 0.5 * sin(angle), 1e-14);
        assert_within(box.position.z, 3, 1e-15);
        scr_vec3 along = quat_rotate(box.rotation, vec3(1, 0, 0));
        assert_within(fabs(along.x * cos(angle) + along.y * sin(angle)), 1.0, 1e-14);
        if (n > 0) assert_within(paddle_state(sim).spin.z, 3.0, 1e-10);
        advance_steps(sim, 1);
    }
    simulation_destroy(sim);
    scene_end(&t);
}

// v = a t gives x = a t^2 / 2, without error by the midpoint rule; spin likewise.
static void velocity_and_spin_are_summed_by_the_midpoint_rule(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_body *body = add_paddle(&t, vec3(1, 0, 0));
    body->motion.has_velocity = body->motion.has_spin = true;
    body->motion.velocity = formulae(&t, "4 * t", "0", "-1");
    body->motion.spin = formula(&t, "20 * t");
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 3000);
    scr_body_state now = paddle_state(sim);
    assert_near(now.position.x, 1 + 2 * 9.0, 1e-12);
    assert_near(now.position.z, -3.0, 1e-12);
    double angle = 10.0 * 9.0;  // fourteen turns
    scr_vec3 along = quat_rotate(now.rotation, vec3(1, 0, 0));
    assert_within(along.x, cos(angle), 1e-10);
    assert_within(along.y, sin(angle), 1e-10);
    simulation_destroy(sim);
    scene_end(&t);
}

// Where the motion says nothing of translation or of turning, the body keeps the velocity or the spin it has.
static void a_motion_leaves_the_rest_to_the_body(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_body *body = add_paddle(&t, vec3(0, 0, 0));
    body->motion.has_spin = true;
    body->motion.spin = formula(&t, "1");
    body->def.velocity = vec3(0.5, 0, -2);
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 1000);
    scr_body_state now = paddle_state(sim);
    assert_near(now.position.x, 0.5, 1e-12);
    assert_near(now.position.z, -2.0, 1e-12);
    assert_near(quat_rotate(now.rotation, vec3(1, 0, 0)).y, sin(1.0), 1e-12);
    simulation_destroy(sim);

    body->motion = (scene_motion){.has_position = true, .position = formulae(&t, "t", "0", "0")};
    body->def.velocity = vec3(0, 0, 0);
    body->def.spin = vec3(0, 3, 0);
    sim = created(&t.s, 1);
    advance_steps(sim, 1000);
    now = paddle_state(sim);
    assert_near(now.position.x, 1.0, 0.0);
    assert_near(now.spin.y, 3.0, 1e-12);
    assert_near(quat_rotate(now.rotation, vec3(1, 0, 0)).z, -sin(3.0), 1e-10);
    simulation_destroy(sim);
    scene_end(&t);
}

// A box that turns in place for many turns stays in place to the last bit.
static void a_spinning_body_does_not_wander(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_body *body = add_paddle(&t, vec3(0.1, 0.2, 0.3));
    body->motion.has_spin = true;
    body->motion.axis = vec3_unit(vec3(1, 1, 1));
    body->motion.spin = formula(&t, "100");
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 20000);
    scr_vec3 p = paddle_state(sim).position;
    assert_true(p.x == 0.1 && p.y == 0.2 && p.z == 0.3);
    simulation_destroy(sim);
    scene_end(&t);
}

// A ball resting on a table that moves up at constant speed is carried along.
static void a_moving_body_carries_others(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_body *body = add_paddle(&t, vec3(0, 0, 0));
    body->motion.has_position = true;
    body->motion.position = formulae(&t, "0", "0", "0.2 * t");
    add_ball(&t, "ball", 0.05, vec3(0, 0, 0.07));
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 1000);
    int64_t i = entry_of(sim, 2);
    scr_body_view bodies = scr_world_bodies(simulation_world(sim));
    assert_within(bodies.z[i], 0.07 + 0.2, 1e-4);
    assert_within(bodies.vz[i], 0.2, 1e-3);
    simulation_destroy(sim);
    scene_end(&t);
}

// Semi-implicit Euler with g at the end of the step: v_n = h sum g(k h), here g = -10 t.
static void gravity_is_taken_at_the_end_of_the_step(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    t.s.gravity = formulae(&t, "0", "0", "-10 * t");
    add_ball(&t, "ball", 0.05, vec3(0, 0, 0));
    simulation *sim = created(&t.s, 1);
    const int n = 500;
    advance_steps(sim, n);
    double h = t.s.world.time_step;
    assert_near(scr_world_bodies(simulation_world(sim)).vz[0], -10.0 * h * h * 0.5 * n * (n + 1), 1e-12);
    simulation_destroy(sim);
    scene_end(&t);
}

static void formulae_that_give_no_number_stop_the_run(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_body *body = add_paddle(&t, vec3(0, 0, 0));
    body->motion.has_position = true;
    body->motion.position = formulae(&t, "sqrt(0.0105 - t)", "0", "0");
    simulation *sim = created(&t.s, 1);
    scr_error error;
    advance_steps(sim, 10);
    uint64_t hash = simulation_hash(sim);
    assert_int_equal(simulation_step(sim, &error), SCR_DIVERGED);
    assert_string_equal(error.message, "scene.json:10:5: the motion of body 'paddle' gives no number at t = 0.011 s");
    assert_true(simulation_hash(sim) == hash);
    simulation_destroy(sim);

    body->motion.position = formulae(&t, "0", "0", "0");
    t.s.gravity = formulae(&t, "0", "0", "sqrt(0.0105 - t)");
    sim = created(&t.s, 1);
    advance_steps(sim, 10);
    assert_int_equal(simulation_step(sim, &error), SCR_DIVERGED);
    assert_string_equal(error.message, "gravity gives no number at t = 0.011 s");
    simulation_destroy(sim);
    scene_end(&t);
}

// A failed step of the world is taken back: another try finds everything as it was.
static void a_step_that_diverges_changes_nothing(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    t.s.world.max_speed = 1.0;
    t.s.gravity = formulae(&t, "0", "0", "-9.81 - 100 * t");
    scene_body *body = add_paddle(&t, vec3(5, 0, 0));
    body->motion.has_position = true;
    body->motion.position = formulae(&t, "5 + t ^ 2", "0", "0");
    add_ball(&t, "ball", 0.05, vec3(0, 0, 0));
    simulation *sim = created(&t.s, 1);
    scr_error error;
    uint64_t hash = 0;
    scr_status status = SCR_OK;
    int steps = 0;
    for (; status == SCR_OK && steps < 1000; ++steps) {
        hash = simulation_hash(sim);
        status = simulation_step(sim, &error);
    }
    assert_int_equal(status, SCR_DIVERGED);
    assert_non_null(strstr(error.message, ": body 'ball' at ("));  // the world knows it as body 2
    assert_true(simulation_hash(sim) == hash);
    assert_int_equal(scr_world_step_count(simulation_world(sim)), steps - 1);
    simulation_destroy(sim);
    scene_end(&t);
}

// What drives a motor moves a body, too: tables are followed by straight lines, sines swing.
static void tables_and_sines_move_bodies(void **state)
{
    (void)state;
    double height[] = {0.0, 1.0, 0.1, 1.5, 0.2, 1.25}, rate[] = {0.0, 0.0, 0.2, 8.0};
    test_scene t;
    scene_begin(&t);
    scene_body *body = add_paddle(&t, vec3(0, 0, 0));
    body->motion.has_position = body->motion.has_spin = true;
    body->motion.position.x = (time_function){.kind = TIME_SINE, .amplitude = 0.3, .frequency = 5.0};
    body->motion.position.z = (time_function){.kind = TIME_TABLE, .table = {3, height}};
    body->motion.spin = (time_function){.kind = TIME_TABLE, .table = {2, rate}};
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 50);
    assert_near(paddle_state(sim).position.z, 1.25, 1e-12);
    assert_near(paddle_state(sim).position.x, 0.3, 1e-12);  // a quarter of a period
    assert_near(paddle_state(sim).velocity.z, 5.0, 1e-9);
    advance_steps(sim, 100);
    scr_body_state now = paddle_state(sim);
    assert_near(now.position.z, 1.375, 1e-12);
    assert_near(now.spin.z, 8.0 * 0.1495 / 0.2, 1e-9);                                    // of the middle of the step
    assert_near(2.0 * atan2(now.rotation.z, now.rotation.w), 0.5 * 40.0 * 0.0225, 1e-9);  // the integral of the line
    advance_steps(sim, 100);
    assert_near(paddle_state(sim).position.z, 1.25, 1e-12);  // held at the end
    simulation_destroy(sim);
    scene_end(&t);
}

static void a_body_goes_when_its_time_has_come(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_body(&t, "plug", SCR_FIXED, scr_box(vec3(1, 1, 0.1), (scr_material){1}), vec3(0, 0, -0.1))->remove_at = 0.1;
    add_ball(&t, "ball", 0.05, vec3(0, 0, 0.05));
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 100);  // the step from 0.099 to 0.1 s is the plug's last
    assert_int_equal(body_count(sim), 2);
    assert_within(scr_world_bodies(simulation_world(sim)).z[entry_of(sim, 2)], 0.05, 1e-4);
    advance_steps(sim, 100);
    assert_int_equal(body_count(sim), 1);
    assert_within(scr_world_bodies(simulation_world(sim)).z[0], 0.05 - 0.5 * 9.81 * 0.01, 1e-3);
    simulation_destroy(sim);
    scene_end(&t);
}

static void the_run_is_done_within_half_a_step_of_its_end(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    t.s.end_time = 0.0304;
    add_ball(&t, "ball", 0.05, vec3(0, 0, 0));
    simulation *sim = created(&t.s, 1);
    int steps = 0;
    for (; !simulation_is_done(sim); ++steps) advance_steps(sim, 1);
    assert_int_equal(steps, 30);
    simulation_destroy(sim);
    scene_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_position_is_reached_exactly_at_every_step),
        cmocka_unit_test(an_angle_turns_the_body_about_its_frames_origin),
        cmocka_unit_test(velocity_and_spin_are_summed_by_the_midpoint_rule),
        cmocka_unit_test(a_motion_leaves_the_rest_to_the_body),
        cmocka_unit_test(a_spinning_body_does_not_wander),
        cmocka_unit_test(a_moving_body_carries_others),
        cmocka_unit_test(gravity_is_taken_at_the_end_of_the_step),
        cmocka_unit_test(formulae_that_give_no_number_stop_the_run),
        cmocka_unit_test(a_step_that_diverges_changes_nothing),
        cmocka_unit_test(tables_and_sines_move_bodies),
        cmocka_unit_test(a_body_goes_when_its_time_has_come),
        cmocka_unit_test(the_run_is_done_within_half_a_step_of_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
