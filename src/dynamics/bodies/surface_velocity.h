// SPDX-License-Identifier: BSD-3-Clause
// Surfaces that convey: a velocity of a body's surface relative to the body itself, as of a belt that runs over a fixed
// frame.
//
// At a contact the surfaces of a and b have, besides what their bodies do, the relative velocity
//   u_s = (1 - n n^T) (R_b s_b - R_a s_a)        R: the body's rotation, s: its surface velocity, n: the contact normal
// Only what is tangential counts: at its ends a belt does not push. Both contact laws add u_s to the velocity at the
// contact. Few bodies have one, so the table is sparse: by record of the body, ascending, and without entries of 0.
#ifndef DYNAMICS_BODIES_SURFACE_VELOCITY_H
#define DYNAMICS_BODIES_SURFACE_VELOCITY_H

#include "core/arrays/table.h"
#include "core/maths/vec3.h"

typedef struct surface_velocities {
    table table;
    uint32_t *record;  // index of the handle, less 1
    double *velocity;  // m/s, 3 an entry, in the body's axes
} surface_velocities;

void surface_velocities_init(surface_velocities *s);
void surface_velocities_free(surface_velocities *s);
scr_vec3 surface_velocity_of(const surface_velocities *s, uint32_t record);
scr_status surface_velocity_reserve(surface_velocities *s, scr_error *error);          // capacity for one more
void surface_velocity_set(surface_velocities *s, uint32_t record, scr_vec3 velocity);  // the capacity is there
bool surface_velocities_are_valid(const surface_velocities *s, const uint32_t *generation, int64_t record_count);

#endif
