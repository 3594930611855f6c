// SPDX-License-Identifier: BSD-3-Clause
// A bed of grains in a space whose lengths change: the same as without it, whatever the lists, threads and restarts do.
#include "copied_world.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "penalty_pile.h"

enum { SIDE = 11, GRAINS = SIDE * SIDE * SIDE };  // more than one block
static const double PITCH = 1.99;                 // radii

static scr_world_def cell_def(scr_precision precision, int law)
{
    double length = SIDE * PITCH * RADIUS;
    scr_world_def def = pile_of(law).world;
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.solver.precision = precision;
    def.period =
        (scr_period){.low = {0.01, -0.02, 0.0}, .high = {length + 0.01, length - 0.02, length}, .is_stretched = true};
    return def;
}

// How a pile's law and sizes are chosen for a cell: as pile_of, and radii that differ by this share.
typedef struct cell_kind {
    int law;
    double spread;
    bool without_bed;
    double drift;  // m/s: that all have in common
} cell_kind;

// Grains pressed together that follow the cell, with something beside it; in 27 cells, as runs leave them.
static scr_world *make_cell(const scr_world_def *def, cell_kind kind, scr_vec3 rate)
{
    const double pitch = PITCH * RADIUS, length = SIDE * pitch;
    const pile_def law = pile_of(kind.law);
    scr_world *world = make_world(def);
    scr_material_def soft = solid_def(SOFT);
    scr_material material;
    soft.rolling_friction = law.rolling, soft.spinning_friction = law.spinning;
    soft.surface_energy = law.surface_energy;
    assert_ok(scr_world_add_material(world, &soft, &material, &error));
    if (kind.without_bed) world->grains.least_grains = INT64_MAX;
    for (int k = 0; k < GRAINS; ++k) {
        uint64_t draw = 10 * (uint64_t)k;
        const int cell[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 % 3 - 1};
        scr_vec3 at = vec3(pitch * (k % SIDE), pitch * (k / SIDE % SIDE), pitch * (k / SIDE / SIDE));
        scr_vec3 v = vec3(random_in(-0.1, 0.1, draw), random_in(-0.1, 0.1, draw + 1),
                          random_in(-0.1, 0.1, draw + 2) + kind.drift);
        at = vec3(at.x + length * cell[0], at.y + length * cell[1], at.z + length * cell[2]);
        v = vec3_add_scaled(v, 1.0 / length, vec3_mul(rate, at));
        add_sphere(world, material, RADIUS * (1.0 + kind.spread * random_in(-1.0, 1.0, draw + 3)), at, v);
    }
    return world;
}

static void assert_same_stress(scr_world *a, scr_world *b, double error_of_it)
{
    scr_stress in_a, in_b;
    assert_ok(scr_world_stress(a, &in_a, &error));
    assert_ok(scr_world_stress(b, &in_b, &error));
    double scale = 0.0, worst = 0.0;  // contacts that pull and such that push all but cancel out under adhesion
    for (int i = 0; i < 3; ++i) scale += fabs(in_b.contact[i][i]) + fabs(in_b.kinetic[i][i]);
    for (int i = 0; i < 3; ++i) {
        worst = fmax(worst, fabs(in_a.stiffness[i] - in_b.stiffness[i]) / in_b.stiffness[i]);
        for (int j = 0; j < 3; ++j) {
            worst = fmax(worst, fabs(in_a.kinetic[i][j] - in_b.kinetic[i][j]) / scale);
            worst = fmax(worst, fabs(in_a.contact[i][j] - in_b.contact[i][j]) / scale);
        }
    }
    assert_true(worst < error_of_it);
}

// The cell gets shorter, longer and shorter again, by rates that change in every step as those of a servo, in between
// and not at all.
static scr_vec3 rate_at(int k)
{
    const scr_vec3 rates[] = {{-0.6, -0.3, 0.4}, {0.3, 0.2, 0.6}, {-0.5, 0.1, -0.9}};
    double more = k % 100 < 50 ? 1.0 + 0.02 * (k % 50) : 1.0;
    return vec3_scale(more, rates[k / 100 % 3]);
}

static void the_bed_does_what_the_general_stages_do(void **state)
{
    (void)state;
    for (int which = 0; which < LAWS + 2; ++which) {
        bool is_mixed = which >= LAWS;
        scr_world_def def = cell_def(is_mixed ? SCR_PRECISION_MIXED : SCR_PRECISION_DOUBLE, which % LAWS);
        def.contact.normal = which == 4 ? SCR_HOOKE : SCR_HERTZ;
        // A general contact's point is midway between surfaces, and not where a bed has it, unless grains are alike.
        cell_kind kind = {.law = which % LAWS, .drift = 0.3};
        scr_world *with = make_cell(&def, kind, rate_at(0));
        kind.without_bed = true;
        scr_world *without = make_cell(&def, kind, rate_at(0));
        for (int k = 0; k < 250; ++k) {
            assert_ok(scr_world_stretch(with, rate_at(k), &error));
            assert_ok(scr_world_stretch(without, rate_at(k), &error));
            step(with, 1), step(without, 1);
            if (k == 0) assert_same_stress(with, without, 1e-6);
        }
        assert_true(has_bed(with) && !has_bed(without));
        assert_true(with->grains.bed.touching > GRAINS);
        assert_same_motion(with, without, is_mixed ? 2e-3 : 1e-8);
        assert_near(scr_world_energy(with).kinetic, scr_world_energy(without).kinetic, is_mixed ? 1e-5 : 1e-10);
        assert_same_stress(with, without, is_mixed ? 2e-5 : 1e-6);
        scr_world_destroy(with);
        scr_world_destroy(without);
    }
}

// Of different grains the general stages have the contact's point elsewhere, which changes forces of friction a little.
static void the_stiffness_of_different_grains_is_the_same(void **state)
{
    (void)state;
    for (int which = 0; which < 8; ++which) {
        scr_world_def def = cell_def(which % 2 == 0 ? SCR_PRECISION_DOUBLE : SCR_PRECISION_MIXED, 0);
        def.contact.normal = which < 2 ? SCR_HERTZ : SCR_HOOKE;
        def.contact.stiffness = which < 4 ? 0.0 : 2e4;
        scr_stress stress[2];
        for (int w = 0; w < 2; ++w) {
            scr_world *world =
                make_cell(&def, (cell_kind){.spread = which < 6 ? 0.1 : 0.0, .without_bed = w == 1}, rate_at(0));
            step(world, 1);
            assert_true(has_bed(world) == (w == 0));
            assert_ok(scr_world_stress(world, &stress[w], &error));
            scr_world_destroy(world);
        }
        for (int i = 0; i < 3; ++i) {
            assert_near(stress[0].stiffness[i], stress[1].stiffness[i], which % 2 == 0 ? 1e-9 : 1e-5);
            assert_near(stress[0].contact[i][i], stress[1].contact[i][i], 1e-2);
        }
    }
}

static void momentum_is_kept(void **state)
{
    (void)state;
    for (int precision = SCR_PRECISION_DOUBLE; precision <= SCR_PRECISION_MIXED; ++precision) {
        scr_world_def def = cell_def((scr_precision)precision, 1);
        scr_world *world = make_cell(&def, (cell_kind){.law = 1, .spread = 0.1, .drift = 1.0}, rate_at(0));
        assert_ok(scr_world_stretch(world, rate_at(0), &error));
        scr_vec3 before = scr_world_momentum(world);
        for (int k = 0; k < 800; ++k) {
            assert_ok(scr_world_stretch(world, rate_at(k), &error));
            step(world, 1);
        }
        assert_true(has_bed(world));
        assert_within3(scr_world_momentum(world), before,
                       (precision == SCR_PRECISION_DOUBLE ? 1e-12 : 1e-6) * vec3_norm(before));
        scr_world_destroy(world);
    }
}

// Rates for the next step that follow the stress of the last one, as a servo's do.
static void serve(scr_world *world, int k)
{
    scr_stress now;
    scr_vec3 rate = rate_at(k);
    assert_ok(scr_world_stress(world, &now, &error));
    rate.x += 1e-5 * (now.contact[0][0] + now.kinetic[0][0]);
    rate.y += 1e-7 * now.stiffness[1];
    assert_ok(scr_world_stretch(world, rate, &error));
}

// Over a sorting of the bodies; lists are made all the time, or at odd moments, and grains come and go. Changes of the
// rate follow each other in every step, or are rare.
static void lists_threads_and_restarts_change_no_bit(void **state)
{
    (void)state;
    for (int which = 0; which < 4; ++which) {
        const cell_kind kind = {.law = which == 2 ? 6 : which, .spread = 0.1, .drift = 0.5};
        scr_world_def def = cell_def(which % 2 == 0 ? SCR_PRECISION_DOUBLE : SCR_PRECISION_MIXED, kind.law);
        def.follow_rotations = which >= 2;
        enum { RARE, FRESH, TWO, THREE, RESUMED, WORLDS };
        scr_world *all[WORLDS] = {0};
        for (int w = 0; w < RESUMED; ++w) {
            def.thread_count = w == TWO ? 2 : w == THREE ? 3 : 1;
            def.instruction_set = w == THREE ? SCR_PLAIN : SCR_BEST;
            all[w] = make_cell(&def, kind, rate_at(0));
        }
        scr_vec3 at = vec3(0.02, 0.03, 0.04), v = vec3(1.0, 0.0, 0.0);
        double radius = 0.95 * RADIUS;
        for (int k = 0; k < 1100; ++k) {
            for (int w = 0; w < WORLDS; ++w) {
                if (all[w] == NULL) continue;
                step(all[w], 1);
                if (k % 300 < 150 || k % 50 == 0) serve(all[w], k);
                if (k == 500 || k == 700)
                    assert_ok(scr_world_add_spheres(all[w], 1, &at, &radius, &v, (scr_material){1}, NULL, &error));
                scr_body some = scr_world_bodies(all[w]).handle[GRAINS / 2];
                if (k == 710) assert_ok(scr_world_remove_bodies(all[w], 1, &some, &error));
                if (k == 505 || k == 711) serve(all[w], k);
            }
            if (k % 37 == 5) grain_bed_forget_rows(&all[RARE]->grains.bed);
            if (k % 3 == 0) grain_bed_forget_rows(&all[FRESH]->grains.bed);
            if (k % 90 == 17) give_grains_back(all[THREE]);
            if (k % 110 == 17) world_show_state(all[TWO]);
            if (k == 600) all[RESUMED] = resumed(all[RARE], &def);
        }
        for (int w = 0; w < WORLDS; ++w) assert_true(has_bed(all[w]));
        assert_true(all[TWO]->grains.bed.rows_made < 110);
        for (int w = 1; w < WORLDS; ++w) assert_same_state(all[RARE], all[w]);
        for (int w = 0; w < WORLDS; ++w) scr_world_destroy(all[w]);
    }
}

// Far from each other, and at rest but for the flow: a cell that shrinks is all that moves them together.
static void grains_that_the_cell_brings_together_are_found(void **state)
{
    (void)state;
    for (int precision = SCR_PRECISION_DOUBLE; precision <= SCR_PRECISION_MIXED; ++precision) {
        const double pitch = 3.2 * RADIUS, length = SIDE * pitch;
        const scr_vec3 rate = {-8.0, -8.1, -8.2};
        scr_world_def def = cell_def((scr_precision)precision, 0);
        def.period.high = vec3_add(def.period.low, vec3(length, length, length));
        scr_world *world[2];
        for (int w = 0; w < 2; ++w) {
            scr_material_def soft = solid_def(SOFT);
            scr_material material;
            world[w] = make_world(&def);
            assert_ok(scr_world_add_material(world[w], &soft, &material, &error));
            for (int k = 0; k < GRAINS; ++k) {
                scr_vec3 at = vec3(pitch * (k % SIDE), pitch * (k / SIDE % SIDE), pitch * (k / SIDE / SIDE));
                add_sphere(world[w], material, RADIUS, at, vec3(0.0, 0.0, 0.0));
            }
        }
        for (int k = 0; k < 450; ++k) {
            for (int w = 0; w < 2; ++w) {
                if (k < 2) assert_ok(scr_world_stretch(world[w], vec3_scale(0.5 * (k + 1), rate), &error));
                step(world[w], 1);
            }
            grain_bed_forget_rows(&world[1]->grains.bed);
        }
        assert_true(has_bed(world[0]) && world[0]->grains.bed.touching > 2 * GRAINS);
        assert_true(world[0]->grains.bed.rows_made < 45);
        assert_same_state(world[0], world[1]);
        scr_world_destroy(world[0]);
        scr_world_destroy(world[1]);
    }
}

// Shorter than eight radii a cell is left to the general stages, at the same step by an unbroken run and by a resumed
// one, and taken again.
static void a_cell_that_becomes_too_small_is_given_back(void **state)
{
    (void)state;
    scr_world_def def = cell_def(SCR_PRECISION_DOUBLE, 0);
    def.period.high.z = 10.0 * RADIUS;
    scr_world *world = make_world(&def), *other = NULL;
    scr_material_def soft = solid_def(SOFT);
    scr_material material;
    assert_ok(scr_world_add_material(world, &soft, &material, &error));
    world->grains.least_grains = 1;
    const double pitch = 0.9 * PITCH * RADIUS;
    for (int k = 0; k < 3 * SIDE * SIDE; ++k)
        add_sphere(world, material, 0.9 * RADIUS,
                   vec3(pitch * (k % SIDE), pitch * (k / SIDE % SIDE), 3.2 * RADIUS * (k / SIDE / SIDE)),
                   vec3(0.0, 0.0, 0.0));
    scr_vec3 rate = vec3(0.0, 0.0, -6.0);
    bool had_bed[3] = {false};
    for (int k = 0; k < 300; ++k) {
        if (k % 150 == 0) {
            assert_ok(scr_world_stretch(world, rate, &error));
            if (other != NULL) assert_ok(scr_world_stretch(other, rate, &error));
            rate.z = 6.0;
        }
        if (k == 0 || k == 149 || k == 299) had_bed[k / 149] = has_bed(world) || k == 0;
        step(world, 1);
        if (k == 60) {
            other = resumed(world, &def);
            other->grains.least_grains = 1;
        } else if (other != NULL) {
            step(other, 1);
            if (k % 7 == 0) assert_true(scr_world_hash(world) == scr_world_hash(other));
        }
    }
    assert_true(had_bed[0] && !had_bed[1] && had_bed[2]);
    assert_same_state(world, other);
    scr_world_destroy(world);
    scr_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bed_does_what_the_general_stages_do),
        cmocka_unit_test(the_stiffness_of_different_grains_is_the_same),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(lists_threads_and_restarts_change_no_bit),
        cmocka_unit_test(grains_that_the_cell_brings_together_are_found),
        cmocka_unit_test(a_cell_that_becomes_too_small_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
