// SPDX-License-Identifier: BSD-3-Clause
// The mean stress of a cell, by Love and Weber: sums over contacts and over bodies, compression positive.
//
// It is the stress that a sheared space works against: kinetic energy relative to the flow, and what contacts store,
// change by -rate sigma[flow][gradient] volume less what contacts dissipate.
#include "dynamics/world/world.h"

typedef double tensor[3][3];

static void add_product(tensor to, double factor, scr_vec3 a, scr_vec3 b)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) to[i][j] += factor * vec3_along(a, i) * vec3_along(b, j);
}

static double cell_volume(const periodic_cell *p) { return p->length[0] * p->length[1] * p->length[2]; }

// Where a body was when the contacts of the last step acted.
static scr_vec3 position_then(const scr_world *world, int64_t i)
{
    const bodies *b = &world->bodies;
    return vec3_add_scaled(body_position(b, i), -world_since_contacts(world), body_velocity(b, i));
}

static void add_contacts(const scr_world *world, const scr_contact_view *all, scr_stress *stress)
{
    const bodies *b = &world->bodies;
    periodic_cell then = world_cells_of_contacts(world);
    for (int64_t k = 0; k < all->count; ++k) {
        scr_vec3 a = position_then(world, body_slot(b, all->a[k])),
                 other = position_then(world, body_slot(b, all->b[k]));
        add_product(stress->contact, 1.0 / stress->volume, period_offset(&then, vec3_sub(other, a)), all->force[k]);
    }
}

// m/s: of a body beside a sheared flow that stands still in the middle of the cell
static scr_vec3 beside_shear(const scr_world *world, int64_t i)
{
    const bodies *b = &world->bodies;
    const periodic_cell *p = &world->colliders.period;
    if (!p->is_sheared) return body_velocity(b, i);
    double up = (vec3_along(body_position(b, i), p->gradient) - p->low[p->gradient]) * p->inverse[p->gradient] - 0.5;
    return vec3_sub(body_velocity(b, i), period_flow(p, up * p->shear_velocity));
}

static scr_vec3 common_velocity(const scr_world *world)
{
    const bodies *b = &world->bodies;
    scr_vec3 momentum = {0};
    double mass = 0.0;
    for (int64_t i = 0; i < b->table.count; ++i) {
        if (!(b->inv_mass[i] > 0.0)) continue;
        mass += 1.0 / b->inv_mass[i];
        momentum = vec3_add_scaled(momentum, 1.0 / b->inv_mass[i], beside_shear(world, i));
    }
    return mass > 0.0 ? vec3_scale(1.0 / mass, momentum) : momentum;
}

static void add_bodies(const scr_world *world, scr_stress *stress)
{
    const bodies *b = &world->bodies;
    scr_vec3 common = common_velocity(world);
    for (int64_t i = 0; i < b->table.count; ++i) {
        if (!(b->inv_mass[i] > 0.0)) continue;
        scr_vec3 c = vec3_sub(beside_shear(world, i), common);
        add_product(stress->kinetic, 1.0 / (b->inv_mass[i] * stress->volume), c, c);
    }
}

scr_status scr_world_stress(const scr_world *world, scr_stress *stress, scr_error *error)
{
    scr_contact_view all;
    *stress = (scr_stress){.volume = cell_volume(&world->colliders.period)};
    if (stress->volume == 0.0) return SCR_OK;
    scr_status status = scr_world_contacts(world, &all, error);
    if (status != SCR_OK) return status;
    add_contacts(world, &all, stress);
    add_bodies(world, stress);
    return SCR_OK;
}
