// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/solve/parts.h"

#include <math.h>

#include "core/base/interruption.h"
#include "dynamics/cone/newton/newton.h"
#include "dynamics/cone/solve/local_sweeps.h"
#include "dynamics/cone/solve/sweeps.h"
#include "dynamics/cone/system/force_error.h"

enum {
    MOST_GENERAL = 4000,   // contacts off the centre line
    GRAINS_PER_OTHER = 2,  // contacts of grains, at least, for each of them
    ROUNDS_MAX = 30,
    FAILURES_MAX = 2,  // of Newton's method, one after the other
    // On beds that are not large, before it is asked whether more would lead there in the time that a core takes. 30 to
    // 60 took the least time on a robot on 10,000 grains.
    FIRST_SWEEPS = 50,
    LATER_SWEEPS = 100,  // what takes several rounds gains by sweeps that are accelerated for longer
    // Contacts that sweeps visit while a core is solved: it is 1e6 without rolling friction and 3e6 and more with it.
    CORE_VISITS = 2000000,
    FIRST_CORE = 800,  // bodies, and layers: a step of Newton's method costs less than a sweep then
    FIRST_LAYERS = 8,
    CORE_PART = 16,  // a core that has grown is at most so small a part of all bodies: sweeps of few cost less than it
    LARGEST_CORE = 1600,  // a step costs three sweeps, thirty of one of 3200: worth it only where turns lead nowhere
};
// Of the tolerance: what a step of Newton's method changes when it is the last. With ten times as much light grains
// under a heavy machine were left with errors above the tolerance, and the next sweeps had to begin anew.
static const double CORE_SHARE = 0.01;
static const double ASK_MORE = 0.9;        // of sweeps, of what should do by the round before
static const double ASK_MORE_FIRST = 0.7;  // likewise, where a core follows in any case

bool is_machine_on_bed(const contact_system *system, const solve_setting *setting)
{
    int64_t others = system->general_count, grains = system->contact_count - others;
    return others > 0 && others <= MOST_GENERAL && grains >= GRAINS_PER_OTHER * others &&
           setting->friction == SCR_FRICTION_CONVEX && setting->def->tolerance > 0.0;
}

static scr_status solve_core(const contact_system *system, const solve_setting *setting, solve_result *result,
                             scr_error *error)
{
    solver_memory *memory = setting->memory;
    solve_setting roughly = *setting;
    rows s;
    roughly.newton_end = CORE_SHARE * setting->def->tolerance;
    roughly.watch = NULL;
    scr_status status = region_open(&memory->core, &memory->island, system, error);
    const contact_system *core = &memory->island.system;
    if (status == SCR_OK)
        status = rows_open(&s, core, &roughly, NEWTON_VECTORS, newton_bytes(core), &memory->scratch, error);
    if (status != SCR_OK) return status;
    rows_solution solution = solve_by_newton(&s);
    if (solution.status != SCR_OK) return solution.status;
    rows_answer(&s, solution.g);
    subsystem_answer(&memory->island);
    result->iterations += solution.iterations;
    result->passes += s.passes;
    return SCR_OK;
}

// The part of the duality gap that contacts off the centre line make, in double precision.
static scr_status core_gap(const problem *p, const solve_setting *setting, double *gap, scr_error *error)
{
    solver_memory *memory = setting->memory;
    rows s;
    scr_status status = rows_open(&s, &memory->island.system, setting, 1, 0, &memory->scratch, error);
    if (status != SCR_OK) return status;
    double *g = rows_vector(&s);
    s.least_compliance = p->least_compliance;
    rows_take_precise(&s, g);
    rows_multiply(&s, g, s.measured);
    *gap = rows_gap(&s, g, s.measured, 0, memory->core.general_count);
    return SCR_OK;
}

// On a large bed sweeps go where the error is.
static bool is_large(const contact_system *system) { return CORE_PART * FIRST_CORE <= system->body_count; }

static scr_status sweep(problem *p, const contact_system *system, const solve_setting *setting, int sweeps,
                        double tolerance, bool is_measured, solve_result *result, scr_error *error)
{
    if (is_large(system)) return sweep_unevenly(p, system, setting, tolerance, is_measured, result, error);
    solve_setting few = *setting;
    few.few_sweeps = sweeps;
    solve_result swept = sweep_at_most(p, system, &few, sweeps + (int)(CORE_VISITS / system->contact_count), tolerance);
    swept.iterations += result->iterations, swept.passes += result->passes;
    *result = swept;
    return SCR_OK;
}

// The core's impulses, then angular impulses, into memory->kept.
static scr_status keep_core(const contact_system *system, solver_memory *memory, scr_error *error)
{
    const system_region *core = &memory->core;
    scr_status status = scr_grow_anew(&memory->kept, &memory->kept_capacity, 2 * core->count, 3 * sizeof *memory->kept,
                                      "impulses", error);
    for (int64_t k = 0; status == SCR_OK && k < 3 * core->count; ++k) {
        int64_t at = 3 * core->contact[k / 3] + k % 3;
        memory->kept[k] = (double)system->impulse[at];
        if (system->angular_impulse != NULL) memory->kept[3 * core->count + k] = (double)system->angular_impulse[at];
    }
    return status;
}

static void restore_core(const contact_system *system, const solver_memory *memory)
{
    const system_region *core = &memory->core;
    for (int64_t k = 0; k < 3 * core->count; ++k) {
        int64_t at = 3 * core->contact[k / 3] + k % 3;
        system->impulse[at] = (float)memory->kept[k];
        if (system->angular_impulse != NULL) system->angular_impulse[at] = (float)memory->kept[3 * core->count + k];
    }
}

// The core with what sweeps have left outside, and how well the whole is solved then. The core comes last, so that no
// heavy body moves as single precision has it. *is_failed: Newton's method has not got there, and nothing has changed.
static scr_status end_round(problem *p, const contact_system *system, const solve_setting *setting,
                            solve_result *result, bool *is_failed, scr_error *error)
{
    double gap = 0.0, swept = result->force_error;
    scr_status status = keep_core(system, setting->memory, error);
    if (status == SCR_OK) status = solve_core(system, setting, result, error);
    if (status != SCR_OK) return status;
    problem_distribute(p, system);
    energy_of_error e = sweeps_energy_of_error(p, system, setting, true);
    status = core_gap(p, setting, &gap, error);
    result->kinetic = e.kinetic;
    result->force_error = stated_force_error(e.grains + gap, e.kinetic);
    *is_failed = !(stated_force_error(gap, e.kinetic) <= fmax(swept, setting->def->tolerance));
    if (*is_failed) {
        restore_core(system, setting->memory);
        problem_distribute(p, system);
        result->force_error = swept;
    }
    return status;
}

static void widen_grains(const contact_system *system, const contact_ends *ends)
{
    int64_t n = system->contact_count;
    for (int64_t i = 0; i < n; ++i) {
        if (!ends[i].centre_line) continue;
        for (int k = 0; k < 3; ++k) {
            system->precise[3 * i + k] = (double)system->impulse[3 * i + k];
            if (system->angular_impulse != NULL)
                system->precise[3 * (n + i) + k] = (double)system->angular_impulse[3 * i + k];
        }
    }
}

// What rounds have led to so far.
typedef struct rounds {
    region_reach reach;
    int64_t bodies;    // in all
    double tolerance;  // of the whole
    double asked;      // of sweeps: a force error
    double before;     // the force error when the last round ended
    int failures;      // of Newton's method, one after the other
} rounds;

// In four more rounds, at the rate of the last one. Where it takes more, the core is too small for its machine.
static bool leads_there(const rounds *r, double force_error)
{
    double rate = force_error / r->before;  // 0 in the first round
    return rate < 1.0 && force_error * rate * rate * rate * rate <= r->tolerance;
}

// What the next round does otherwise. False: nothing would help.
static bool learn(rounds *r, const system_region *core, bool is_failed, double swept, double force_error)
{
    r->failures = is_failed ? r->failures + 1 : 0;
    if (r->failures >= FAILURES_MAX) return false;
    if (is_failed) return true;  // from where sweeps lead next it may do
    bool is_stuck = swept > r->asked && !leads_there(r, force_error);
    r->before = force_error;
    r->asked = ASK_MORE * r->tolerance * fmin(swept / force_error, 1.0);  // the core leaves more than sweeps said
    if (!is_stuck) return true;
    r->reach.bodies *= 2, r->reach.layers *= 2;
    return !core->is_whole && r->reach.bodies <= LARGEST_CORE && CORE_PART * r->reach.bodies <= r->bodies;
}

// From sweeps that were not enough.
static scr_status solve_rounds(problem *p, const contact_system *system, const solve_setting *setting,
                               bool trusts_single, solve_result *result, parts_outcome *outcome, scr_error *error)
{
    double tolerance = setting->def->tolerance;
    rounds r = {.reach = {FIRST_LAYERS, FIRST_CORE},
                .bodies = system->body_count,
                .tolerance = tolerance,
                .asked = tolerance,
                .before = INFINITY};
    region_reach found = {0};
    bool was_failed = false;
    scr_status status = SCR_OK;
    for (int round = 0; status == SCR_OK && round < ROUNDS_MAX && !interruption_is_overdue(); ++round) {
        double asked = trusts_single ? tolerance : r.asked;
        if (round > 0) status = sweep(p, system, setting, LATER_SWEEPS, asked, !was_failed, result, error);
        if (status != SCR_OK) return status;
        double swept = result->force_error;
        bool is_failed = false, is_apart = true;
        if (trusts_single && swept <= tolerance) *outcome = PARTS_SWEPT;
        if (*outcome == PARTS_SWEPT) return SCR_OK;
        if (found.bodies != r.reach.bodies)
            status = core_find(&setting->memory->core, system, r.reach, &is_apart, error);
        if (status != SCR_OK || !is_apart) return status;
        found = r.reach;
        status = end_round(p, system, setting, result, &is_failed, error);
        was_failed = is_failed;
        if (status == SCR_OK && !is_failed && result->force_error <= tolerance) *outcome = PARTS_SOLVED;
        if (*outcome == PARTS_SOLVED || result->iterations >= setting->def->max_iterations) break;
        if (!learn(&r, &setting->memory->core, is_failed, swept, result->force_error)) break;
    }
    return status;
}

scr_status solve_in_parts(problem *p, const contact_system *system, const solve_setting *given, bool trusts_single,
                          solve_result *result, parts_outcome *outcome, scr_error *error)
{
    solver_memory *memory = given->memory;
    solve_setting with_gaps = *given, *setting = &with_gaps;
    double tolerance = given->def->tolerance,
           ask = trusts_single || !is_large(system) ? tolerance : ASK_MORE_FIRST * tolerance;
    *outcome = PARTS_FAILED;
    *result = (solve_result){0};
    scr_status status = SCR_OK;
    if (is_large(system)) status = local_memory_open(&memory->local, p, &with_gaps.gaps, error);
    if (status == SCR_OK) status = sweep(p, system, setting, FIRST_SWEEPS, ask, false, result, error);
    if (status == SCR_OK && memory->newton == NULL) status = newton_memory_create(&memory->newton, error);
    if (status == SCR_OK) status = solve_rounds(p, system, setting, trusts_single, result, outcome, error);
    if (status != SCR_OK || *outcome != PARTS_SOLVED) return status;
    widen_grains(system, memory->core.ends);
    result->precise = system->precise;
    return SCR_OK;
}
