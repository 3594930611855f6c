// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/stages/plain_contacts.h"

#include <string.h>

#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/sweeps/problem.h"
#include "dynamics/joints/mechanism.h"

static scr_status grow(plain_memory *p, const scr_world *world, scr_error *error)
{
    scr_status status = scr_grow_anew(&p->is_plain, &p->is_plain_capacity, world->bodies.table.count,
                                      sizeof *p->is_plain, "contact bodies", error);
    if (status != SCR_OK || world->contacts.general_count == 0) return status;
    status = scr_grow_anew(&p->inertia, &p->inertia_capacity, world->bodies.table.count, sizeof *p->inertia,
                           "contact bodies", error);
    if (status != SCR_OK) return status;
    return scr_grow_anew(&p->curve, &p->curve_capacity, world->colliders.table.count, sizeof *p->curve,
                         "contact bodies", error);
}

static bool turns(const scr_world *world, int64_t i)
{
    const bodies *b = &world->bodies;
    scr_vec3 w = new_twist(&world->motion, i).w;
    return b->wx[i] != 0.0 || b->wy[i] != 0.0 || b->wz[i] != 0.0 || w.x != 0.0 || w.y != 0.0 || w.z != 0.0;
}

static void set_place(contact_inertia *to, const scr_world *world, int64_t i, bool is_grain)
{
    scr_vec3 at = body_position(&world->bodies, i), w = is_grain ? (scr_vec3){0} : body_spin(&world->bodies, i);
    *to = (contact_inertia){.at = {at.x, at.y, at.z}, .old_w = {w.x, w.y, w.z}};
}

static void set_root(contact_inertia *to, const contact_system *system, int64_t i)
{
    system_body body = system->body(system->owner, i);
    if (body.inv_mass == 0.0) return;
    mat3 root = system_body_root(&body);
    const double upper[6] = {root.m[0][0], root.m[0][1], root.m[0][2], root.m[1][1], root.m[1][2], root.m[2][2]};
    memcpy(to->root, upper, sizeof upper);
    to->factor = system_body_factors(&body).s;
}

static bool some_may_be_plain(const scr_world *world)
{
    return !materials_cohere(&world->materials) && !world_conveys(world) && !world->collider_motion.has_deflections;
}

// Contacts off the centre line that are plain: their kernels know no images.
static bool some_are_general(const scr_world *world)
{
    return world->contacts.general_count > 0 && !world->contacts.has_angular_impulses && !world->colliders.period.any;
}

// Where few bodies have contacts, those alone need records.
static bool few_are_touched(const scr_world *world) { return 2 * world->contacts.count < world->bodies.table.count; }

// Several threads may mark the same body: with the same mark.
static void mark_touched(const scr_world *world)
{
    const contacts *set = &world->contacts;
    const int32_t *body = world->colliders.body;
    uint8_t *mark = world->plain.is_plain;
    memset(mark, 0, (size_t)world->bodies.table.count);
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (int64_t i = 0; i < set->count; ++i) {
        __atomic_store_n(&mark[body[set->a[i]]], PLAIN_TOUCHED, __ATOMIC_RELAXED);
        __atomic_store_n(&mark[body[set->b[i]]], PLAIN_TOUCHED, __ATOMIC_RELAXED);
    }
}

// Whether its contacts may be plain, on the centre line.
static bool open_body(scr_world *world, int64_t i, bool some_general)
{
    plain_memory *p = &world->plain;
    bool is_grain = body_is_grain(&world->bodies, &world->colliders, i), is_moved = world->bodies.inv_mass[i] > 0.0;
    bool is_loose = !body_is_joined(&world->mechanisms, i),
         is_central = is_loose && (is_grain || (!is_moved && !turns(world, i)));
    p->is_plain[i] =
        (uint8_t)((is_central ? PLAIN_CENTRAL : 0) | (is_loose && some_general ? PLAIN_GENERAL : 0) | PLAIN_TOUCHED);
    if (some_general) set_place(&p->inertia[i], world, i, is_grain);
    return is_central;
}

static void open_collider(scr_world *world, int64_t k)
{
    const colliders *c = &world->colliders;
    world->plain.curve[k] = (contact_curve){
        .radius = c->radius[k], .curvature = 1.0 / contact_radius(c, k), .thrown = thrown_size(world, k)};
}

scr_status plain_contacts_open(scr_world *world, scr_error *error)
{
    plain_memory *p = &world->plain;
    p->is_open = some_may_be_plain(world);
    if (!p->is_open) return SCR_OK;
    scr_status status = grow(p, world, error);
    if (status != SCR_OK) return status;
    bool some_general = some_are_general(world), few = few_are_touched(world),
         all_are_plain = world->contacts.general_count == 0 && !period_moves(&world->colliders.period);
    int64_t curves = some_general ? world->colliders.table.count : 0;
    if (few) mark_touched(world);
#pragma omp parallel num_threads(world->threads) reduction(&& : all_are_plain)
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < world->bodies.table.count; ++i)
            if (!few || p->is_plain[i] != 0) all_are_plain = open_body(world, i, some_general) && all_are_plain;
#pragma omp for schedule(static)
        for (int64_t k = 0; k < curves; ++k)
            if (!few || p->is_plain[world->colliders.body[k]] != 0) open_collider(world, k);
    }
    p->all_are_plain = all_are_plain;
    p->view = (plain_view){
        .body = world->motion.body,
        .old_v = {world->bodies.vx, world->bodies.vy, world->bodies.vz},
        .inertia = p->inertia,
        .curve = p->curve,
        .colliders = &world->colliders,
        .pair = world->materials.derived,
        .material_count = world->materials.table.count,
        .is_new = world->contact_is_new,
        .hover = world->has_hover ? world->hover : NULL,
        .law = world_step_law(world),
    };
    return SCR_OK;
}

void plain_contacts_open_rows(scr_world *world)
{
    if (!world->plain.is_open || !some_are_general(world)) return;
    contact_system system = world_contact_system(world);
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (int64_t i = 0; i < world->bodies.table.count; ++i)
        if (!few_are_touched(world) || world->plain.is_plain[i] != 0) set_root(&world->plain.inertia[i], &system, i);
}

const plain_kernels *plain_kernels_of(const scr_world *world)
{
    return KERNEL_TO_AVX512_FOR(world->def.instruction_set == SCR_BEST, plain_kernels);
}

const general_kernels *general_kernels_of(const scr_world *world)
{
    return KERNEL_FOR(world->def.instruction_set == SCR_BEST, general_kernels);
}

static bool both_may(const scr_world *world, int64_t i, uint8_t bit)
{
    const plain_memory *p = &world->plain;
    const int32_t *body = world->colliders.body;
    if (!p->is_open) return false;
    if (p->all_are_plain) return bit == PLAIN_CENTRAL;
    return (p->is_plain[body[world->contacts.a[i]]] & p->is_plain[body[world->contacts.b[i]]] & bit) != 0;
}

bool contact_is_plain(const scr_world *world, int64_t i)
{
    return contact_is_central(&world->contacts, i) && both_may(world, i, PLAIN_CENTRAL) &&
           !contact_crosses_moving_seam(&world->contacts, &world->colliders, i);
}

bool contact_is_plain_general(const scr_world *world, int64_t i)
{
    return !contact_is_central(&world->contacts, i) && both_may(world, i, PLAIN_GENERAL);
}

plain_masks plain_contacts_among(const scr_world *world, const int32_t *contact, int count)
{
    plain_masks masks = {0};
    if (world->plain.is_open && world->plain.all_are_plain) return (plain_masks){.central = UINT32_MAX >> (32 - count)};
    for (int k = 0; k < count; ++k) {
        masks.central |= (uint32_t)contact_is_plain(world, contact[k]) << k;
        masks.general |= (uint32_t)contact_is_plain_general(world, contact[k]) << k;
    }
    return masks;
}
