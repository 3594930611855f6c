// SPDX-License-Identifier: BSD-3-Clause
// Anderson's mixing of sweeps that lead nowhere.
//
// Under Coulomb's law sweeps may go round and round in a few contacts that slide, whatever their momentum. A cycle of
// sweeps, begun without momentum, is a map G whose fixed point is the answer. From the impulses x_k with which the
// last cycles began, and what they changed, f_k = G(x_k) - x_k, the next one begins where f would be least if G were
// linear:
//     x = G(x_k) - sum_i c_i dG_i,    c: the least |f_k - sum_i c_i df_i|
// with dG_i, df_i the differences from cycle to cycle, each component weighed by the contact's own a_t (a_q of
// moments). So few unknowns see the few directions that a cycle does not shrink; sweeps see to all others. The sums are
// taken over blocks of bundles in order, so bits do not depend on the number of threads.
#ifndef DYNAMICS_CONE_SOLVE_SWEEP_MIXING_H
#define DYNAMICS_CONE_SOLVE_SWEEP_MIXING_H

#include "dynamics/cone/solve/sweeper.h"

enum { CYCLE_SWEEPS = 30 };

// Room for it, which sweeps under Coulomb's law need: taken before they begin, touched only if they mix.
scr_status mixing_reserve(mixing_memory *memory, const problem *p, scr_error *error);
void mixing_free(mixing_memory *memory);

// All threads together:
void mixing_begin(sweeper *s);  // the first cycle begins with the impulses as they are
void mixing_go_on(sweeper *s);  // a cycle has ended: mixes, and the next one begins

#endif
