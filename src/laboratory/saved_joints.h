// SPDX-License-Identifier: BSD-3-Clause
// The joints of a contact problem that stands on its own, factored for solvers.
#ifndef LABORATORY_SAVED_JOINTS_H
#define LABORATORY_SAVED_JOINTS_H

#include "dynamics/cone/system/joined.h"
#include "laboratory/saved_system.h"

typedef struct saved_joints {
    joint_system system;
    joint_mechanism *mechanism;  // (mechanism_count)
    body_inertia *body;          // (s->joined.count)
    row_block *block;            // (s->blocks.count)
    joint_jacobian *jacobian;    // (s->jacobians.count)
    scr_arena memory;            // of `joined`
    joined_bodies joined;
} saved_joints;

// Of a system that was checked, which must outlive them.
scr_status saved_joints_make(saved_joints *j, const saved_system *s, scr_error *error);
void saved_joints_free(saved_joints *j);
// For contact_system.
static inline const joint_system *saved_joints_view(const saved_joints *j)
{
    return j->system.mechanism_count > 0 ? &j->system : NULL;
}
// change (6 a body) as joints let bodies move that contacts alone would move so.
void saved_joints_hold(saved_joints *j, double *change);

// Into the system's tables; NULL: no joints.
scr_status saved_joints_copy(saved_system *s, const joint_system *joints, scr_error *error);

#endif
