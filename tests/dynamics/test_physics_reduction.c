// SPDX-License-Identifier: BSD-3-Clause
// Bodies that meet in hundreds of contacts, of which the solver sees few: they rest, slide and roll as on all of them.
//
// The body is a block with a grid of spheres under it; the floor a plane, or a grid of spheres into whose dimples the
// block's own fit: four contacts for each of its spheres.
#include "copied_world.h"
#include "dynamics/world/world.h"

static const scr_vec3 ZERO = {0.0, 0.0, 0.0};
static const double PITCH = 0.005, RADIUS = 0.003, MASS = 5.0, FRICTION = 0.5;

typedef enum ground { PLANE, SPHERES } ground;

static scr_body add_grid(scr_world *world, scr_material material, scr_body_kind kind, int side, scr_vec3 at, scr_vec3 v)
{
    scr_shape *shape = calloc((size_t)(side * side + 1), sizeof *shape);
    assert_non_null(shape);
    for (int k = 0; k < side * side; ++k) {
        shape[k] = scr_sphere(RADIUS, material);
        shape[k].position = vec3(PITCH * (k % side - 0.5 * (side - 1)), PITCH * (k / side - 0.5 * (side - 1)), 0.0);
    }
    double half = 0.5 * PITCH * side;
    shape[side * side] = scr_box(vec3(half, half, 0.3 * half), material);
    shape[side * side].position.z = 0.3 * half;
    scr_body_def def = scr_default_body_def();
    def.kind = kind;
    def.position = at;
    def.velocity = v;
    def.shapes = shape;
    def.shape_count = side * side + (kind == SCR_DYNAMIC);  // the floor is nothing but spheres
    def.mass = kind == SCR_DYNAMIC ? MASS : 0.0;
    scr_body body = add_body(world, &def);
    free(shape);
    return body;
}

static scr_world_def reduced_to(int max, scr_reduction reduction)
{
    scr_world_def def = scr_default_world_def();
    def.contact.compliance = 1e-3;  // so that a block is as stiff on few contacts as on many
    def.contact.max_per_pair = max;
    def.contact.reduction = reduction;
    def.solver.kind = SCR_SOLVER_AGS;  // its sweeps are counted
    return def;
}

// A block at height above rest, with a velocity along x.
static scr_world *make_block(const scr_world_def *def, int side, ground on, double height, double v, scr_body *block)
{
    scr_world *world = make_world(def);
    scr_material stone = add_material(world, FRICTION, 0.0);
    double rest = RADIUS;
    if (on == PLANE) {
        add_floor(world, stone);
    } else {
        double shift = side % 2 == 0 ? 0.5 * PITCH : 0.0;  // half a pitch out of step with the block
        add_grid(world, stone, SCR_FIXED, side + 3, vec3(shift - 0.5 * PITCH, shift - 0.5 * PITCH, 0.0), ZERO);
        rest = sqrt(4.0 * RADIUS * RADIUS - 0.5 * PITCH * PITCH);
    }
    *block = add_grid(world, stone, SCR_DYNAMIC, side, vec3(0.0, 0.0, rest + height), vec3(v, 0.0, 0.0));
    return world;
}

typedef struct rest {
    int64_t contacts;
    double sweeps;       // a step
    double force_error;  // of the weight, the largest in the second half
    double mean_force;   // of the weight, in the second half
    double tilt;         // rad, the largest
    double sunk;         // m
} rest;

static rest rest_block(scr_world_def def, int side, ground on, int steps)
{
    scr_body block;
    scr_world *world = make_block(&def, side, on, 0.0, 0.0, &block);
    scr_body_state start = state_of(world, block);
    rest r = {0};
    for (int k = 0; k < steps; ++k) {
        step(world, 1);
        scr_quat turned = quat_mul(state_of(world, block).rotation, quat_conj(start.rotation));
        r.sweeps += scr_world_report(world).iterations / (double)steps;
        r.tilt = fmax(r.tilt, 2.0 * vec3_norm(vec3(turned.x, turned.y, turned.z)));
        if (k < steps / 2) continue;
        double force = contact_force_on(world, block).z / (MASS * GRAVITY);
        r.force_error = fmax(r.force_error, fabs(force - 1.0));
        r.mean_force += force / (steps - steps / 2);
    }
    r.sunk = start.position.z - state_of(world, block).position.z;
    r.contacts = scr_world_report(world).contact_count;
    scr_world_destroy(world);
    return r;
}

static void check_rest(rest full, rest few)
{
    assert_int_equal(few.contacts, 8);
    assert_at_most(full.force_error, 1e-3);
    assert_at_most(few.force_error, 1e-3);
    assert_at_most(few.force_error, 2.0 * full.force_error + 1e-5);
    assert_at_most(few.tilt, 1e-6);
    assert_within(few.sunk, full.sunk, 1e-7);
    assert_at_most(few.sweeps, full.sweeps);
}

static void a_block_rests_on_eight_contacts_as_on_all(void **state)
{
    (void)state;
    for (int rigid = 0; rigid <= 1; ++rigid) {
        for (ground on = PLANE; on <= SPHERES; ++on) {
            int side = on == PLANE ? 10 : 6;
            scr_world_def all = reduced_to(0, SCR_REDUCE_SPREAD), some = reduced_to(8, SCR_REDUCE_SPREAD);
            all.contact.law = some.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
            rest full = rest_block(all, side, on, 30), few = rest_block(some, side, on, 30);
            assert_int_equal(full.contacts, on == PLANE ? side * side : 4 * side * side);
            check_rest(full, few);
            print_message("%s, %s: %lld contacts take %.1f sweeps, 8 take %.1f\n", rigid ? "rigid" : "compliant",
                          on == PLANE ? "plane" : "spheres", (long long)full.contacts, full.sweeps, few.sweeps);
        }
    }
}

// Thousands: all of them only for a few steps.
static void thousands_of_contacts_are_no_more_than_eight(void **state)
{
    (void)state;
    rest full = rest_block(reduced_to(0, SCR_REDUCE_SPREAD), 40, PLANE, 4);
    rest few = rest_block(reduced_to(8, SCR_REDUCE_SPREAD), 40, PLANE, 100);
    assert_int_equal(full.contacts, 1600);
    check_rest(full, few);
    rest dimples = rest_block(reduced_to(8, SCR_REDUCE_SPREAD), 40, SPHERES, 60);
    assert_int_equal(dimples.contacts, 8);
    assert_at_most(dimples.force_error, 1e-3);
    assert_at_most(dimples.tilt, 1e-6);
}

// The random subset holds the block up in the mean, but its impulses start from nothing in every step.
static void a_random_subset_is_worse(void **state)
{
    (void)state;
    rest spread = rest_block(reduced_to(8, SCR_REDUCE_SPREAD), 40, PLANE, 150);
    rest random = rest_block(reduced_to(8, SCR_REDUCE_RANDOM), 40, PLANE, 150);
    print_message("force error and sweeps a step: spread %.1e, %.1f; random %.1e, %.1f\n", spread.force_error,
                  spread.sweeps, random.force_error, random.sweeps);
    assert_int_equal(random.contacts, 8);
    assert_near(random.mean_force, 1.0, 0.05);
    assert_at_most(spread.force_error, random.force_error);
    assert_at_most(spread.sweeps, random.sweeps);
}

static uint64_t contact_key(const scr_world *world)
{
    const contacts *set = &world->contacts;
    uint64_t key = 0;
    for (int64_t i = 0; i < set->count; ++i) {
        uint64_t a = world->colliders.id[set->a[i]], b = world->colliders.id[set->b[i]];
        key += (a * 0x9E3779B97F4A7C15u ^ b) * 0xBF58476D1CE4E5B9u + contact_feature(set, i);
    }
    return key;
}

static void a_resting_block_keeps_its_contacts(void **state)
{
    (void)state;
    for (ground on = PLANE; on <= SPHERES; ++on) {
        scr_body block;
        scr_world_def def = reduced_to(8, SCR_REDUCE_SPREAD);
        scr_world *world = make_block(&def, 20, on, 1e-4, 0.0, &block);  // it falls a little first
        step(world, 100);
        uint64_t first = contact_key(world);
        for (int k = 0; k < 100; ++k) {
            step(world, 1);
            assert_true(contact_key(world) == first);
        }
        scr_world_destroy(world);
    }
}

static double slide_block(scr_world_def def, int side, double v)
{
    scr_body block;
    // The law lets a sliding contact hover at h mu v: the block starts there.
    scr_world *world = make_block(&def, side, PLANE, def.time_step * FRICTION * v, v, &block);
    double start = state_of(world, block).position.x;
    step(world, (int)lround(1.1 * v / (FRICTION * GRAVITY) / def.time_step));
    scr_body_state end = state_of(world, block);
    assert_within(end.velocity.x, 0.0, 1e-5);
    assert_within(end.position.y, 0.0, 1e-4);
    scr_world_destroy(world);
    return end.position.x - start;
}

static void a_block_slides_as_far_on_eight_contacts(void **state)
{
    (void)state;
    const double v = 0.5;
    double all = slide_block(reduced_to(0, SCR_REDUCE_SPREAD), 9, v),
           few = slide_block(reduced_to(8, SCR_REDUCE_SPREAD), 9, v);
    double random = slide_block(reduced_to(8, SCR_REDUCE_RANDOM), 9, v);
    print_message("slides %.6f m on all, %.6f m on 8, %.6f m on random ones\n", all, few, random);
    assert_near(few, all, 1e-4);
    assert_near(few, v * v / (2.0 * FRICTION * GRAVITY), 0.01);  // semi-implicit Euler: h/t too short
    assert_near(slide_block(reduced_to(8, SCR_REDUCE_SPREAD), 40, v), few, 1e-3);
}

typedef struct ride {
    double way, speed, highest;  // m, m/s
} ride;

// A wheel of spheres rolls over spheres: contacts come and go all the time.
static ride roll_wheel(scr_world_def def)
{
    enum { AROUND = 120, ACROSS = 12, LONG = 50, WIDE = 16 };
    const double wheel_radius = 0.1, radius = 0.006, pitch = 0.008;
    static scr_shape shape[AROUND * ACROSS];
    scr_world *world = make_world(&def);
    scr_material rubber = add_material(world, 0.6, 0.0);
    scr_body_def body = scr_default_body_def();
    for (int k = 0; k < LONG * WIDE; ++k) {
        shape[k] = scr_sphere(radius, rubber);
        shape[k].position = vec3(pitch * (k % LONG - 20), pitch * (k / LONG - 0.5 * (WIDE - 1)), -radius);
    }
    body.kind = SCR_FIXED;
    body.shapes = shape;
    body.shape_count = LONG * WIDE;
    add_body(world, &body);
    for (int k = 0; k < AROUND * ACROSS; ++k) {
        double angle = 2.0 * 3.14159265358979 * (k % AROUND) / AROUND;
        shape[k] = scr_sphere(radius, rubber);
        shape[k].position = vec3((wheel_radius - radius) * cos(angle), pitch * (k / AROUND - 0.5 * (ACROSS - 1)),
                                 (wheel_radius - radius) * sin(angle));
    }
    body.kind = SCR_DYNAMIC;
    body.shape_count = AROUND * ACROSS;
    body.mass = MASS;
    body.position = vec3(0.0, 0.0, wheel_radius);
    body.velocity = vec3(0.5, 0.0, 0.0);
    body.spin = vec3(0.0, 5.0, 0.0);
    scr_body wheel = add_body(world, &body);
    ride r = {0};
    for (int k = 0; k < 300; ++k) {
        step(world, 1);
        r.highest = fmax(r.highest, state_of(world, wheel).position.z - wheel_radius);
    }
    r.way = state_of(world, wheel).position.x, r.speed = state_of(world, wheel).velocity.x;
    scr_world_destroy(world);
    return r;
}

static void a_wheel_rolls_over_bumps_as_on_all_contacts(void **state)
{
    (void)state;
    scr_world_def all = reduced_to(0, SCR_REDUCE_SPREAD), some = reduced_to(8, SCR_REDUCE_SPREAD);
    all.contact.law = some.contact.law = SCR_RIGID;
    ride full = roll_wheel(all), few = roll_wheel(some);
    assert_near(few.way, full.way, 1e-5);
    assert_near(few.speed, full.speed, 1e-4);
    assert_within(few.highest, full.highest, 1e-6);
}

// Blocks of spheres fall on each other among enough grains for four threads.
static scr_world *make_pile(const scr_world_def *def)
{
    scr_world *world = make_world(def);
    scr_material stone = add_material(world, FRICTION, 0.0);
    add_floor(world, stone);
    for (int k = 0; k < 4; ++k)
        add_grid(world, stone, SCR_DYNAMIC, 10, vec3(0.01 * k, 0.006 * k, 0.003 + 0.018 * k), ZERO);
    for (int k = 0; k < 1520; ++k)
        add_sphere(world, stone, RADIUS,
                   vec3(0.0061 * (k % 20) - 0.05, 0.0061 * (k / 20 % 20) - 0.05, 0.16 + 0.0061 * (k / 400)),
                   vec3(0.0, 0.0, -2.0));
    return world;
}

static void threads_and_restarts_change_nothing(void **state)
{
    (void)state;
    for (int kind = SCR_REDUCE_SPREAD; kind <= SCR_REDUCE_RANDOM; ++kind) {
        uint64_t hash[4];
        for (int threads = 1; threads <= 4; ++threads) {
            scr_world_def def = reduced_to(5, (scr_reduction)kind);
            def.solver.max_iterations = 5;
            def.thread_count = threads;
            scr_world *world = make_pile(&def), *other = NULL;
            step(world, 13);
            if (threads == 2) other = resumed(world, &def);
            step(world, 8);
            hash[threads - 1] = scr_world_hash(world);
            assert_true(scr_world_report(world).contact_count >= 15);  // three pairs of blocks at their maximum
            assert_true(hash[threads - 1] == hash[0]);
            if (other != NULL) {
                step(other, 8);
                assert_true(scr_world_hash(other) == hash[0]);
                scr_world_destroy(other);
            }
            scr_world_destroy(world);
        }
    }
}

// Once everything has found its place, steps take no memory.
static void a_steady_step_allocates_nothing(void **state)
{
    (void)state;
    scr_body block;
    for (int kind = SCR_REDUCE_SPREAD; kind <= SCR_REDUCE_RANDOM; ++kind) {
        scr_world_def def = reduced_to(8, (scr_reduction)kind);
        scr_world *world = make_block(&def, 20, SPHERES, 0.0, 0.0, &block);
        step(world, 50);
        int64_t before = scr_allocation_count();
        step(world, 50);
        assert_int_equal(scr_allocation_count(), before);
        scr_world_destroy(world);
    }
}

static void bad_rules_are_refused(void **state)
{
    (void)state;
    scr_world *world;
    scr_error error;
    scr_world_def def = reduced_to(-1, SCR_REDUCE_SPREAD);
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_BAD_INPUT);
    assert_string_equal(error.message, "max_per_pair must not be negative, but is -1");
    def = reduced_to(8, (scr_reduction)7);
    assert_int_equal(scr_world_create(&def, &world, &error), SCR_BAD_INPUT);
    assert_string_equal(error.message, "there is no reduction 7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_rests_on_eight_contacts_as_on_all),
        cmocka_unit_test(thousands_of_contacts_are_no_more_than_eight),
        cmocka_unit_test(a_random_subset_is_worse),
        cmocka_unit_test(a_resting_block_keeps_its_contacts),
        cmocka_unit_test(a_block_slides_as_far_on_eight_contacts),
        cmocka_unit_test(a_wheel_rolls_over_bumps_as_on_all_contacts),
        cmocka_unit_test(threads_and_restarts_change_nothing),
        cmocka_unit_test(a_steady_step_allocates_nothing),
        cmocka_unit_test(bad_rules_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
