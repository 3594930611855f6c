// What can be asked of a world as a whole: energy, momentum, contacts and their forces.
#include "dynamics/cone/system/contact_row.h"
#include "dynamics/cone/sweeps/rolling_problem.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

static double body_kinetic(const bodies *b, int64_t i)
{
    if (b->inv_mass[i] == 0.0) return 0.0;
    double v2 = vec3_dot(body_velocity(b, i), body_velocity(b, i));
    return 0.5 * (v2 / b->inv_mass[i] + b->wx[i] * b->wx[i] / b->inv_ix[i] + b->wy[i] * b->wy[i] / b->inv_iy[i] +
                  b->wz[i] * b->wz[i] / b->inv_iz[i]);
}

static scr_vec3 contact_impulse(const contacts *set, int64_t i)
{
    scr_vec3 impulse = vec3((double)set->impulse[3 * i], (double)set->impulse[3 * i + 1], (double)set->impulse[3 * i + 2]);
    if (!set->has_blows) return impulse;
    return vec3_add(impulse, vec3((double)set->blow[3 * i], (double)set->blow[3 * i + 1], (double)set->blow[3 * i + 2]));
}

// N m: what resists rolling and spinning in a contact, acting on b
static scr_vec3 contact_torque(const scr_world *world, int64_t i)
{
    const contacts *set = &world->contacts;
    if (world_is_penalty(world)) {
        const double *torque = world->penalty.torque + 3 * i;
        return vec3(torque[0], torque[1], torque[2]);
    }
    if (!set->has_twists) return vec3(0.0, 0.0, 0.0);
    scr_vec3 twist = vec3((double)set->twist[3 * i], (double)set->twist[3 * i + 1], (double)set->twist[3 * i + 2]);
    return vec3_scale(1.0 / world->def.time_step, twist);
}

// R is that of spring and damper together; the impulse is taken for the spring's, which it is at rest.
static double spring_share(const void *world, int64_t contact) { return (double)((const scr_world *)world)->contacts.spring_share[contact]; }

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
        energy.kinetic += body_kinetic(b, i);
        if (b->inv_mass[i] > 0.0) energy.potential -= vec3_dot(gravity, body_position(b, i)) / b->inv_mass[i];
    }
    if (world->has_contacts)
        energy.elastic = world_is_penalty(world) ? penalty_elastic_energy(world) + world_grain_contacts(world)->elastic_energy
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

int64_t scr_world_contact_count(const scr_world *world)
{
    return world->has_contacts ? world->contacts.count + world_grain_contacts(world)->contact_count : 0;
}

scr_contact scr_world_contact(const scr_world *world, int64_t i)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    if (i >= set->count) return world_grain_contacts(world)->contact[i - set->count];
    return (scr_contact){
        .a = world->bodies.handle[c->body[set->a[i]]],
        .b = world->bodies.handle[c->body[set->b[i]]],
        .point = contact_point_of(set, c, i),
        .normal = vec3(set->normal[3 * i], set->normal[3 * i + 1], set->normal[3 * i + 2]),
        .gap = set->gap[i],
        .force = vec3_scale(1.0 / world->def.time_step, contact_impulse(set, i)),
        .torque = contact_torque(world, i),
    };
}

// The smallest radius among a body's shapes: that of a grain, and of a part as small as its smallest one.
static double least_radius(const scr_world *world, scr_body body)
{
    const bodies *b = &world->bodies;
    int64_t slot = body_slot(b, body);
    double least = INFINITY;
    for (int32_t k = b->first_collider[slot]; k < b->first_collider[slot] + b->collider_count[slot]; ++k)
        least = fmin(least, world->colliders.radius[k]);
    return least;
}

scr_overlap scr_world_overlap(const scr_world *world)
{
    scr_overlap overlap = {0};
    int64_t count = 0;
    for (int64_t i = 0; i < scr_world_contact_count(world); ++i) {
        scr_contact contact = scr_world_contact(world, i);
        if (!(contact.gap < 0.0)) continue;
        double share = -contact.gap / fmin(least_radius(world, contact.a), least_radius(world, contact.b));
        overlap.mean += share;
        overlap.max = fmax(overlap.max, share);
        ++count;
    }
    if (count > 0) overlap.mean /= (double)count;
    return overlap;
}

scr_status scr_body_contact_force(const scr_world *world, scr_body body, scr_vec3 *force, scr_vec3 *torque, scr_error *error)
{
    int64_t slot;
    *force = *torque = (scr_vec3){0};
    scr_status status = body_slot_checked(&world->bodies, body, &slot, error);
    if (status != SCR_OK || !world->has_contacts) return status;
    if (slot >= general_bodies(world)) world_show_bodies(world);
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    // Contacts acted where the body was when the step began, or half way.
    double since = (world_is_penalty(world) ? 0.5 : 1.0) * world->def.time_step;
    scr_vec3 centre = vec3_add_scaled(body_position(&world->bodies, slot), -since, body_velocity(&world->bodies, slot));
    for (int64_t i = 0; i < set->count; ++i) {
        bool is_a = c->body[set->a[i]] == slot, is_b = c->body[set->b[i]] == slot;
        if (!is_a && !is_b) continue;
        double side = is_b ? 1.0 : -1.0;
        scr_vec3 f = vec3_scale(side / world->def.time_step, contact_impulse(set, i)), t = vec3_scale(side, contact_torque(world, i));
        scr_vec3 lever = vec3_sub(contact_point_of(set, c, i), centre);
        *force = vec3_add(*force, f);
        *torque = vec3_add(*torque, vec3_add(vec3_cross(lever, f), t));
    }
    if (slot >= general_bodies(world))
        add_grain_contacts(world, body, force, torque);
    else if (world->grains.is_loaded)
        add_wall_sums(world, slot, force, torque);
    return SCR_OK;
}
