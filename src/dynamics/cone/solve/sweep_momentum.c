// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/solve/sweep_momentum.h"

#include <math.h>

#include "dynamics/cone/solve/sweep_passes.h"

// Of sweeps that start from an extrapolated point; all others solve every contact exactly. More saves sweeps up to
// about 1.3; from 1.4 on extrapolation is rejected so often that it costs more than it saves.
const float SWEEP_RELAXATION = 1.2f;

static const double SWEEP_CONVEXITY = 4.0;  // of sweeps, over that of the problem
// The same of a part of a problem, whose momentum does not grow beyond what this foretells. It begins with large errors
// where contacts slide: with 4, and more where rates said so, half of the sweeps under a crawler of 42 t were swings.
static const double PART_CONVEXITY = 8.0;
static const double FULL_MOMENTUM = 0.999;  // of the largest: it grows no more
// Of the energies that f is the sum of: a rise that is none, where a tolerance says when sweeps end. (A given number of
// them holds f to its last digit.) Without it every third sweep was taken back from a force error of 2e-3 on, of a
// bucket in 5,000 grains, and 1e-3 took 670 sweeps instead of 350. Sweeps that swing within it are seen by what they
// change (sweep_rate.h). 3e-7 let the energy of a bed of rigid grains rise as they settle.
static const double ENERGY_ROUNDING = 1e-7;
// The same of the kinetic energy of heavy bodies with copies, and in every sweep anew. What a contact adds to the
// velocity of a plate that weighs 25 beds is less than that velocity's last digit: f crept up by 5e-8 to 4e-7 of its
// parts a sweep, while sweeps changed less and less (a tenth of that where dv was summed up anew after each). With
// ENERGY_ROUNDING alone they were taken back again and again: 279 to 1e-3 instead of 160 on bed C of
// docs/solver_table.md, and 1e-6 leaves 197.
static const double HEAVY_ROUNDING = 3e-6;

// N + R is at least eps times its own diagonal, so errors need not be remembered for longer than about 1/sqrt(eps)
// sweeps: more momentum than that of a problem with this strong convexity only makes them swing. Sweeps count fourfold:
// measured.
static double largest_momentum(const sweeper *s, const sweep_sums *sums)
{
    bool is_part = s->whole_kinetic > 0.0;
    double convexity = is_part ? PART_CONVEXITY : SWEEP_CONVEXITY;
    double root = sums->size > 0.0 ? sqrt(fmin(1.0, convexity * sums->elastic / sums->size)) : 0.0;
    return fmax((1.0 - root) / (1.0 + root), is_part ? 0.0 : s->rate.momentum);
}

void grow_momentum(sweeper *s, const sweep_sums *sums)
{
    double t = s->theta, next = 0.5 * (-t * t + t * sqrt(t * t + 4.0));
    s->mode.beta = (float)fmin(t * (1.0 - t) / (t * t + next), largest_momentum(s, sums));
    s->theta = next;
}

// After a sweep with s->mode.beta.
static void watch_rate(sweeper *s, const sweep_sums *sums)
{
    double beta = (double)s->mode.beta;
    if (beta < FULL_MOMENTUM * largest_momentum(s, sums)) {
        sweep_rate_leave(&s->rate);
    } else if (sweep_rate_watch(&s->rate, beta, sums->change) == RATE_RISES) {
        sweep_rate_forget(&s->rate);
        s->theta = 1.0;
    }
}

bool accept_convex(sweeper *s, const sweep_sums *sums, double kinetic)
{
    double energy = sums->energy + kinetic + joined_elastic_energy(&s->p->joined);
    double rounding = s->def->tolerance > 0.0 ? ENERGY_ROUNDING * (fabs(sums->energy) + kinetic) : 0.0;
    double creep = s->def->tolerance > 0.0 ? HEAVY_ROUNDING * heaviest_kinetic(s->p) : 0.0;
    if (energy > s->best_energy + rounding + creep && s->extrapolated) {
        sweep_rate_forget(&s->rate);
        s->mode.from_old = true;
        s->mode.beta = 0.0f;
        s->mode.relaxation = 1.0f;
        s->theta = 1.0;
        s->extrapolated = false;
        return false;
    }
    s->best_energy = s->extrapolated ? fmin(s->best_energy + creep, energy) : energy;
    s->contact_energy = sums->energy;
    watch_rate(s, sums);
    grow_momentum(s, sums);
    s->extrapolated = s->mode.beta > 0.0f;
    s->mode.relaxation = s->extrapolated ? SWEEP_RELAXATION : 1.0f;
    return true;
}
