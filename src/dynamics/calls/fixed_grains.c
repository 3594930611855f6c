// SPDX-License-Identifier: BSD-3-Clause
// Grains fixed, released, and added as they were stored.
#include "dynamics/world/fixed_grains.h"

#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

// Masses that differ by less, relative to them, are the same: a bed keeps a mass, not a density.
static const double SAME_MASS = 1e-9;

static double grain_density(const scr_world *world, int64_t slot)
{
    const colliders *c = &world->colliders;
    return world->materials.density[c->material[world->bodies.first_collider[slot]]];
}

static bool has_mass_of_sphere(const scr_world *world, int64_t slot)
{
    const bodies *b = &world->bodies;
    if (b->kind[slot] != SCR_DYNAMIC) return true;
    double radius = world->colliders.radius[b->first_collider[slot]];
    sphere_inertia is = sphere_inertia_of(radius, grain_density(world, slot));
    return fabs(b->inv_mass[slot] * is.mass - 1.0) < SAME_MASS && fabs(b->inv_ix[slot] * is.inertia - 1.0) < SAME_MASS;
}

bool body_is_storable(const scr_world *world, int64_t slot)
{
    const bodies *b = &world->bodies;
    const colliders *c = &world->colliders;
    if (b->kind[slot] == SCR_KINEMATIC || b->is_joined[slot] || !body_is_grain(b, c, slot)) return false;
    scr_body_def usual = scr_default_body_def();
    int32_t k = b->first_collider[slot];
    return c->group[k] == usual.group && c->collides_with[k] == usual.collides_with && !body_conveys(b, slot) &&
           has_mass_of_sphere(world, slot);
}

stored_grain world_stored_grain(const scr_world *world, int64_t slot)
{
    const bodies *b = &world->bodies;
    const colliders *c = &world->colliders;
    int32_t k = b->first_collider[slot];
    return (stored_grain){.position = body_position(b, slot),
                          .rotation = {(float)b->qw[slot], (float)b->qx[slot], (float)b->qy[slot], (float)b->qz[slot]},
                          .radius = c->radius[k],
                          .id = b->id[slot],
                          .collider_id = c->id[k],
                          .material = c->material[k]};
}

double stored_grain_mass(const scr_world *world, const stored_grain *g)
{
    return sphere_inertia_of(g->radius, world->materials.density[g->material]).mass;
}

double world_body_kinetic_energy(const scr_world *world, int64_t slot)
{
    return body_kinetic_energy(&world->bodies, slot, body_velocity(&world->bodies, slot));
}

void world_trim(scr_world *world)
{
    give_grains_back(world);
    table_trim(&world->bodies.table);
    table_trim(&world->colliders.table);
    scr_arena_free(&world->scratch);
    scr_arena_free(&world->sort_scratch);
}

// What moves is another set of bodies now: lists of pairs leave out those of which none does.
static void motion_changed(scr_world *world)
{
    neighbours_invalidate(&world->neighbours);
    world->has_contacts = false;
}

void world_fix_grains(scr_world *world, const int32_t *slot, int64_t count)
{
    bodies *b = &world->bodies;
    if (count == 0) return;
    give_grains_back(world);
    for (int64_t k = 0; k < count; ++k) {
        stored_grain g = world_stored_grain(world, slot[k]);
        body_fix_grain(b, slot[k], &g);
    }
    motion_changed(world);
}

void world_release_grains(scr_world *world, const int32_t *slot, int64_t count)
{
    if (count == 0) return;
    give_grains_back(world);
    for (int64_t k = 0; k < count; ++k)
        body_release_grain(&world->bodies, &world->colliders, slot[k], grain_density(world, slot[k]));
    motion_changed(world);
}

scr_status world_add_fixed_grains(scr_world *world, const stored_grain *g, int64_t count, scr_error *error)
{
    if (count == 0) return SCR_OK;
    give_grains_back(world);
    scr_status status = bodies_add_fixed_grains(&world->bodies, &world->colliders, count, g, error);
    if (status == SCR_OK) world->has_contacts = false, world->shape_tree_is_behind = true;
    return status;
}
