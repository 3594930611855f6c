// SPDX-License-Identifier: BSD-3-Clause
// Solvers of the contact problem behind one entry. Each starts from the impulses in its system and leaves its answer
// there.
#ifndef DYNAMICS_CONE_SOLVE_SOLVE_H
#define DYNAMICS_CONE_SOLVE_SOLVE_H

#include "dynamics/cone/sweeps/problem.h"
#include "dynamics/cone/system/solver.h"

void solver_memory_free(solver_memory *memory);  // all zero is a fresh one

// Contacts that `auto` hands to Newton's method, where some are not of grains or bodies are joined: about 1 ms.
enum { SMALL_PROBLEM = 400 };

// Solve a problem that problem_build has made from this system. The answer is in system->impulse, in the bundles of the
// problem, and from solvers in double precision also in system->precise if that is not NULL.
scr_status solve_system(problem *p, const contact_system *system, const solve_setting *setting, scr_arena *scratch,
                        solve_result *result, scr_error *error);
const sweep_kernels *sweep_kernels_for(scr_instruction_set set);
// Whether Newton's method solves the contacts of a machine.
static inline bool machine_is_for_newton(scr_solver_kind kind, int64_t contact_count)
{
    return kind == SCR_SOLVER_NEWTON || (kind == SCR_SOLVER_AUTO && contact_count <= SMALL_PROBLEM);
}
// Coulomb friction is no convex problem: only sweeps and Newton's method solve it.
static inline bool solver_knows(scr_solver_kind kind, scr_friction_law friction)
{
    return friction == SCR_FRICTION_CONVEX || kind == SCR_SOLVER_AGS || kind == SCR_SOLVER_GS ||
           kind == SCR_SOLVER_NEWTON || kind == SCR_SOLVER_AUTO;
}

#endif
