// SPDX-License-Identifier: BSD-3-Clause
// The joints of a step as the contact solvers see them: linear, one entry for each mechanism that contacts touch.
//
// Contacts change velocities by dv = M^-1 D g; what joints make of it is the solution of the equations of kkt.h with
// p = M dv and c = 0. That is linear in dv, so the eliminated joints are part of N: f(g) = 1/2 g^T D^T W D g + r^T g.
#ifndef DYNAMICS_JOINTS_JOINT_SYSTEM_H
#define DYNAMICS_JOINTS_JOINT_SYSTEM_H

#include "dynamics/kkt/kkt.h"

typedef struct joint_mechanism {
    kkt_equations equations;
    const kkt *kkt;       // factored
    const int32_t *body;  // (equations.body_count) numbers in the contact system
} joint_mechanism;

typedef struct joint_system {
    int64_t mechanism_count;
    const joint_mechanism *mechanism;
} joint_system;

#endif
