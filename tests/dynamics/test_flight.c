// SPDX-License-Identifier: BSD-3-Clause
// What a step does for bodies that touch nobody: nothing that bodies in contact ask for.
#include "dynamics/bodies/drift.h"
#include "dynamics/physics.h"
#include "dynamics/step/loose_drift.h"
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

// Two grains that collide among many that touch nobody end as the two alone.
static void a_collision_in_a_crowd_is_that_of_two_alone(void **state)
{
    (void)state;
    scr_body_state end[2][2];
    for (int crowded = 0; crowded < 2; ++crowded) {
        scr_world_def def = scr_default_world_def();
        scr_world *world = make_world(&def);
        scr_material stone = add_material(world, 0.5, 0.0);
        scr_body one = add_sphere(world, stone, RADIUS, vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0)),
                 other = add_sphere(world, stone, RADIUS, vec3(2.001 * RADIUS, 0.3 * RADIUS, 0.0), vec3(0.0, 0.1, 0.0));
        for (int k = 0; k < 40 * crowded; ++k)
            add_sphere(world, stone, RADIUS, vec3(1.0 + 0.1 * k, 0.0, 0.0), vec3(0.0, 0.0, 0.2));
        step(world, 4);
        end[crowded][0] = state_of(world, one), end[crowded][1] = state_of(world, other);
        assert_int_equal(scr_world_report(world).contact_count, 1);
        scr_world_destroy(world);
    }
    for (int side = 0; side < 2; ++side) {
        assert_true(vec3_norm(vec3_sub(end[0][side].velocity, end[1][side].velocity)) < 1e-12);
        assert_true(vec3_norm(vec3_sub(end[0][side].spin, end[1][side].spin)) < 1e-9);
        assert_true(vec3_norm(end[0][side].spin) > 0.1);  // they did collide
    }
}

static void bodies_move_eight_at_a_time_as_one_by_one(void **state)
{
    (void)state;
    static double was[7][DRIFT_LANES], now[13][DRIFT_LANES], inverse_inertia[3][DRIFT_LANES];
    static body_motion motion[DRIFT_LANES];
    const body_poses from = {was[0], was[1], was[2], was[3], was[4], was[5], was[6]};
    const new_motion m = {.body = motion, .capacity = DRIFT_LANES};
    bodies b = {.x = now[0],
                .y = now[1],
                .z = now[2],
                .qw = now[3],
                .qx = now[4],
                .qy = now[5],
                .qz = now[6],
                .vx = now[7],
                .vy = now[8],
                .vz = now[9],
                .wx = now[10],
                .wy = now[11],
                .wz = now[12],
                .inv_ix = inverse_inertia[0],
                .inv_iy = inverse_inertia[1],
                .inv_iz = inverse_inertia[2]};
    const double h = 1e-3, fastest[] = {0.0, 1e-3, 10.0, 199.0, 250.0};  // rad/s; half an angle of 0.1 is the limit
    for (int k = 0; k < 100; ++k) {
        double spin = fastest[k % 5];
        for (int l = 0; l < DRIFT_LANES; ++l) {
            uint64_t draw = 64 * (uint64_t)k + 16 * (uint64_t)l;
            scr_quat q = quat_unit((scr_quat){random_in(-1.0, 1.0, draw), random_in(-1.0, 1.0, draw + 1),
                                              random_in(-1.0, 1.0, draw + 2), random_in(0.1, 1.0, draw + 3)});
            was[3][l] = q.w, was[4][l] = q.x, was[5][l] = q.y, was[6][l] = q.z;
            for (int axis = 0; axis < 3; ++axis) {
                was[axis][l] = random_in(-1.0, 1.0, draw + 4 + (uint64_t)axis);
                motion[l].v[axis] = random_in(-1.0, 1.0, draw + 7 + (uint64_t)axis);
                motion[l].w[axis] = l == 2 ? 0.0 : spin * sqrt(1.0 / 3.0);  // one of them rests
                inverse_inertia[axis][l] = l == 3 ? 2.0 : random_in(1.0, 2.0, draw + 10 + (uint64_t)axis);  // a cube
            }
        }
        const uint32_t steady = k % 3 == 0 ? ALL_STEADY : k % 3 == 1 ? 0 : 5;
        for (int isa = 0; isa < 2; ++isa) {
            bool is_moved = KERNEL_FOR(isa == 0, drift_loose)(&b, &from, &m, 0, steady, h);
            assert_int_equal(is_moved, spin < 200.0);
            for (int l = 0; l < DRIFT_LANES && is_moved; ++l) {
                scr_quat start = body_poses_at(&from, l).rotation;
                scr_vec3 inverse = vec3(b.inv_ix[l], b.inv_iy[l], b.inv_iz[l]), spins = new_twist(&m, l).w;
                rotating end =
                    steady >> l & 1 ? rotate_steadily(start, spins, h) : rotate_freely(start, spins, inverse, h);
                scr_quat q = body_rotation(&b, l);
                scr_vec3 w = vec3(b.wx[l], b.wy[l], b.wz[l]), v = new_twist(&m, l).v, x = body_position(&b, l);
                scr_vec3 to = vec3_add_scaled(body_poses_at(&from, l).position, h, v), kept = body_velocity(&b, l);
                assert_memory_equal(&q, &end.q, sizeof q);
                assert_memory_equal(&w, &end.spin, sizeof w);
                assert_memory_equal(&x, &to, sizeof x);
                assert_memory_equal(&kept, &v, sizeof v);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_flies_freely_has_no_record),
        cmocka_unit_test(what_falls_together_keeps_its_list),
        cmocka_unit_test(the_drift_of_lists_does_not_show_in_the_bits),
        cmocka_unit_test(a_collision_in_a_crowd_is_that_of_two_alone),
        cmocka_unit_test(bodies_move_eight_at_a_time_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
