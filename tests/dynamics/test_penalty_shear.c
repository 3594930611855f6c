// SPDX-License-Identifier: BSD-3-Clause
// A bed of grains in a space that is sheared: the same as without it, whatever the lists, threads and restarts do.
#include "copied_world.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "penalty_pile.h"

enum { SIDE = 10, GRAINS = SIDE * SIDE * SIDE, FLOW = 0, GRADIENT = 2 };
static const double NEXT_CELL = 1.5;  // m/s: as fast as the next cell up goes

static scr_world_def cell_def(scr_precision precision)
{
    double length = SIDE * 1.99 * RADIUS;
    scr_world_def def = usual_pile().world;
    def.gravity = vec3(0.0, 0.0, 0.0);
    def.solver.precision = precision;
    def.period = (scr_period){.high = {length, length, length}, .shear = {FLOW, GRADIENT, NEXT_CELL / length}};
    return def;
}

// Grains pressed together that follow the flow, with something beside it, and climb all the time over the seam; in nine
// cells, as runs leave them.
static scr_world *make_cell(const scr_world_def *def, int law, double spread, bool without_bed)
{
    const double pitch = 1.99 * RADIUS, length = SIDE * pitch;
    scr_world *world = make_world(def);
    scr_material_def soft = solid_def(SOFT);
    scr_material material;
    soft.rolling_friction = law > 0 ? 0.1 : 0.0;
    soft.surface_energy = law > 1 ? 0.2 : 0.0;
    assert_ok(scr_world_add_material(world, &soft, &material, &error));
    if (without_bed) world->grains.least_grains = INT64_MAX;
    for (int k = 0; k < GRAINS; ++k) {
        uint64_t draw = 10 * (uint64_t)k;
        double up = (double)(k % 3 - 1), ahead = (double)(k / 3 % 3 - 1);
        scr_vec3 at = vec3(pitch * (k % SIDE), pitch * (k / SIDE % SIDE), pitch * (k / SIDE / SIDE));
        scr_vec3 v = vec3(random_in(-0.1, 0.1, draw), random_in(-0.1, 0.1, draw + 1), 0.6);
        v.x += NEXT_CELL * (at.z / length + up);
        at = vec3_add(at, vec3(length * ahead, 0.0, length * up));
        add_sphere(world, material, RADIUS * (1.0 + spread * random_in(-1.0, 1.0, draw + 3)), at, v);
    }
    return world;
}

static void the_bed_does_what_the_general_stages_do(void **state)
{
    (void)state;
    for (int which = 0; which < 4; ++which) {
        bool is_mixed = which == 3;
        scr_world_def def = cell_def(is_mixed ? SCR_PRECISION_MIXED : SCR_PRECISION_DOUBLE);
        scr_world *with = make_cell(&def, which % 3, 0.0, false), *without = make_cell(&def, which % 3, 0.0, true);
        scr_stress stress[2];
        step(with, 400), step(without, 400);
        assert_true(has_bed(with) && !has_bed(without));
        assert_true(with->grains.bed.touching > GRAINS);
        assert_true(scr_world_shear_offset(with) > 2.0 * RADIUS);
        assert_same_motion(with, without, is_mixed ? 2e-3 : 1e-8);
        assert_near(scr_world_energy(with).kinetic, scr_world_energy(without).kinetic, is_mixed ? 1e-5 : 1e-10);
        assert_ok(scr_world_stress(with, &stress[0], &error));
        assert_ok(scr_world_stress(without, &stress[1], &error));
        double scale = 0.0;  // contacts that pull and such that push all but cancel out under adhesion
        for (int i = 0; i < 3; ++i) scale += fabs(stress[1].contact[i][i]) + fabs(stress[1].kinetic[i][i]);
        for (int i = 0; i < 3; ++i) {
            assert_near(stress[0].kinetic[i][i], stress[1].kinetic[i][i], is_mixed ? 1e-4 : 1e-9);
            for (int j = 0; j < 3; ++j)  // half a step apart
                assert_within(stress[0].contact[i][j], stress[1].contact[i][j], 2e-2 * scale);
        }
        scr_world_destroy(with);
        scr_world_destroy(without);
    }
}

static void momentum_is_kept(void **state)
{
    (void)state;
    for (int precision = SCR_PRECISION_DOUBLE; precision <= SCR_PRECISION_MIXED; ++precision) {
        scr_world_def def = cell_def((scr_precision)precision);
        scr_world *world = make_cell(&def, 1, 0.1, false);
        scr_vec3 before = scr_world_momentum(world);
        step(world, 1500);
        assert_true(has_bed(world));
        assert_within3(scr_world_momentum(world), before,
                       (precision == SCR_PRECISION_DOUBLE ? 1e-12 : 1e-6) * vec3_norm(before));
        scr_world_destroy(world);
    }
}

// Over a sorting of the bodies; lists are made at odd moments, grains come and go, and the rate is changed.
static void lists_threads_and_restarts_change_no_bit(void **state)
{
    (void)state;
    for (int which = 0; which < 4; ++which) {
        scr_world_def def = cell_def(which % 2 == 0 ? SCR_PRECISION_DOUBLE : SCR_PRECISION_MIXED);
        def.follow_rotations = which >= 2;
        scr_world *one = make_cell(&def, which % 3, 0.1, false);
        def.thread_count = 3, def.instruction_set = SCR_PLAIN;
        scr_world *three = make_cell(&def, which % 3, 0.1, false), *other = NULL;
        scr_vec3 at = vec3(0.02, 0.03, 0.04), v = vec3(1.0, 0.0, 0.0);
        double radius = 0.5 * RADIUS;
        for (int k = 0; k < 1100; ++k) {
            step(one, 1), step(three, 1);
            if (other != NULL) step(other, 1);
            if (k % 37 == 5) grain_bed_forget_rows(&one->grains.bed);
            if (k == 600) other = resumed(one, &def);
            scr_world *all[] = {one, three, other};
            for (int w = 0; w < 3 && all[w] != NULL; ++w) {
                if (k == 800) give_grains_back(three);  // a bed that goes on is told of the new cells
                if (k == 500 || k == 700)
                    assert_ok(scr_world_add_spheres(all[w], 1, &at, &radius, &v, (scr_material){1}, NULL, &error));
                if (k >= 800 && k % 50 == 0)
                    assert_ok(scr_world_set_shear_rate(all[w], -0.9 * scr_world_shear_rate(all[w]), &error));
            }
        }
        assert_true(has_bed(one));
        assert_same_state(one, three);
        assert_same_state(one, other);
        scr_world_destroy(one);
        scr_world_destroy(three);
        scr_world_destroy(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bed_does_what_the_general_stages_do),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(lists_threads_and_restarts_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
