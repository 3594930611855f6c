// SPDX-License-Identifier: BSD-3-Clause
// Coloured Gauss-Seidel in single precision: ags and gs.
#ifndef DYNAMICS_CONE_SOLVE_SWEEPS_H
#define DYNAMICS_CONE_SOLVE_SWEEPS_H

#include "dynamics/cone/gradient/rows.h"

// watched: NULL if nobody watches
solve_result solve_by_sweeps(problem *p, const contact_system *system, const solve_setting *setting, rows *watched);
// The force error of the impulses in the bundles, as sweeps measure it.
double sweeps_force_error(problem *p, const contact_system *system, const solve_setting *setting);
// What it is made of, J: the duality gap of contacts on the centre line and off it, and the kinetic energy that they
// are relative to (stated_force_error). grains_only: those off that line are left out. setting->gaps, of which there
// are LANES a bundle, those of grains first, then have that of each contact, 0 of those left out.
typedef struct energy_of_error {
    double grains, general, kinetic;
} energy_of_error;

energy_of_error sweeps_energy_of_error(problem *p, const contact_system *system, const solve_setting *setting,
                                       bool grains_only);

#endif
