// SPDX-License-Identifier: BSD-3-Clause
// Machines on beds: the core of a system (core.h) by Newton's method, everything by sweeps, in turns.
//
// Each is solved with the impulses that the other has left, so the energy of the whole falls in each (multiplicative
// Schwarz). Sweeps settle the grains, Newton's method the machine and what carries it, in double precision: a round or
// two are enough where sweeps alone take thousands. A robot of 250 kg on 10,000 grains, 20 GPa, to 1e-3: 70 iterations
// instead of 4,000.
//
// The energy of the impulses falls in each turn, but the error may rise for a while: where the core was moved, grains
// at its border do not know yet. So rounds go on; where they bring little the core is too small for its machine, and
// grows.
#ifndef DYNAMICS_CONE_SOLVE_PARTS_H
#define DYNAMICS_CONE_SOLVE_PARTS_H

#include "dynamics/cone/sweeps/problem.h"
#include "dynamics/cone/system/solver.h"

// Whether a system is one of few bodies that are no grains among many that are, and held to the convex law.
bool is_machine_on_bed(const contact_system *system, const solve_setting *setting);
typedef enum parts_outcome {
    PARTS_FAILED,  // but the first guess is better than before
    PARTS_SWEPT,   // a few sweeps were enough
    PARTS_SOLVED,
} parts_outcome;

// trusts_single: sweeps alone will do if they say so. system->precise must be there.
scr_status solve_in_parts(problem *p, const contact_system *system, const solve_setting *setting, bool trusts_single,
                          solve_result *result, parts_outcome *outcome, scr_error *error);

#endif
