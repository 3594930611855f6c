// SPDX-License-Identifier: BSD-3-Clause
// How far sweeps are from the answer. The duality gap tells (force_error.h), at the price of a pass over all contacts.
// The change d of a sweep, which costs little, foretells it: about |d|_A^2 / (2 eps) for a problem of compliance eps.
// So the gap is taken when, by what the last one was in terms of d, it should be small enough, and at the end.
#ifndef DYNAMICS_CONE_SOLVE_SWEEP_ERROR_H
#define DYNAMICS_CONE_SOLVE_SWEEP_ERROR_H

#include "dynamics/cone/solve/sweeper.h"

double relative_change(const sweep_sums *sums);
// kinetic: J; what the error is relative to
double predicted_error(const sweeper *s, const sweep_sums *sums, double kinetic);
// All threads together: the force error of the impulses as they are; the records must hold what they make. Sweeps are
// done when it is small enough, or when they would not get there (solve_setting.few_sweeps).
void measure(sweeper *s);
// What the stated error is raised by.
double sweeps_doubt(const problem *p, scr_friction_law friction);

#endif
