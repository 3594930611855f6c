// SPDX-License-Identifier: BSD-3-Clause
// What a scene puts around a world whose space repeats itself: nothing can tell where the seam is.
#include "core/maths/period.h"
#include "dynamics/world/world_state.h"
#include "make_scene.h"

static const double LENGTH = 0.3, WIDTH = 0.2;

// The cell 0.1 < x < 0.4, -0.1 < y < 0.1; no gravity.
static void begin_cell(test_scene *t)
{
    scene_begin(t);
    t->s.gravity = formulae(t, "0", "0", "0");
    t->s.world.period = (scr_period){.low = {0.1, -0.1, 0.0}, .high = {0.1 + LENGTH, -0.1 + WIDTH, 0.0}};
}

static void overlaps_across_a_seam_are_refused(void **state)
{
    (void)state;
    test_scene t;
    begin_cell(&t);
    add_ball(&t, "a", 0.02, vec3(0.11, 0.0, 0.0));
    add_ball(&t, "b", 0.01, vec3(0.39, 0.0, 0.0));  // 20 mm from the image of a
    assert_refused(&t.s, SCR_BAD_INPUT,
                   "scene.json:11:5: body 'b' overlaps body 'a' by 10 mm, 100 % of the smaller radius; the limit is "
                   "25 % (contact.overlap_limit)");
    t.bodies[1].def.position = vec3(0.375, 0.0, 0.0);
    simulation_destroy(created(&t.s, 1));
    // across both seams, and some cells away
    t.bodies[0].def.position = vec3(0.105, -0.095, 0.0);
    t.bodies[1].def.position = vec3(0.395 + 3.0 * LENGTH, 0.095 - 2.0 * WIDTH, 0.0);
    simulation *sim = NULL;
    scr_error error;
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "body 'b' overlaps body 'a'"));
    scene_end(&t);
}

static void a_fill_of_the_whole_cell_does_not_overlap_itself(void **state)
{
    (void)state;
    for (int pattern = FILL_GRID; pattern <= FILL_HEXAGONAL; ++pattern) {
        test_scene t;
        begin_cell(&t);
        t.s.overlap_limit = 1e-9;
        add_fill(&t, "bed", (fill_pattern)pattern, box_region(vec3(0.1, -0.1, 0.0), vec3(0.4, 0.1, 0.1)),
                 constant_size(0.0101));
        simulation_destroy(created(&t.s, 1));
        scene_end(&t);
    }
}

static void what_the_engine_refuses_has_its_place(void **state)
{
    (void)state;
    test_scene t;
    begin_cell(&t);
    add_ball(&t, "ball", 0.06, vec3(0.2, 0.0, 0.0));
    simulation *sim = NULL;
    scr_error error;
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_memory_equal(error.message, "scene.json:10:5: body 'ball': ", 30);
    assert_non_null(strstr(error.message, "too large where space repeats every 0.2 m along y"));
    t.s.body_count = 0;
    add_fill(&t, "bed", FILL_GRID, box_region(vec3(0.1, -0.1, 0.0), vec3(0.4, 0.1, 0.2)), constant_size(0.06));
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_memory_equal(error.message, "scene.json:30:5: fill 'bed': ", 29);
    t.s.fill_count = 0;
    add_body(&t, "wall", SCR_FIXED, scr_plane((scr_material){1}), vec3(0.1, 0.0, 0.0))->def.rotation =
        (scr_quat){sqrt(0.5), 0.0, sqrt(0.5), 0.0};
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_string_equal(
        error.message, "scene.json:10:5: body 'wall': a plane cannot stand across x, along which space repeats itself");
    scene_end(&t);
}

static double image_distance(simulation *sim, scr_vec3 a, scr_vec3 b)
{
    return vec3_norm(period_offset(world_period(simulation_world(sim)), vec3_sub(a, b)));
}

static void emitted_grains_overlap_no_image(void **state)
{
    (void)state;
    test_scene t;
    begin_cell(&t);
    add_ball(&t, "ball", 0.04, vec3(0.12 - 2.0 * LENGTH, 0.09 + WIDTH, 0.05));  // sticks out of two faces of the cell
    // across the seam in x, over all of the cell in y
    add_emitter(&t, box_region(vec3(0.3, -0.1, 0.0), vec3(0.55, 0.1, 0.1)), uniform_size(0.008, 0.012), 1e6);
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 2);
    scr_world *world = simulation_world(sim);
    int64_t n = scr_world_shape_count(world);
    assert_true(n > 100);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < i; ++j) {
            scr_placed_shape a = scr_world_shape(world, i), b = scr_world_shape(world, j);
            double apart = image_distance(sim, a.position, b.position) - a.radius - b.radius;
            assert_true(apart > -1e-12);
        }
    simulation_destroy(sim);
    scene_end(&t);
}

static void a_ball_on_its_way_leaves_neither_cell_nor_domain(void **state)
{
    (void)state;
    test_scene t;
    begin_cell(&t);
    t.s.domain = (scene_domain){true, {0.1, -0.1, -1.0}, {0.4, 0.1, 1.0}, LEAVE_REMOVE};
    add_ball(&t, "ball", 0.01, vec3(0.2, 0.0, 0.0))->def.velocity = vec3(5.0, -3.0, 0.9);
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 1000);
    assert_int_equal(body_count(sim), 1);
    advance_steps(sim, 200);  // along z nothing repeats
    assert_int_equal(body_count(sim), 0);
    assert_int_equal(simulation_count(sim).left, 1);
    simulation_destroy(sim);
    scene_end(&t);
}

static void a_sink_across_the_seam_takes_what_comes_from_other_cells(void **state)
{
    (void)state;
    test_scene t;
    begin_cell(&t);
    add_ball(&t, "ball", 0.01, vec3(0.2 + 4.0 * LENGTH, 0.0, 0.0))->def.velocity = vec3(-1.0, 0.0, 0.0);
    add_sink(&t, box_region(vec3(0.05, -0.1, -0.1), vec3(0.15, 0.1, 0.1)));
    simulation *sim = created(&t.s, 1);
    advance_steps(sim, 49);
    assert_int_equal(body_count(sim), 1);
    advance_steps(sim, 4);
    assert_int_equal(body_count(sim), 0);
    simulation_destroy(sim);
    scene_end(&t);
}

static void probes_count_every_round(void **state)
{
    (void)state;
    test_scene t;
    begin_cell(&t);
    add_ball(&t, "ball", 0.01, vec3(0.25, 0.0, 0.0))->def.velocity = vec3(1.0, -0.37, 0.0);
    add_probe(&t, "cell", PROBE_REGION_MASS)->region = box_region(vec3(0.1, -0.1, -1.0), vec3(0.4, 0.1, 1.0));
    add_probe(&t, "seam", PROBE_REGION_MASS)->region = box_region(vec3(0.35, -0.1, -1.0), vec3(0.5, 0.1, 1.0));
    const double planes[3] = {0.1, 0.3, 0.4};  // the first and the last are one
    for (int k = 0; k < 3; ++k) {
        scene_probe *flow = add_probe(&t, "flow", PROBE_MASS_FLOW);
        flow->point = vec3(planes[k], 0.05, 0.0), flow->normal = vec3(1.0, 0.0, 0.0);
    }
    simulation *sim = created(&t.s, 1);
    double values[8], mass = sphere_mass(0.01);
    int in_seam = 0;
    for (int n = 0; n < 1000; ++n) {
        advance_steps(sim, 1);
        simulation_probe_row(sim, values);
        assert_near(values[0], mass, 1e-12);
        in_seam += values[1] > 0.0;
    }
    assert_within(in_seam, 500, 50);  // half of the cell
    assert_near(values[2], 3.0 * mass, 1e-12);
    assert_near(values[4], 4.0 * mass, 1e-12);
    assert_near(values[6], 3.0 * mass, 1e-12);
    simulation_destroy(sim);
    scene_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_across_a_seam_are_refused),
        cmocka_unit_test(a_fill_of_the_whole_cell_does_not_overlap_itself),
        cmocka_unit_test(what_the_engine_refuses_has_its_place),
        cmocka_unit_test(emitted_grains_overlap_no_image),
        cmocka_unit_test(a_ball_on_its_way_leaves_neither_cell_nor_domain),
        cmocka_unit_test(a_sink_across_the_seam_takes_what_comes_from_other_cells),
        cmocka_unit_test(probes_count_every_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
