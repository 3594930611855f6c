// SPDX-License-Identifier: BSD-3-Clause
// Contacts and joints in whole steps: light links between a heavy load and the floor.
#include "dynamics/physics.h"
#include "dynamics/world/world_state.h"
#include "laboratory/laboratory.h"

enum { LINKS = 6 };
static const double PITCH = 0.06, THICKNESS = 0.015;  // m
static const double LOAD = 200.0, LINK = 0.3;         // kg

typedef struct loaded_chain {
    scr_world *world;
    scr_body floor, load, link[LINKS];
    scr_joint joint[LINKS - 1];
} loaded_chain;

// A chain of hinged plates on the floor, and a box of 200 kg that falls on it at `speed`, not quite flat.
static loaded_chain make_chain(const scr_world_def *def, double speed)
{
    loaded_chain c = {.world = make_world(def)};
    scr_material steel = add_material(c.world, 0.3, 0.0);
    c.floor = add_floor(c.world, steel);
    for (int k = 0; k < LINKS; ++k) {
        scr_shape plate = scr_box(vec3(0.028, 0.06, 0.5 * THICKNESS), steel);
        scr_body_def body = scr_default_body_def();
        body.position = vec3(PITCH * k, 0.0, 0.5 * THICKNESS + 1e-4);
        body.mass = LINK;
        body.shapes = &plate;
        body.shape_count = 1;
        c.link[k] = add_body(c.world, &body);
        if (k == 0) continue;
        scr_joint_def hinge = scr_joint_at(SCR_JOINT_REVOLUTE, c.link[k - 1], c.link[k],
                                           vec3(PITCH * (k - 0.5), 0.0, body.position.z), vec3(0.0, 1.0, 0.0));
        assert_ok(scr_world_add_joint(c.world, &hinge, &c.joint[k - 1], &error));
    }
    scr_shape box = scr_box(vec3(0.11, 0.05, 0.05), steel);
    scr_body_def body = scr_default_body_def();
    body.position = vec3(0.5 * PITCH * (LINKS - 1), 0.0, THICKNESS + 0.0525);
    body.rotation = quat_unit((scr_quat){1.0, 0.0, 0.01, 0.0});
    body.velocity = vec3(0.0, 0.0, -speed);
    body.mass = LOAD;
    body.shapes = &box;
    body.shape_count = 1;
    c.load = add_body(c.world, &body);
    return c;
}

static double widest_gap(const loaded_chain *c)
{
    double widest = 0.0;
    for (int k = 0; k < LINKS - 1; ++k) {
        scr_joint_state state;
        assert_ok(scr_joint_get_state(c->world, c->joint[k], &state, &error));
        widest = fmax(widest, state.gap);
    }
    return widest;
}

// The impulses of the impact would by themselves turn a plate by half a turn in a step; joints stay closed through it,
// and in the end the floor carries what stands on it.
static void light_links_survive_a_heavy_load(void **state)
{
    (void)state;
    const double speed[] = {0.1, 1.0, 3.0};
    for (int k = 0; k < 3; ++k) {
        scr_world_def def = scr_default_world_def();
        def.thread_count = 1;
        loaded_chain c = make_chain(&def, speed[k]);
        for (int i = 0; i < 100; ++i) {
            step(c.world, 1);
            assert_at_most(widest_gap(&c), 1e-8);
        }
        double force = 0.0, weight = 9.81 * (LOAD + LINKS * LINK);
        step(c.world, 400);
        for (int i = 0; i < 50; ++i) {
            step(c.world, 1);
            force -= contact_force_on(c.world, c.floor).z / 50.0;
        }
        assert_near(force, weight, 0.01);
        scr_world_destroy(c.world);
    }
}

// What the world says about its own answer is what the problem it kept says about it, joints and all.
static void accuracy_counts_joints(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.thread_count = 1;
    def.solver.precision = SCR_PRECISION_DOUBLE;
    def.solver.tolerance = 1e-9;
    def.solver.max_iterations = 20000;
    loaded_chain c = make_chain(&def, 0.5);
    saved_system kept;
    saved_system_init(&kept);
    step(c.world, 10);
    assert_ok(world_keep_problem(c.world, &kept, &error));
    for (int i = 0; i < 20; ++i) {
        step(c.world, 1);
        assert_int_equal(kept.joined.count, LINKS);
        assert_int_equal(kept.blocks.count, LINKS - 1);
        assert_ok(saved_system_check(&kept, "the step", &error));
        assert_at_most(scr_world_report(c.world).force_error, 1e-5);
    }
    saved_system_free(&kept);
    scr_world_destroy(c.world);
}

// The best answer to the kept problem is what the step has done.
static void a_kept_problem_is_that_of_the_step(void **state)
{
    (void)state;
    scr_world_def def = scr_default_world_def();
    def.thread_count = 1;
    def.solver.tolerance = 1e-6;
    def.solver.max_iterations = 20000;
    loaded_chain c = make_chain(&def, 0.5);
    saved_system kept;
    laboratory lab;
    solve_result result;
    saved_system_init(&kept);
    step(c.world, 30);
    assert_ok(world_keep_problem(c.world, &kept, &error));
    step(c.world, 1);
    assert_ok(laboratory_open(&lab, &kept, 1, &error));
    assert_ok(laboratory_find_reference(&lab, SCR_FRICTION_CONVEX, 50000, kept.answer, &result, &error));
    double floor = 0.0, force = -contact_force_on(c.world, c.floor).z;
    for (int64_t i = 0; i < kept.contacts.count; ++i)
        if (kept.a[i] < 0 || kept.b[i] < 0) floor += fabs(kept.answer[6 * i + 2]) / kept.time_step;
    assert_near(floor, force, 1e-3);
    laboratory_close(&lab);
    saved_system_free(&kept);
    scr_world_destroy(c.world);
}

// A taut chain of light balls along a wall: tension stiffens their inertia, for joints and contacts alike. What the
// world solves is one problem then, and the one it keeps.
static void contacts_of_taut_balls_meet_what_joints_meet(void **state)
{
    (void)state;
    enum { BALLS = 5 };
    const double radius = 0.01, pitch = 0.021;
    scr_world_def def = scr_default_world_def();
    def.thread_count = 1;
    def.solver.precision = SCR_PRECISION_DOUBLE;
    def.solver.tolerance = 1e-10;
    def.solver.max_iterations = 50000;
    scr_world *world = make_world(&def);
    scr_material rough = add_material(world, 0.5, 0.0);
    add_shape(world, SCR_FIXED, scr_box(vec3(0.1, 1.0, 1.0), rough), vec3(-0.1 - radius, 0.0, 0.0),
              vec3(0.0, 0.0, 0.0));
    scr_body above = {0}, ball[BALLS];
    for (int k = 0; k <= BALLS; ++k) {
        scr_shape shape = k < BALLS ? scr_sphere(radius, rough) : scr_box(vec3(radius, 0.05, 0.05), rough);
        scr_body_def body = scr_default_body_def();
        body.position = vec3(0.0, 0.0, -pitch * (k + 0.5) - (k < BALLS ? 0.0 : 0.05));
        body.velocity = vec3(-0.02 * k, 0.1 * k, 0.0);
        body.mass = k < BALLS ? 0.01 : 50.0;
        body.shapes = &shape;
        body.shape_count = 1;
        scr_body next = add_body(world, &body);
        if (k < BALLS) ball[k] = next;
        scr_joint_def link =
            scr_joint_at(SCR_JOINT_SPHERICAL, above, next, vec3(0.0, 0.0, -pitch * k), vec3(0.0, 0.0, 1.0));
        scr_joint joint;
        assert_ok(scr_world_add_joint(world, &link, &joint, &error));
        above = next;
    }
    saved_system kept;
    laboratory lab;
    solve_result result;
    saved_system_init(&kept);
    step(world, 5);
    assert_ok(world_keep_problem(world, &kept, &error));
    step(world, 1);
    assert_true(kept.contacts.count >= BALLS);
    bool is_stiffened = false;
    for (int64_t i = 0; i < kept.bodies.count; ++i)
        is_stiffened =
            is_stiffened || (kept.is_grain[i] && kept.inv_inertia[9 * i] < 0.99 * 2.5 / (0.01 * radius * radius));
    assert_true(is_stiffened);
    assert_ok(saved_system_check(&kept, "the chain", &error));
    assert_ok(laboratory_open(&lab, &kept, 1, &error));
    assert_ok(laboratory_find_reference(&lab, SCR_FRICTION_CONVEX, 50000, kept.answer, &result, &error));
    scr_vec3 all = {0}, expected = {0};
    for (int k = 0; k < BALLS; ++k) all = vec3_add(all, contact_force_on(world, ball[k]));
    for (int64_t i = 0; i < kept.contacts.count; ++i) {
        bool is_b = kept.b[i] >= 0;
        if (kept.is_grain[is_b ? kept.b[i] : kept.a[i]])
            expected = vec3_add_scaled(expected, (is_b ? 1.0 : -1.0) / kept.time_step,
                                       vec3(kept.answer[6 * i], kept.answer[6 * i + 1], kept.answer[6 * i + 2]));
    }
    assert_within3(all, expected, 1e-4 * vec3_norm(expected));
    laboratory_close(&lab);
    saved_system_free(&kept);
    scr_world_destroy(world);
}

static void threads_and_instructions_do_not_change_the_bits(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (int run = 0; run < 4; ++run) {
        scr_world_def def = scr_default_world_def();
        def.thread_count = run == 3 ? 1 : run + 1;
        def.instruction_set = run == 3 ? SCR_PLAIN : SCR_BEST;
        def.solver.max_iterations = 10;  // every colour of every sweep is a meeting of all threads
        loaded_chain c = make_chain(&def, 1.0);
        step(c.world, 20);
        if (run == 0) first = scr_world_hash(c.world);
        assert_true(scr_world_hash(c.world) == first);
        scr_world_destroy(c.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_links_survive_a_heavy_load),
        cmocka_unit_test(accuracy_counts_joints),
        cmocka_unit_test(a_kept_problem_is_that_of_the_step),
        cmocka_unit_test(contacts_of_taut_balls_meet_what_joints_meet),
        cmocka_unit_test(threads_and_instructions_do_not_change_the_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
