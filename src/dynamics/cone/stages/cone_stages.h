// SPDX-License-Identifier: BSD-3-Clause
// Stages of a step under the complementarity law, and its contacts as the solvers will see them.
#ifndef DYNAMICS_CONE_STAGES_CONE_STAGES_H
#define DYNAMICS_CONE_STAGES_CONE_STAGES_H

#include "dynamics/cone/stages/contact_sides.h"
#include "dynamics/cone/system/contact_system.h"
#include "dynamics/cone/system/step_law.h"
#include "dynamics/world/world.h"

scr_status recall_impulses(scr_world *world, scr_error *error);  // warm_start.c
scr_status take_impacts(scr_world *world, scr_error *error);     // impacts.c
scr_status foresee_hover(scr_world *world, scr_error *error);    // hover.c
bool must_hover_more(scr_world *world);                          // hover.c
scr_status prepare(scr_world *world, scr_error *error);          // solve.c
scr_status solve(scr_world *world, scr_error *error);            // solve.c
void stretch_springs(scr_world *world);                          // warm_start.c

// Of so few contacts rows are made once, and before contacts are packed: beyond it Newton's method is not for all of
// them, and rows would fill the cache.
enum { KEPT_ROWS_MAX = 1000 };

step_law world_step_law(const scr_world *world);
contact_row contact_row_of(const scr_world *world, int64_t contact);
// where it is and what it moves, without its law
contact_row contact_row_frame(const scr_world *world, int64_t contact);
// What gravity, and joints that hold against it, add in this step to the relative velocity along the normal, m/s; u_n:
// what it is now. is_first: nothing has been struck yet; what joints made of gravity is not told from blows after that.
double contact_free_change(const scr_world *world, const contact_sides *sides, double u_n, bool is_first);
// Whether a contact is closed within the step by the velocities of now, fast enough to bounce, and may: impacts.c.
bool contact_strikes(const scr_world *world, int64_t contact, bool is_first);
// e of a contact that may bounce in this step with the velocity u_n that it has now, else 0.
double contact_restitution(const scr_world *world, const contact_sides *sides, double u_n);
// s above, from what is known as the step begins: 1 without damping. Contacts keep it in spring_share.
double contact_spring_share(const scr_world *world, const contact_sides *sides);
// c above, N s: 0 for a contact that does not touch. `carried`: it carried an impulse in the last step.
double contact_pull(const scr_world *world, const contact_sides *sides, bool carried);
// m: a collider's radius, infinite if the height to which it is thrown does not count: hover.c
double thrown_size(const scr_world *world, int64_t collider);

contact_system world_contact_system(const scr_world *world);  // world_system.c
// 1/(kg m^2): the inverse inertia of a grain as contacts meet it, its own unless it is joined.
double grain_inverse_inertia(const scr_world *world, int64_t body);  // world_system.c

#endif
