// SPDX-License-Identifier: BSD-3-Clause
// What can be asked of a world as a whole: energy and momentum.
#include "dynamics/cone/sweeps/rolling_problem.h"
#include "dynamics/cone/system/contact_row.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

// R is that of spring and damper together; the impulse is taken for the spring's, which it is at rest. While a damper
// acts that is too much, and documented so (scr_energy).
static double spring_share(const void *world, int64_t contact)
{
    return (double)((const scr_world *)world)->contacts.spring_share[contact];
}

static double cone_elastic_energy(const scr_world *world)
{
    return problem_elastic_energy(&world->problem, world, spring_share) + rolling_elastic_energy(&world->problem);
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
