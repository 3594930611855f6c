// SPDX-License-Identifier: BSD-3-Clause
// Grains that are taken out of the motion for a while, and out of the world: spheres about their centre, as fills make
// them. A fixed grain has no velocity and no inverse mass, and its rotation is one of single precision; so a
// stored_grain says all about it, and a grain that is stored and added again is the same to the bit, ids included.
#ifndef DYNAMICS_WORLD_FIXED_GRAINS_H
#define DYNAMICS_WORLD_FIXED_GRAINS_H

#include "dynamics/bodies/stored_grain.h"
#include "scree/scree.h"

// Whether the body in a slot is such a grain, dynamic or fixed: of the density of its material, in the groups of
// grains, without joints and surface velocity.
bool body_is_storable(const scr_world *world, int64_t slot);
stored_grain world_stored_grain(const scr_world *world, int64_t slot);   // what there is to say of one that is fixed
double world_body_kinetic_energy(const scr_world *world, int64_t slot);  // J
double stored_grain_mass(const scr_world *world, const stored_grain *g);

// Change grains in their slots, which they keep. Contacts of theirs with what moves go on as they were.
void world_fix_grains(scr_world *world, const int32_t *slot, int64_t count);      // dynamic ones
void world_release_grains(scr_world *world, const int32_t *slot, int64_t count);  // fixed ones: at rest, then dynamic
// Fixed grains as the world's last bodies, with the ids that they had. All or none are added.
scr_status world_add_fixed_grains(scr_world *world, const stored_grain *g, int64_t count, scr_error *error);
// After most bodies have left: give back the memory that they had.
void world_trim(scr_world *world);

#endif
