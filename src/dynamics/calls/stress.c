// SPDX-License-Identifier: BSD-3-Clause
// The mean stress of a cell, by Love and Weber: sums over contacts and over bodies, compression positive.
//
// It is the stress that a sheared space works against: kinetic energy relative to the flow, and what contacts store,
// change by -rate sigma[flow][gradient] volume less what contacts dissipate. Where it is stretched, by
// -sigma[i][i] volume x rate over length, of each axis.
#include "dynamics/bodies/contact_radius.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

static const double HERTZ_TANGENT = 1.5;  // dF/dd over F/d

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

// Pa: of normal springs, along each axis, if all bodies moved as the cell does.
static void add_stiffness(const scr_world *world, uint16_t material_a, uint16_t material_b, double radius, double gap,
                          scr_vec3 l, scr_vec3 normal, scr_stress *stress)
{
    double modulus = materials_pair(&world->materials, material_a, material_b)->modulus,
           given = world->def.contact.stiffness,
           spring = given > 0.0 ? given : HERTZ_TANGENT * loaded_contact_stiffness(modulus, radius, fmax(0.0, -gap));
    for (int i = 0; i < 3; ++i) {
        double along = vec3_along(l, i) * vec3_along(normal, i);
        stress->stiffness[i] += spring * along * along / stress->volume;
    }
}

// The same of contacts that a bed of grains has found.
static void add_grain_stiffnesses(const scr_world *world, scr_stress *stress)
{
    const grain_contacts *in_bed = world_grain_contacts(world);
    const colliders *c = &world->colliders;
    for (int64_t k = 0; k < in_bed->count; ++k) {
        const grain_contact *at = &in_bed->contact[k];
        if (!(vec3_dot(at->force, at->normal) > 0.0)) continue;
        int64_t a = body_slot(&world->bodies, at->a), b = body_slot(&world->bodies, at->b);
        int32_t ca = world->bodies.first_collider[a], cb = world->bodies.first_collider[b];
        double ra = contact_radius(c, ca), rb = contact_radius(c, cb);
        scr_vec3 l =
            period_offset(&c->period, vec3_sub(body_position(&world->bodies, b), body_position(&world->bodies, a)));
        add_stiffness(world, c->material[ca], c->material[cb], 1.0 / (1.0 / ra + 1.0 / rb), at->gap, l, at->normal,
                      stress);
    }
}

static void add_stiffnesses(const scr_world *world, scr_stress *stress)
{
    const colliders *c = &world->colliders;
    const contacts *set = &world->contacts;
    periodic_cell then = world_cells_of_contacts(world);
    for (int64_t k = 0; k < set->count; ++k) {
        contact_geometry at = contact_geometry_of(set, c, k);
        if (!(vec3_dot(contact_impulse(set, k), at.normal) > 0.0)) continue;
        int32_t a = set->a[k], other = set->b[k];
        scr_vec3 l =
            period_offset(&then, vec3_sub(position_then(world, c->body[other]), position_then(world, c->body[a])));
        add_stiffness(world, c->material[a], c->material[other], effective_radius(set, c, k), at.gap, l, at.normal,
                      stress);
    }
    add_grain_stiffnesses(world, stress);
}

// m/s: of a body beside a flow that stands still in the middle of the cell
static scr_vec3 beside_flow(const scr_world *world, int64_t i)
{
    const bodies *b = &world->bodies;
    const periodic_cell *p = &world->colliders.period;
    if (p->is_stretched) {
        scr_vec3 x = body_position(b, i);
        double cells[3];
        for (int k = 0; k < 3; ++k) cells[k] = (vec3_along(x, k) - p->low[k]) * p->inverse[k] - 0.5;
        return vec3_sub(body_velocity(b, i), period_stretching(p, cells[0], cells[1], cells[2]));
    }
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
        momentum = vec3_add_scaled(momentum, 1.0 / b->inv_mass[i], beside_flow(world, i));
    }
    return mass > 0.0 ? vec3_scale(1.0 / mass, momentum) : momentum;
}

static void add_bodies(const scr_world *world, scr_stress *stress)
{
    const bodies *b = &world->bodies;
    scr_vec3 common = common_velocity(world);
    for (int64_t i = 0; i < b->table.count; ++i) {
        if (!(b->inv_mass[i] > 0.0)) continue;
        scr_vec3 c = vec3_sub(beside_flow(world, i), common);
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
    if (world->has_contacts) add_stiffnesses(world, stress);
    add_bodies(world, stress);
    return SCR_OK;
}
