// SPDX-License-Identifier: BSD-3-Clause
// Forces of contacts -> velocities of bodies.
//
// Every body adds up its own contacts, first those it is side a of, then those it is side b of, each in the contacts'
// order: the same sums for any number of threads. Contacts stand in the order of their a, so only the b need an index.
#include <string.h>

#include "core/base/threads.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

static scr_status index_b(scr_world *world, scr_error *error)
{
    penalty *p = &world->penalty;
    const contacts *set = &world->contacts;
    int64_t body_count = general_bodies(world);
    scr_status status =
        scr_grow(&p->b_start, &p->start_capacity, body_count + 2, sizeof *p->b_start, "contact forces", error);
    if (status == SCR_OK)
        status =
            scr_grow(&p->b_contact, &p->b_contact_capacity, set->count, sizeof *p->b_contact, "contact forces", error);
    if (status != SCR_OK) return status;
    // b_start[k + 2] counts body k, then b_start[k + 1] moves from its first to its last entry.
    memset(p->b_start, 0, (size_t)(body_count + 2) * sizeof *p->b_start);
    for (int64_t i = 0; i < set->count; ++i) {
        int64_t k = world->colliders.body[set->b[i]];
        if (k < body_count) ++p->b_start[k + 2];
    }
    for (int64_t k = 0; k < body_count; ++k) p->b_start[k + 2] += p->b_start[k + 1];
    for (int64_t i = 0; i < set->count; ++i) {
        int64_t k = world->colliders.body[set->b[i]];
        if (k < body_count) p->b_contact[p->b_start[k + 1]++] = (int32_t)i;
    }
    return SCR_OK;
}

typedef struct push {
    scr_vec3 force, torque;
} push;  // N, N m about the centre of mass

static void add_contact(const scr_world *world, int64_t i, double sign, scr_vec3 centre, push *sum)
{
    const double *f = world->penalty.force + 3 * i, *m = world->penalty.torque + 3 * i;
    scr_vec3 force = vec3_scale(sign, vec3(f[0], f[1], f[2]));
    scr_vec3 lever = contact_lever(&world->colliders, contact_point_of(&world->contacts, &world->colliders, i), centre);
    sum->force = vec3_add(sum->force, force);
    sum->torque = vec3_add_scaled(vec3_add(sum->torque, vec3_cross(lever, force)), sign, vec3(m[0], m[1], m[2]));
}

void add_contact_push(const scr_world *world, int64_t e, double sign, int64_t body, scr_vec3 *force, scr_vec3 *torque)
{
    const midpoint_state *midpoint = &world->penalty.midpoint;
    push sum = {*force, *torque};
    add_contact(world, e, sign, vec3(midpoint->x[body], midpoint->y[body], midpoint->z[body]), &sum);
    *force = sum.force, *torque = sum.torque;
}

static push push_on(const scr_world *world, int64_t k)
{
    const bodies *b = &world->bodies;
    const penalty *p = &world->penalty;
    const int64_t *start = world->contacts.start;
    int64_t first = b->first_collider[k], last = first + b->collider_count[k];
    scr_vec3 centre = vec3(p->midpoint.x[k], p->midpoint.y[k], p->midpoint.z[k]);
    push sum = {0};
    for (int64_t i = start[first]; i < start[last]; ++i) add_contact(world, i, -1.0, centre, &sum);
    for (int64_t e = p->b_start[k]; e < p->b_start[k + 1]; ++e) add_contact(world, p->b_contact[e], 1.0, centre, &sum);
    return sum;
}

static void kick(scr_world *world, int64_t k)
{
    const bodies *b = &world->bodies;
    new_motion *m = &world->motion;
    double h = world->def.time_step;
    push sum = push_on(world, k);
    scr_vec3 spin_change = vec3_scale(h, body_spin_change(world, k, sum.torque));
    motion_add_twist(&m->body[k], vec3_scale(h * b->inv_mass[k], sum.force), spin_change);
}

scr_status push_bodies(scr_world *world, scr_error *error)
{
    scr_status status = index_b(world, error);
    if (status != SCR_OK) return status;
#pragma omp parallel for num_threads(loop_threads(general_bodies(world), world->threads)) schedule(static)
    for (int64_t k = 0; k < general_bodies(world); ++k)
        if (world->bodies.inv_mass[k] > 0.0) kick(world, k);
    return collect_pushes(world, error);
}
