// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/stages/plain_contacts.h"

#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/joints/mechanism.h"

static scr_status grow(plain_memory *p, const scr_world *world, scr_error *error)
{
    const scr_column columns[] = {{&p->body, sizeof *p->body}, {&p->is_plain, sizeof *p->is_plain}};
    scr_status status = scr_grow_together(columns, sizeof columns / sizeof *columns, &p->body_capacity,
                                          world->bodies.table.count, "contact bodies", error);
    if (status != SCR_OK) return status;
    return scr_grow_anew(&p->curve, &p->curve_capacity, world->colliders.table.count, sizeof *p->curve,
                         "contact bodies", error);
}

static bool turns(const scr_world *world, int64_t i)
{
    const bodies *b = &world->bodies;
    const new_motion *m = &world->motion;
    return b->wx[i] != 0.0 || b->wy[i] != 0.0 || b->wz[i] != 0.0 || m->wx[i] != 0.0 || m->wy[i] != 0.0 ||
           m->wz[i] != 0.0;
}

static contact_body record_of(const scr_world *world, int64_t i, bool is_grain)
{
    const bodies *b = &world->bodies;
    const new_motion *m = &world->motion;
    return (contact_body){
        .v = {m->vx[i], m->vy[i], m->vz[i]},
        .inv_mass = b->inv_mass[i],
        .w = {m->wx[i], m->wy[i], m->wz[i]},
        .radius = is_grain ? world->colliders.radius[b->first_collider[i]] : 0.0,
        .old_v = {b->vx[i], b->vy[i], b->vz[i]},
        .inv_inertia = b->inv_ix[i],
    };
}

static bool some_may_be_plain(const scr_world *world)
{
    return !materials_cohere(&world->materials) && !world_conveys(world) && !world->collider_motion.has_deflections;
}

scr_status plain_contacts_open(scr_world *world, scr_error *error)
{
    plain_memory *p = &world->plain;
    p->is_open = some_may_be_plain(world);
    if (!p->is_open) return SCR_OK;
    scr_status status = grow(p, world, error);
    if (status != SCR_OK) return status;
    const colliders *c = &world->colliders;
#pragma omp parallel num_threads(world->threads)
    {
#pragma omp for schedule(static) nowait
        for (int64_t i = 0; i < world->bodies.table.count; ++i) {
            bool is_grain = body_is_grain(&world->bodies, c, i), is_moved = world->bodies.inv_mass[i] > 0.0;
            p->body[i] = record_of(world, i, is_grain);
            p->is_plain[i] = !body_is_joined(&world->mechanisms, i) && (is_grain || (!is_moved && !turns(world, i)));
        }
#pragma omp for schedule(static)
        for (int64_t k = 0; k < c->table.count; ++k)
            p->curve[k] = (contact_curve){c->radius[k], 1.0 / contact_radius(c, k)};
    }
    p->view = (plain_view){
        .body = p->body,
        .curve = p->curve,
        .body_of = c->body,
        .material = c->material,
        .pair = world->materials.derived,
        .material_count = world->materials.table.count,
        .is_new = world->contact_is_new,
        .hover = world->hover,
        .law = world_step_law(world),
    };
    return SCR_OK;
}

const plain_kernels *plain_kernels_of(const scr_world *world)
{
    return KERNEL_FOR(world->def.instruction_set == SCR_BEST, plain_kernels);
}

bool contact_is_plain(const scr_world *world, int64_t i)
{
    const contacts *set = &world->contacts;
    const plain_memory *p = &world->plain;
    const int32_t *body = world->colliders.body;
    return p->is_open && set->point[i] == ON_CENTRE_LINE && p->is_plain[body[set->a[i]]] &&
           p->is_plain[body[set->b[i]]];
}

uint32_t plain_contacts_among(const scr_world *world, int64_t first, int64_t count)
{
    uint32_t mask = 0;
    for (int k = 0; k < count; ++k) mask |= (uint32_t)contact_is_plain(world, first + k) << k;
    return mask;
}
