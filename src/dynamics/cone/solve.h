// Solvers of the contact problem. Each starts from the impulses in its system and leaves its answer there.
#ifndef DYNAMICS_CONE_SOLVE_H
#define DYNAMICS_CONE_SOLVE_H

#include "dynamics/cone/problem.h"
#include "scree/world.h"

typedef struct solve_result {
    int iterations;
    double change;  // relative change of the impulses in the last iteration
} solve_result;

// sweeps.c: ags and gs
solve_result solve_by_sweeps(problem *p, const contact_system *system, const scr_solver_def *def, const sweep_kernels *kernels);
// apgd.c
scr_status solve_by_apgd(problem *p, const contact_system *system, const scr_solver_def *def, scr_arena *scratch,
                         solve_result *result, scr_error *error);

#endif
