// SPDX-License-Identifier: BSD-3-Clause
// Sweeps on their way to an answer: what sweeps.c, and the parts it is made of, know of them.
//
// All threads run the whole loop together and meet at barriers; what is decided, one of them decides between two.
#ifndef DYNAMICS_CONE_SOLVE_SWEEPER_H
#define DYNAMICS_CONE_SOLVE_SWEEPER_H

#include <omp.h>

#include "core/base/threads.h"
#include "dynamics/cone/solve/sweep_rate.h"
#include "dynamics/cone/sweeps/problem.h"
#include "dynamics/cone/system/solver.h"

struct rows;  // rows.h

typedef enum mixing_act { MIXING_RESTS, MIXING_BEGINS, MIXING_GOES_ON } mixing_act;  // sweep_mixing.h

typedef struct sweeper {
    problem *p;
    const sweep_kernels *kernels;
    const scr_solver_def *def;
    sweep_mode mode;
    double theta, best_energy;
    sweep_rate rate;
    double contact_energy;  // of the last accepted sweep: what f has beside 1/2 dv^T M dv and springs in joints
    bool extrapolated;      // this sweep started from an extrapolated point
    bool grains_only;       // what is measured
    float *each;            // and where the gap of each contact goes; NULL: nowhere
    double whole_kinetic;   // J; as in solve_setting
    double compliance;      // as in solve_result
    bool done;
    int iterations;
    double change, force_error;
    double gap, kinetic;  // J; what the force error was made of
    double cell_energy;   // J; which the latter contains
    double doubt;         // of the force error: coulomb_doubt
    sweep_sums sums;      // of the last sweep that was summed up
    // Of Coulomb's law (coulomb_momentum.c):
    double last_change, least_change;  // of sums
    int progress_at, cycle_start;      // sweeps; the latter 0: nothing is mixed
    double momentum_cap;
    mixing_act mixes;
    mixing_memory *mixing;           // NULL: it cannot be
    double predicted;                // what the last sweep's change makes of the force error
    double error_over_predicted;     // when it was last measured
    int last_measure;                // the sweep of that
    int measure_sweeps, few_sweeps;  // as in solve_setting
    bool must_measure, is_measured;  // now; the impulses are those of the last measure
    struct rows *watched;
    scr_barrier barrier;
} sweeper;

// The part of [first, last) that this thread does.
static inline index_range my_share(int64_t first, int64_t last)
{
    index_range chunk = chunk_of(last - first, omp_get_thread_num(), omp_get_num_threads());
    return (index_range){first + chunk.first, first + chunk.last};
}

static inline void meet(sweeper *s) { scr_barrier_wait(&s->barrier, omp_get_num_threads()); }

#endif
