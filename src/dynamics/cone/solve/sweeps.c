// SPDX-License-Identifier: BSD-3-Clause
// Coloured Gauss-Seidel, plain or accelerated.
//
// The accelerated form wraps sweeps in Nesterov's extrapolation and falls back to a plain sweep whenever the energy
//     f(g) = 1/2 dv^T M dv + r^T g + 1/2 g^T R g  (+ 1/2 l^T C l of joints, joined.h)
// would rise, so that f never does by more than rounding:
//     y = g + beta (g - g_old),  dv(y) = dv + beta (dv - dv_old)       both linear: no product with N is needed
//     sweep from y to z;  f(z) > f_best: restore g_old, beta = 0;  else g = z and beta grows
// beta grows to what the convexity of the problem foretells, and beyond where the rate of the sweeps says that more is
// better (sweep_momentum.h). Coulomb's law has no f: coulomb_momentum.c. When sweeps end: sweep_error.h.
//
// All threads run the whole loop together; between colours they meet at a barrier (sweep_passes.h).
#include "dynamics/cone/solve/sweeps.h"

#include <math.h>
#include <string.h>

#include "core/base/interruption.h"
#include "dynamics/cone/solve/sweep_error.h"
#include "dynamics/cone/solve/sweep_mixing.h"
#include "dynamics/cone/solve/sweep_momentum.h"
#include "dynamics/cone/solve/sweep_passes.h"

enum { MEASURE_SWEEPS = 50 };                   // at the latest after so many the force error is measured
enum { REFRESH_SWEEPS = 64 };                   // dv is summed up anew from g this often, against rounding
static const double SINGLE_PRECISION = 1.5e-7;  // relative changes below this are rounding; 3e-7 may be a slow error

// Whether a sweep is summed up, and then whether 1/2 dv^T M dv is.
static bool wants_sums(const sweeper *s, int sweep)
{
    if (sweep >= s->def->max_iterations) return true;
    if (!s->mode.accelerated) return s->def->tolerance > 0.0;
    return !s->mode.coulomb || coulomb_looks(sweep);
}

static bool wants_kinetic(const sweeper *s, int sweep)
{
    return s->mode.sums && (!s->mode.accelerated || !s->mode.coulomb || coulomb_weighs(sweep));
}

// How far the last sweep has led.
static void judge(sweeper *s, double kinetic, bool last)
{
    s->change = relative_change(&s->sums);
    s->compliance = s->sums.size > 0.0 ? s->sums.elastic / s->sums.size : 0.0;
    s->predicted = predicted_error(s, &s->sums, kinetic + s->cell_energy);
    bool is_due = s->error_over_predicted * s->predicted <= s->def->tolerance ||
                  s->iterations >= s->last_measure + s->measure_sweeps;
    s->done = s->def->tolerance > 0.0 && s->change <= SINGLE_PRECISION;
    s->must_measure = s->def->tolerance > 0.0 && is_due && !s->done && !last;
}

// One thread, after a sweep: stop, go on, or take the sweep back.
static void decide(sweeper *s)
{
    ++s->iterations;
    s->is_measured = s->must_measure = false;
    bool last = s->iterations >= s->def->max_iterations || interruption_is_overdue();
    double kinetic = s->mode.sums ? kinetic_energy(s->p) : 0.0;
    if (s->mode.sums) s->sums = total_sums(s);
    if (s->mode.accelerated && s->mode.coulomb) accept_coulomb(s);
    if (s->mode.accelerated && !s->mode.coulomb && !accept_convex(s, &s->sums, kinetic)) {
        s->done = last;
        return;
    }
    if (s->mode.sums) judge(s, kinetic, last);
    if (s->watched != NULL) rows_report_single(s->watched, s->iterations, s->p);
    s->mode.from_old = false;
    s->done = s->done || last;
    s->mode.sums = wants_sums(s, s->iterations + 1);
}

// Against rounding, dv is summed up from g.
static void refresh(sweeper *s)
{
    sum_up_anew(s);
    if (!s->mode.accelerated) return;
    if (omp_get_thread_num() == 0)
        s->best_energy = s->contact_energy + kinetic_energy(s->p) + joined_elastic_energy(&s->p->joined);
    meet(s);
}

static void mix(sweeper *s)
{
    if (s->mixes == MIXING_BEGINS) mixing_begin(s);
    else mixing_go_on(s);
}

static void sweep_until_done(sweeper *s)
{
    sweeps_begin(s);
    while (!s->done) {
        // read before the sweep: the first thread may decide anew as soon as it is over
        bool is_weighed = wants_kinetic(s, s->iterations + 1);
        sweep_all_contacts(s);
        if (is_weighed) kinetic_blocks(s);
        if (omp_get_thread_num() == 0) decide(s);
        meet(s);
        if (s->must_measure) measure(s);
        if (s->iterations % REFRESH_SWEEPS == 0 && !s->done && !s->mode.from_old) refresh(s);
        if (s->mixes != MIXING_RESTS && !s->done) mix(s);
    }
    if (s->mode.from_old) {
        take_back(s);
        meet(s);
        velocities_from_impulses(s);
    }
    if (!s->is_measured) measure(s);
}

solve_result solve_by_sweeps(problem *p, const contact_system *system, const solve_setting *setting, rows *watched)
{
    const scr_solver_def *def = setting->def;
    bool accelerated = def->kind == SCR_SOLVER_AGS, coulomb = setting->friction == SCR_FRICTION_COULOMB;
    sweeper s = {
        .p = p,
        .kernels = setting->kernels,
        .def = def,
        .mode = {.relaxation = coulomb && accelerated ? COULOMB_STICKING : 1.0f,
                 .sliding = accelerated ? COULOMB_SLIDING : 1.0f,
                 .accelerated = accelerated,
                 .coulomb = coulomb},
        .doubt = sweeps_doubt(p, setting->friction),
        .cell_energy = setting->cell_energy,
        .last_change = INFINITY,
        .least_change = INFINITY,
        .momentum_cap = 1.0,
        .mixing = setting->memory != NULL ? &setting->memory->mixing : NULL,
        .theta = 1.0,
        .best_energy = INFINITY,
        .error_over_predicted = 1.0,
        .watched = watched,
        .whole_kinetic = setting->whole_kinetic,
        .each = setting->gaps,
        .measure_sweeps = setting->measure_sweeps > 0 ? setting->measure_sweeps : MEASURE_SWEEPS,
        .few_sweeps = setting->few_sweeps,
        .done = system->contact_count == 0,
    };
    s.mode.sums = wants_sums(&s, 1);
    if (accelerated && p->body_count > 0) memset(p->old, 0, (size_t)p->body_count * sizeof *p->old);
#pragma omp parallel num_threads(system->threads)
    sweep_until_done(&s);
    if (accelerated && p->old_is_lent) system->reclaim(system->owner);
    problem_collect(p, system);
    return (solve_result){.iterations = s.iterations,
                          .passes = s.iterations,
                          .change = s.change,
                          .force_error = s.force_error,
                          .kinetic = s.kinetic,
                          .compliance = s.compliance};
}

// The impulses in the bundles, as they are.
static sweeper measured(problem *p, const contact_system *system, const solve_setting *setting, bool grains_only)
{
    sweeper s = {.p = p,
                 .kernels = setting->kernels,
                 .def = setting->def,
                 .mode = {.coulomb = setting->friction == SCR_FRICTION_COULOMB},
                 .doubt = sweeps_doubt(p, setting->friction),
                 .cell_energy = setting->cell_energy,
                 .grains_only = grains_only,
                 .each = setting->gaps};
#pragma omp parallel num_threads(system->threads)
    {
        velocities_from_impulses(&s);
        measure(&s);
    }
    return s;
}

double sweeps_force_error(problem *p, const contact_system *system, const solve_setting *setting)
{
    return measured(p, system, setting, false).force_error;
}

energy_of_error sweeps_energy_of_error(problem *p, const contact_system *system, const solve_setting *setting,
                                       bool grains_only)
{
    sweeper s = measured(p, system, setting, grains_only);
    int64_t general = LANES * p->general.bundle_count;
    double grains = 0.0;
    if (grains_only && setting->gaps != NULL && general > 0)
        memset(setting->gaps + LANES * p->grains.bundle_count, 0, (size_t)general * sizeof *setting->gaps);
    for (int64_t g = 0; g < p->grains.group_count; ++g) grains += p->sums[g].change;
    return (energy_of_error){grains, grains_only ? 0.0 : s.gap - grains, s.kinetic};
}
