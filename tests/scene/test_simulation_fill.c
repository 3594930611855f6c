// SPDX-License-Identifier: BSD-3-Clause
// What a simulation is made of: fills, tables, bodies; and the sentences about scenes that cannot be.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "make_scene.h"

static const region crate = {.kind = REGION_BOX, .low = {0, 0, 0}, .high = {0.5, 0.5, 0.5}};

static void a_fill_makes_exactly_the_count_asked_for(void **state)
{
    (void)state;
    for (fill_pattern pattern = FILL_GRID; pattern <= FILL_HEXAGONAL; ++pattern) {
        test_scene t;
        scene_begin(&t);
        scene_fill *fill = add_fill(&t, "bed", pattern, crate, uniform_size(0.01, 0.02));
        fill->count = 777;
        fill->velocity = vec3(1, 2, 3);
        simulation *sim = created(&t.s, 1);
        scr_body_view bodies = scr_world_bodies(simulation_world(sim));
        assert_int_equal(bodies.count, 777);
        for (int64_t i = 0; i < bodies.count; ++i) {
            assert_true(bodies.vx[i] == 1.0 && bodies.vy[i] == 2.0 && bodies.vz[i] == 3.0);
            double radius = scr_world_shape(simulation_world(sim), i).radius;
            assert_true(radius >= 0.01 && radius <= 0.02);
        }
        simulation_destroy(sim);
        scene_end(&t);
    }
}

static void fills_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    scene_fill *fill = add_fill(&t, "bed", FILL_GRID, crate, constant_size(0.0125));
    fill->spacing = 1.0;
    fill->count = 16000;
    assert_refused(&t.s, SCR_BAD_INPUT, "scene.json:30:5: fill 'bed' holds 8,000 grains, 16,000 were asked for");
    fill->count = 0;
    fill->size = constant_size(0.3);
    assert_refused(&t.s, SCR_BAD_INPUT,
                   "scene.json:30:5: fill 'bed' is empty: no grain of 300 mm radius fits into the region");
    fill->size = constant_size(1e-7);
    fill->name[0] = '\0';
    assert_refused(&t.s, SCR_BAD_INPUT, "scene.json:30:5: fill 1: the region is too large for grains of 100 nm radius");
    scene_end(&t);
}

// Changing one fill leaves the grains of the other as they were: each draws from its own stream.
static void fills_do_not_disturb_each_other(void **state)
{
    (void)state;
    double x[2];
    for (int variant = 0; variant < 2; ++variant) {
        test_scene t;
        scene_begin(&t);
        region above = box_region(vec3(0, 0, 1), vec3(0.5, 0.5, 1.5));
        add_fill(&t, "low", FILL_JITTERED, crate, uniform_size(0.01, 0.02))->count = variant == 0 ? 100 : 300;
        add_fill(&t, "high", FILL_JITTERED, above, uniform_size(0.01, 0.02))->count = 100;
        simulation *sim = created(&t.s, 1);
        x[variant] = scr_world_bodies(simulation_world(sim)).x[body_count(sim) - 1];
        scr_placed_shape first = scr_world_shape(simulation_world(sim), 0);
        scr_placed_shape first_of_other = scr_world_shape(simulation_world(sim), body_count(sim) - 100);
        assert_true(first.radius != first_of_other.radius);
        simulation_destroy(sim);
        scene_end(&t);
    }
    assert_true(x[0] == x[1]);
}

// A grain is one of the kinds, each as often as its weight says; where grains are does not depend on what they are.
static void a_mix_has_its_shares(void **state)
{
    (void)state;
    scene_grain kinds[3] = {{.shape = scr_sphere(1.0, (scr_material){0})},
                            {.shape = scr_box(vec3(0.5, 0.5, 0.5), (scr_material){0}), .material = 1},
                            {.shape = scr_sphere(1.0, (scr_material){0}), .material = 1}};
    double weights[3] = {5.0, 2.0, 1.0}, spheres_z[2] = {0.0, 0.0}, all_z[2] = {0.0, 0.0};
    for (int is_mixed = 0; is_mixed < 2; ++is_mixed) {
        test_scene t;
        scene_begin(&t);
        t.s.material_count = 2;
        t.materials[1] = (scene_material){"steel", scr_default_material_def()};
        scene_fill *fill = add_fill(&t, "bed", FILL_JITTERED, crate, constant_size(0.012));
        fill->count = 4000;
        if (is_mixed) fill->mix = (scene_mix){3, kinds, weights};
        simulation *sim = created(&t.s, 1);
        int64_t boxes = 0, spheres_of[2] = {0, 0};
        assert_int_equal(body_count(sim), 4000);
        for (int64_t i = 0; i < body_count(sim); ++i) {
            scr_placed_shape shape = scr_world_shape(simulation_world(sim), i);
            all_z[is_mixed] += shape.position.z;
            if (shape.kind == SCR_BOX) {
                assert_int_equal(shape.material, 1);
                ++boxes;
            } else {
                ++spheres_of[shape.material];
                spheres_z[is_mixed] += shape.position.z;
            }
        }
        // Within four deviations of a binomial distribution.
        if (is_mixed) {
            assert_within(boxes / 4000.0, 0.25, 4.0 * sqrt(0.25 * 0.75 / 4000.0));
            assert_within(spheres_of[0] / 4000.0, 0.625, 4.0 * sqrt(0.625 * 0.375 / 4000.0));
            assert_within(spheres_of[1] / 4000.0, 0.125, 4.0 * sqrt(0.125 * 0.875 / 4000.0));
            // and they are everywhere
            assert_within(spheres_z[1] / (double)(4000 - boxes), all_z[1] / 4000.0, 0.01);
        }
        simulation_destroy(sim);
        scene_end(&t);
    }
    assert_near(all_z[1], all_z[0], 1e-9);
}

static void write_table(char *path, const char *text)
{
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

static void tables_become_grains(void **state)
{
    (void)state;
    char path[] = "/tmp/scree-bed-XXXXXX";
    write_table(path, "x,y,z,r,vz\n0,0,1,0.1,-3\n1,0,1,0.2,-4\n");
    test_scene t;
    scene_begin(&t);
    t.s.table_count = 1;
    t.tables[0] = (scene_table){"bed", {40, 5}, path, 0};
    simulation *sim = created(&t.s, 1);
    scr_body_view bodies = scr_world_bodies(simulation_world(sim));
    assert_int_equal(bodies.count, 2);
    assert_true(bodies.x[1] == 1.0 && bodies.z[0] == 1.0 && bodies.vz[0] == -3.0 && bodies.vz[1] == -4.0);
    assert_near(1.0 / bodies.inv_mass[1], sphere_mass(0.2), 1e-14);
    simulation_destroy(sim);
    unlink(path);
    scene_end(&t);
}

static void mistakes_in_tables_are_told_with_their_place(void **state)
{
    (void)state;
    char path[] = "/tmp/scree-bed-XXXXXX", message[256];
    write_table(path, "x,y,z,r\n0,0,1,0.1\n0,0,1,abc\n");
    test_scene t;
    scene_begin(&t);
    t.s.table_count = 1;
    t.tables[0] = (scene_table){"bed", {40, 5}, path, 0};
    snprintf(message, sizeof message, "%s:3:7: expected a number for r, found 'abc'", path);
    assert_refused(&t.s, SCR_BAD_INPUT, message);
    unlink(path);
    snprintf(message, sizeof message, "%s: No such file or directory", path);
    assert_refused(&t.s, SCR_BAD_INPUT, message);

    char deep[] = "/tmp/scree-bed-XXXXXX";
    write_table(deep, "0,0,1,0.1\n5,0,1,0.1\n0,0,1.1,0.1\n");
    t.tables[0].path = deep;
    assert_refused(&t.s, SCR_BAD_INPUT,
                   "scene.json:40:5: grain 3 of table 'bed' overlaps grain 1 of table 'bed' by 100 mm, 100 % of the "
                   "smaller radius; the limit is 25 % (contact.overlap_limit)");
    unlink(deep);
    scene_end(&t);
}

static void deep_overlaps_are_refused_by_name(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_ball(&t, "a", 0.005, vec3(0, 0, 1));
    add_ball(&t, "b", 0.05, vec3(0, 0, 1.0518));
    assert_refused(
        &t.s, SCR_BAD_INPUT,
        "scene.json:11:5: body 'b' overlaps body 'a' by 3.2 mm, 64 % of the smaller radius; the limit is 25 % "
        "(contact.overlap_limit)");
    t.bodies[1].name[0] = '\0';
    t.bodies[1].def.position.z = 1.0538;  // 1.2 mm, 24 %
    simulation_destroy(created(&t.s, 1));
    t.bodies[1].def.position.z = 1.0537;
    assert_refused(&t.s, SCR_BAD_INPUT,
                   "scene.json:11:5: body 2 overlaps body 'a' by 1.3 mm, 26 % of the smaller radius; the limit is 25 % "
                   "(contact.overlap_limit)");
    scene_end(&t);
}

// Of several deep pairs the one is named whose later body comes first, with the earliest of its partners.
static void the_first_of_several_overlaps_is_named(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    for (int i = 0; i < 6; ++i) {
        char name[] = {(char)('a' + i), '\0'};
        add_ball(&t, name, 0.1, vec3(i, 0, 0));
    }
    add_fill(&t, "far", FILL_GRID, box_region(vec3(-9, -9, -9), vec3(-8, -8, -8)), constant_size(0.1));
    t.bodies[3].def.position = vec3(1.05, 0, 0);  // d is in b
    t.bodies[5].def.position = vec3(0.05, 0, 0);  // f is in a
    t.bodies[4].def.position = vec3(1.10, 0, 0);  // e is in b and in d
    scr_error error;
    simulation *sim;
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "scene.json:13:5: body 'd' overlaps body 'b'"));
    t.bodies[3].def.collides_with = 0;
    t.bodies[5].def.position = vec3(1.05, 0.05, 0);
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "scene.json:14:5: body 'e' overlaps body 'b'"));
    t.bodies[4].def.position = vec3(1.19, 0, 0);  // e just touches b; f is in both
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "scene.json:15:5: body 'f' overlaps body 'b'"));
    t.shapes[5].radius = 0.01;  // a small one looks at the larger ones, in whatever order they are
    t.bodies[5].def.position = vec3(1.095, 0, 0);
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "scene.json:15:5: body 'f' overlaps body 'b'"));
    scene_end(&t);
}

static void grains_deep_in_walls_are_refused(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_floor(&t, 0.1);
    add_fill(&t, "bed", FILL_GRID, crate, constant_size(0.02));
    assert_refused(
        &t.s, SCR_BAD_INPUT,
        "scene.json:30:5: grain 1 of fill 'bed' overlaps body 'floor' by 100 mm, 500 % of the smaller radius; "
        "the limit is 25 % (contact.overlap_limit)");
    t.bodies[0].def.position.z = 0.004;  // 20 % of a radius
    add_body(&t, "wall", SCR_FIXED, scr_box(vec3(0.1, 1, 1), (scr_material){1}), vec3(0.55, 0, 0));
    t.s.body_count = 1;
    simulation_destroy(created(&t.s, 1));
    t.s.body_count = 2;
    scr_error error;
    simulation *sim;
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "of fill 'bed' overlaps body 'wall' by"));
    scene_end(&t);
}

static void bodies_that_never_touch_may_overlap(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_floor(&t, 0.0);
    add_body(&t, "wall", SCR_FIXED, scr_box(vec3(1, 1, 1), (scr_material){1}), vec3(0, 0, 0));  // both fixed
    scene_body *ghost = add_ball(&t, "ghost", 0.1, vec3(0, 0, 0));
    ghost->def.collides_with = 0;
    simulation_destroy(created(&t.s, 1));
    ghost->def.collides_with = 1;
    scr_error error;
    simulation *sim;
    assert_int_equal(simulation_create(&t.s, true, 1, &sim, &error), SCR_BAD_INPUT);
    scene_end(&t);
}

static void the_pair_named_does_not_depend_on_the_threads(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    t.s.overlap_limit = 0.01;
    add_fill(&t, "bed", FILL_GRID, crate, constant_size(0.01))->spacing = 0.9;  // everything overlaps
    char first[1024];
    for (int threads = 1; threads <= 4; ++threads) {
        simulation *sim;
        scr_error error;
        assert_int_equal(simulation_create(&t.s, true, threads, &sim, &error), SCR_BAD_INPUT);
        if (threads == 1) strcpy(first, error.message);
        assert_string_equal(error.message, first);
    }
    assert_string_equal(first,
                        "scene.json:30:5: grain 2 of fill 'bed' overlaps grain 1 of fill 'bed' by 2 mm, 20 % of the "
                        "smaller radius; the limit is 1 % (contact.overlap_limit)");
    scene_end(&t);
}

static void a_wrong_body_is_told_with_its_place(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_ball(&t, "a", -1.0, vec3(0, 0, 0));
    assert_refused(&t.s, SCR_BAD_INPUT, "scene.json:10:5: body 'a': radius must be positive, not -1");
    t.shapes[0].radius = 1.0;
    t.bodies[0].has_motion = true;
    assert_refused(&t.s, SCR_BAD_INPUT, "scene.json:10:5: body 'a' has a motion but is not kinematic");
    scene_end(&t);
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_floor(&t, -0.1);
    add_fill(&t, "bed", FILL_JITTERED, crate, constant_size(0.05));
    add_emitter(&t, crate, constant_size(0.01), 1.0);
    add_probe(&t, "energy", PROBE_ENERGY);
    int64_t n = 0;
    for (;; ++n) {
        simulation *sim = NULL;
        scr_error error;
        scr_fail_allocation_in(n);
        scr_status status = simulation_create(&t.s, true, 1, &sim, &error);
        scr_fail_allocation_in(-1);
        if (status == SCR_OK) {
            simulation_destroy(sim);
            break;
        }
        assert_int_equal(status, SCR_NO_MEMORY);
        assert_null(sim);
    }
    assert_true(n > 20);
    scene_end(&t);
}

static void half_a_million_grains_are_made_and_checked_in_seconds(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    add_floor(&t, 0.0);
    add_fill(&t, "bed", FILL_HEXAGONAL, box_region(vec3(0, 0, 0), vec3(1, 1, 1)), uniform_size(0.004, 0.006))->count =
        500000;
    clock_t start = clock();
    simulation *sim = created(&t.s, 2);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%d bodies in %.2f s of processor time\n", (int)body_count(sim), seconds);
    assert_true(seconds < 10.0);  // about 0.5 s, more with sanitizers; quadratic cost would take hours
    simulation_destroy(sim);
    scene_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fill_makes_exactly_the_count_asked_for),
        cmocka_unit_test(fills_that_do_not_fit_are_refused),
        cmocka_unit_test(fills_do_not_disturb_each_other),
        cmocka_unit_test(a_mix_has_its_shares),
        cmocka_unit_test(tables_become_grains),
        cmocka_unit_test(mistakes_in_tables_are_told_with_their_place),
        cmocka_unit_test(deep_overlaps_are_refused_by_name),
        cmocka_unit_test(the_first_of_several_overlaps_is_named),
        cmocka_unit_test(grains_deep_in_walls_are_refused),
        cmocka_unit_test(bodies_that_never_touch_may_overlap),
        cmocka_unit_test(the_pair_named_does_not_depend_on_the_threads),
        cmocka_unit_test(a_wrong_body_is_told_with_its_place),
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(half_a_million_grains_are_made_and_checked_in_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
