// SPDX-License-Identifier: BSD-3-Clause
// One entry for all solvers, and which one `auto` takes.
//
// auto: a small problem of other bodies than grains alike, where loads and masses differ most, is solved by Newton's
// method; a machine on a bed in parts (parts.h). Any other is swept, in double precision where masses differ so much
// that single precision would lose the loads of the light in the heavy's velocity; then small islands of other bodies
// than grains, and islands of any kind that sweeps have not solved, unless they are too large, are solved again by
// Newton's method, each by itself.
#include "dynamics/cone/solve/solve.h"

#include <string.h>

#include "dynamics/cone/gradient/rows.h"
#include "dynamics/cone/newton/newton.h"
#include "dynamics/cone/solve/local_sweeps.h"
#include "dynamics/cone/solve/parts.h"
#include "dynamics/cone/solve/sweep_mixing.h"
#include "dynamics/cone/solve/sweeps.h"

enum {
    SMALL_ISLAND = 100,    // bodies
    LARGEST_ISLAND = 200,  // bodies; where sweeps have failed
};
static const double ALIKE = 1e-2;  // the least ratio of masses of grains that sweeps are trusted with
// The least ratio of masses for sweeps in single precision. Measured at 5e-6 alone, a vehicle of 200 kg on grains of 1
// g: 5000 do not reach a force error of 1e-3, in double precision some 200 do.
static const double SINGLE_ALIKE = 1e-4;
// The least force error that sweeps in single precision are asked for under Coulomb's law: below it the slip of what
// sticks, which its bias counts with, is rounding.
static const double COULOMB_SINGLE = 3e-4;

const sweep_kernels *sweep_kernels_for(scr_instruction_set set)
{
    return KERNEL_TO_AVX512_FOR(set == SCR_BEST, sweep_kernels);
}

void solver_memory_free(solver_memory *memory)
{
    newton_memory_destroy(memory->newton);
    subsystem_free(&memory->island);
    region_free(&memory->core);
    local_memory_destroy(memory->local);
    mixing_free(&memory->mixing);
    islands_free(&memory->islands);
    scr_arena_free(&memory->scratch);
    scr_free(memory->precise);
    scr_free(memory->kept);
    *memory = (solver_memory){0};
}

// ---- in double precision ----

typedef struct rows_solver {
    rows_solution (*solve)(rows *s);
    int vectors;
    size_t (*bytes)(const contact_system *system);  // besides vectors; NULL: none
} rows_solver;

static const rows_solver ROWS_SOLVERS[] = {
    [SCR_SOLVER_AGS] = {solve_by_double_sweeps, DOUBLE_VECTORS, double_sweeps_bytes},
    [SCR_SOLVER_GS] = {solve_by_double_sweeps, DOUBLE_VECTORS, double_sweeps_bytes},
    [SCR_SOLVER_APGD] = {solve_by_apgd, APGD_VECTORS, NULL},
    [SCR_SOLVER_JACOBI] = {solve_by_jacobi, JACOBI_VECTORS, NULL},
    [SCR_SOLVER_BB] = {solve_by_bb, BB_VECTORS, NULL},
    [SCR_SOLVER_NEWTON] = {solve_by_newton, NEWTON_VECTORS, newton_bytes},
};

static scr_status solve_rows(const contact_system *system, const solve_setting *setting, scr_arena *scratch,
                             solve_result *result, scr_error *error)
{
    rows s;
    const rows_solver *solver = &ROWS_SOLVERS[setting->def->kind];
    size_t more_bytes = solver->bytes != NULL ? solver->bytes(system) : 0;
    scr_status status = rows_open(&s, system, setting, solver->vectors, more_bytes, scratch, error);
    if (status != SCR_OK) return status;
    rows_solution solution = solver->solve(&s);
    if (solution.status != SCR_OK) return solution.status;
    bool is_measured = setting->watch != NULL;
    solve_accuracy accuracy = is_measured ? rows_measure(&s, solution.g)
                                          : (solve_accuracy){.force_error = rows_measure_force(&s, solution.g)};
    *result = (solve_result){.iterations = solution.iterations,
                             .passes = s.passes,
                             .change = solution.change,
                             .force_error = accuracy.force_error,
                             .is_measured = is_measured,
                             .accuracy = accuracy,
                             .precise = system->precise};
    rows_answer(&s, solution.g);
    return SCR_OK;
}

// Where answers in double precision go, unless the system says it.
static scr_status make_precise(contact_system *system, solver_memory *memory, scr_error *error)
{
    if (system->precise != NULL) return SCR_OK;
    scr_status status = scr_grow_anew(&memory->precise, &memory->precise_capacity, contact_load_count(system),
                                      3 * sizeof *memory->precise, "impulses", error);
    system->precise = memory->precise;
    return status;
}

// Newton's method on some contacts; all others stay as they are.
static scr_status solve_island(const contact_system *system, const int64_t *contact, int64_t count,
                               const solve_setting *setting, solve_result *result, scr_error *error)
{
    solver_memory *memory = setting->memory;
    scr_solver_def def = *setting->def;
    solve_setting newton = *setting;
    def.kind = SCR_SOLVER_NEWTON;
    newton.def = &def;
    if (count < system->contact_count) newton.watch = NULL;  // what is watched is the whole
    scr_status status = memory->newton != NULL ? SCR_OK : newton_memory_create(&memory->newton, error);
    if (status == SCR_OK) status = subsystem_open(&memory->island, system, contact, count, error);
    if (status == SCR_OK) status = solve_rows(&memory->island.system, &newton, &memory->scratch, result, error);
    if (status != SCR_OK) return status;
    subsystem_answer(&memory->island);
    result->precise = system->precise;
    return SCR_OK;
}

static scr_status solve_by_newton_alone(const contact_system *system, const solve_setting *setting,
                                        solve_result *result, scr_error *error)
{
    island_list *all = &setting->memory->islands;
    scr_status status = scr_grow_anew(&all->contact, &all->contact_capacity, system->contact_count,
                                      sizeof *all->contact, "islands", error);
    for (int64_t i = 0; status == SCR_OK && i < system->contact_count; ++i) all->contact[i] = i;
    if (status != SCR_OK) return status;
    return solve_island(system, all->contact, system->contact_count, setting, result, error);
}

// ---- auto ----

static bool is_solved(const solve_setting *setting, const solve_result *result)
{
    return setting->def->tolerance == 0.0 || result->force_error <= setting->def->tolerance;
}

// Newton's method has no proof for Coulomb friction, and may end by rounding: sweeps in double precision may do better
// then.
static scr_status solve_small(const contact_system *system, const solve_setting *setting, scr_arena *scratch,
                              solve_result *result, scr_error *error)
{
    solver_memory *memory = setting->memory;
    scr_status status = solve_by_newton_alone(system, setting, result, error);
    if (status != SCR_OK || is_solved(setting, result)) return status;
    size_t bytes = 3 * (size_t)contact_load_count(system) * sizeof *memory->kept;
    status = scr_grow_anew(&memory->kept, &memory->kept_capacity, contact_load_count(system), 3 * sizeof *memory->kept,
                           "impulses", error);
    if (status != SCR_OK) return status;
    memcpy(memory->kept, system->precise, bytes);
    solve_result swept;
    status = solve_rows(system, setting, scratch, &swept, error);
    if (status != SCR_OK) return status;
    swept.iterations += result->iterations, swept.passes += result->passes;
    if (swept.force_error <= result->force_error) {
        *result = swept;
        return SCR_OK;
    }
    memcpy(system->precise, memory->kept, bytes);
    for (int64_t k = 0; k < 3 * system->contact_count; ++k) system->impulse[k] = (float)system->precise[k];
    for (int64_t k = 0; system->angular_impulse != NULL && k < 3 * system->contact_count; ++k)
        system->angular_impulse[k] = (float)system->precise[3 * system->contact_count + k];
    result->iterations = swept.iterations, result->passes = swept.passes;
    return SCR_OK;
}

static bool is_for_newton(const problem *p, const contact_system *system)
{
    if (system->contact_count > SMALL_PROBLEM) return false;
    return system->general_count > 0 || system->joints != NULL || p->mass_ratio < ALIKE;
}

static bool wants_newton(const island *one, bool is_swept)
{
    return one->bodies <= (one->has_others ? SMALL_ISLAND : 0) || (!is_swept && one->bodies <= LARGEST_ISLAND);
}

static void widen_answer(const contact_system *system)
{
    for (int64_t k = 0; k < 3 * system->contact_count; ++k) system->precise[k] = (double)system->impulse[k];
    for (int64_t k = 0; system->angular_impulse != NULL && k < 3 * system->contact_count; ++k)
        system->precise[3 * system->contact_count + k] = (double)system->angular_impulse[k];
}

// How well a mixture of answers solves the whole.
static scr_status measure_precise(const contact_system *system, const solve_setting *setting, scr_arena *scratch,
                                  solve_result *result, scr_error *error)
{
    rows s;
    scr_status status = rows_open(&s, system, setting, 1, 0, scratch, error);
    if (status != SCR_OK) return status;
    double *g = rows_vector(&s);
    rows_take_precise(&s, g);
    result->accuracy = rows_measure(&s, g);
    result->force_error = result->accuracy.force_error;
    result->is_measured = true;
    return SCR_OK;
}

// Islands that are better solved by Newton's method, once more.
static scr_status mend_islands(contact_system *system, const solve_setting *setting, solve_result *result,
                               bool *is_mended, scr_error *error)
{
    solver_memory *memory = setting->memory;
    bool is_swept = is_solved(setting, result);
    if (is_swept && system->general_count == 0 && system->joints == NULL) return SCR_OK;
    scr_status status = islands_find(&memory->islands, system, error);
    for (int64_t k = 0; status == SCR_OK && k < memory->islands.count; ++k) {
        const island *one = &memory->islands.island[k];
        if (!wants_newton(one, is_swept)) continue;
        if (!*is_mended) {
            bool was_precise = result->precise != NULL;
            status = make_precise(system, memory, error);
            if (status == SCR_OK && !was_precise) widen_answer(system);
            result->precise = system->precise;
            *is_mended = true;
        }
        solve_result own;
        if (status == SCR_OK)
            status = solve_island(system, memory->islands.contact + one->first, one->last - one->first, setting, &own,
                                  error);
    }
    return status;
}

// ---- the entry ----

static bool sweeps_single(const solve_setting *setting)
{
    const scr_solver_def *def = setting->def;
    if ((def->kind != SCR_SOLVER_AGS && def->kind != SCR_SOLVER_GS) || def->precision == SCR_PRECISION_DOUBLE)
        return false;
    return setting->friction == SCR_FRICTION_CONVEX || def->tolerance >= COULOMB_SINGLE;
}

static scr_status solve_in_single(problem *p, const contact_system *system, const solve_setting *setting,
                                  scr_arena *scratch, solve_result *result, scr_error *error)
{
    bool may_mix = setting->friction == SCR_FRICTION_COULOMB && setting->def->kind == SCR_SOLVER_AGS;
    scr_status status = may_mix ? mixing_reserve(&setting->memory->mixing, p, error) : SCR_OK;
    if (status != SCR_OK) return status;
    if (setting->watch == NULL) {
        *result = solve_by_sweeps(p, system, setting, NULL);
        return SCR_OK;
    }
    rows s;
    status = rows_open(&s, system, setting, 1, 0, scratch, error);
    if (status != SCR_OK) return status;
    *result = solve_by_sweeps(p, system, setting, &s);
    double *g = rows_vector(&s);
    rows_first_guess(&s, g);
    result->is_measured = true;
    result->accuracy = rows_measure(&s, g);
    return SCR_OK;
}

static scr_status try_parts(problem *p, contact_system *system, const solve_setting *setting, scr_arena *scratch,
                            solve_result *result, parts_outcome *outcome, scr_error *error)
{
    bool trusts_single = setting->def->precision != SCR_PRECISION_DOUBLE;
    scr_status status = make_precise(system, setting->memory, error);
    if (status == SCR_OK) status = solve_in_parts(p, system, setting, trusts_single, result, outcome, error);
    if (status != SCR_OK || *outcome != PARTS_SOLVED || setting->watch == NULL) return status;
    return measure_precise(system, setting, scratch, result, error);
}

static scr_status solve_as_one(problem *p, contact_system *system, const solve_setting *setting, bool is_small,
                               bool single, scr_arena *scratch, solve_result *result, scr_error *error)
{
    scr_status status = single ? SCR_OK : make_precise(system, setting->memory, error);
    if (status != SCR_OK) return status;
    if (is_small) return solve_small(system, setting, scratch, result, error);
    if (single) return solve_in_single(p, system, setting, scratch, result, error);
    if (setting->def->kind == SCR_SOLVER_NEWTON) return solve_by_newton_alone(system, setting, result, error);
    return solve_rows(system, setting, scratch, result, error);
}

// Small islands are better solved by Newton's method, and so are larger ones that sweeps have not solved.
static scr_status mend(problem *p, contact_system *system, const solve_setting *setting, bool single,
                       scr_arena *scratch, solve_result *result, scr_error *error)
{
    // Where sweeps in single precision are enough, their own measure will do for the mixture, too.
    bool is_mended = false,
         is_enough = single && setting->watch == NULL && system->joints == NULL && is_solved(setting, result);
    scr_status status = mend_islands(system, setting, result, &is_mended, error);
    if (status == SCR_OK && result->precise != NULL) problem_distribute(p, system);
    if (status != SCR_OK || !is_mended) return status;
    if (!is_enough) return measure_precise(system, setting, scratch, result, error);
    result->force_error = sweeps_force_error(p, system, setting);
    return SCR_OK;
}

static scr_status solve_with_memory(problem *p, contact_system *system, const solve_setting *given, scr_arena *scratch,
                                    solve_result *result, scr_error *error)
{
    bool is_auto = given->def->kind == SCR_SOLVER_AUTO;
    scr_solver_def def = *given->def;
    solve_setting setting = *given;
    setting.def = &def;
    if (is_auto) def.kind = SCR_SOLVER_AGS;
    if (is_auto && def.precision == SCR_PRECISION_USUAL && p->mass_ratio < SINGLE_ALIKE)
        def.precision = SCR_PRECISION_DOUBLE;
    bool is_small = is_auto && is_for_newton(p, system), single = !is_small && sweeps_single(&setting);
    parts_outcome outcome = PARTS_FAILED;
    int before = 0;  // iterations
    scr_status status = SCR_OK;
    if (is_auto && !is_small && is_machine_on_bed(system, &setting)) {
        status = try_parts(p, system, &setting, scratch, result, &outcome, error);
        if (status != SCR_OK || outcome == PARTS_SOLVED) return status;
        before = result->iterations;
    }
    if (outcome != PARTS_SWEPT || setting.watch != NULL) {
        status = solve_as_one(p, system, &setting, is_small, single, scratch, result, error);
        result->iterations += before, result->passes += before;
    }
    if (status == SCR_OK && is_auto && !is_small) return mend(p, system, &setting, single, scratch, result, error);
    if (status == SCR_OK && result->precise != NULL) problem_distribute(p, system);
    return status;
}

scr_status solve_system(problem *p, const contact_system *given, const solve_setting *setting, scr_arena *scratch,
                        solve_result *result, scr_error *error)
{
    *result = (solve_result){0};
    if (!solver_knows(setting->def->kind, setting->friction))
        return scr_fail(
            error, SCR_BAD_INPUT,
            "Coulomb friction is solved by auto, newton, ags and gs only: choose one of them, or convex friction");
    if (given->contact_count == 0) return SCR_OK;
    contact_system system = *given;
    solver_memory own = {0};
    solve_setting with_memory = *setting;
    if (setting->memory == NULL) with_memory.memory = &own;
    scr_status status = solve_with_memory(p, &system, &with_memory, scratch, result, error);
    if (setting->memory == NULL && given->precise == NULL) result->precise = NULL;  // it goes with the memory
    solver_memory_free(&own);
    return status;
}
