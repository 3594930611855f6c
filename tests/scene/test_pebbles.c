// SPDX-License-Identifier: BSD-3-Clause
// Pebbles are the hulls they should be, weighed by Qhull, and beds of them go on as they were.
#include <stdlib.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

#include "check.h"
#include "core/maths/rng.h"
#include "dynamics/world/world.h"
#include "scene/bed/bed_change.h"
#include "scene/populate/grain_shape.h"
#include "taken_bed.h"

enum { SIDE = 4, COUNT = SIDE * SIDE * SIDE, STEPS = 20 };
static const uint64_t SEED = 7, STREAM = 5;
static const double CELL = 0.14, DENSITY = 2500.0;  // m, kg/m^3
static const scene_pebble STONES = {.semi_axes = {1.0, 0.8, 0.6}, .roughness = 0.2, .corners = 24, .forms = 5};

// m^3, by Qhull's own sum over facets.
static double volume_by_qhull(const scr_vec3 *points, int count)
{
    qhT qh;
    char command[] = "qhull FA";
    FILE *nowhere = fopen("/dev/null", "w");
    double *coordinate = malloc(3 * (size_t)count * sizeof *coordinate);
    memcpy(coordinate, points, 3 * (size_t)count * sizeof *coordinate);
    qh_zero(&qh, nowhere);
    assert_int_equal(qh_new_qhull(&qh, 3, count, coordinate, false, command, NULL, nowhere), 0);
    qh_getarea(&qh, qh.facet_list);
    double volume = qh.totvol;
    int left, total;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &left, &total);
    free(coordinate);
    fclose(nowhere);
    return volume;
}

static scr_world *new_world(scr_contact_law law, bool is_pressed, scr_vec3 cell)
{
    scr_world_def def = scr_default_world_def();
    scr_material_def stone = scr_default_material_def();
    scr_world *world;
    scr_material material;
    def.contact.law = law;
    def.time_step = law == SCR_PENALTY ? 2e-5 : 2e-4;
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.solver.tolerance = 1e-6;
    def.solver.max_iterations = 2000;
    def.thread_count = 1;
    def.period.high = cell;
    stone.density = DENSITY;
    stone.young = is_pressed ? 1e6 : 1e7;
    stone.friction = 0.6;
    assert_int_equal(scr_world_create(&def, &world, NULL), SCR_OK);
    assert_int_equal(scr_world_add_material(world, &stone, &material, NULL), SCR_OK);
    return world;
}

// Pebbles of several sizes all over a cell, on their way to each other or pressed into each other;
// radius[i] and position[i] are what was asked for.
static scr_world *world_of_pebbles(scr_contact_law law, bool is_pressed, scr_vec3 *position, double *radius)
{
    scr_world *world = new_world(law, is_pressed, vec3(CELL, CELL, CELL));
    scr_vec3 velocity[COUNT];
    scr_error error = {0};
    for (int i = 0; i < COUNT; ++i) {
        double d = CELL / SIDE, u[4];
        for (int k = 0; k < 4; ++k) u[k] = scr_uniform(1, (uint64_t)k, (uint64_t)i) - 0.5;
        position[i] = vec3(d * (i % SIDE + 0.5), d * (i / SIDE % SIDE + 0.5), d * (i / (SIDE * SIDE) + 0.5));
        velocity[i] = vec3(u[0], u[1], u[2]);
        radius[i] = (is_pressed ? 0.024 : 0.021) * (1.0 + 0.1 * u[3]);
    }
    const scene_grain kind = {.shape = scr_sphere(1.0, (scr_material){0}), .pebble = STONES};
    const grain_batch batch = {.count = COUNT,
                               .position = position,
                               .radius = radius,
                               .velocity = velocity,
                               .material = {1},
                               .seed = SEED,
                               .rotation_stream = 1,
                               .pebble_stream = STREAM};
    if (add_grains(world, &kind, &batch, &error) != SCR_OK) fail_msg("%s", error.message);
    return world;
}

static void corners_lie_between_two_ellipsoids(void **state)
{
    (void)state;
    scr_vec3 points[PEBBLE_CORNERS_MAX], mean = {0};
    double deepest = 0.0;
    for (int form = 0; form < 100; ++form) {
        pebble_points(&STONES, SEED, STREAM, form, points);
        for (int k = 0; k < STONES.corners; ++k) {
            double depth = 1.0 - vec3_norm(vec3(points[k].x / 1.0, points[k].y / 0.8, points[k].z / 0.6));
            assert_true(depth >= -1e-12 && depth <= STONES.roughness);
            deepest = fmax(deepest, depth);
            mean = vec3_add_scaled(mean, 1.0 / (100 * STONES.corners), points[k]);
        }
    }
    assert_true(deepest > 0.99 * STONES.roughness);
    assert_true(vec3_norm(mean) < 0.06);  // of 2400 directions, all equally likely: four standard errors
}

static void radii_are_rounded_by_little(void **state)
{
    (void)state;
    for (int k = 0; k < 1000; ++k) {
        double radius = 1e-3 * pow(1.01, k);
        assert_near(pebble_radius(radius), radius, 1.0 / 64.0);
        assert_true(pebble_radius(pebble_radius(radius)) == pebble_radius(radius));
    }
}

// Each grain weighs what Qhull says of one of the forms, all of which come up, and is in the ball it was given.
static void masses_are_those_of_the_polyhedra(void **state)
{
    (void)state;
    scr_vec3 position[COUNT], points[PEBBLE_CORNERS_MAX];
    double radius[COUNT], volume[8];
    int used[8] = {0};
    scr_world *world = world_of_pebbles(SCR_COMPLIANT, false, position, radius);
    for (int form = 0; form < STONES.forms; ++form) {
        pebble_points(&STONES, SEED, STREAM, form, points);
        volume[form] = volume_by_qhull(points, STONES.corners);
        assert_true(volume[form] > 0.5 && volume[form] < 4.19 * 0.48);
    }
    scr_body_view v = scr_world_bodies(world);
    assert_int_equal(v.count, COUNT);
    for (int64_t i = 0; i < COUNT; ++i) {
        double size = pebble_radius(radius[i]), weight = 1.0 / (v.inv_mass[i] * DENSITY * size * size * size);
        int form = 0;
        while (form < STONES.forms && fabs(weight / volume[form] - 1.0) > 1e-12) ++form;
        assert_true(form < STONES.forms);
        ++used[form];
        scr_placed_shape placed = scr_world_shape(world, i);
        scr_triangles t = scr_surface_triangles(world, placed.surface);
        for (int64_t k = 0; k < t.vertex_count; ++k) {
            scr_vec3 corner = vec3_add(placed.position, quat_rotate(placed.rotation, t.vertex[k]));
            assert_true(vec3_norm(vec3_sub(corner, position[i])) <= pebble_reach(&STONES) * radius[i] * (1.0 + 1e-12));
        }
    }
    for (int form = 0; form < STONES.forms; ++form) assert_true(used[form] > 2);
    scr_world_destroy(world);
}

// ---- beds ----------------------------------------------------------------------------------------------------------

static void pebbles_go_on_as_in_their_own_world(void **state)
{
    (void)state;
    const int twice[3] = {2, 1, 1};
    for (int k = 0; k < 2; ++k) {
        bed b;
        bool is_pressed = LAWS[k] == SCR_PENALTY;  // else few would touch at any time
        scr_vec3 position[COUNT];
        double radius[COUNT];
        scr_world *own = world_of_pebbles(LAWS[k], is_pressed, position, radius),
                  *other = new_world(LAWS[k], is_pressed, vec3(CELL, CELL, CELL)),
                  *field = new_world(LAWS[k], is_pressed, vec3(2.0 * CELL, CELL, CELL));
        step(own, 400);
        take(own, &b);
        assert_true(b.contacts.count > COUNT / 4);
        place(&b, other);
        assert_int_equal(other->surfaces.table.count, own->surfaces.table.count);
        assert_memory_equal(other->surfaces.vertices.position, own->surfaces.vertices.position,
                            3 * (size_t)own->surfaces.vertices.table.count * sizeof(double));
        assert_int_equal(bed_repeat(&b, twice, NULL), SCR_OK);
        place(&b, field);
        step(own, STEPS);
        step(other, STEPS);
        step(field, STEPS);
        assert_within(largest_difference(own, other, COUNT, AS_IT_IS), 0.0, tolerance(LAWS[k]));
        // Across a seam the other one of two grains may own their contact, whose spring then begins anew.
        if (LAWS[k] != SCR_PENALTY)
            assert_within(largest_difference(own, field, COUNT, AS_IT_IS), 0.0, tolerance(LAWS[k]));
        scr_world_destroy(own);
        scr_world_destroy(other);
        scr_world_destroy(field);
        bed_free(&b);
    }
}

// Mirrored before they touch, for contacts of hulls lose their history: they meet as their images do. A form that is
// not mirrored with its place would meet others.
static void mirrored_pebbles_meet_as_the_image(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        bed b;
        scr_vec3 position[COUNT], mirror = vec3(axis == 0 ? -1.0 : 1.0, axis == 1 ? -1.0 : 1.0, axis == 2 ? -1.0 : 1.0);
        double radius[COUNT];
        scr_world *own = world_of_pebbles(SCR_PENALTY, false, position, radius),
                  *image = new_world(SCR_PENALTY, false, vec3(CELL, CELL, CELL));
        take(own, &b);
        assert_int_equal(bed_mirror(&b, axis, NULL), SCR_OK);
        place(&b, image);
        step(own, 300);
        step(image, 300);
        scr_body_view v = scr_world_bodies(own);
        double turned = 0.0;
        for (int64_t i = 0; i < v.count; ++i) turned = fmax(turned, fabs(v.wx[i]));
        assert_true(turned > 0.1);  // rad/s: they did meet
        assert_within(largest_difference(own, image, COUNT, mirror), 0.0, 1e-6);
        scr_world_destroy(own);
        scr_world_destroy(image);
        bed_free(&b);
    }
}

static void beds_of_pebbles_are_cut_scaled_and_merged(void **state)
{
    (void)state;
    bed b, other;
    scr_vec3 position[COUNT];
    double radius[COUNT];
    scr_world *world = world_of_pebbles(SCR_COMPLIANT, false, position, radius),
              *there = new_world(SCR_COMPLIANT, false, vec3(0.0, 0.0, 0.0));
    take(world, &b);
    take(world, &other);
    assert_int_equal(bed_cut(&b, vec3(0.0, 0.0, 0.0), vec3(0.5 * CELL, CELL, CELL), NULL), SCR_OK);
    assert_int_equal(b.grains.count, COUNT / 2);
    bed_scale(&other, 2.0);
    bed_shift(&other, vec3(0.0, 0.0, 1.0));
    assert_int_equal(bed_merge(&b, &other, NULL), SCR_OK);
    assert_int_equal(b.grains.count, COUNT / 2 + COUNT);
    place(&b, there);
    // What a grain weighs is what its hull does.
    scr_body_view v = scr_world_bodies(there);
    for (int64_t i = 0; i < v.count; ++i) {
        scr_triangles t = scr_surface_triangles(there, scr_world_shape(there, i).surface);
        assert_near(volume_by_qhull(t.vertex, (int)t.vertex_count) * DENSITY * v.inv_mass[i], 1.0, 1e-10);
    }
    scr_world_destroy(world);
    scr_world_destroy(there);
    bed_free(&b);
    bed_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_lie_between_two_ellipsoids),
        cmocka_unit_test(radii_are_rounded_by_little),
        cmocka_unit_test(masses_are_those_of_the_polyhedra),
        cmocka_unit_test(pebbles_go_on_as_in_their_own_world),
        cmocka_unit_test(mirrored_pebbles_meet_as_the_image),
        cmocka_unit_test(beds_of_pebbles_are_cut_scaled_and_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
