// SPDX-License-Identifier: BSD-3-Clause
// What can be asked of a world as a whole: energy and momentum.
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/stages/contact_law.h"
#include "dynamics/cone/sweeps/rolling_problem.h"
#include "dynamics/cone/system/contact_row.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

typedef struct spring_energies {
    const scr_world *world;
    step_law law;
    double sum;  // J
} spring_energies;

static scr_vec3 contact_vector(const float *values, int64_t contact)
{
    const float *v = values + 3 * contact;
    return vec3((double)v[0], (double)v[1], (double)v[2]);
}

// What the spring of a contact stores at the end of the step, without its damper's part of the force. By the row of
// contact_row.h, u + bias + R g = 0 along the normal, it is then compressed by x = -(gap + h u) = h (bias + R g) - gap;
// across, its own impulse q is kept beside the contact's where there are dampers (warm_start.c). 1/k = h^2 R/s.
static void add_spring_energy(void *energies, int64_t contact, double compliance_n, double compliance_t)
{
    spring_energies *e = energies;
    const contacts *set = &e->world->contacts;
    contact_geometry at = contact_geometry_of(set, &e->world->colliders, contact);
    scr_vec3 n = at.normal, g = contact_vector(set->impulse, contact),
             q = e->law.has_dampers ? contact_vector(set->previous, contact) : g;
    double h = e->law.h, share = (double)set->spring_share[contact], pressing = vec3_dot(g, n);
    if (compliance_n <= 0.0 || pressing == 0.0) return;
    double open = at.gap + (double)set->allowance[contact];
    double bias = contact_law_bias(&e->law, compliance_n, open, open, share, pressing < 0.0);
    double x = h * (bias + compliance_n * pressing) - open, stretch = vec3_norm(across(q, n));
    e->sum += 0.5 * share / compliance_n * (x / h) * (x / h) + 0.5 * compliance_t / share * stretch * stretch;
}

static double cone_elastic_energy(const scr_world *world)
{
    spring_energies e = {.world = world, .law = world_step_law(world)};
    problem_visit_compliances(&world->problem, &e, add_spring_energy);
    return e.sum + rolling_elastic_energy(&world->problem);
}

scr_energy scr_world_energy(const scr_world *world)
{
    world_show_bodies(world);
    const bodies *b = &world->bodies;
    scr_vec3 gravity = scr_world_gravity(world);
    scr_energy energy = {0};
    for (int64_t i = 0; i < b->table.count; ++i) {
        scr_vec3 v = period_wrapped_velocity(&world->colliders.period, body_position(b, i), body_velocity(b, i));
        energy.kinetic += body_kinetic_energy(b, i, v);
        if (b->inv_mass[i] > 0.0) energy.potential -= vec3_dot(gravity, body_position(b, i)) / b->inv_mass[i];
    }
    if (world->has_contacts)
        energy.elastic = world_is_penalty(world)
                             ? penalty_elastic_energy(world) + world_grain_contacts(world)->elastic_energy
                             : cone_elastic_energy(world);
    energy.elastic += mechanism_elastic_energy(world);
    return energy;
}

scr_vec3 scr_world_momentum(const scr_world *world)
{
    world_show_bodies(world);
    const bodies *b = &world->bodies;
    scr_vec3 sum = {0};
    for (int64_t i = 0; i < b->table.count; ++i)
        if (b->inv_mass[i] > 0.0) sum = vec3_add_scaled(sum, 1.0 / b->inv_mass[i], body_velocity(b, i));
    return sum;
}

scr_vec3 scr_world_angular_momentum(const scr_world *world)
{
    world_show_bodies(world);
    const bodies *b = &world->bodies;
    scr_vec3 sum = {0};
    for (int64_t i = 0; i < b->table.count; ++i) {
        if (b->inv_mass[i] == 0.0) continue;
        scr_vec3 own = vec3(b->wx[i] / b->inv_ix[i], b->wy[i] / b->inv_iy[i], b->wz[i] / b->inv_iz[i]);
        scr_vec3 orbit = vec3_scale(1.0 / b->inv_mass[i], vec3_cross(body_position(b, i), body_velocity(b, i)));
        sum = vec3_add(sum, vec3_add(orbit, quat_rotate(body_rotation(b, i), own)));
    }
    return sum;
}
