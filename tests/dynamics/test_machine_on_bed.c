// SPDX-License-Identifier: BSD-3-Clause
// Machines on beds, solved in parts: what is stated is true, and the bits do not depend on threads.
#include "check.h"

#include <string.h>

#include "dynamics/cone/solve/region_problem.h"
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/stages/contact_law.h"
#include "dynamics/world/world.h"
#include "laboratory/impulse_motion.h"
#include "laboratory/laboratory.h"
#include "ring.h"

// A vehicle of 200 kg in a ring of hinged shoes over grains of 1 g, after some steps of falling from a height above
// them, and pulled on a little since the step before.
static void ring_problem(saved_system *kept, double length, double rolling, double height, int steps)
{
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material smooth = add_material(world, 0.0, 0.0), stone;
    scr_material_def rough = scr_default_material_def();
    rough.friction = 0.5;
    rough.rolling_friction = rolling;
    assert_ok(scr_world_add_material(world, &rough, &stone, &error));
    add_bed(world, stone, smooth, length, 4);
    add_ring(world, stone,
             vec3(0.5 * length, 0.5 * BED_WIDTH, 3.0 * BED_LAYER + 2.0 * GRAIN + SHOE_HALF_HEIGHT + height));
    saved_system_init(kept);
    step(world, steps);
    scr_world_set_gravity(world, vec3(0.8, 0.4, -GRAVITY), NULL);
    assert_ok(world_keep_problem(world, kept, &error));
    step(world, 1);
    scr_world_destroy(world);
}

static const double BED_LENGTH = 0.7, LONG_BED = 2.0;  // m; 4,600 grains and 13,500

enum {
    LANDING = 12,                // steps: its shoes touch grains, which do not yet carry it
    FORGOTTEN = 100,             // contacts
    FEW_WHERE_IT_IS_WRONG = 15,  // iterations; sweeps of all contacts take 57
    MANY = 250,
    FEW = 150,  // iterations; in one part, in double precision, it takes 290 to 2e-5
};

typedef struct answer {
    double true_error;
    solve_result result;
} answer;

static answer solve_problem(laboratory *lab, scr_solver_kind kind, double tolerance, bool cold)
{
    const trial_setting how = {.solver = {.kind = kind, .max_iterations = 5000, .tolerance = tolerance}, .cold = cold};
    answer a;
    double seconds;
    assert_ok(laboratory_time(lab, &how, &seconds, &a.result, &error));
    impulse_motion(lab->system, lab->load, lab->motion);
    saved_joints_hold(&lab->joints, lab->motion);
    for (int64_t k = 0; k < 6 * lab->system->bodies.count; ++k) lab->motion[k] -= lab->reference[k];
    a.true_error = motion_norm(lab->system, lab->inertia, lab->motion) / lab->reference_norm;
    return a;
}

// By another solver, as well as is needed to judge an error that is fifty times as large.
static void set_reference(laboratory *lab, double tolerance, double *best)
{
    const trial_setting how = {.solver = {.kind = SCR_SOLVER_AGS,
                                          .max_iterations = 20000,
                                          .tolerance = tolerance,
                                          .precision = SCR_PRECISION_DOUBLE}};
    double seconds;
    solve_result result;
    assert_ok(laboratory_time(lab, &how, &seconds, &result, &error));
    print_message("reference: stated %.2e, %d sweeps\n", result.force_error, result.iterations);
    assert_at_most(result.force_error, 2.0 * tolerance);
    memcpy(best, lab->load, 6 * (size_t)lab->system->contacts.count * sizeof *best);
    laboratory_set_reference(lab, best);
}

static void check_errors(double rolling)
{
    saved_system kept;
    laboratory lab;
    ring_problem(&kept, BED_LENGTH, rolling, BED_LAYER, 20);
    double *best = calloc((size_t)kept.contacts.count, 6 * sizeof *best);
    assert_ok(laboratory_open(&lab, &kept, 2, &error));
    set_reference(&lab, 1e-6, best);
    const double tolerances[] = {1e-2, 1e-3, 1e-4};
    for (int k = 0; k < 6; ++k) {
        answer a = solve_problem(&lab, SCR_SOLVER_AUTO, tolerances[k / 2], k % 2 == 1);
        print_message("%lld contacts, %g %s: stated %.2e, true %.2e, %d iterations\n", (long long)kept.contacts.count,
                      tolerances[k / 2], k % 2 == 1 ? "cold" : "warm", a.result.force_error, a.true_error,
                      a.result.iterations);
        assert_at_most(a.result.force_error, tolerances[k / 2]);
        assert_at_most(a.true_error, 2.0 * a.result.force_error);
    }
    laboratory_close(&lab);
    saved_system_free(&kept);
    free(best);
}

static void machines_are_as_well_solved_as_is_said(void **state)
{
    (void)state;
    check_errors(0.0);
}

static void machines_on_grains_that_resist_rolling_are_as_well_solved_as_is_said(void **state)
{
    (void)state;
    check_errors(0.1);
}

// The whole vehicle stands on grains that are 200,000 times as light, and has just come to it.
static void machines_that_land_on_light_grains_are_as_well_solved_as_is_said(void **state)
{
    (void)state;
    saved_system kept;
    laboratory lab;
    ring_problem(&kept, BED_LENGTH, 0.1, 0.0, LANDING);
    double *best = calloc((size_t)kept.contacts.count, 6 * sizeof *best);
    assert_ok(laboratory_open(&lab, &kept, 2, &error));
    set_reference(&lab, 2e-5, best);
    for (int k = 0; k < 4; ++k) {
        double tolerance = k / 2 == 0 ? 1e-2 : 1e-3;
        answer a = solve_problem(&lab, SCR_SOLVER_AUTO, tolerance, k % 2 == 1);
        print_message("%lld contacts, %g %s: stated %.2e, true %.2e, %d iterations\n", (long long)kept.contacts.count,
                      tolerance, k % 2 == 1 ? "cold" : "warm", a.result.force_error, a.true_error, a.result.iterations);
        assert_at_most(a.result.force_error, tolerance);
        assert_at_most(a.true_error, 2.0 * a.result.force_error);
        assert_at_most(a.result.iterations, FEW);
    }
    laboratory_close(&lab);
    saved_system_free(&kept);
    free(best);
}

// A first guess that is the answer, but for the loads of contacts that follow each other, as bodies do in space.
static void forget_some(saved_system *kept, const double *right)
{
    for (int64_t k = 0; k < 6 * kept->contacts.count; ++k) {
        bool is_forgotten = k / 6 >= kept->contacts.count / 10 && k / 6 < kept->contacts.count / 10 + FORGOTTEN;
        kept->guess[k] = is_forgotten ? 0.0f : (float)right[k];
    }
}

// A bed so large that sweeps go where the error is.
static void machines_on_large_beds_are_as_well_solved_as_is_said(void **state)
{
    (void)state;
    saved_system kept;
    laboratory lab;
    ring_problem(&kept, LONG_BED, 0.1, BED_LAYER, 20);
    assert_true(kept.bodies.count > 12800);
    double *best = calloc((size_t)kept.contacts.count, 6 * sizeof *best);
    assert_ok(laboratory_open(&lab, &kept, 2, &error));
    set_reference(&lab, 1e-4, best);
    for (int cold = 0; cold < 2; ++cold) {
        answer a = solve_problem(&lab, SCR_SOLVER_AUTO, 1e-2, cold);
        print_message("%lld contacts: stated %.2e, true %.2e, %d iterations\n", (long long)kept.contacts.count,
                      a.result.force_error, a.true_error, a.result.iterations);
        assert_at_most(a.result.force_error, 1e-2);
        assert_at_most(a.true_error, 2.0 * a.result.force_error);
        assert_at_most(a.result.iterations, FEW);
    }
    forget_some(&kept, best);
    answer a = solve_problem(&lab, SCR_SOLVER_AUTO, 1e-3, false);
    print_message("forgotten loads: stated %.2e, true %.2e, %d iterations\n", a.result.force_error, a.true_error,
                  a.result.iterations);
    assert_at_most(a.true_error, 2.0 * a.result.force_error);
    assert_at_most(a.result.iterations, FEW_WHERE_IT_IS_WRONG);
    laboratory_close(&lab);
    saved_system_free(&kept);
    free(best);
}

// A box of 5 kg that has fallen on grains of 1 g which resist rolling.
static void box_problem(saved_system *kept)
{
    scr_world_def def = scr_default_world_def();
    scr_world *world = make_world(&def);
    scr_material smooth = add_material(world, 0.0, 0.0), stone;
    scr_material_def rough = scr_default_material_def();
    rough.friction = 0.5;
    rough.rolling_friction = 0.1;
    assert_ok(scr_world_add_material(world, &rough, &stone, &error));
    add_bed(world, stone, smooth, BED_LENGTH, 4);
    scr_shape shape = scr_box(vec3(0.05, 0.03, 0.02), stone);
    scr_body_def box = scr_default_body_def();
    box.position = vec3(0.5 * BED_LENGTH, 0.5 * BED_WIDTH, 3.0 * BED_LAYER + 2.0 * GRAIN + 0.02);
    box.velocity = vec3(0.2, 0.0, -0.2);
    box.shapes = &shape;
    box.shape_count = 1;
    box.mass = 5.0;
    add_body(world, &box);
    saved_system_init(kept);
    step(world, LANDING);
    assert_ok(world_keep_problem(world, kept, &error));
    step(world, 1);
    scr_world_destroy(world);
}

// Sweeps lead there in the time that Newton's method takes for a core, and do it alone.
static void light_machines_on_small_beds_are_swept(void **state)
{
    (void)state;
    saved_system kept;
    laboratory lab;
    box_problem(&kept);
    double *best = calloc((size_t)kept.contacts.count, 6 * sizeof *best);
    assert_ok(laboratory_open(&lab, &kept, 2, &error));
    set_reference(&lab, 1e-6, best);
    for (int k = 0; k < 2; ++k) {
        answer a = solve_problem(&lab, SCR_SOLVER_AUTO, 1e-3, k == 1);
        print_message("%lld contacts, %s: stated %.2e, true %.2e, %d iterations, %s\n", (long long)kept.contacts.count,
                      k == 1 ? "cold" : "warm", a.result.force_error, a.true_error, a.result.iterations,
                      a.result.precise == NULL ? "swept" : "in parts");
        assert_null(a.result.precise);
        assert_at_most(a.result.force_error, 1e-3);
        assert_at_most(a.true_error, 2.0 * a.result.force_error);
        assert_at_most(a.result.iterations, MANY);
    }
    laboratory_close(&lab);
    saved_system_free(&kept);
    free(best);
}

static void check_bits(double length, double height, int steps, double tolerance)
{
    saved_system kept;
    ring_problem(&kept, length, 0.1, height, steps);
    size_t count = 6 * (size_t)kept.contacts.count;
    double *one = calloc(count, sizeof *one);
    for (int threads = 1; threads <= 3; ++threads) {
        laboratory lab;
        solve_result result;
        double seconds;
        const trial_setting how = {.solver = {.kind = SCR_SOLVER_AUTO, .max_iterations = 5000, .tolerance = tolerance}};
        assert_ok(laboratory_open(&lab, &kept, threads, &error));
        assert_ok(laboratory_time(&lab, &how, &seconds, &result, &error));
        if (threads == 1) memcpy(one, lab.load, count * sizeof *one);
        assert_memory_equal(one, lab.load, count * sizeof *one);
        laboratory_close(&lab);
    }
    saved_system_free(&kept);
    free(one);
}

// Relative to the largest of all.
static void assert_alike(const float *copied, const float *made, int64_t count)
{
    float largest = 0.0f, off = 0.0f;
    for (int64_t k = 0; k < count; ++k) {
        largest = fmaxf(largest, fabsf(made[k]));
        off = fmaxf(off, fabsf(copied[k] - made[k]));
    }
    assert_at_most(off, 2e-5 * (double)largest);
}

// Those of a part by the one way and the other: v and w hold what contacts at its border do.
static void assert_same_bundles(const problem *copied, const problem *made)
{
    assert_int_equal(copied->grains.bundle_count, made->grains.bundle_count);
    assert_int_equal(copied->general.bundle_count, made->general.bundle_count);
    for (int64_t k = 0; k < made->grains.bundle_count; ++k) {
        const grain_bundle *one = &copied->grain[k], *other = &made->grain[k];
        assert_memory_equal(one->a, other->a, sizeof one->a);
        assert_memory_equal(one->b, other->b, sizeof one->b);
        assert_alike(one->n[0], other->n[0], 3 * LANES);
        assert_alike(one->arm_a, other->arm_a, 2 * LANES);
        assert_alike(one->r[0], other->r[0], 3 * LANES);
        assert_alike(one->cn, other->cn, 2 * LANES);
        assert_alike(one->sigma, other->sigma, LANES);
        assert_alike(one->mu, other->mu, LANES);
        assert_memory_equal(one->g, other->g, sizeof one->g);
        const rolling_grain *turns = &copied->rolling_grain[k], *turned = &made->rolling_grain[k];
        assert_alike(turns->q[0], turned->q[0], 6 * LANES);
        assert_alike(turns->w[0], turned->w[0], 3 * LANES);
        assert_alike(turns->reach_a, turned->reach_a, 5 * LANES);
        assert_alike(turns->keep_t, turned->keep_t, 4 * LANES);
        assert_alike(turns->arm, turned->arm, LANES);
    }
}

static void a_region_copied_from_the_whole_is_what_its_rows_say(void **state)
{
    (void)state;
    saved_system kept;
    problem whole = {0}, made = {0};
    region_problem part = {0};
    subsystem sub = {0};
    ring_problem(&kept, BED_LENGTH, 0.1, 0.0, LANDING);
    size_t count = 3 * (size_t)kept.contacts.count;
    float *impulse = calloc(2 * count, sizeof *impulse);
    for (size_t k = 0; k < 2 * count; ++k) impulse[k / 6 * 3 + k % 3 + (k % 6 < 3 ? 0 : count)] = kept.guess[k];
    contact_system system = saved_system_view(&kept, impulse, impulse + count, 2);
    assert_ok(problem_build(&whole, &system, &error));
    assert_ok(region_begin(&part.region, &system, &error));
    for (int64_t k = 0; k < system.body_count; k += 2 - k / 100 % 2) region_put(&part.region, (int32_t)k, 0);
    assert_ok(region_close(&part.region, &system, &error));
    assert_true(part.region.border_count > 100);
    assert_ok(region_problem_open(&part, &whole, &system, &error));
    assert_ok(region_open(&part.region, &sub, &system, &error));
    assert_ok(problem_build(&made, &sub.system, &error));
    assert_same_bundles(&part.problem, &made);
    problem_free(&whole);
    problem_free(&made);
    subsystem_free(&sub);
    region_problem_free(&part);
    saved_system_free(&kept);
    free(impulse);
}

static void the_bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    check_bits(BED_LENGTH, 0.0, LANDING, 1e-3);
}

static void the_bits_on_large_beds_do_not_depend_on_threads(void **state)
{
    (void)state;
    check_bits(LONG_BED, 0.0, LANDING, 1e-2);
}

// How far a first guess goes on as the impulse of a contact along z went in the last two steps.
static double lead_of_guess(double length, bool has_machine, double tolerance)
{
    scr_world_def def = scr_default_world_def();
    def.solver.tolerance = tolerance;
    scr_world *world = make_world(&def);
    scr_material stone = add_material(world, 0.5, 0.0);
    add_bed(world, stone, stone, length, 4);
    if (has_machine) add_ring(world, stone, vec3(0.5 * length, 0.5 * BED_WIDTH, 1.0));
    step(world, 1);
    step_law law = world_step_law(world);
    contact_start start = contact_law_start(&law, vec3(0.0, 0.0, 3.0), vec3(0.0, 0.0, 2.0), vec3(0.0, 0.0, 1.0));
    scr_world_destroy(world);
    return start.guess.z - 3.0;
}

static void the_first_guess_leads_where_a_machine_is_on_a_large_bed(void **state)
{
    (void)state;
    assert_near(lead_of_guess(LONG_BED, true, 1e-2), 0.9, 1e-12);
    assert_near(lead_of_guess(LONG_BED, false, 1e-2), 0.5, 1e-12);
    assert_near(lead_of_guess(BED_LENGTH, true, 1e-2), 0.5, 1e-12);
    assert_near(lead_of_guess(LONG_BED, true, 0.0), 0.5, 1e-12);  // sweeps that do not end where they are right
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_region_copied_from_the_whole_is_what_its_rows_say),
        cmocka_unit_test(machines_are_as_well_solved_as_is_said),
        cmocka_unit_test(machines_on_grains_that_resist_rolling_are_as_well_solved_as_is_said),
        cmocka_unit_test(machines_that_land_on_light_grains_are_as_well_solved_as_is_said),
        cmocka_unit_test(machines_on_large_beds_are_as_well_solved_as_is_said),
        cmocka_unit_test(light_machines_on_small_beds_are_swept),
        cmocka_unit_test(the_first_guess_leads_where_a_machine_is_on_a_large_bed),
        cmocka_unit_test(the_bits_do_not_depend_on_threads),
        cmocka_unit_test(the_bits_on_large_beds_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
