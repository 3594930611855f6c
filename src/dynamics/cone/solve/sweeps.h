// SPDX-License-Identifier: BSD-3-Clause
// Coloured Gauss-Seidel in single precision: ags and gs.
#ifndef DYNAMICS_CONE_SOLVE_SWEEPS_H
#define DYNAMICS_CONE_SOLVE_SWEEPS_H

#include "dynamics/cone/gradient/rows.h"

// watched: NULL if nobody watches
solve_result solve_by_sweeps(problem *p, const contact_system *system, const solve_setting *setting, rows *watched);
// The force error of the impulses in the bundles, as sweeps measure it.
double sweeps_force_error(problem *p, const contact_system *system, const solve_setting *setting);
// What contacts on the centre line alone make of it, and the kinetic energy that it is relative to.
typedef struct energy_of_error {
    double gap, kinetic;  // J; as in stated_force_error
} energy_of_error;

energy_of_error sweeps_grain_error(problem *p, const contact_system *system, const solve_setting *setting);
// Of the duality gap: what contacts off the centre line make of it.
double sweeps_general_share(problem *p, const contact_system *system, const solve_setting *setting);

#endif
