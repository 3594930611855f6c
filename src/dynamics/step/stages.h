// SPDX-License-Identifier: BSD-3-Clause
// Stages of a step that both contact laws share.
#ifndef DYNAMICS_STEP_STAGES_H
#define DYNAMICS_STEP_STAGES_H

#include "dynamics/world/world.h"

scr_status sort_in_space(scr_world *world, scr_error *error);      // spatial_sort.c
scr_status go_to_midpoint(scr_world *world, scr_error *error);     // integrate.c; penalty
scr_status ask_for_forces(scr_world *world, scr_error *error);     // forces.c; once a step
scr_status apply_forces(scr_world *world, scr_error *error);       // forces.c
scr_status check_free_motion(scr_world *world, scr_error *error);  // integrate.c
scr_status sum_motion(scr_world *world, scr_error *error);         // integrate.c; with contacts
scr_status check_motion(scr_world *world, scr_error *error);       // integrate.c
scr_status integrate(scr_world *world, scr_error *error);          // integrate.c

// After a step that failed: bodies back to where they were before sort_in_space.
void undo_sort(scr_world *world);  // spatial_sort.c

// Drop or permute bodies, and everything that refers to their colliders.
scr_status world_reorder(scr_world *world, const int32_t *from, int64_t kept, scr_error *error);

#endif
