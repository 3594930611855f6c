// SPDX-License-Identifier: BSD-3-Clause
// What programs build on: contacts as a view, readers on several threads, user data, forces of their own, and
// materials, gravity and motors that change between steps.
#include <pthread.h>

#include "contact_view.h"
#include "mixed_world.h"

static scr_world_def penalty_def(void)
{
    scr_world_def def = mixed_def(1);
    def.contact.law = SCR_PENALTY;
    def.time_step = 1e-5;
    return def;
}

// ---- readers ----

enum { GRAINS = 600, READERS = 4 };  // so many are in a bed

// The lowest layer touches the floor if its height is 0.
static scr_world *bed_of_grains(double height)
{
    scr_world_def def = penalty_def();
    def.thread_count = 2;
    scr_world *world = make_world(&def);
    scr_material stone = add_elastic(world, 1e7);
    add_floor(world, stone);
    for (int k = 0; k < GRAINS; ++k)
        add_sphere(world, stone, 0.0052, vec3(0.01 * (k % 10), 0.01 * (k / 10 % 10), height + 0.005 + 0.01 * (k / 100)),
                   vec3(random_in(-0.1, 0.1, (uint64_t)k), 0.0, -0.1));
    return world;
}

typedef struct reading {
    const scr_world *world;
    int order;
    uint64_t hash;
    double sum;     // of positions and contact forces
    double energy;  // J
} reading;

static double sum_of_contacts(const scr_world *world)
{
    scr_contact_view view;
    double sum = 0.0;
    if (scr_world_contacts(world, &view, NULL) != SCR_OK) return NAN;
    for (int64_t i = 0; i < view.count; ++i) sum += vec3_norm(view.force[i]) + view.point[i].z;
    return sum;
}

static double sum_of_bodies(const scr_world *world)
{
    scr_body_view view = scr_world_bodies(world);
    double sum = 0.0;
    for (int64_t i = 0; i < view.count; ++i) sum += view.x[i] + view.vz[i];
    return sum;
}

// Readers begin with different questions, so that they ask for different things to be made at the same time.
static void *read_all(void *argument)
{
    reading *r = argument;
    for (int k = 0; k < 4; ++k) {
        switch ((k + r->order) % 4) {
        case 0: r->hash = scr_world_hash(r->world); break;
        case 1: r->energy = scr_world_energy(r->world).elastic; break;
        case 2: r->sum += sum_of_contacts(r->world); break;
        default: r->sum += sum_of_bodies(r->world);
        }
    }
    return NULL;
}

static void readers_on_several_threads_see_the_same(void **state)
{
    (void)state;
    scr_world *world = bed_of_grains(0.0), *twin = bed_of_grains(0.0);
    for (int round = 0; round < 30; ++round) {
        step(world, 3), step(twin, 3);
        reading alone = {.world = twin}, many[READERS];
        pthread_t thread[READERS];
        read_all(&alone);
        for (int k = 0; k < READERS; ++k) {
            many[k] = (reading){.world = world, .order = k};
            assert_int_equal(pthread_create(&thread[k], NULL, read_all, &many[k]), 0);
        }
        for (int k = 0; k < READERS; ++k) pthread_join(thread[k], NULL);
        for (int k = 0; k < READERS; ++k) {
            assert_true(many[k].hash == alone.hash);
            assert_true(many[k].energy == alone.energy && alone.energy > 0.0);
            assert_near(many[k].sum, alone.sum, 1e-12);
        }
    }
    scr_world_destroy(world);
    scr_world_destroy(twin);
}

// ---- contacts ----

static void contacts_carry_the_weight(void **state)
{
    (void)state;
    for (int penalty = 0; penalty < 2; ++penalty) {
        scr_world_def def = penalty ? penalty_def() : mixed_def(1);
        scr_world *world = make_world(&def);
        scr_material stone = add_elastic(world, 1e6);
        scr_body ground = add_floor(world, stone),
                 ball = add_sphere(world, stone, 0.01, vec3(0.0, 0.0, 0.01), vec3(0.0, 0.0, 0.0));
        assert_int_equal(contact_count(world), 0);
        step(world, penalty ? 20000 : 500);
        one_contact c = contact_at(world, 0);
        double sign = c.b.index1 == ball.index1 ? 1.0 : -1.0;
        assert_int_equal(contact_count(world), 1);
        assert_true((sign > 0.0 ? c.a : c.b).index1 == ground.index1);
        assert_within3(c.normal, vec3(0.0, 0.0, sign), 1e-12);
        assert_near(sign * c.force.z, scr_body_mass(world, ball) * GRAVITY, 0.01);
        assert_within3(c.point, vec3(0.0, 0.0, 0.5 * c.gap), 1e-4);
        add_sphere(world, stone, 0.01, vec3(1.0, 0.0, 0.01), vec3(0.0, 0.0, 0.0));
        assert_int_equal(contact_count(world), 0);  // those of a world that is no more
        scr_world_destroy(world);
    }
}

static void an_index_out_of_range_is_nothing(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(1);
    scr_world *world = mixed_world(&def, 10);
    const int64_t wrong[] = {-1, scr_world_shape_count(world), INT64_MAX, INT64_MIN};
    for (int k = 0; k < 4; ++k) assert_true(scr_world_shape(world, wrong[k]).radius == 0.0);
    assert_true(scr_world_material(world, (scr_material){99}).density == 0.0);
    assert_true(scr_surface_triangles(world, (scr_surface){99}).triangle_count == 0);
    assert_null(scr_body_user_data(world, (scr_body){1000000, 1}));
    scr_world_destroy(world);
}

// ---- user data ----

static void user_data_stays_with_its_body_and_out_of_the_hash(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(2);
    scr_world *world = mixed_world(&def, 300), *twin = mixed_world(&def, 300);
    scr_body_view view = scr_world_bodies(world);
    uint64_t mark[400];
    for (int64_t i = 0; i < view.count; ++i) {
        mark[view.id[i]] = view.id[i];
        assert_ok(scr_body_set_user_data(world, view.handle[i], &mark[view.id[i]], &error));
    }
    step(world, 150), step(twin, 150);  // they were sorted in between
    assert_true(scr_world_hash(world) == scr_world_hash(twin));
    view = scr_world_bodies(world);
    for (int64_t i = 0; i < view.count; ++i)
        assert_true(*(uint64_t *)scr_body_user_data(world, view.handle[i]) == view.id[i]);
    scr_body gone = view.handle[view.count - 1];
    assert_ok(scr_world_remove_bodies(world, 1, &gone, &error));
    assert_null(scr_body_user_data(world, gone));
    assert_int_equal(scr_body_set_user_data(world, gone, mark, NULL), SCR_BAD_INPUT);
    scr_shape shape = scr_sphere(0.01, (scr_material){1});
    scr_body_def body = scr_default_body_def();
    body.shapes = &shape, body.shape_count = 1;
    scr_body fresh = add_body(world, &body);  // in the record of the one that is gone
    assert_int_equal(fresh.index1, gone.index1);
    assert_null(scr_body_user_data(world, fresh));
    body.user_data = mark;
    assert_ptr_equal(scr_body_user_data(world, add_body(world, &body)), mark);
    scr_world_destroy(world);
    scr_world_destroy(twin);
}

// ---- forces ----

typedef struct spring_field {
    double stiffness;
    int calls;
} spring_field;  // N/m towards x = 0

static void pull_to_the_middle(void *context, const scr_world *world, const scr_body_view *bodies, scr_vec3 *force,
                               scr_vec3 *torque)
{
    spring_field *f = context;
    ++f->calls;
    assert_int_equal(scr_world_bodies(world).count, bodies->count);
    for (int64_t i = 0; i < bodies->count; ++i) {
        force[i].x -= f->stiffness * bodies->x[i];
        torque[i].z += 1e-3;
    }
}

static void a_force_function_swings_a_ball(void **state)
{
    (void)state;
    for (int penalty = 0; penalty < 2; ++penalty) {
        scr_world_def def = penalty ? penalty_def() : mixed_def(1);
        def.gravity = vec3(0.0, 0.0, 0.0);
        def.time_step = 1e-4;
        scr_world *world = make_world(&def);
        scr_material stone = add_elastic(world, 1e6);
        scr_body ball = add_sphere(world, stone, 0.1, vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
        double mass = scr_body_mass(world, ball), omega = 2.0;  // rad/s
        spring_field field = {mass * omega * omega, 0};
        scr_world_set_force_function(world, pull_to_the_middle, &field);
        step(world, 10000);
        assert_int_equal(field.calls, 10000);
        assert_within(state_of(world, ball).position.x, cos(omega), 1e-3);
        assert_near(state_of(world, ball).spin.z, 1e-3 / (0.4 * mass * 0.01), 1e-9);  // after 1 s
        field.stiffness = NAN;
        scr_body_state before = state_of(world, ball), after;
        assert_int_equal(scr_world_step(world, NULL), SCR_BAD_INPUT);
        after = state_of(world, ball);
        assert_memory_equal(&before, &after, sizeof before);
        scr_world_set_force_function(world, NULL, NULL);
        double v = after.velocity.x;
        step(world, 10);
        assert_true(state_of(world, ball).velocity.x == v);
        scr_world_destroy(world);
    }
}

// A good force on the first body, none at all on the second.
static void spoil_the_second(void *context, const scr_world *world, const scr_body_view *bodies, scr_vec3 *force,
                             scr_vec3 *torque)
{
    (void)context, (void)world, (void)torque;
    force[0].x = 1.0;
    if (bodies->count > 1) force[1].y = INFINITY;
}

static void a_step_that_a_force_function_ends_did_not_happen(void **state)
{
    (void)state;
    scr_world_def def = mixed_def(1);
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    scr_body ball[2];
    for (int k = 0; k < 2; ++k) ball[k] = add_sphere(world, stone, 0.1, vec3(k, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    uint64_t hash = scr_world_hash(world);
    scr_world_set_force_function(world, spoil_the_second, NULL);
    assert_int_equal(scr_world_step(world, NULL), SCR_BAD_INPUT);
    assert_true(scr_world_hash(world) == hash);
    scr_world_set_force_function(world, NULL, NULL);
    step(world, 1);
    for (int k = 0; k < 2; ++k) assert_true(state_of(world, ball[k]).velocity.x == 0.0);  // nothing was left behind
    scr_world_destroy(world);
}

static void lift(void *context, const scr_world *world, const scr_body_view *bodies, scr_vec3 *force, scr_vec3 *torque)
{
    (void)context, (void)world, (void)torque;
    for (int64_t i = 0; i < bodies->count; ++i)
        if (bodies->kind[i] == SCR_DYNAMIC) force[i].z += 2.0 * GRAVITY / bodies->inv_mass[i];
}

static void a_force_function_reaches_grains_of_a_bed(void **state)
{
    (void)state;
    scr_world *world = bed_of_grains(1.0);
    step(world, 10);
    scr_world_set_force_function(world, lift, NULL);
    for (int k = 0; k < 200; ++k) {
        double before = scr_world_momentum(world).z, mass = total_mass(world);
        step(world, 1);
        // What grains do to each other cancels out: the lift less the weight is left.
        assert_near(scr_world_momentum(world).z - before, mass * GRAVITY * scr_world_time_step(world), 1e-6);
    }
    scr_world_destroy(world);
}

// ---- changes while running ----

static void friction_that_ends_lets_a_box_slide(void **state)
{
    (void)state;
    for (int penalty = 0; penalty < 2; ++penalty) {
        scr_world_def def = penalty ? penalty_def() : mixed_def(1);
        def.solver.max_iterations = 1000;
        if (penalty) def.time_step = 5e-5;
        scr_world *world = make_world(&def);
        scr_material stone = add_elastic(world, 1e7);
        add_floor(world, stone);
        scr_body box = add_box(world, stone, vec3(0.1, 0.1, 0.02), vec3(0.0, 0.0, 0.02), vec3(0.0, 0.0, 0.0));
        int steps = (int)(0.2 / def.time_step + 0.5);
        assert_ok(scr_world_set_gravity(world, vec3(2.0, 0.0, -GRAVITY), &error));
        step(world, steps);
        assert_within(state_of(world, box).velocity.x, 0.0, 1e-3);
        scr_material_def stone_def = scr_world_material(world, stone);
        stone_def.friction = 0.0;
        assert_ok(scr_world_set_material(world, stone, &stone_def, &error));
        assert_true(scr_world_material(world, stone).friction == 0.0);
        step(world, steps);
        assert_near(state_of(world, box).velocity.x, 2.0 * 0.2, 0.01);
        stone_def.friction = -1.0;
        assert_int_equal(scr_world_set_material(world, stone, &stone_def, NULL), SCR_BAD_INPUT);
        stone_def.friction = 0.5, stone_def.young = 0.0;
        assert_int_equal(scr_world_set_material(world, stone, &stone_def, NULL), penalty ? SCR_BAD_INPUT : SCR_OK);
        assert_true(scr_world_material(world, stone).friction == (penalty ? 0.0 : 0.5));
        assert_int_equal(scr_world_set_gravity(world, vec3(0.0, NAN, 0.0), NULL), SCR_BAD_INPUT);
        assert_true(scr_world_gravity(world).x == 2.0);
        scr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_on_several_threads_see_the_same),
        cmocka_unit_test(contacts_carry_the_weight),
        cmocka_unit_test(an_index_out_of_range_is_nothing),
        cmocka_unit_test(user_data_stays_with_its_body_and_out_of_the_hash),
        cmocka_unit_test(a_force_function_swings_a_ball),
        cmocka_unit_test(a_step_that_a_force_function_ends_did_not_happen),
        cmocka_unit_test(a_force_function_reaches_grains_of_a_bed),
        cmocka_unit_test(friction_that_ends_lets_a_box_slide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
