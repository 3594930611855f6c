// SPDX-License-Identifier: BSD-3-Clause
// Contacts -> forces: recall what each contact remembers, gather them into packs, apply the law.
#include <string.h>

#include "core/base/threads.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

scr_status check_stiffness(const scr_world *world, int64_t material, scr_error *error)
{
    const scr_contact_def *contact = &world->def.contact;
    if (contact->law != SCR_PENALTY || (contact->normal == SCR_HOOKE && contact->stiffness > 0.0)) return SCR_OK;
    if (world->materials.young[material] > 0.0) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT,
                    "material %lld has no Young's modulus, which the penalty law needs of all that moves",
                    (long long)material + 1);
}

static scr_status grow_contact_arrays(scr_world *world, scr_error *error)
{
    penalty *p = &world->penalty;
    const scr_column columns[] = {
        {&p->force, 3 * sizeof *p->force},
        {&p->torque, 3 * sizeof *p->torque},
        {&p->energy, sizeof *p->energy},
        {&p->burst, sizeof *p->burst},
    };
    return scr_grow_together(columns, sizeof columns / sizeof *columns, &p->contact_capacity, world->contacts.count,
                             "contact forces", error);
}

scr_status recall_history(scr_world *world, scr_error *error)
{
    int64_t n = world->contacts.count;
    scr_status status = scr_grow(&world->contact_is_new, &world->contact_is_new_capacity, n, 1, "contacts", error);
    if (status == SCR_OK) status = contacts_grow_history(&world->contacts, error);
    if (status == SCR_OK) status = grow_contact_arrays(world, error);
    if (status == SCR_OK) contact_cache_recall(&world->cache, &world->contacts, world->contact_is_new, world->threads);
    return status;
}

void penalty_clear(scr_world *world)
{
    if (!world_is_penalty(world)) return;
    penalty *p = &world->penalty;
    size_t n = (size_t)world->contacts.count;
    if (n == 0) return;
    memset(p->force, 0, 3 * n * sizeof *p->force);
    memset(p->torque, 0, 3 * n * sizeof *p->torque);
    memset(p->energy, 0, n * sizeof *p->energy);
}

static void set3(real3 *v, int lane, scr_vec3 value)
{
    v->x[lane] = value.x, v->y[lane] = value.y, v->z[lane] = value.z;
}
static scr_vec3 get3(const real3 *v, int lane) { return vec3(v->x[lane], v->y[lane], v->z[lane]); }
static scr_vec3 load3(const double *v) { return vec3(v[0], v[1], v[2]); }
static void store3(double *to, scr_vec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

static scr_vec3 midpoint_velocity(const scr_world *world, int64_t body, scr_vec3 point)
{
    const midpoint_state *midpoint = &world->penalty.midpoint;
    scr_vec3 centre = vec3(midpoint->x[body], midpoint->y[body], midpoint->z[body]);
    twist t = {body_velocity(&world->bodies, body), {midpoint->wx[body], midpoint->wy[body], midpoint->wz[body]}};
    return contact_velocity(&world->colliders, point, centre, t);
}

// Contact i goes into a lane of the pack.
static void gather(const scr_world *world, int64_t i, contact_pack *pack, int lane)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    const midpoint_state *midpoint = &world->penalty.midpoint;
    int32_t ca = set->a[i], cb = set->b[i], a = c->body[ca], b = c->body[cb];
    const material_pair *both = materials_pair(&world->materials, c->material[ca], c->material[cb]);
    double mass = 1.0 / (world->bodies.inv_mass[a] + world->bodies.inv_mass[b]), radius = effective_radius(set, c, i);
    law_coefficients law = law_of_pair(both, &world->def.contact, radius, mass, contact_smaller_size(set, c, i));
    contact_geometry at = contact_geometry_of(set, c, i);
    double burst_impulse = world->def.time_step * (law.pull + law.jkr_pull);
    world->penalty.burst[i] = burst_impulse * burst_impulse / mass;

    law_lanes_set(&pack->law, lane, &law);
    pack->overlap[lane] = -at.gap;
    set3(&pack->n, lane, at.normal);
    scr_vec3 u = vec3_sub(midpoint_velocity(world, b, at.point), midpoint_velocity(world, a, at.point));
    set3(&pack->u, lane, world_conveys(world) ? vec3_add(u, contact_surface_velocity(world, i)) : u);
    set3(&pack->w, lane,
         vec3_sub(vec3(midpoint->wx[b], midpoint->wy[b], midpoint->wz[b]),
                  vec3(midpoint->wx[a], midpoint->wy[a], midpoint->wz[a])));
    set3(&pack->spring, lane, load3(set->history.spring + 3 * i));
    set3(&pack->roll, lane, load3(set->history.roll + 3 * i));
    pack->in_touch[lane] = set->history.in_touch[i] ? -1 : 0;
}

static void scatter(scr_world *world, int64_t i, const contact_pack *pack, int lane)
{
    contacts *set = &world->contacts;
    penalty *p = &world->penalty;
    scr_vec3 force = get3(&pack->force, lane), impulse = vec3_scale(world->def.time_step, force);
    store3(p->force + 3 * i, force);
    store3(p->torque + 3 * i, get3(&pack->torque, lane));
    store3(set->history.spring + 3 * i, get3(&pack->spring, lane));
    store3(set->history.roll + 3 * i, get3(&pack->roll, lane));
    set->history.in_touch[i] = pack->in_touch[lane] != 0;
    set->impulse[3 * i] = (float)impulse.x, set->impulse[3 * i + 1] = (float)impulse.y,
                     set->impulse[3 * i + 2] = (float)impulse.z;
    p->energy[i] = pack->energy[lane];
    p->burst[i] += fabs(pack->energy[lane]);
}

void find_contact_forces(scr_world *world)
{
    law_options options = law_options_of(&world->materials, &world->def.contact, world->def.time_step);
    int64_t n = world->contacts.count, touching = 0;
#pragma omp parallel for num_threads(loop_threads(n, world->threads)) schedule(static) reduction(+ : touching)
    for (int64_t first = 0; first < n; first += REAL_LANES) {
        contact_pack pack = {0};
        int used = (int)min_i64(n - first, REAL_LANES);
        for (int lane = 0; lane < used; ++lane) gather(world, first + lane, &pack, lane);
        world->penalty.law(&options, &pack);
        for (int lane = 0; lane < used; ++lane) {
            scatter(world, first + lane, &pack, lane);
            touching += world->contacts.history.in_touch[first + lane];
        }
    }
    world->report.touching_count = touching;
    world->report.iterations = 0;
    world->report.change = 0.0;
}

// Contacts acted at the midpoint; until the end of the step they do the work of half a step more.
double penalty_elastic_energy(const scr_world *world)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    double sum = 0.0;
    for (int64_t i = 0; i < set->count; ++i) {
        scr_vec3 point = contact_point_of(set, c, i), v[2];
        const int32_t body[2] = {c->body[set->a[i]], c->body[set->b[i]]};
        for (int s = 0; s < 2; ++s)
            v[s] =
                contact_velocity(c, point, body_position(&world->bodies, body[s]), body_twist(&world->bodies, body[s]));
        scr_vec3 u = vec3_add(vec3_sub(v[1], v[0]), contact_surface_velocity(world, i));
        double power = vec3_dot(load3(world->penalty.force + 3 * i), u);
        sum += world->penalty.energy[i] - 0.5 * world->def.time_step * power;
    }
    return sum;
}

double penalty_burst_energy(const scr_world *world)
{
    double sum = 0.0;
    for (int64_t i = 0; i < world->contacts.count; ++i) sum += world->penalty.burst[i];
    return sum;
}
