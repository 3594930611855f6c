// Solvers of the contact problem. Each starts from the impulses in world->contacts and leaves its answer there.
#ifndef DYNAMICS_SOLVE_H
#define DYNAMICS_SOLVE_H

#include "dynamics/world.h"

typedef struct solve_result {
    int iterations;
    double change;  // relative change of the impulses in the last iteration
} solve_result;

solve_result solve_by_sweeps(scr_world *world);                                         // sweeps.c: ags and gs
scr_status solve_by_apgd(scr_world *world, solve_result *result, scr_error *error);    // apgd.c

#endif
