// SPDX-License-Identifier: BSD-3-Clause
// Sleeping grains: who falls asleep, what wakes whom, and that books and bits are kept.
#include "sleeping_bed.h"

static const double G = 9.81;

// ---- books --------------------------------------------------------------------------------------------------------

// At every step; and a step that finds nobody awake has nothing to solve.
static void grains_are_awake_or_asleep_and_work_follows_those_awake(void **state)
{
    (void)state;
    test_scene t;
    make_bed(&t, 0.06, 0.06, 0.08);
    let_sleep(&t);
    simulation *sim = created(&t.s, 1);
    int64_t grains = body_count(sim) - t.s.body_count;
    for (int n = 0; n < 3000 && asleep(sim) < grains; ++n) {
        int64_t fixed = 0, counted = asleep(sim);
        assert_int_equal(simulation_count(sim).sleep.awake + counted, grains);
        scr_body_view b = scr_world_bodies(simulation_world(sim));
        for (int64_t i = 0; i < b.count; ++i) fixed += b.kind[i] == SCR_FIXED && b.id[i] > (uint64_t)t.s.body_count;
        assert_int_equal(fixed, counted);
        advance_steps(sim, 1);
    }
    assert_int_equal(asleep(sim), grains);
    const sleeping *s = simulation_sleeping(sim);
    int64_t bodies_before = s->bodies_looked_at, loads_before = s->contacts_looked_at;
    advance_steps(sim, 200);
    assert_int_equal(s->bodies_looked_at, bodies_before);
    assert_int_equal(s->contacts_looked_at, loads_before);
    scr_step_report report = scr_world_report(simulation_world(sim));
    assert_int_equal(report.contact_count, 0);
    assert_true(report.iterations <= 1);
    simulation_destroy(sim);
    scene_end(&t);
}

// Slow grains without contact: when they fall asleep their kinetic energy is booked, to rounding, and it is all.
static void frozen_energy_is_booked(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    let_sleep(&t);
    t.s.gravity = formulae(&t, "0", "0", "0");
    scene_fill *fill = add_fill(&t, "grains", FILL_JITTERED, box_region(vec3(0, 0, 0), vec3(0.2, 0.2, 0.2)),
                                uniform_size(0.005, 0.01));
    fill->velocity = vec3(3e-4, 0, 4e-4);  // half as fast as what disturbs
    simulation *sim = created(&t.s, 1);
    double kinetic = scr_world_energy(simulation_world(sim)).kinetic;
    assert_near(kinetic, 0.5 * world_mass(sim) * 25e-8, 1e-12);
    fall_asleep(sim, 200);
    assert_near(simulation_count(sim).sleep.frozen_energy, kinetic, 1e-12);
    assert_true(scr_world_energy(simulation_world(sim)).kinetic == 0.0);
    assert_int_equal(simulation_count(sim).sleep.fallen, body_count(sim));
    simulation_destroy(sim);
    scene_end(&t);
}

// Probes see a bed that sleeps as one that is awake: its weight on the floor, its mass, its potential energy.
static void probes_see_sleepers(void **state)
{
    (void)state;
    test_scene t;
    make_bed(&t, 0.06, 0.06, 0.06);
    t.materials[0].def.friction = 0.0;  // walls carry nothing
    t.materials[0].def.rolling_friction = 0.0;
    let_sleep(&t);
    add_probe(&t, "floor", PROBE_BODY_FORCE)->body = 0;
    add_probe(&t, "mass", PROBE_REGION_MASS)->region = box_region(vec3(-1, -1, -1), vec3(1, 1, 1));
    add_probe(&t, "energy", PROBE_ENERGY);
    simulation *sim = created(&t.s, 1);
    double mass = world_mass(sim), values[16], awake[16];
    fall_asleep(sim, 4000);
    simulation_probe_row(sim, values);  // means begin anew
    advance_steps(sim, 10);
    simulation_probe_row(sim, values);
    assert_within(values[2], -mass * G, 0.02 * mass * G);
    assert_near(values[6], mass, 1e-12);
    simulation_release_grains(sim, NULL);
    simulation_read_probes(sim, awake);
    assert_near(values[8], awake[8], 1e-9);
    simulation_destroy(sim);
    scene_end(&t);
}

// ---- waking -------------------------------------------------------------------------------------------------------

// A shelf is pulled away: what stood on it falls freely, but for the step in which it is noticed.
static void a_removed_support_wakes_what_stood_on_it(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    t.materials[0].def.rolling_friction = 0.1;
    let_sleep(&t);
    add_body(&t, "shelf", SCR_FIXED, scr_box(vec3(0.2, 0.2, 0.01), (scr_material){1}), vec3(0, 0, 0.99))->remove_at =
        0.5;
    add_fill(&t, "grains", FILL_GRID, box_region(vec3(-0.1, -0.1, 1.0), vec3(0.1, 0.1, 1.0 + 2.2 * GRAIN)),
             constant_size(GRAIN));
    simulation *sim = created(&t.s, 1);
    int64_t grains = body_count(sim) - 1;
    fall_asleep(sim, 490);
    advance_steps(sim, 500 - (int)scr_world_step_count(simulation_world(sim)));
    assert_int_equal(asleep(sim), grains);
    advance_steps(sim, 100);
    assert_int_equal(asleep(sim), 0);
    scr_body_view b = scr_world_bodies(simulation_world(sim));
    for (int64_t i = 0; i < b.count; ++i) assert_within(1.0 + GRAIN - b.z[i], 0.5 * G * 0.01, 0.005);
    simulation_destroy(sim);
    scene_end(&t);
}

// A piston slower than anything that disturbs: it moves, so nobody sleeps near it, and it pushes a row of grains.
static void prescribed_motion_keeps_grains_awake(void **state)
{
    (void)state;
    test_scene t;
    scene_begin(&t);
    t.s.gravity = formulae(&t, "0", "0", "0");
    let_sleep(&t);
    t.s.sleeping.speed = 0.2;
    scene_body *piston =
        add_body(&t, "piston", SCR_KINEMATIC, scr_box(vec3(0.01, 0.1, 0.1), (scr_material){1}), vec3(-0.011, 0, 0));
    piston->has_motion = piston->motion.has_velocity = true;
    piston->motion.velocity = formulae(&t, "0.1 * (t > 0.3)", "0", "0");
    add_fill(&t, "grains", FILL_GRID, box_region(vec3(0, -0.05, -0.05), vec3(2.2 * GRAIN, 0.05, 0.05)),
             constant_size(GRAIN));
    scene_fill *far = add_fill(&t, "far", FILL_GRID, box_region(vec3(0.5, -0.05, -0.05), vec3(0.6, 0.05, 0.05)),
                               constant_size(GRAIN));
    (void)far;
    simulation *sim = created(&t.s, 1);
    fall_asleep(sim, 250);
    advance_steps(sim, 700 - (int)scr_world_step_count(simulation_world(sim)));
    scr_body_view b = scr_world_bodies(simulation_world(sim));
    double face = 0.1 * 0.4 - 0.001;
    for (int64_t i = 0; i < b.count; ++i)
        if (b.id[i] > 1) assert_true(b.x[i] > face + 0.98 * GRAIN);
    assert_true(asleep(sim) > 50);  // those far away
    simulation_destroy(sim);
    scene_end(&t);
}

static void gravity_that_turns_wakes_all(void **state)
{
    (void)state;
    test_scene t;
    make_bed(&t, 0.05, 0.05, 0.05);
    t.s.gravity = formulae(&t, "0.01 * t", "0", "-9.81 * (1 - 0.5 * (t > 2.5))");
    let_sleep(&t);
    simulation *sim = created(&t.s, 1);
    int64_t grains = body_count(sim) - t.s.body_count;
    fall_asleep(sim, 2400);
    advance_steps(sim, 2490 - (int)scr_world_step_count(simulation_world(sim)));
    assert_int_equal(asleep(sim), grains);  // it has tilted by 0.25 %, less than `force`
    advance_steps(sim, 15);
    assert_int_equal(asleep(sim), 0);
    simulation_destroy(sim);
    scene_end(&t);
}

static double fastest(simulation *sim)
{
    scr_body_view b = scr_world_bodies(simulation_world(sim));
    double v = 0.0;
    for (int64_t i = 0; i < b.count; ++i) v = fmax(v, vec3_norm(vec3(b.vx[i], b.vy[i], b.vz[i])));
    return v;
}

// Contacts go on with the load and the grip that they had: a bed that wakes does not start to move.
static void a_bed_wakes_as_it_fell_asleep(scr_contact_law law, double step)
{
    test_scene t;
    make_bed(&t, 0.05, 0.05, 0.06);
    t.s.world.contact.law = law;
    t.s.world.time_step = step;
    t.materials[0].def.young = law == SCR_PENALTY ? 1e6 : 1e8;
    let_sleep(&t);
    simulation *sim = created(&t.s, 1);
    fall_asleep(sim, (int)(4.0 / step));
    assert_int_equal(simulation_release_grains(sim, NULL), SCR_OK);
    assert_int_equal(asleep(sim), 0);
    double most = 0.0;
    for (int n = 0; n < 20; ++n) {
        advance_steps(sim, 1);
        most = fmax(most, fastest(sim));
    }
    assert_true(most < 4e-4);
    simulation_destroy(sim);
    scene_end(&t);
}

static void a_compliant_bed_wakes_as_it_fell_asleep(void **state)
{
    (void)state;
    a_bed_wakes_as_it_fell_asleep(SCR_COMPLIANT, 1e-3);
}

static void a_penalty_bed_wakes_as_it_fell_asleep(void **state)
{
    (void)state;
    a_bed_wakes_as_it_fell_asleep(SCR_PENALTY, 1e-4);
}

// ---- bits ---------------------------------------------------------------------------------------------------------

// Columns of grains, which soon sleep; a ball that was thrown up comes back when they do.
static void make_struck_bed(test_scene *t)
{
    make_bed(t, 10 * GRAIN, 3 * GRAIN, 6 * GRAIN);
    t->fills[0].pattern = FILL_GRID;
    t->fills[0].size = constant_size(GRAIN);
    t->fills[0].spacing = 1.0;
    add_ball(t, "ball", 0.015, vec3(-0.08, 0, 0.08))->def.velocity = vec3(0, 0, 0.2 * G);
    let_sleep(t);
}

static void threads_and_resume_change_no_bit(void **state)
{
    (void)state;
    test_scene t;
    enum { STEPS = 550 };
    uint64_t hash[3];
    make_struck_bed(&t);
    for (int threads = 1; threads <= 3; ++threads) {
        simulation *sim = created(&t.s, threads);
        advance_steps(sim, STEPS);
        hash[threads - 1] = simulation_hash(sim);
        assert_true(simulation_count(sim).sleep.woken_cells > 0);
        simulation_destroy(sim);
    }
    assert_true(hash[1] == hash[0] && hash[2] == hash[0]);
    simulation *sim = created(&t.s, 2);
    bool slept = false;
    for (int n = 0; n < STEPS;) {
        int more = 37 < STEPS - n ? 37 : STEPS - n;
        advance_steps(sim, more);
        n += more;
        slept = slept || asleep(sim) > 0;
        simulation *next = resumed(&t.s, sim, 1 + n % 2);
        simulation_destroy(sim);
        sim = next;
    }
    assert_true(slept);
    assert_true(simulation_hash(sim) == hash[0]);
    simulation_destroy(sim);
    scene_end(&t);
}

// ---- within an active box ----------------------------------------------------------------------------------------

// A blade goes along a strip, slowly enough for grains to fall asleep about it.
static void make_strip(test_scene *t)
{
    make_bed(t, 0.4, 4 * GRAIN, 4 * GRAIN);
    t->fills[0].avoid = true;
    t->fills[0].pattern = FILL_GRID;
    t->fills[0].size = constant_size(GRAIN);
    t->fills[0].spacing = 1.0;
    scene_body *blade = add_body(t, "blade", SCR_KINEMATIC, scr_box(vec3(0.005, 0.03, 0.02), (scr_material){1}),
                                 vec3(-0.2, 0, 5.2 * GRAIN));
    blade->has_motion = blade->motion.has_velocity = true;
    blade->motion.velocity = formulae(t, "0.5 * (t > 0.3)", "0", "0");
    static int around[1];
    around[0] = t->s.body_count - 1;
    t->s.active_box = (scene_active_box){.present = true,
                                         .around = around,
                                         .around_count = 1,
                                         .ahead = 0.2,
                                         .behind = 0.15,
                                         .side = 0.2,
                                         .face = FACE_FLAT,
                                         .shell = 0.08,
                                         .cell = 0.04,
                                         .freeze_speed = 0.05,
                                         .store_bytes = 1e9};
    let_sleep(t);
}

// Live grains are awake or asleep; what the box takes out of the motion, awake or not, is in its books, and so is what
// it gives back.
static void live_grains_of_an_active_box_sleep(void **state)
{
    (void)state;
    enum { STEPS = 900 };
    test_scene t;
    make_strip(&t);
    simulation *sim = created(&t.s, 1);
    int64_t slept_early = 0, slept_late = 0;
    simulation *copy = NULL;
    for (int n = 0; n < STEPS; ++n) {
        advance_steps(sim, 1);
        if (copy != NULL) advance_steps(copy, 1);
        scr_scene_counts c = simulation_count(sim);
        assert_int_equal(c.sleep.awake + c.sleep.asleep, c.active.live);
        if (n < 300) slept_early = c.sleep.asleep > slept_early ? c.sleep.asleep : slept_early;
        else slept_late = c.sleep.asleep > slept_late ? c.sleep.asleep : slept_late;
        if (n == 500) copy = resumed(&t.s, sim, 1);
    }
    assert_true(simulation_active(sim).parked > 0 && slept_early > 0 && slept_late > 0);
    assert_true(simulation_count(sim).sleep.woken_cells > 0);
    assert_true(simulation_hash(copy) == simulation_hash(sim));
    simulation_destroy(copy);
    simulation_destroy(sim);
    scene_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_are_awake_or_asleep_and_work_follows_those_awake),
        cmocka_unit_test(frozen_energy_is_booked),
        cmocka_unit_test(probes_see_sleepers),
        cmocka_unit_test(a_removed_support_wakes_what_stood_on_it),
        cmocka_unit_test(prescribed_motion_keeps_grains_awake),
        cmocka_unit_test(gravity_that_turns_wakes_all),
        cmocka_unit_test(a_compliant_bed_wakes_as_it_fell_asleep),
        cmocka_unit_test(a_penalty_bed_wakes_as_it_fell_asleep),
        cmocka_unit_test(live_grains_of_an_active_box_sleep),
        cmocka_unit_test(threads_and_resume_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
