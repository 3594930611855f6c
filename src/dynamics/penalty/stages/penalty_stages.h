// SPDX-License-Identifier: BSD-3-Clause
// Stages of a step under the penalty law, and what the bed of grains shows of itself.
#ifndef DYNAMICS_PENALTY_STAGES_PENALTY_STAGES_H
#define DYNAMICS_PENALTY_STAGES_PENALTY_STAGES_H

#include "dynamics/world/world.h"

// The penalty law needs a stiffness for everything that moves; what does not may be rigid.
scr_status check_stiffness(const scr_world *world, int64_t material, scr_error *error);  // contact_forces.c
scr_status recall_history(scr_world *world, scr_error *error);                           // contact_forces.c; penalty
void find_contact_forces(scr_world *world);                                              // contact_forces.c; penalty
scr_status push_bodies(scr_world *world, scr_error *error);                              // body_forces.c; penalty
// Add what contact e does to a body, as its side a (sign -1) or b (1).
// body_forces.c
void add_contact_push(const scr_world *world, int64_t e, double sign, int64_t body, scr_vec3 *force, scr_vec3 *torque);

// Of the penalty law's last step, J: stored in contacts at its end; what they could release in one step, roughly.
double penalty_elastic_energy(const scr_world *world);  // contact_forces.c
double penalty_burst_energy(const scr_world *world);    // contact_forces.c
void penalty_clear(scr_world *world);                   // contact_forces.c; no contact carries a force

grain_source bed_source(const scr_world *world);                        // grain_world.c
bool bed_needs_sorting(const scr_world *world);                         // grain_world.c
scr_status take_grains_into_bed(scr_world *world, scr_error *error);    // grain_world.c
scr_status find_pairs_outside_bed(scr_world *world, scr_error *error);  // grain_border.c
scr_status collect_pushes(scr_world *world, scr_error *error);          // grain_border.c
scr_status step_grains(scr_world *world, scr_error *error);             // grain_world.c
// Bring the body table, or all of the state, up to date before it is read; a bed that goes on is not disturbed. Readers
// on several threads may ask for it at once.
void world_show_bodies(const scr_world *world);                                                     // grain_world.c
void world_show_state(const scr_world *world);                                                      // grain_world.c
const grain_contacts *world_grain_contacts(const scr_world *world);                                 // grain_contacts.c
void add_grain_contacts(const scr_world *world, scr_body body, scr_vec3 *force, scr_vec3 *torque);  // grain_contacts.c
void add_wall_sums(const scr_world *world, int64_t body, scr_vec3 *force, scr_vec3 *torque);        // grain_contacts.c
void give_grains_back(scr_world *world);  // before grains are changed     // grain_world.c
// Spheres that come, and grains that go, while the bed goes on. grain_exchange.c
// Before spheres of a material are added: is the bed ready for them? Else it was given back.
scr_status ready_bed_for_spheres(scr_world *world, int64_t count, const double *radius, uint16_t material,
                                 bool *is_ready, scr_error *error);
void take_spheres_into_bed(scr_world *world);  // after they were
// Grains of the bed leave, and others go where they were (bodies_fill_holes).
bool bed_may_let_go(const scr_world *world, int64_t count);
scr_status let_grains_go(scr_world *world, const body_moves *moves, scr_error *error);
void show_bed_the_cells(scr_world *world);  // after their speed was changed  // grain_world.c
// Lengths of a stretched space are about to grow by other rates: if there is still a bed then it follows.
void ready_bed_for_stretch(scr_world *world);                                // grain_world.c
void stretch_bed(scr_world *world, const double share[3], scr_vec3 centre);  // grain_world.c
void forget_bed(scr_world *world);  // after the state was replaced  // grain_world.c

#endif
