// SPDX-License-Identifier: BSD-3-Clause
// All bodies as a view of their arrays: what a user reads, and what a step shows to the user's force function.
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

scr_body_view scr_world_bodies(const scr_world *world)
{
    world_show_bodies(world);
    const bodies *b = &world->bodies;
    return (scr_body_view){
        .count = b->table.count,
        .x = b->x,
        .y = b->y,
        .z = b->z,
        .vx = b->vx,
        .vy = b->vy,
        .vz = b->vz,
        .qw = b->qw,
        .qx = b->qx,
        .qy = b->qy,
        .qz = b->qz,
        .wx = b->wx,
        .wy = b->wy,
        .wz = b->wz,
        .inv_mass = b->inv_mass,
        .kind = b->kind,
        .id = b->id,
        .handle = b->handle,
    };
}
