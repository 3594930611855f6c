// SPDX-License-Identifier: BSD-3-Clause
// The three solvers answer the same question: run to convergence they give the same motion, and say how well they did.
//
// Impulses may differ where a body is held at more points than it needs; velocities may not.
#include "dynamics/physics.h"

static scr_world_def heap_def(scr_solver_kind solver, int iterations, double tolerance, bool rigid)
{
    scr_world_def def = scr_default_world_def();
    def.solver =
        (scr_solver_def){.kind = solver, .max_iterations = iterations, .tolerance = tolerance, .warm_start = true};
    def.contact.law = rigid ? SCR_RIGID : SCR_COMPLIANT;
    return def;
}

// Bodies as in a heap that has just come down and still moves; then one step, from zero impulses, under gravity that
// leans over. (Of a heap at rest, where boxes stand on more points than they need, rigid contacts in single precision
// know velocities to a hundredth of g h only.)
static scr_world *one_step_after(const scr_world_def *def)
{
    scr_world_def source_def = heap_def(SCR_SOLVER_AGS, 300, 1e-4, true);
    scr_world *source = make_heap(&source_def), *world = make_heap(def);
    step(source, 250);
    scr_body_view from = scr_world_bodies(source);
    for (int64_t i = 0; i < from.count; ++i)  // made in the same order: the handles are the same
        set_state(world, from.handle[i], state_of(source, from.handle[i]));
    scr_world_set_gravity(world, vec3(0.3 * GRAVITY, 0.0, -GRAVITY), NULL);
    step(world, 1);
    scr_world_destroy(source);
    return world;
}

// The largest difference of velocity between the bodies of two worlds, over what gravity gives in a step.
static double distance(const scr_world *a, const scr_world *b)
{
    scr_body_view bodies = scr_world_bodies(a);
    double largest = 0.0;
    for (int64_t i = 0; i < bodies.count; ++i) {
        scr_body_state left = state_of(a, bodies.handle[i]), right = state_of(b, bodies.handle[i]);
        largest = fmax(largest, vec3_norm(vec3_sub(left.velocity, right.velocity)));
        largest = fmax(largest, HEAP_SIZE * vec3_norm(vec3_sub(left.spin, right.spin)));
    }
    return largest / (GRAVITY * scr_world_time_step(a));
}

// Sweeps work in single precision, projected gradients in double.
static void all_solvers_agree_when_converged(void **state)
{
    (void)state;
    const double single_precision = 1e-4, residual = 3e-8;  // m/s
    for (int rigid = 0; rigid <= 1; ++rigid) {
        scr_world_def defs[] = {heap_def(SCR_SOLVER_AGS, 3000, 1e-6, rigid),
                                heap_def(SCR_SOLVER_GS, 10000, 1e-6, rigid),
                                heap_def(SCR_SOLVER_APGD, 20000, residual, rigid)};
        scr_world *ags = one_step_after(&defs[0]), *gs = one_step_after(&defs[1]), *apgd = one_step_after(&defs[2]);
        assert_true(scr_world_report(ags).touching_count > HEAP);
        assert_at_most(scr_world_report(apgd).change, residual);
        assert_at_most(distance(ags, gs), single_precision);
        assert_at_most(distance(ags, apgd), single_precision);
        scr_world_destroy(ags);
        scr_world_destroy(gs);
        scr_world_destroy(apgd);
    }
}

typedef struct solved {
    scr_accuracy accuracy;
    double force_error;
} solved;

static solved solved_with(scr_solver_kind solver, int iterations)
{
    scr_world_def def = heap_def(solver, iterations, 0.0, false);
    scr_world *world = one_step_after(&def);
    solved s = {.force_error = scr_world_report(world).force_error};
    assert_ok(scr_world_accuracy(world, &s.accuracy, &error));
    assert_int_equal(scr_world_report(world).iterations, iterations);
    assert_at_most(s.accuracy.cone_violation, 1e-6);
    scr_world_destroy(world);
    return s;
}

static void more_iterations_are_more_accurate(void **state)
{
    (void)state;
    for (scr_solver_kind solver = SCR_SOLVER_AGS; solver <= SCR_SOLVER_APGD; ++solver) {
        solved few = solved_with(solver, 20), more = solved_with(solver, 400);
        assert_at_most(more.accuracy.residual, 0.1 * few.accuracy.residual);
        assert_at_most(more.force_error, 0.1 * few.force_error);
    }
}

static void acceleration_beats_plain_sweeps(void **state)
{
    (void)state;
    assert_at_most(solved_with(SCR_SOLVER_AGS, 50).force_error, 0.3 * solved_with(SCR_SOLVER_GS, 50).force_error);
}

// In a heap a few grains high the motion differs by some tens of times the compliance, seldom by a few hundred.
static void compliance_tends_to_rigid(void **state)
{
    (void)state;
    scr_world_def def = heap_def(SCR_SOLVER_APGD, 20000, 1e-7, true);
    scr_world *rigid = one_step_after(&def);
    def.contact.law = SCR_COMPLIANT;
    def.contact.damping = 0.0;
    const double compliance[] = {1e-2, 1e-3, 1e-4};
    for (int k = 0; k < 3; ++k) {
        def.contact.compliance = compliance[k];
        scr_world *compliant = one_step_after(&def);
        assert_at_most(distance(compliant, rigid), 300.0 * compliance[k]);
        scr_world_destroy(compliant);
    }
    scr_world_destroy(rigid);
}

static void a_warm_start_saves_sweeps(void **state)
{
    (void)state;
    int sweeps[2];
    for (int warm = 0; warm <= 1; ++warm) {
        scr_world_def def = heap_def(SCR_SOLVER_AGS, 1000, 1e-2, false);
        def.solver.warm_start = warm;
        scr_world *world = make_heap(&def);
        step(world, 500);
        sweeps[warm] = 0;
        for (int k = 0; k < 50; ++k) {
            step(world, 1);
            sweeps[warm] += scr_world_report(world).iterations;
        }
        scr_world_destroy(world);
    }
    assert_at_most(sweeps[1], 0.7 * sweeps[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_solvers_agree_when_converged), cmocka_unit_test(more_iterations_are_more_accurate),
        cmocka_unit_test(acceleration_beats_plain_sweeps),  cmocka_unit_test(compliance_tends_to_rigid),
        cmocka_unit_test(a_warm_start_saves_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
