// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms: bodies that hang together by joints, and how they move.
//
// With F all forces of a step but contacts and joints, a step of a mechanism is
//     v1 = v + a h M^-1 F + M^-1 (D g + J(x)^T l)      g: contacts, l such that every joint is closed at x'
//     x' = x moved by h v1                             a body that turns keeps its angular momentum (drift.h)
//     v' = v1 + (1 - a) h M^-1 F + M^-1 J(x')^T m      m such that every joint stays closed: J(x') v' = 0
// Where contacts of the complementarity law touch it a = 1; else a = 1/2, which is RATTLE: second order, symplectic, so
// that energy does not drift. Positions and velocities both fit the joints at the end of every step. l is found by
// Newton's method with the factors of J(x), and the reaction of a joint is (l + m) / h.
// Springs, dampers and bushings are rows with compliance. Their impulse over the step is, with stretch s and force
// f(s),
//     a = 1:    h (f(s') + c (s' - s)/h)               implicit
//     a = 1/2:  h ((f(s) + f(s'))/2 + c (s' - s)/h)    half of it along J(x), half along J(x'): the midpoint rule
// so that no stiffness limits the step. Limits, friction and motors of limited force are rows that are held or open.
#ifndef DYNAMICS_JOINTS_MECHANISM_H
#define DYNAMICS_JOINTS_MECHANISM_H

#include "dynamics/joints/joint_system.h"
#include "dynamics/joints/joints.h"

enum { NO_MECHANISM = -1 };

typedef struct mechanism mechanism;  // one of them; mechanism_inside.h

typedef struct mechanisms {
    joints joints;
    springs springs;
    couplings couplings;
    // joints or bodies came or went, broke, or were set anew: everything below is made again
    bool is_changed;
    // Derived
    mechanism *mechanism;  // (count) in the order of their first joints
    int64_t count, capacity;
    // (body count) by slot: the mechanism of a body that can be moved, NO_MECHANISM for most
    int32_t *mechanism_of;
    int32_t *number_of;  // (body count) its number there
    int64_t mechanism_of_count, mechanism_of_capacity;
    joint_mechanism *touched;  // mechanisms with contacts, as their solvers see them
    int64_t touched_capacity;
    joint_system system;
    scr_arena memory;  // of all mechanisms
    kkt **kkt;         // two a mechanism
    int64_t kkt_count, kkt_capacity;
    double *kkt_work;
    int64_t kkt_work_capacity;
} mechanisms;

void mechanisms_init(mechanisms *m);
void mechanisms_free(mechanisms *m);
static inline bool has_mechanisms(const mechanisms *m)
{
    return m->joints.table.count > 0 || m->springs.table.count > 0;
}

static inline bool body_is_joined(const mechanisms *m, int64_t slot)
{
    return slot < m->mechanism_of_count && m->mechanism_of[slot] != NO_MECHANISM;
}

#endif
