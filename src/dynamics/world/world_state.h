// SPDX-License-Identifier: BSD-3-Clause
// What a simulation needs of a world beyond the public interface: its state tables, to be saved and loaded.
#ifndef DYNAMICS_WORLD_WORLD_STATE_H
#define DYNAMICS_WORLD_WORLD_STATE_H

#include "core/arrays/table.h"
#include "core/maths/period.h"
#include "geometry/shape/placed_shape.h"
#include "scree/joint.h"
#include "scree/world.h"

enum { CONTACT_LAW_COUNT = SCR_PENALTY + 1 };
extern const char *const CONTACT_LAW_NAMES[CONTACT_LAW_COUNT];  // by scr_contact_law

// Threads that a step of so many bodies takes if it may take any number: a small world is done sooner by fewer threads
// than there are cores. The result is the same for any number.
enum { BODIES_PER_THREAD = 2000 };
static inline int threads_for_bodies(int64_t body_count, int most)
{
    int64_t useful = 1 + body_count / BODIES_PER_THREAD;
    return useful < most ? (int)useful : most;
}

enum { WORLD_TABLE_MAX = 19 };

// The world's state tables; their number. To load a state, fill the tables (table_reserve, count, data), then call
// world_after_load, which checks every index in them and makes all that is derived from the state anew.
int world_tables(scr_world *world, table *tables[WORLD_TABLE_MAX]);
scr_status world_after_load(scr_world *world, scr_error *error);
// The functions that drive motors are no part of the state: after a load they are set again. A joint that is gone, or
// has no motor, is left alone.
void world_set_drive(scr_world *world, scr_joint joint, scr_function drive);
double world_drive_at(const scr_world *world, scr_joint joint, double t);  // what its motor is asked for; 0 without one

double mass_of_bodies(const scr_world *world);  // kg, of all that move. body_sums.c
// How space repeats itself.
const periodic_cell *world_period(const scr_world *world);
// Shape i of the world where it stands now, with its surface, and the entry of its body in the body view.
placed_shape world_placed_shape(const scr_world *world, int64_t i, int64_t *body);
// The same where it is shown: in the cell of a space that repeats itself. Planes have no place of their own.
placed_shape world_shown_shape(const scr_world *world, int64_t i, int64_t *body);
// The surface with this handle, or NULL.
const shape_surface *world_surface(const scr_world *world, scr_surface surface);

// Whether a joint keeps two bodies from touching, as entries of the body view: of a world that has listed such pairs
// and was not changed since.
scr_status world_list_apart(scr_world *world, scr_error *error);
bool world_keeps_apart(const scr_world *world, int64_t a, int64_t b);
// Take back what scr_body_apply_force has gathered for the next step.
void world_forget_forces(scr_world *world);

// N: what a joint held in the last step, on b; false: it is gone. For many joints in every step: the rest of their
// state takes far longer to find.
bool world_joint_force(const scr_world *world, scr_joint joint, scr_vec3 *force);

#endif
