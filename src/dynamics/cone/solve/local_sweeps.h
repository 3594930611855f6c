// SPDX-License-Identifier: BSD-3-Clause
// Sweeps where the error is.
//
// The duality gap is a sum over contacts, and on a bed under a machine nearly all of it is in few of them: of a crawler
// on 250,000 contacts, swept to a force error of 1 %, nine tenths in some hundred to a thousand. Sweeps over all of
// them mend what is right already. So the bodies of the contacts that have the gap, and those that loads lead to from
// there, are a region (region.h) that is swept as a problem of its own, in the cache, and written back.
#ifndef DYNAMICS_CONE_SOLVE_LOCAL_SWEEPS_H
#define DYNAMICS_CONE_SOLVE_LOCAL_SWEEPS_H

#include "dynamics/cone/sweeps/problem.h"
#include "dynamics/cone/system/solver.h"

typedef struct local_memory local_memory;
// Made when it is first asked for; *gaps: room for the gap of each contact (solve_setting).
scr_status local_memory_open(local_memory **memory, const problem *p, float **gaps, scr_error *error);
void local_memory_destroy(local_memory *memory);

// At most so many sweeps of everything.
solve_result sweep_at_most(problem *p, const contact_system *system, const solve_setting *setting, int sweeps,
                           double tolerance);
// From the impulses in the bundles, until the force error is at most `tolerance` or sweeps lead no further. The memory
// must be open. is_measured: the gaps, result->force_error and result->kinetic are those of the impulses as they are.
// Adds to the iterations of the result.
scr_status sweep_unevenly(problem *p, const contact_system *system, const solve_setting *setting, double tolerance,
                          bool is_measured, solve_result *result, scr_error *error);

#endif
