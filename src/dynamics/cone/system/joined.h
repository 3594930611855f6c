// SPDX-License-Identifier: BSD-3-Clause
// Joints as solvers of contacts respect them: all rows of a mechanism are one block, which is solved exactly.
//
// Contacts g and joints l together change velocities by dv = M^-1 (D g + J^T l), and over both the energy
//     f(g, l) = 1/2 dv^T M dv + 1/2 l^T C l + (what contacts add)
// is to be least. For given g it is where J dv + C l = 0: a step to there from any l is the solution of the equations
// of kkt.h with p = M dv and c = -C l, which gives the new dv and what l grows by. Rows without compliance need not
// know their l. With l always solved for, f is 1/2 g^T D^T W D g + ..., the problem of joint_system.h.
//
// A mechanism is solved by one thread, whichever it is, so the bits do not depend on the number of threads.
#ifndef DYNAMICS_CONE_SYSTEM_JOINED_H
#define DYNAMICS_CONE_SYSTEM_JOINED_H

#include "dynamics/joints/joint_system.h"

typedef struct joined_mechanism {
    const joint_mechanism *joints;
    int64_t first_body;     // how many bodies the mechanisms before it have
    double *body;           // 6 a body: M dv before a step, dv after it
    double *impulse, *old;  // (rows) l of rows with compliance, 0 for others; that of the sweep before
    double *row, *work;
    bool is_compliant;  // some row is
} joined_mechanism;

typedef struct joined {
    int64_t mechanism_count, body_count;
    joined_mechanism *mechanism;
} joined_bodies;

int64_t joined_body_count(const joint_system *joints);
size_t joined_bytes(const joint_system *joints);                        // of the arena below; NULL: no joints
joined_bodies joined_of(const joint_system *joints, scr_arena *arena);  // l = 0

void joined_step(joined_mechanism *p);  // move on as the joints allow, from the impulses so far
// the same from no impulses: what contacts alone have given the bodies is in `body`
void joined_begin(joined_mechanism *p);
// l <- base + beta (base - old) and old <- base, where base is l, or old again after a rejected sweep
void joined_extrapolate(joined_mechanism *p, double beta, bool from_old);
void joined_subtract(joined_mechanism *p);             // old <- l - old
double joined_elastic_energy(const joined_bodies *j);  // J; 1/2 l^T C l

#endif
