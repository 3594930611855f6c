// SPDX-License-Identifier: BSD-3-Clause
// Space that repeats itself: seams cannot be told from any other place.
#include "dynamics/physics.h"
#include "dynamics/world/world.h"

static const double RADIUS = 0.01, LENGTH = 0.105;
enum { SIDE = 5, LAYERS = 6 };

static scr_world_def cell(bool x, bool y, bool z)
{
    scr_world_def def = scr_default_world_def();
    def.period = (scr_period){.high = {x ? LENGTH : 0.0, y ? LENGTH : 0.0, z ? LENGTH : 0.0}};
    return def;
}

static scr_material add_stone(scr_world *world, double restitution)
{
    scr_material_def def = scr_default_material_def();
    scr_material material;
    def.friction = 0.5, def.restitution = restitution, def.young = 1e7;
    assert_ok(scr_world_add_material(world, &def, &material, &error));
    return material;
}

static void two_grains_touch_across_a_seam_as_they_do_elsewhere(void **state)
{
    (void)state;
    for (int law = 0; law < 2; ++law) {
        scr_vec3 velocity[2][2];
        for (int across = 0; across < 2; ++across) {
            scr_world_def def = cell(true, true, true);
            def.gravity = vec3(0.0, 0.0, 0.0);
            if (law == 1) def.contact.law = SCR_PENALTY, def.time_step = 1e-5;
            scr_world *world = make_world(&def);
            scr_material stone = add_stone(world, 0.5);
            double at = across ? LENGTH : 0.5 * LENGTH;
            scr_body a = add_sphere(world, stone, RADIUS, vec3(at - 0.0105, at, at), vec3(1.0, 0.1, 0.0));
            // the image in the cell before
            scr_body b = add_sphere(world, stone, RADIUS, vec3(at + 0.0105 - (across ? LENGTH : 0.0), at, at),
                                    vec3(-1.0, -0.1, 0.3));
            step(world, law == 1 ? 400 : 8);
            scr_body_state one, other;
            assert_ok(scr_body_get_state(world, a, &one, &error));
            assert_ok(scr_body_get_state(world, b, &other, &error));
            velocity[across][0] = one.velocity, velocity[across][1] = other.velocity;
            assert_true(one.velocity.x < 0.9);  // they have met
            scr_world_destroy(world);
        }
        for (int k = 0; k < 2; ++k) {
            assert_near(velocity[0][k].x, velocity[1][k].x, 1e-12);
            assert_near(velocity[0][k].y, velocity[1][k].y, 1e-12);
            assert_near(velocity[0][k].z, velocity[1][k].z, 1e-12);
        }
    }
}

// Two ellipsoids, then two boxes, that collide off their centre line.
static void other_shapes_touch_across_a_seam_as_they_do_elsewhere(void **state)
{
    (void)state;
    scr_vec3 half = vec3(RADIUS, 0.7 * RADIUS, 0.6 * RADIUS);
    for (int kind = 0; kind < 4; ++kind) {
        scr_vec3 spin[2];
        for (int across = 0; across < 2; ++across) {
            scr_world_def def = cell(true, true, true);
            def.gravity = vec3(0.0, 0.0, 0.0);
            if (kind % 2 == 1) def.contact.law = SCR_PENALTY, def.time_step = 1e-5;
            scr_world *world = make_world(&def);
            scr_material stone = add_stone(world, 0.0);
            scr_shape shape = kind < 2 ? scr_ellipsoid(half, stone) : scr_box(half, stone);
            double at = across ? LENGTH : 0.5 * LENGTH;
            add_shape(world, SCR_DYNAMIC, shape, vec3(at - 0.0105, at, at), vec3(1.0, 0.0, 0.0));
            scr_body b = add_shape(world, SCR_DYNAMIC, shape,
                                   vec3(at + 0.0105 - (across ? LENGTH : 0.0), at + 0.004, at), vec3(-1.0, 0.0, 0.0));
            step(world, kind % 2 == 1 ? 400 : 8);
            scr_body_state last;
            assert_ok(scr_body_get_state(world, b, &last, &error));
            spin[across] = last.spin;
            assert_true(vec3_norm(last.spin) > 1.0);
            scr_world_destroy(world);
        }
        assert_within3(spin[1], spin[0], 1e-6 * vec3_norm(spin[0]));
    }
}

// A crowd of spheres, ellipsoids and boxes that fills the cell, moved by `shift` along x and y.
static scr_world *crowd(scr_world_def def, double shift)
{
    scr_world *world = make_world(&def);
    scr_material stone = add_stone(world, 0.0);
    add_floor(world, stone);
    for (int k = 0; k < SIDE * SIDE * LAYERS; ++k) {
        uint64_t draw = 4 * (uint64_t)k;
        double pitch = LENGTH / SIDE;
        scr_vec3 at = vec3(pitch * (k % SIDE) + shift, pitch * (k / SIDE % SIDE) + shift,
                           RADIUS + 1.1 * pitch * (k / (SIDE * SIDE)));
        scr_vec3 velocity = vec3(random_in(-0.3, 0.3, draw), random_in(-0.3, 0.3, draw + 1), 0.0);
        if (k % 4 == 3) add_box(world, stone, vec3(0.8 * RADIUS, RADIUS, 0.7 * RADIUS), at, velocity);
        else if (k % 8 < 3)
            add_shape(world, SCR_DYNAMIC, scr_ellipsoid(vec3(0.9 * RADIUS, RADIUS, 1.02 * RADIUS), stone), at,
                      velocity);
        else add_sphere(world, stone, RADIUS * random_in(0.9, 1.0, draw + 2), at, velocity);
    }
    return world;
}

static void a_bed_moved_by_half_its_length_has_the_same_forces(void **state)
{
    (void)state;
    for (int law = 0; law < 2; ++law) {
        scr_world_def def = cell(true, true, false);
        if (law == 1) def.contact.law = SCR_PENALTY, def.time_step = 2e-5;
        int steps = law == 1 ? 600 : 20;
        scr_world *one = crowd(def, 0.0), *other = crowd(def, 0.5 * LENGTH);
        step(one, steps);
        step(other, steps);
        assert_true(one->contacts.count > 50);
        assert_int_equal(one->contacts.count, other->contacts.count);
        double largest = 0.0, difference = 0.0;
        for (int64_t i = 0; i < one->bodies.table.count; ++i) {
            int64_t j = 0;
            while (other->bodies.id[j] != one->bodies.id[i]) ++j;
            scr_vec3 v = body_velocity(&one->bodies, i), w = body_velocity(&other->bodies, j);
            largest = fmax(largest, vec3_norm(v));
            difference = fmax(difference, vec3_norm(vec3_sub(v, w)));
        }
        assert_true(largest > 0.05);
        assert_true(difference < 1e-6 * largest);
        scr_world_destroy(one);
        scr_world_destroy(other);
    }
}

static void momentum_is_kept_where_all_axes_repeat(void **state)
{
    (void)state;
    scr_world_def def = cell(true, true, true);
    def.gravity = vec3(0.0, 0.0, 0.0);
    scr_world *world = make_world(&def);
    scr_material stone = add_stone(world, 0.5);
    for (int k = 0; k < 125; ++k) {
        uint64_t draw = 4 * (uint64_t)k;
        scr_vec3 velocity =
            vec3(random_in(-2.0, 2.0, draw), random_in(-2.0, 2.0, draw + 1), random_in(-2.0, 2.0, draw + 2));
        add_sphere(world, stone, RADIUS, vec3(0.021 * (k % 5), 0.021 * (k / 5 % 5), 0.021 * (k / 25)), velocity);
    }
    scr_vec3 before = scr_world_momentum(world);
    step(world, 300);
    scr_vec3 after = scr_world_momentum(world);
    assert_true(world->report.contact_count > 0);
    assert_near(after.x, before.x, 1e-12);
    assert_near(after.y, before.y, 1e-12);
    assert_near(after.z, before.z, 1e-12);
    scr_world_destroy(world);
}

// Every pair of grains whose nearest images are in reach of each other is listed once.
static void lists_hold_every_pair_of_nearest_images_once(void **state)
{
    (void)state;
    scr_world_def def = cell(true, true, true);
    def.gravity = vec3(0.0, 0.0, 0.0);
    scr_world *world = make_world(&def);
    scr_material stone = add_stone(world, 0.5);
    for (int k = 0; k < 200; ++k) {
        uint64_t draw = 4 * (uint64_t)k;
        scr_vec3 at = vec3(random_in(-0.5, 0.5, draw), random_in(-0.5, 0.5, draw + 1), random_in(-0.5, 0.5, draw + 2));
        add_sphere(world, stone, RADIUS, at, vec3(0.0, 0.0, 0.0));
    }
    assert_ok(scr_world_find_contacts(world, &error));
    int64_t expected = 0;
    const bodies *b = &world->bodies;
    for (int64_t i = 0; i < b->table.count; ++i)
        for (int64_t j = 0; j < i; ++j) {
            scr_vec3 d = vec3_sub(body_position(b, i), body_position(b, j));
            d = vec3(remainder(d.x, LENGTH), remainder(d.y, LENGTH), remainder(d.z, LENGTH));
            expected += vec3_norm(d) < 2.0 * RADIUS;
        }
    int64_t found = 0;
    for (int64_t k = 0; k < world->contacts.count; ++k)
        found += contact_geometry_of(&world->contacts, &world->colliders, k).gap < 0.0;
    assert_true(expected > 20);
    assert_int_equal(found, expected);
    scr_world_destroy(world);
}

static void what_cannot_repeat_is_named(void **state)
{
    (void)state;
    scr_world_def def = cell(true, false, false);
    scr_world *world = make_world(&def);
    scr_material stone = add_stone(world, 0.5);
    scr_body_def wall = scr_default_body_def();
    scr_shape plane = scr_plane(stone), huge = scr_sphere(0.05, stone);
    wall.kind = SCR_FIXED, wall.shapes = &plane, wall.shape_count = 1;
    wall.rotation = (scr_quat){sqrt(0.5), 0.0, sqrt(0.5), 0.0};
    scr_body body;
    scr_error error = {0};
    assert_int_equal(scr_world_add_body(world, &wall, &body, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "a plane cannot stand across x"));
    scr_body_def large = scr_default_body_def();
    large.shapes = &huge, large.shape_count = 1;
    assert_int_equal(scr_world_add_body(world, &large, &body, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "too large"));
    scr_world_destroy(world);
    def.period.high.x = -1.0;
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_BAD_INPUT);
}

static void a_cell_has_the_same_bits_for_any_number_of_threads_and_after_it_was_saved(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (int threads = 1; threads <= 3; ++threads) {
        scr_world_def def = cell(true, true, false);
        def.thread_count = threads;
        scr_world *world = crowd(def, 0.03);
        step(world, 15);
        if (threads == 2) {
            void *data;
            size_t size;
            assert_ok(scr_world_save_to_memory(world, &data, &size, &error));
            scr_world_destroy(world);
            assert_ok(scr_world_load_from_memory(data, size, &world, &error));
            scr_memory_free(data);
        }
        step(world, 15);
        if (threads == 1) hash = scr_world_hash(world);
        assert_true(scr_world_hash(world) == hash);
        scr_world_destroy(world);
    }
}

// A grain on two others, which carry it along x at 1 m/s; gravity is inclined, so that it leans on its springs.
static scr_world *carried_grain(double at, scr_body body[3])
{
    scr_world_def def = cell(true, true, false);
    def.contact.law = SCR_PENALTY, def.time_step = 1e-5;
    def.gravity = vec3(0.0, 2.0, -9.0);
    scr_world *world = make_world(&def);
    scr_material stone = add_stone(world, 0.3);
    scr_vec3 along = vec3(1.0, 0.0, 0.0);
    scr_shape carrier = scr_sphere(RADIUS, stone);
    body[0] = add_shape(world, SCR_KINEMATIC, carrier, vec3(at - 0.8 * RADIUS, 0.05, 0.0), along);
    body[1] = add_shape(world, SCR_KINEMATIC, carrier, vec3(at + 0.8 * RADIUS, 0.05, 0.0), along);
    body[2] = add_sphere(world, stone, RADIUS, vec3(at, 0.052, 1.82 * RADIUS), along);
    return world;
}

// How far the springs of its two contacts are stretched in all, m.
static double spring_length(const scr_world *world)
{
    const contacts *set = &world->contacts;
    double sum = 0.0;
    int64_t touching = 0;
    for (int64_t k = 0; k < set->count; ++k) {
        const double *s = set->history.spring + 3 * k;
        touching += contact_geometry_of(set, &world->colliders, k).gap < 0.0;
        sum += vec3_norm(vec3(s[0], s[1], s[2]));
    }
    assert_int_equal(touching, 2);
    return sum;
}

static void a_grain_that_crosses_the_seam_keeps_its_springs(void **state)
{
    (void)state;
    scr_body one[3], other[3];
    scr_world *inside = carried_grain(0.25 * LENGTH, one), *across = carried_grain(0.9 * LENGTH, other);
    step(inside, 300);
    step(across, 300);
    for (int k = 0; k < 100; ++k) {  // 20 mm: all three cross it, one after the other
        step(inside, 20);
        step(across, 20);
        double stretched = spring_length(inside);
        assert_true(stretched > 1e-8);
        assert_near(spring_length(across), stretched, 1e-6);
    }
    scr_body_state last;
    assert_ok(scr_body_get_state(across, other[0], &last, &error));
    assert_true(last.position.x > LENGTH);  // it went on
    scr_world_destroy(inside);
    scr_world_destroy(across);
}

static void springs_are_the_same_when_all_is_moved_by_whole_cells(void **state)
{
    (void)state;
    scr_body still[3], moved[3];
    scr_world *one = carried_grain(0.3 * LENGTH, still), *other = carried_grain(0.3 * LENGTH, moved);
    step(one, 500);
    step(other, 500);
    for (int k = 0; k < 3; ++k) {
        scr_body_state now;
        assert_ok(scr_body_get_state(other, moved[k], &now, &error));
        now.position.x += (k - 3) * LENGTH;  // each by another number of cells
        assert_ok(scr_body_set_state(other, moved[k], &now, &error));
    }
    for (int k = 0; k < 50; ++k) {
        step(one, 1);
        step(other, 1);
        assert_true(spring_length(one) > 1e-8);
        assert_near(spring_length(other), spring_length(one), 1e-6);
    }
    scr_world_destroy(one);
    scr_world_destroy(other);
}

static void questions_see_bodies_where_they_are_shown(void **state)
{
    (void)state;
    scr_world_def def = cell(true, true, false);
    scr_world *world = make_world(&def);
    scr_material stone = add_stone(world, 0.3);
    scr_body grain = add_sphere(world, stone, RADIUS, vec3(7.3 * LENGTH, -2.6 * LENGTH, 0.1), vec3(0.0, 0.0, 0.0));
    add_floor(world, stone);
    scr_vec3 shown = vec3(0.3 * LENGTH, 0.4 * LENGTH, 0.1);
    assert_within3(scr_world_wrapped(world, vec3(7.3 * LENGTH, -2.6 * LENGTH, 0.1)), shown, 1e-12);
    scr_ray ray = {vec3(shown.x, shown.y, 1.0), vec3(0.0, 0.0, -1.0), 2.0};
    scr_hit hit;
    assert_ok(scr_world_cast_rays(world, 1, &ray, SCR_ALL_GROUPS, &hit, &error));
    assert_int_equal(hit.body.index1, grain.index1);
    assert_within3(hit.point, vec3(shown.x, shown.y, 0.1 + RADIUS), 1e-9);
    scr_vec3 beside = vec3(shown.x + 2.0 * RADIUS, shown.y, 0.1);
    assert_ok(scr_world_nearest(world, 1, &beside, 1.0, SCR_ALL_GROUPS, &hit, &error));
    assert_int_equal(hit.body.index1, grain.index1);
    assert_near(hit.distance, RADIUS, 1e-9);
    scr_shape probe = scr_sphere(0.5 * RADIUS, stone);
    int64_t found;
    probe.position = shown;
    assert_ok(scr_world_overlapping(world, &probe, SCR_ALL_GROUPS, 0, NULL, &found, &error));
    assert_int_equal(found, 1);
    probe.position = vec3(7.3 * LENGTH, -2.6 * LENGTH, 0.1);
    assert_ok(scr_world_overlapping(world, &probe, SCR_ALL_GROUPS, 0, NULL, &found, &error));
    assert_int_equal(found, 0);
    scr_world_destroy(world);
}

static void wrapped_positions_are_in_the_cell_whatever_rounding_does(void **state)
{
    (void)state;
    const double high = 0.1 + 0.2;  // no number of doubles
    periodic_cell p = {.any = true, .low = {0.1}, .length = {high - 0.1}, .inverse = {1.0 / (high - 0.1)}};
    for (int64_t k = -2000; k <= 2000; ++k) {
        double seam = 0.1 + (double)k * p.length[0];
        const double near[3] = {nextafter(seam, -INFINITY), seam, nextafter(seam, INFINITY)};
        for (int i = 0; i < 3; ++i) {
            double x = period_wrapped(&p, vec3(near[i], 5.0, 0.0)).x;
            assert_true(x >= 0.1 && x <= 0.1 + p.length[0]);
        }
    }
    assert_true(isnan(period_wrapped(&p, vec3(NAN, 0.0, 0.0)).x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_grains_touch_across_a_seam_as_they_do_elsewhere),
        cmocka_unit_test(other_shapes_touch_across_a_seam_as_they_do_elsewhere),
        cmocka_unit_test(a_bed_moved_by_half_its_length_has_the_same_forces),
        cmocka_unit_test(momentum_is_kept_where_all_axes_repeat),
        cmocka_unit_test(lists_hold_every_pair_of_nearest_images_once),
        cmocka_unit_test(what_cannot_repeat_is_named),
        cmocka_unit_test(a_cell_has_the_same_bits_for_any_number_of_threads_and_after_it_was_saved),
        cmocka_unit_test(a_grain_that_crosses_the_seam_keeps_its_springs),
        cmocka_unit_test(springs_are_the_same_when_all_is_moved_by_whole_cells),
        cmocka_unit_test(questions_see_bodies_where_they_are_shown),
        cmocka_unit_test(wrapped_positions_are_in_the_cell_whatever_rounding_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
