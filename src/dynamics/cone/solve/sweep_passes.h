// SPDX-License-Identifier: BSD-3-Clause
// What sweeps do to all contacts and bodies, each thread its share, group by group: whoever does a group or a block,
// sums are taken over groups and blocks in order, so the bits do not depend on the number of threads.
#ifndef DYNAMICS_CONE_SOLVE_SWEEP_PASSES_H
#define DYNAMICS_CONE_SOLVE_SWEEP_PASSES_H

#include "dynamics/cone/solve/sweeper.h"

// All threads together:
void sweeps_begin(sweeper *s);              // dv of the first guess
void velocities_from_impulses(sweeper *s);  // dv = W D g, with joints solved for
void sweep_all_contacts(sweeper *s);        // from the extrapolated point, if it is accelerated
void take_back(sweeper *s);                 // the last sweep was rejected: the answer is the one before it
void sum_up_anew(sweeper *s);               // dv from g, against rounding; where it is accelerated kinetic_blocks, too
void kinetic_blocks(sweeper *s);            // 1/2 dv^T M dv in blocks of bodies, for kinetic_energy
typedef void (*group_work)(sweeper *s, int64_t group);
void visit_groups(sweeper *s, group_work grains, group_work general);  // NULL: they are left out

// One thread:
double kinetic_energy(const problem *p);    // J; of the last kinetic_blocks
double heaviest_kinetic(const problem *p);  // J; of heavy bodies with copies
sweep_sums total_sums(const sweeper *s);

#endif
