// SPDX-License-Identifier: BSD-3-Clause
// The penalty law in a world: what a step of it works with.
//
// Leapfrog, drift - kick - drift, with one evaluation of the forces a step:
//     midpoint   y = x + h/2 v                  where colliders are placed and contacts act
//     kick       v' = v + h (g + F(y, v)/m)     F is given the old velocity
//     the rest   x' = y + h/2 v'
// Positions and velocities of the state belong to the same moment, t: a velocity that a user sets or reads is that at
// t, and nothing has to be shifted at the start or after a restart. Free flight is exact to rounding, springs are
// second order (as velocity Verlet's), and the tangential spring, stretched by h u from half step to half step, is so
// too; dampers are first order. A body that is no grain keeps its angular momentum in both drifts, as integrate.c does,
// and is kicked with the inertia it has at the midpoint.
#ifndef DYNAMICS_PENALTY_LAW_PENALTY_H
#define DYNAMICS_PENALTY_LAW_PENALTY_H

#include "dynamics/bodies/contact_radius.h"
#include "dynamics/penalty/law/pack.h"

// Bodies in the middle of a step.
typedef struct midpoint_state {
    double *x, *y, *z;  // m
    double *qw, *qx, *qy, *qz;
    double *wx, *wy, *wz;  // rad/s, world axes, not kicked yet
    int64_t capacity;
} midpoint_state;

typedef struct penalty {
    midpoint_state midpoint;  // (body count)    written by integrate.c
    double *force, *torque;   // N, N m, 3 each  (contact count) on b   written by contact_forces.c
    double *energy;           // J               (contact count) stored
    double *burst;            // J               (contact count) what it can release in a step, roughly
    int64_t contact_capacity;
    int64_t *b_start;    // (body count + 1) first entry of a body in b_contact   written by body_forces.c
    int32_t *b_contact;  // (contact count)  contacts by the body of their side b, in order
    int64_t start_capacity, b_contact_capacity;
    pack_law *law;
} penalty;

void penalty_init(penalty *p, scr_instruction_set set);
void penalty_free(penalty *p);

#endif
