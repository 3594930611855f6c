// SPDX-License-Identifier: BSD-3-Clause
// Bodies that come and go: what emitters give, what sinks and the domain take, and that nothing is lost in between.
#include "make_scene.h"
#include "scene/populate/streams.h"

static const region spout = {.kind = REGION_BOX, .low = {-0.1, -0.1, 0.9}, .high = {0.1, 0.1, 1.0}};

static void assert_no_overlaps(simulation *sim)
{
    scr_world *world = simulation_world(sim);
    int64_t n = scr_world_shape_count(world);
    for (int64_t i = 0; i < n; ++i) {
        scr_placed_shape a = scr_world_shape(world, i);
        for (int64_t j = 0; j < i; ++j) {
            scr_placed_shape b = scr_world_shape(world, j);
            if (a.kind != SCR_SPHERE || b.kind != SCR_SPHERE) continue;
            scr_vec3 d = vec3_sub(a.position, b.position);
            assert_true(vec3_norm(d) >= (a.radius + b.radius) * (1 - 1e-12));
        }
    }
}

// At any time the mass given is the rate times the time, but for less than the next grain.
static void an_emitter_gives_its_rate(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    double rate = 3.0;  // kg/s: about a thousand grains a second
    scene_emitter *e = add_emitter(&t, spout, uniform_size(0.004, 0.008), rate);
    e->velocity = vec3(0, 0, -2);
    e->start = 0.05;
    e->stop = 0.25;
    simulation *sim = created(&t.s, 1);
    for (int n = 1; n <= 400; ++n) {
        advance_steps(sim, 1);
        double time = (n - 1) * 1e-3;  // emitters run at the beginning of a step
        double due = rate * fmin(fmax(time - 0.05, 0.0), 0.2);
        scr_scene_counts counts = simulation_count(sim);
        assert_true(counts.emitted_mass <= due * (1 + 1e-9) && counts.emitted_mass > due - sphere_mass(0.008));
        assert_int_equal(body_count(sim), counts.emitted);
        assert_near(world_mass(sim), counts.emitted_mass, 1e-12);
    }
    assert_true(simulation_count(sim).emitted > 100);
    simulation_destroy(sim);
    scene_end(&t);
}

static void new_grains_are_inside_and_overlap_nothing(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    t.s.gravity = formulae(&t, "0", "0", "0");
    add_ball(&t, "ball", 0.05, vec3(0, 0, 0.95));
    add_body(&t, "wall", SCR_FIXED, scr_box(vec3(0.02, 1, 1), (scr_material){1}), vec3(0.1, 0, 1));
    add_emitter(&t, spout, uniform_size(0.004, 0.008), 1e6);  // more than there is room for
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 2);  // nothing is due before the second
    scr_world *world = simulation_world(sim);
    assert_true(body_count(sim) > 300);
    assert_no_overlaps(sim);
    for (int64_t k = 0; k < scr_world_shape_count(world); ++k) {
        scr_placed_shape s = scr_world_shape(world, k);
        if (scr_world_bodies(world).id[s.body] <= 2) continue;
        assert_true(region_contains(&spout, s.position, s.radius - 1e-6));
        assert_true(s.position.x + s.radius < 0.08 + 1e-6);  // clear of the wall
    }
    simulation_destroy(sim);
    scene_end(&t);
}

// A jam lasts a second; what could not be given meanwhile does not come as a burst.
static void a_jam_is_not_followed_by_a_burst(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    double rate = 1.0;
    scene_body *lid = add_body(&t, "lid", SCR_FIXED, scr_box(vec3(0.2, 0.2, 0.2), (scr_material){1}), vec3(0, 0, 1));
    lid->remove_at = 1.0;
    scene_emitter *e = add_emitter(&t, spout, constant_size(0.005), rate);
    e->velocity = vec3(0, 0, -1);
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 1000);
    assert_int_equal(simulation_count(sim).emitted, 0);
    advance_steps(sim, 1);
    double at_once = simulation_count(sim).emitted_mass;
    assert_true(at_once <= rate * 0.1 + 2 * sphere_mass(0.005));
    advance_steps(sim, 500);
    assert_within(simulation_count(sim).emitted_mass, at_once + 0.5 * rate, 2 * sphere_mass(0.005));
    simulation_destroy(sim);
    scene_end(&t);
}

// Grains are drawn before there is room for them, so crowding does not favour small ones: the grains that came are the
// first ones drawn, none left out.
static void crowding_does_not_change_the_sizes(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_emitter *e = add_emitter(&t, spout, uniform_size(0.006, 0.016), 1e6);
    e->velocity = vec3(0, 0, -20);
    e->limit = 2000;
    add_sink(&t, box_region(vec3(-9, -9, -9), vec3(9, 9, 0.85)));
    simulation *sim = created(&t.s, 1);
    int steps = 0;
    for (; steps < 2000 && simulation_count(sim).emitted < e->limit; ++steps) advance_steps(sim, 1);
    assert_true(steps > 20);  // it was crowded
    advance_steps(sim, 20);
    assert_int_equal(simulation_count(sim).emitted, e->limit);
    double drawn = 0.0;
    for (int64_t i = 0; i < e->limit; ++i)
        drawn += sphere_mass(size_draw(&e->size, t.s.seed, STREAM_EMITTER_SIZES, (uint64_t)i));
    assert_near(simulation_count(sim).emitted_mass, drawn, 1e-12);
    simulation_destroy(sim);
    scene_end(&t);
}

// One grain a step for a thousand steps: the places fill the region evenly.
static void places_are_spread_over_the_region(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    const double r = 0.002;
    t.s.gravity = formulae(&t, "0", "0", "0");
    add_emitter(&t, spout, constant_size(r), sphere_mass(r) / t.s.world.time_step);
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 1001);
    assert_int_equal(simulation_count(sim).emitted, 1000);
    scr_body_view bodies = scr_world_bodies(simulation_world(sim));
    const double *axis[] = {bodies.x, bodies.y, bodies.z};
    const double low[] = {-0.1, -0.1, 0.9}, high[] = {0.1, 0.1, 1.0};
    for (int a = 0; a < 3; ++a) {
        double mean = 0.0, square = 0.0, width = high[a] - low[a] - 2 * r;
        for (int64_t i = 0; i < bodies.count; ++i) mean += axis[a][i] / (double)bodies.count;
        for (int64_t i = 0; i < bodies.count; ++i) square += (axis[a][i] - mean) * (axis[a][i] - mean);
        assert_within(mean, 0.5 * (low[a] + high[a]), 0.03 * width);
        assert_near(sqrt(square / (double)bodies.count), width / sqrt(12.0), 0.05);
    }
    simulation_destroy(sim);
    scene_end(&t);
}

static void emitters_pass_through_bodies_that_grains_do_not_touch(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_body *ghost = add_body(&t, "ghost", SCR_FIXED, scr_box(vec3(1, 1, 1), (scr_material){1}), vec3(0, 0, 1));
    ghost->def.group = 2;
    ghost->def.collides_with = 2;
    add_emitter(&t, spout, constant_size(0.005), 1.0);
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 100);
    assert_true(simulation_count(sim).emitted > 50);
    simulation_destroy(sim);
    scene_end(&t);
}

// What was given is in the world, in the sink, or has left.
static void mass_is_accounted_for(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_emitter *e = add_emitter(&t, spout, uniform_size(0.004, 0.008), 2.0);
    e->velocity = vec3(0.3, 0, -1);
    add_sink(&t, box_region(vec3(-1, -1, 0.4), vec3(0.06, 1, 0.5)));
    t.s.domain = (scene_domain){true, {-2, -2, 0.0}, {2, 2, 2}, LEAVE_REMOVE};
    simulation *sim = created(&t.s, 1);
    for (int n = 0; n < 600; ++n) {
        advance_steps(sim, 1);
        scr_scene_counts counts = simulation_count(sim);
        assert_int_equal(body_count(sim), counts.emitted - counts.sunk - counts.left);
        assert_within(world_mass(sim), counts.emitted_mass - counts.sunk_mass - counts.left_mass, 1e-12);
    }
    scr_scene_counts counts = simulation_count(sim);
    assert_true(counts.sunk > 10 && counts.left > 10 && body_count(sim) > 10);
    scr_body_view bodies = scr_world_bodies(simulation_world(sim));
    for (int64_t i = 0; i < bodies.count; ++i) {  // at most a step's way beyond
        assert_true(bodies.z[i] > -0.01);
        assert_false(bodies.x[i] < 0.05 && bodies.z[i] < 0.49 && bodies.z[i] > 0.4);
    }
    simulation_destroy(sim);
    scene_end(&t);
}

static void a_sink_works_between_start_and_stop(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    t.s.gravity = formulae(&t, "0", "0", "0");
    for (int i = 0; i < 4; ++i) {  // balls pass one by one, 0.1 s apart
        char name[] = {(char)('a' + i), '\0'};
        add_ball(&t, name, 0.01, vec3(-0.05 - 0.1 * i, 0, 0))->def.velocity = vec3(1, 0, 0);
    }
    scene_sink *sink = add_sink(&t, box_region(vec3(0, -1, -1), vec3(0.02, 1, 1)));
    sink->start = 0.1;
    sink->stop = 0.3;
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 500);
    assert_int_equal(simulation_count(sim).sunk, 2);
    assert_near(simulation_count(sim).sunk_mass, 2 * sphere_mass(0.01), 1e-12);
    assert_true(entry_of(sim, 1) >= 0 && entry_of(sim, 2) < 0 && entry_of(sim, 3) < 0 && entry_of(sim, 4) >= 0);
    simulation_destroy(sim);
    scene_end(&t);
}

// Steps of 10 us: every 100 of them what is due comes at once, and what is in a sink goes.
static void short_steps_exchange_grains_in_rounds(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    t.s.world.contact.law = SCR_PENALTY;
    t.s.world.time_step = 1e-5;
    t.materials[0].def.young = 5e6;
    double rate = 30.0;
    add_emitter(&t, spout, constant_size(0.005), rate)->velocity = vec3(0, 0, -2);
    add_ball(&t, "ball", 0.01, vec3(-1e-4, 0, 0))->def.velocity = vec3(1, 0, 0);
    add_sink(&t, box_region(vec3(0, -1, -1), vec3(0.02, 1, 0.5)));  // the ball is there after ten steps
    simulation *sim = created(&t.s, 1);
    for (int n = 0; n < 350; ++n) {
        int64_t before = simulation_count(sim).emitted;
        advance_steps(sim, 1);
        scr_scene_counts counts = simulation_count(sim);
        assert_true((counts.emitted > before) == (n > 0 && n % 100 == 0));
        double due = rate * 1e-3 * (double)(n / 100);
        assert_true(counts.emitted_mass <= due * (1 + 1e-9) && counts.emitted_mass > due - sphere_mass(0.005));
        assert_int_equal(counts.sunk, n >= 100);
    }
    simulation_destroy(sim);
    scene_end(&t);
}

static void only_dynamic_bodies_leave(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_floor(&t, -5);
    t.s.domain = (scene_domain){true, {-1, -1, -1}, {1, 1, 1}, LEAVE_REMOVE};
    add_sink(&t, box_region(vec3(-9, -9, -9), vec3(9, 9, 9)));
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 3);
    assert_int_equal(body_count(sim), 1);
    simulation_destroy(sim);
    scene_end(&t);
}

static void a_domain_may_keep_or_stop(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_ball(&t, "ball", 0.01, vec3(0.25, 0, 0))->def.velocity = vec3(0, 0, -1);
    t.s.gravity = formulae(&t, "0", "0", "0");
    t.s.domain = (scene_domain){true, {-1, -1, -0.0995}, {1, 1, 1}, LEAVE_KEEP};
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 200);
    assert_int_equal(body_count(sim), 1);
    assert_int_equal(simulation_count(sim).left, 0);
    simulation_destroy(sim);

    t.s.domain.leave = LEAVE_STOP;
    sim = created(&t.s, 1);
    advance_steps(sim, 100);
    uint64_t hash = simulation_hash(sim);
    scr_error error;
    for (int again = 0; again < 2; ++again) {
        assert_int_equal(simulation_step(sim, &error), SCR_DIVERGED);
        assert_string_equal(error.message,
                            "body 'ball' left the domain in step 100 (t = 0.1 s): its centre is at (0.25, 0, -0.1) m");
        assert_true(simulation_hash(sim) == hash);
    }
    simulation_destroy(sim);
    scene_end(&t);
}

// A step that fails for want of memory can be tried again and leads to the same future, whichever allocation failed.
static void a_failed_step_can_be_tried_again(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_floor(&t, 0.0);
    scene_emitter *e = add_emitter(&t, spout, uniform_size(0.01, 0.02), 1e3);  // jammed: there is always more to give
    e->velocity = vec3(0, 0, -3);
    add_sink(&t, box_region(vec3(-9, -9, -9), vec3(9, 0.0, 0.5)));
    add_probe(&t, "flow", PROBE_MASS_FLOW)->normal = vec3(0, 0, 1);
    simulation *unbroken = created(&t.s, 1), *broken = created(&t.s, 1);
    int failures = 0;
    for (int n = 0; n < 300; ++n) {
        advance_steps(unbroken, 1);
        // Each try gets one allocation further than the last.
        scr_status status = SCR_NO_MEMORY;
        for (int try = 0; status != SCR_OK; ++try) {
            scr_error error;
            scr_fail_allocation_in(try);
            status = simulation_step(broken, &error);
            scr_fail_allocation_in(-1);
            assert_true(status == SCR_OK || status == SCR_NO_MEMORY);
            failures += status != SCR_OK;
        }
    }
    assert_true(failures > 50);
    assert_true(simulation_hash(unbroken) == simulation_hash(broken));
    simulation_destroy(unbroken);
    simulation_destroy(broken);
    scene_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_emitter_gives_its_rate),
        cmocka_unit_test(new_grains_are_inside_and_overlap_nothing),
        cmocka_unit_test(a_jam_is_not_followed_by_a_burst),
        cmocka_unit_test(crowding_does_not_change_the_sizes),
        cmocka_unit_test(places_are_spread_over_the_region),
        cmocka_unit_test(emitters_pass_through_bodies_that_grains_do_not_touch),
        cmocka_unit_test(mass_is_accounted_for),
        cmocka_unit_test(a_sink_works_between_start_and_stop),
        cmocka_unit_test(short_steps_exchange_grains_in_rounds),
        cmocka_unit_test(only_dynamic_bodies_leave),
        cmocka_unit_test(a_domain_may_keep_or_stop),
        cmocka_unit_test(a_failed_step_can_be_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
