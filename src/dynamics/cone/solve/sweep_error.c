// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/solve/sweep_error.h"

#include <math.h>

#include "dynamics/cone/solve/sweep_passes.h"
#include "dynamics/cone/sweeps/general_sweep.h"
#include "dynamics/cone/system/force_error.h"

enum { RATE_SWEEPS = 8 };  // fewer say little of the rate at which errors fall

static double error_of_gap(const sweeper *s, double gap, double kinetic)
{
    return s->doubt * stated_force_error(gap, s->whole_kinetic > 0.0 ? s->whole_kinetic : kinetic);
}

double predicted_error(const sweeper *s, const sweep_sums *sums, double kinetic)
{
    if (sums->change == 0.0) return 0.0;
    double compliance = s->p->least_compliance + sums->elastic / sums->size;
    return error_of_gap(s, sums->change / (2.0 * compliance), kinetic);
}

double relative_change(const sweep_sums *sums) { return sums->size > 0.0 ? sqrt(sums->change / sums->size) : 0.0; }

static gap_mode gap_mode_of(const sweeper *s, int64_t first_bundle)
{
    return (gap_mode){(float)s->p->least_compliance, s->mode.coulomb,
                      s->each != NULL ? s->each + LANES * first_bundle : NULL};
}

static void measure_grain_group(sweeper *s, int64_t g)
{
    const problem *p = s->p;
    const bundle_group *group = &p->grains.group[g];
    int64_t first = group->first_bundle, count = group->last_bundle - first;
    const gap_mode mode = gap_mode_of(s, first);
    p->sums[g].change =
        p->rolls ? s->kernels->rolling->grain_gap(p->grain + first, p->rolling_grain + first, count, p->record, &mode)
                 : s->kernels->grain_gap(p->grain + first, p->coheres ? p->grain_apex + first : NULL, count, p->record,
                                         &mode);
}

static void measure_general_group(sweeper *s, int64_t g)
{
    const problem *p = s->p;
    const bundle_group *group = &p->general.group[g];
    int64_t first = group->first_bundle, count = group->last_bundle - first;
    const gap_mode mode = gap_mode_of(s, p->grains.bundle_count + first);
    p->sums[p->grains.group_count + g].change =
        p->rolls ? s->kernels->rolling->general_gap(p->general_bundle + first, p->rolling_general + first, count,
                                                    p->record, &mode)
                 : s->kernels->general->gap(p->general_bundle + first, count, p->record, &mode);
}

// At the rate since the measure before, so many sweeps ago.
static bool leads_there(const sweeper *s, double error_before, int sweeps)
{
    double error = s->force_error, ratio = error / error_before;
    if (s->few_sweeps == 0 || s->iterations <= s->few_sweeps || sweeps < RATE_SWEEPS) return true;
    for (int k = s->iterations + sweeps; k <= s->def->max_iterations && error > s->def->tolerance; k += sweeps)
        error *= ratio;
    return error <= s->def->tolerance;
}

void measure(sweeper *s)
{
    visit_groups(s, measure_grain_group, s->grains_only ? NULL : measure_general_group);
    kinetic_blocks(s);
    if (omp_get_thread_num() == 0) {
        double error_before = s->force_error;
        int sweeps = s->iterations - s->last_measure;
        s->gap = total_sums(s).change;
        s->kinetic = kinetic_energy(s->p) + s->cell_energy;
        s->force_error = error_of_gap(s, s->gap, s->kinetic);
        s->is_measured = true;
        s->must_measure = false;
        s->last_measure = s->iterations;
        if (s->predicted > 0.0) s->error_over_predicted = s->force_error / s->predicted;
        s->done = s->done || s->force_error <= s->def->tolerance || !leads_there(s, error_before, sweeps);
    }
    meet(s);
}

static double largest_friction(const problem *p)
{
    float mu = 0.0f;
    for (int64_t k = 0; k < LANES * p->grains.bundle_count; ++k) mu = fmaxf(mu, p->grain[k / LANES].mu[k % LANES]);
    for (int64_t k = 0; k < LANES * p->general.bundle_count; ++k)
        mu = fmaxf(mu, p->general_bundle[k / LANES].mu[k % LANES]);
    return (double)mu;
}

double sweeps_doubt(const problem *p, scr_friction_law friction)
{
    return friction == SCR_FRICTION_COULOMB ? coulomb_doubt(largest_friction(p)) : 1.0;
}
