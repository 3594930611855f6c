// SPDX-License-Identifier: BSD-3-Clause
// Space whose lengths change: across a seam grains meet images that come or go, as if they were carried there by hand.
#include "dynamics/across_seam.h"
#include "dynamics/world/world.h"

static scr_world_def stretched(void)
{
    scr_world_def def = scr_default_world_def();
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.period = (scr_period){.high = {LENGTH, LENGTH, LENGTH}, .is_stretched = true};
    return def;
}

// ---- two bodies across the seam ----

// The ends of two bodies that collide, the upper one as an image across the seam or carried there by hand: one length
// up, and as much faster as that grows.
static void collide(const seam_law *l, int kind, bool by_hand, scr_body_state end[2])
{
    const scr_vec3 rate = {0.0, 0.1, -0.8};
    scr_world_def def = stretched();
    if (by_hand) def.period = (scr_period){0};
    def.contact.law = l->kind, def.contact.friction = l->friction;
    def.time_step = l->time_step;
    scr_world *world = make_world(&def);
    scr_shape shape = shape_of(kind, add_grit_of(world, 0.4, l->restitution, l->young));
    if (!by_hand) assert_ok(scr_world_stretch(world, rate, &error));  // before there are bodies that would go along
    scr_vec3 lower = vec3(0.05, 0.05, LENGTH - 0.0120), upper = vec3(0.043, 0.051, 0.0115), v = vec3(-0.9, 0.0, -0.2);
    if (by_hand) upper.z += LENGTH, v.z += rate.z;
    scr_body a = add_shape(world, SCR_DYNAMIC, shape, lower, vec3(0.2, 0.0, 0.9)),
             b = add_shape(world, SCR_DYNAMIC, shape, upper, v);
    step(world, l->steps);
    end[0] = state_of(world, a), end[1] = state_of(world, b);
    assert_true(end[0].velocity.z < 0.8);  // they have met
    if (!by_hand) {
        double length = LENGTH + (double)l->steps * l->time_step * rate.z;
        assert_near(scr_world_cell(world).z, length, 1e-12);
        end[1].position.z += length;
        end[1].velocity.z += rate.z;
    }
    scr_world_destroy(world);
}

static void bodies_meet_across_a_stretched_seam_as_if_carried_there_by_hand(void **state)
{
    (void)state;
    check_across_seam(collide);
}

// Neither of two equal smooth spheres moves, and yet they meet: the image of the one comes with the seam, and they
// exchange (1 + e) / 2 of its speed.
static void what_stands_still_is_met_by_an_image(void **state)
{
    (void)state;
    const double e = 0.5, gap = 0.03, rate = -1.0;
    for (int k = 0; k < 2; ++k) {
        scr_world_def def = stretched();
        def.contact.law = k == 0 ? SCR_RIGID : SCR_PENALTY;
        def.time_step = k == 0 ? 1e-4 : 1e-5;
        scr_world *world = make_world(&def);
        scr_material stone = add_grit(world, 0.0, e);
        assert_ok(scr_world_stretch(world, vec3(0.0, 0.0, rate), &error));
        scr_body a = add_sphere(world, stone, RADIUS, vec3(0.03, 0.05, LENGTH - RADIUS - 0.5 * gap),
                                vec3(0.0, 0.0, 0.0)),
                 b = add_sphere(world, stone, RADIUS, vec3(0.03, 0.05, RADIUS + 0.5 * gap), vec3(0.0, 0.0, 0.0));
        step(world, (int)(1.1 * gap / -rate / def.time_step));
        assert_within3(state_of(world, a).velocity, vec3(0.0, 0.0, 0.5 * (1.0 + e) * rate), 0.01);
        assert_within3(state_of(world, b).velocity, vec3(0.0, 0.0, -0.5 * (1.0 + e) * rate), 0.01);
        scr_world_destroy(world);
    }
}

// ---- a crowd that fills the cell ----

enum { SIDE = 5, COUNT = SIDE * SIDE * SIDE };

static scr_world *crowd(scr_world_def def, double friction, double restitution, double speed)
{
    scr_world *world = make_world(&def);
    scr_material stone = add_grit(world, friction, restitution);
    for (int k = 0; k < COUNT; ++k) {
        uint64_t draw = 8 * (uint64_t)k;
        double pitch = LENGTH / SIDE;
        scr_vec3 at =
            vec3(pitch * (k % SIDE + 0.5), pitch * (k / SIDE % SIDE + 0.5), pitch * (k / (SIDE * SIDE) + 0.5));
        scr_vec3 v = vec3(random_in(-speed, speed, draw), random_in(-speed, speed, draw + 1),
                          random_in(-speed, speed, draw + 2));
        add_sphere(world, stone, RADIUS * random_in(0.9, 1.0, draw + 3), at, v);
    }
    return world;
}

// Bodies at rest keep their places in the cell, relative to the common centre, while it changes now this and now that
// way; and there is no momentum.
static void what_touches_nothing_goes_with_the_cell(void **state)
{
    (void)state;
    const scr_vec3 rates[] = {{0.3, 0.0, -0.1}, {-0.05, 0.2, 0.4}, {0.0, 0.1, 0.0}};
    scr_world *world = crowd(stretched(), 0.0, 0.0, 0.0);
    scr_vec3 *place = calloc(COUNT, sizeof *place), length = scr_world_cell(world);
    scr_body_view b = scr_world_bodies(world);
    for (int64_t i = 0; i < COUNT; ++i) place[b.id[i] - 1] = vec3(b.x[i], b.y[i], b.z[i]);
    for (int k = 0; k < 3; ++k) {
        assert_ok(scr_world_stretch(world, rates[k], &error));
        step(world, 20);
    }
    b = scr_world_bodies(world);
    assert_int_equal(world->contacts.count, 0);
    scr_vec3 now = scr_world_cell(world), grown = vec3(now.x / length.x, now.y / length.y, now.z / length.z);
    for (int64_t i = 1; i < COUNT; ++i) {
        scr_vec3 way = vec3_sub(vec3(b.x[i], b.y[i], b.z[i]), vec3(b.x[0], b.y[0], b.z[0])),
                 then = vec3_sub(place[b.id[i] - 1], place[b.id[0] - 1]);
        assert_within3(way, vec3_mul(grown, then), 1e-12);
    }
    assert_within3(scr_world_momentum(world), vec3(0.0, 0.0, 0.0), 1e-14);
    free(place);
    scr_world_destroy(world);
}

// J: kinetic energy beside the flow, and what contacts store
static double energy_beside_flow(const scr_world *world, const scr_stress *stress)
{
    double sum = scr_world_energy(world).elastic;
    for (int axis = 0; axis < 3; ++axis) sum += 0.5 * stress->volume * stress->kinetic[axis][axis];
    return sum;
}

// Smooth elastic spheres dissipate nothing: the work of the cell that becomes smaller is what they gain.
static void elastic_grains_gain_what_the_stress_does(void **state)
{
    (void)state;
    const double h = 4e-6;
    const scr_vec3 rate = {-0.15, -0.1, 0.05};
    scr_world_def def = stretched();
    def.contact.law = SCR_PENALTY;
    def.time_step = h;
    scr_world *world = crowd(def, 0.0, 1.0, 0.3);
    assert_ok(scr_world_stretch(world, rate, &error));
    scr_stress stress;
    step(world, 1);
    assert_ok(scr_world_stress(world, &stress, &error));
    double before = energy_beside_flow(world, &stress), work = 0.0;
    for (int k = 0; k < 12000; ++k) {
        step(world, 1);
        assert_ok(scr_world_stress(world, &stress, &error));
        scr_vec3 length = scr_world_cell(world);
        for (int axis = 0; axis < 3; ++axis)
            work -= h * vec3_along(rate, axis) / vec3_along(length, axis) * stress.volume *
                    (stress.contact[axis][axis] + stress.kinetic[axis][axis]);
    }
    double gained = energy_beside_flow(world, &stress) - before;
    assert_true(gained > 0.2 * before);
    assert_near(work, gained, 0.01);
    scr_world_destroy(world);
}

// A cubic lattice under a small strain: what the stress rises by is the stiffness that is said.
static void the_stiffness_of_a_lattice_is_the_rise_of_its_stress(void **state)
{
    (void)state;
    enum { ROW = 3 };
    const double pitch = 1.99 * RADIUS;
    scr_world_def def = stretched();
    def.contact.law = SCR_PENALTY;
    def.time_step = 1e-6;
    def.period.high = vec3(ROW * pitch, ROW * pitch, ROW * pitch);
    scr_world *world = make_world(&def);
    scr_material stone = add_grit(world, 0.0, 1.0);
    for (int k = 0; k < ROW * ROW * ROW; ++k)
        add_sphere(world, stone, RADIUS,
                   vec3(pitch * (k % ROW + 0.5), pitch * (k / ROW % ROW + 0.5), pitch * (k / (ROW * ROW) + 0.5)),
                   vec3(0.0, 0.0, 0.0));
    scr_stress before, after;
    step(world, 1);
    assert_ok(scr_world_stress(world, &before, &error));
    assert_ok(scr_world_stretch(world, vec3(0.0, 0.0, -0.01), &error));
    double length = scr_world_cell(world).z;
    step(world, 100);
    assert_ok(scr_world_stress(world, &after, &error));
    double strain = 99.5e-6 * 0.01 / length;  // the stress is that of the last midpoint
    assert_near((after.contact[2][2] - before.contact[2][2]) / strain, before.stiffness[2], 0.01);
    assert_near(before.stiffness[0], before.stiffness[2], 1e-9);
    scr_world_destroy(world);
}

// Lists that live for many steps hold what a new one would: both worlds stay the same, bit by bit.
static void old_lists_miss_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        scr_world_def def = stretched();
        def.time_step = k == 0 ? 2e-4 : 1e-5;
        if (k == 1) def.contact.law = SCR_PENALTY;
        scr_world *one = crowd(def, 0.5, 0.1, 0.3), *other = crowd(def, 0.5, 0.1, 0.3);
        int steps = k == 0 ? 300 : 3000;
        scr_vec3 rate = {-0.1, -0.2, 0.2};
        for (int n = 0; n < steps; ++n) {
            if (n % (steps / 3) == 0) rate = vec3(rate.y, rate.z, rate.x);
            assert_ok(scr_world_stretch(one, rate, &error));
            assert_ok(scr_world_stretch(other, rate, &error));
            step(one, 1);
            neighbours_invalidate(&other->neighbours);
            step(other, 1);
            if (n % 20 == 0) assert_true(scr_world_hash(one) == scr_world_hash(other));
        }
        assert_true(one->neighbours.build_count < 9 * steps / 10);
        scr_world_destroy(one);
        scr_world_destroy(other);
    }
}

static scr_world *saved_and_loaded(scr_world *world)
{
    void *data;
    size_t size;
    scr_world *again;
    assert_ok(scr_world_save_to_memory(world, &data, &size, &error));
    assert_ok(scr_world_load_from_memory(data, size, &again, &error));
    scr_memory_free(data);
    scr_world_destroy(world);
    return again;
}

static void a_stretched_cell_has_the_same_bits_for_any_number_of_threads_and_after_it_was_saved(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (int k = 0; k < 5; ++k) {
        scr_world_def def = stretched();
        def.time_step = 2e-4;
        def.thread_count = k < 4 ? k + 1 : 1;
        def.instruction_set = k < 4 ? SCR_BEST : SCR_PLAIN;
        scr_world *world = crowd(def, 0.4, 0.2, 0.4);
        assert_ok(scr_world_stretch(world, vec3(-0.2, -0.1, -0.2), &error));
        step(world, 60);
        if (k == 1) world = saved_and_loaded(world);
        step(world, 60);
        if (k == 0) first = scr_world_hash(world);
        assert_true(scr_world_hash(world) == first);
        assert_true(world->contacts.count > 50);
        scr_world_destroy(world);
    }
}

static void check_refused(scr_status status, const scr_error *why, const char *words)
{
    assert_int_equal(status, SCR_BAD_INPUT);
    assert_non_null(strstr(why->message, words));
}

static void what_cannot_be_stretched_is_said(void **state)
{
    (void)state;
    scr_error why;
    scr_world_def def = stretched();
    scr_world *world = make_world(&def);
    scr_material stone = add_grit(world, 0.0, 0.0);
    add_sphere(world, stone, 0.02, vec3(0.05, 0.05, 0.05), vec3(0.0, 0.0, 0.0));
    check_refused(scr_world_stretch(world, vec3(NAN, 0.0, 0.0), &why), &why, "not a number");
    assert_ok(scr_world_stretch(world, vec3(0.0, 0.0, -1.0), &error));
    step(world, 30);
    check_refused(scr_world_stretch(world, vec3(0.0, 0.0, -1.0), &why), &why, "must not be shorter");
    scr_world_destroy(world);
    def.period.high.y = def.period.low.y = 0.0;
    world = make_world(&def);
    check_refused(scr_world_stretch(world, vec3(0.0, 1.0, 0.0), &why), &why, "does not repeat along y");
    scr_world_destroy(world);
    def.period.is_stretched = false;
    world = make_world(&def);
    check_refused(scr_world_stretch(world, vec3(1.0, 0.0, 0.0), &why), &why, "not stretched");
    scr_world_destroy(world);
    def = stretched();
    def.period.shear = (scr_shear){0, 2, 1.0};
    check_refused(scr_world_create(&def, &world, &why), &why, "at once");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_meet_across_a_stretched_seam_as_if_carried_there_by_hand),
        cmocka_unit_test(what_stands_still_is_met_by_an_image),
        cmocka_unit_test(what_touches_nothing_goes_with_the_cell),
        cmocka_unit_test(elastic_grains_gain_what_the_stress_does),
        cmocka_unit_test(the_stiffness_of_a_lattice_is_the_rise_of_its_stress),
        cmocka_unit_test(old_lists_miss_nothing),
        cmocka_unit_test(a_stretched_cell_has_the_same_bits_for_any_number_of_threads_and_after_it_was_saved),
        cmocka_unit_test(what_cannot_be_stretched_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
