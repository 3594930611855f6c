// SPDX-License-Identifier: BSD-3-Clause
// Stages of a step that keep joints closed.
#ifndef DYNAMICS_MECHANISM_MECHANISM_STAGES_H
#define DYNAMICS_MECHANISM_MECHANISM_STAGES_H

#include "dynamics/world/world.h"

// Each does nothing in a world without joints.
// topology.c; who belongs together, and where they are now
scr_status find_mechanisms(scr_world *world, scr_error *error);
// closing.c; of mechanisms that contacts touch: the free motion that joints allow
scr_status hold_joints(scr_world *world, scr_error *error);
// closing.c; the same once more, by rows that settle_joints has chosen
scr_status hold_joints_again(scr_world *world, scr_error *error);
// closing.c; after hold_joints: what blows have given to bodies since, and what joints make of it
void take_blows_into_joints(scr_world *world);
// closing.c; after contacts: impulses that close the joints at the end
scr_status settle_joints(scr_world *world, scr_error *error);
// closing.c; after settle_joints: whether a motor, friction or a limit holds otherwise than contacts were solved for
bool must_hold_otherwise(const scr_world *world);
// finish.c; after integrate: places, velocities and reactions
void finish_joints(scr_world *world);
// The inertia that contacts meet where tension stiffens a body's mechanism (tension.c); NULL: its own.
const body_inertia *stiffened_inertia(const mechanisms *m, int64_t slot);
// The joints that contact solvers must respect, or NULL.
const joint_system *world_joint_system(const scr_world *world);
double mechanism_elastic_energy(const scr_world *world);  // J, in springs and bushings

// Joints in the world (joined_bodies.c). Whoever adds, removes, breaks or sets one anew says so.
void joints_changed(scr_world *world);
void mark_joined(scr_world *world, scr_body body);   // bodies.is_joined of one body, null or not
void find_joined_bodies(scr_world *world);           // of all
void remove_joint(scr_world *world, int64_t joint);  // with its springs and couplings
void remove_loose_joints(scr_world *world);          // and springs: those of bodies that are gone

#endif
