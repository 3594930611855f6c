// SPDX-License-Identifier: BSD-3-Clause
// The mean stress of a cell, by Love and Weber: sums over contacts and over bodies, compression positive.
//
// It is the stress that a sheared space works against: kinetic energy relative to the flow, and what contacts store,
// change by -rate sigma[flow][gradient] volume less what contacts dissipate. Where it is stretched, by
// -sigma[i][i] volume x rate over length, of each axis.
#include "dynamics/bodies/contact_radius.h"
#include "dynamics/bodies/hertz_lanes.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/body_sums.h"

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
    body_course now = body_course_of(world, i);
    return vec3_add_scaled(now.x, -world_since_contacts(world), now.v);
}

// From the centre of one body to that of another one, then.
static scr_vec3 way_then(const scr_world *world, const periodic_cell *then, int64_t a, int64_t b)
{
    return period_offset(then, vec3_sub(position_then(world, b), position_then(world, a)));
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

// Contacts that a bed of grains has found.
static void add_listed_grain_contacts(const scr_world *world, scr_stress *stress)
{
    const grain_contacts *in_bed = world_grain_contacts(world);
    const colliders *c = &world->colliders;
    periodic_cell then = world_cells_of_contacts(world);
    for (int64_t k = 0; k < in_bed->count; ++k) {
        const grain_contact *at = &in_bed->contact[k];
        int64_t a = body_slot(&world->bodies, at->a), b = body_slot(&world->bodies, at->b);
        add_product(stress->contact, 1.0 / stress->volume, way_then(world, &then, a, b), at->force);
        if (!(vec3_dot(at->force, at->normal) > 0.0)) continue;
        int32_t ca = world->bodies.first_collider[a], cb = world->bodies.first_collider[b];
        double ra = contact_radius(c, ca), rb = contact_radius(c, cb);
        scr_vec3 l =
            period_offset(&c->period, vec3_sub(body_position(&world->bodies, b), body_position(&world->bodies, a)));
        add_stiffness(world, c->material[ca], c->material[cb], 1.0 / (1.0 / ra + 1.0 / rb), at->gap, l, at->normal,
                      stress);
    }
}

// What the passes of a bed have added up at the midpoint.
static void add_bed(const grain_bed *bed, scr_stress *stress)
{
    for (int64_t k = 0; k < block_count_of(bed->count, GRAIN_BLOCK); ++k) {
        const pair_stress *s = &bed->tally[k].stress;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) stress->contact[i][j] += s->sum[i][j] / stress->volume;
            stress->stiffness[i] += s->sum[i][3] / stress->volume;
        }
    }
}

static void add_contacts(const scr_world *world, scr_stress *stress)
{
    const colliders *c = &world->colliders;
    const contacts *set = &world->contacts;
    const grain_world *g = &world->grains;
    periodic_cell then = world_cells_of_contacts(world);
    for (int64_t k = 0; k < set->count; ++k) {
        contact_geometry at = contact_geometry_of(set, c, k);
        int32_t a = set->a[k], other = set->b[k];
        scr_vec3 l = way_then(world, &then, c->body[a], c->body[other]), impulse = contact_impulse(set, k);
        add_product(stress->contact, 1.0 / stress->volume, l, vec3_scale(1.0 / world->def.time_step, impulse));
        if (!(vec3_dot(impulse, at.normal) > 0.0)) continue;
        add_stiffness(world, c->material[a], c->material[other], effective_radius(set, c, k), at.gap, l, at.normal,
                      stress);
    }
    if (g->is_loaded && g->bed.sums_stress && g->bed.steps > 0) add_bed(&g->bed, stress);
    else add_listed_grain_contacts(world, stress);
}

scr_status scr_world_stress(const scr_world *world, scr_stress *stress, scr_error *error)
{
    (void)error;
    *stress = (scr_stress){.volume = cell_volume(&world->colliders.period)};
    if (stress->volume == 0.0) return SCR_OK;
    if (world->has_contacts) add_contacts(world, stress);
    const body_totals all = total_of_bodies(world);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) stress->kinetic[i][j] = all.square[i][j] / stress->volume;
    return SCR_OK;
}
