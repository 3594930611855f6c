// SPDX-License-Identifier: BSD-3-Clause
// What a step does for bodies that touch nobody: nothing that bodies in contact ask for.
#include "dynamics/physics.h"
#include "dynamics/world/world.h"

static const double RADIUS = 0.01;

static void what_flies_freely_has_no_record(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    add_floor(world, stone);
    for (int k = 0; k < 12; ++k) {
        bool lies = k % 3 == 0;
        double radius = lies ? RADIUS : 50.0 * RADIUS;  // 125,000 times as heavy
        add_sphere(world, stone, radius, vec3(2.0 * k, 0.0, lies ? RADIUS : 5.0), vec3(0.0, 0.0, 0.0));
    }
    step(world, 1);
    const problem *p = &world->problem;
    assert_int_equal(p->body_count, 4);
    assert_true(p->mass_ratio == 1.0);
    for (int64_t k = 0; k < p->body_count; ++k) {
        assert_int_equal(p->touched.record_of[p->touched.body_of[k]], k);
        assert_true(world->bodies.z[p->touched.body_of[k]] < 1.0);
    }
    scr_world_destroy(world);
}

enum { SIDE = 8, FALL_STEPS = 60 };

// Grains in loose order that fall together at 30 m/s, three radii a step, and pass each other slowly; then the floor.
static scr_world *shower(void)
{
    scr_world_def def = scr_default_world_def();
    def.time_step = 1e-3;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    add_floor(world, stone);
    for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
        uint64_t draw = 4 * (uint64_t)k;
        scr_vec3 at = vec3(2.01 * RADIUS * (k % SIDE), 2.01 * RADIUS * (k / SIDE % SIDE),
                           1.5 + 2.01 * RADIUS * (k / (SIDE * SIDE)));
        scr_vec3 scatter = vec3(random_in(-0.005, 0.005, draw), random_in(-0.005, 0.005, draw + 1),
                                random_in(-0.005, 0.005, draw + 2));
        add_sphere(world, stone, RADIUS, at, vec3_add(scatter, vec3(0.0, 0.0, -30.0)));
    }
    return world;
}

static void what_falls_together_keeps_its_list(void **state)
{
    (void)state;
    scr_world *world = shower();
    step(world, 30);
    assert_true(world->contacts.count > 100);
    assert_true(world->neighbours.build_count <= 6);
    scr_world_destroy(world);
}

static void the_drift_of_lists_does_not_show_in_the_bits(void **state)
{
    (void)state;
    scr_world *one = shower(), *other = shower();
    for (int k = 0; k < FALL_STEPS; ++k) {
        step(one, 1);
        neighbours_invalidate(&other->neighbours);
        step(other, 1);
        assert_true(scr_world_hash(one) == scr_world_hash(other));
    }
    assert_true(one->neighbours.build_count < other->neighbours.build_count);
    assert_true(one->bodies.z[0] < 0.2);  // on the floor
    scr_world_destroy(one);
    scr_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_flies_freely_has_no_record),
        cmocka_unit_test(what_falls_together_keeps_its_list),
        cmocka_unit_test(the_drift_of_lists_does_not_show_in_the_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
