// SPDX-License-Identifier: BSD-3-Clause
// What can be asked of the contacts of a world: all of them as a view, how deep they overlap, what they do to one body.
#include "dynamics/calls/shown_contacts.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

// N m: what resists rolling and spinning in a contact, acting on b
static scr_vec3 contact_torque(const scr_world *world, int64_t i)
{
    const contacts *set = &world->contacts;
    if (world_is_penalty(world)) {
        const double *torque = world->penalty.torque + 3 * i;
        return vec3(torque[0], torque[1], torque[2]);
    }
    if (!set->has_angular_impulses) return vec3(0.0, 0.0, 0.0);
    scr_vec3 angular_impulse = vec3((double)set->angular_impulse[3 * i], (double)set->angular_impulse[3 * i + 1],
                                    (double)set->angular_impulse[3 * i + 2]);
    return vec3_scale(1.0 / world->def.time_step, angular_impulse);
}

// ---- all contacts ----

static scr_status reserve(shown_contacts *list, int64_t count, scr_error *error)
{
    const scr_column columns[] = {
        {&list->a, sizeof *list->a},           {&list->b, sizeof *list->b},     {&list->point, sizeof *list->point},
        {&list->normal, sizeof *list->normal}, {&list->gap, sizeof *list->gap}, {&list->force, sizeof *list->force},
        {&list->torque, sizeof *list->torque},
    };
    return scr_grow_together(columns, sizeof columns / sizeof *columns, &list->capacity, count, "the contacts", error);
}

void shown_contacts_free(shown_contacts *list)
{
    void *arrays[] = {list->a, list->b, list->point, list->normal, list->gap, list->force, list->torque};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
}

// Contact i of the general stages becomes entry i.
static void put_contact(const scr_world *world, shown_contacts *list, int64_t i)
{
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    contact_geometry at = contact_geometry_of(set, c, i);
    list->a[i] = world->bodies.handle[c->body[set->a[i]]];
    list->b[i] = world->bodies.handle[c->body[set->b[i]]];
    list->point[i] = at.point;
    list->normal[i] = at.normal;
    list->gap[i] = at.gap;
    list->force[i] = vec3_scale(1.0 / world->def.time_step, contact_impulse(set, i));
    list->torque[i] = contact_torque(world, i);
}

static void put_grain_contact(shown_contacts *list, int64_t i, const grain_contact *from)
{
    list->a[i] = from->a, list->b[i] = from->b;
    list->point[i] = from->point;
    list->normal[i] = from->normal;
    list->gap[i] = from->gap;
    list->force[i] = from->force;
    list->torque[i] = from->torque;
}

static scr_status make_list(scr_world *world, scr_error *error)
{
    shown_contacts *list = &world->shown_contacts;
    const grain_contacts *in_bed = &world->grains.contacts;
    int64_t general = world->contacts.count, bedded = world->grains.is_loaded ? in_bed->count : 0;
    scr_status status = reserve(list, general + bedded, error);
    if (status != SCR_OK) return status;
    list->count = general + bedded;
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (int64_t i = 0; i < general; ++i) put_contact(world, list, i);
    for (int64_t k = 0; k < bedded; ++k) put_grain_contact(list, general + k, &in_bed->contact[k]);
    return SCR_OK;
}

scr_status scr_world_contacts(const scr_world *world, scr_contact_view *view, scr_error *error)
{
    const shown_contacts *list = &world->shown_contacts;
    *view = (scr_contact_view){0};
    if (!world->has_contacts) return SCR_OK;
    world_grain_contacts(world);
    scr_status status = world_bring_up(world, &world->self->shown_contacts.is_behind, make_list, error);
    if (status != SCR_OK) return status;
    *view = (scr_contact_view){list->count,  list->a,   list->b,     list->point,
                               list->normal, list->gap, list->force, list->torque};
    return SCR_OK;
}

// ---- overlap ----

// The smallest radius among a body's shapes: that of a grain, and of another body as small as its smallest one.
static double least_radius(const scr_world *world, int64_t slot)
{
    const bodies *b = &world->bodies;
    double least = INFINITY;
    for (int32_t k = b->first_collider[slot]; k < b->first_collider[slot] + b->collider_count[slot]; ++k)
        least = fmin(least, collider_least_size(&world->colliders, k));
    return least;
}

typedef struct overlap_sum {
    double sum, max;
    int64_t count;
} overlap_sum;

static void add_overlap(const scr_world *world, overlap_sum *to, double gap, int64_t a, int64_t b)
{
    if (!(gap < 0.0)) return;
    double share = -gap / fmin(least_radius(world, a), least_radius(world, b));
    to->sum += share;
    to->max = fmax(to->max, share);
    ++to->count;
}

scr_overlap scr_world_overlap(const scr_world *world)
{
    overlap_sum sum = {0};
    if (!world->has_contacts) return (scr_overlap){0};
    const contacts *set = &world->contacts;
    const int32_t *body = world->colliders.body;
    for (int64_t i = 0; i < set->count; ++i) {
        double gap = contact_geometry_of(set, &world->colliders, i).gap;
        add_overlap(world, &sum, gap, body[set->a[i]], body[set->b[i]]);
    }
    const grain_contacts *in_bed = world_grain_contacts(world);
    for (int64_t k = 0; k < in_bed->count; ++k) {
        const grain_contact *c = &in_bed->contact[k];
        add_overlap(world, &sum, c->gap, body_slot(&world->bodies, c->a), body_slot(&world->bodies, c->b));
    }
    return (scr_overlap){sum.count > 0 ? sum.sum / (double)sum.count : 0.0, sum.max};
}

// ---- one body ----

scr_status scr_body_contact_force(const scr_world *world, scr_body body, scr_vec3 *force, scr_vec3 *torque,
                                  scr_error *error)
{
    int64_t slot;
    *force = *torque = (scr_vec3){0};
    scr_status status = body_slot_checked(&world->bodies, body, &slot, error);
    if (status != SCR_OK || !world->has_contacts) return status;
    if (slot >= general_bodies(world)) world_show_bodies(world);
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
    double since = world_since_contacts(world);
    scr_vec3 centre = vec3_add_scaled(body_position(&world->bodies, slot), -since, body_velocity(&world->bodies, slot));
    periodic_cell then = world_cells_of_contacts(world);
    for (int64_t i = 0; i < set->count; ++i) {
        bool is_a = c->body[set->a[i]] == slot, is_b = c->body[set->b[i]] == slot;
        if (!is_a && !is_b) continue;
        double side = is_b ? 1.0 : -1.0;
        scr_vec3 f = vec3_scale(side / world->def.time_step, contact_impulse(set, i)),
                 t = vec3_scale(side, contact_torque(world, i));
        scr_vec3 lever = period_offset(&then, vec3_sub(contact_point_of(set, c, i), centre));
        *force = vec3_add(*force, f);
        *torque = vec3_add(*torque, vec3_add(vec3_cross(lever, f), t));
    }
    if (slot >= general_bodies(world)) add_grain_contacts(world, body, force, torque);
    else if (world->grains.is_loaded) add_wall_sums(world, slot, force, torque);
    return SCR_OK;
}
