// SPDX-License-Identifier: BSD-3-Clause
// A world in the middle of a step as a system of contacts.
#include "dynamics/cone/stages/cone_stages.h"
#include "dynamics/cone/stages/plain_contacts.h"
#include "dynamics/cone/system/contact_system.h"
#include "dynamics/mechanism/mechanism_stages.h"
#include "dynamics/world/world.h"

static inline int32_t moved_body(const scr_world *world, int32_t collider)
{
    int32_t body = world->colliders.body[collider];
    return world->bodies.inv_mass[body] > 0.0 ? body : NO_BODY;
}

static inline contact_ends world_ends(const void *owner, int64_t contact)
{
    const scr_world *world = owner;
    const contacts *set = &world->contacts;
    return (contact_ends){moved_body(world, set->a[contact]), moved_body(world, set->b[contact]),
                          contact_is_central(set, contact)};
}

static void world_list_ends(const void *owner, int64_t first, int64_t count, contact_ends *ends)
{
    for (int64_t k = 0; k < count; ++k) ends[k] = world_ends(owner, first + k);
}

static void world_side_bodies(const void *owner, int64_t first, int64_t count, int32_t *body)
{
    const scr_world *world = owner;
    const int32_t *body_of = world->colliders.body + first;
    const double *inv_mass = world->bodies.inv_mass;
    for (int64_t k = 0; k < count; ++k) body[k] = inv_mass[body_of[k]] > 0.0 ? body_of[k] : NO_BODY;
}

static void world_begin(const void *owner, int64_t contact)
{
    const scr_world *world = owner;
    int32_t lanes[PLAIN_LANES];
    int count = next_contacts(contact, contact + 1, lanes);
    plain_masks plain = plain_contacts_among(world, lanes, count);
    if (plain.central != 0) plain_kernels_of(world)->begin(&world->plain.view, lanes, plain.central);
    if (plain.general != 0) general_kernels_of(world)->begin(&world->plain.view, lanes, plain.general);
}

static uint32_t world_rows(const void *owner, const int32_t *contact, int count, grain_bundle *bundle, row_lanes *exact)
{
    const scr_world *world = owner;
    const plain_kernels *kernels = plain_kernels_of(world);
    uint32_t plain = plain_contacts_among(world, contact, count).central;
    int bundles = (count + ROW_LANES - 1) / ROW_LANES;
    kernels->rows(&world->plain.view, &world->contacts, contact, plain, bundles, bundle, exact);
    return plain;
}

enum { LINE = 64 };  // bytes

// Into the second-level cache: the first one has no room for what is not needed at once.
static inline void fetch_lines(const void *array, size_t width, index_range r, bool is_written)
{
    const char *at = (const char *)array + width * (size_t)r.first, *end = (const char *)array + width * (size_t)r.last;
    for (; at < end; at += LINE) {
        if (is_written) __builtin_prefetch(at, 1, 2);
        else __builtin_prefetch(at, 0, 2);
    }
}

// What rows of plain contacts are made from. Grains have one collider each, and nearly always its number.
static void world_fetch(const void *owner, index_range contacts_range, index_range bodies_range)
{
    const scr_world *world = owner;
    const contacts *set = &world->contacts;
    const struct {
        const void *array;
        size_t width;
        bool is_written;
    } by_contact[] =
        {
            {set->a, sizeof *set->a, false},
            {set->b, sizeof *set->b, false},
            {set->kept, sizeof *set->kept, false},
            {world->contact_is_new, sizeof *world->contact_is_new, false},
            {set->impulse, 3 * sizeof *set->impulse, true},
            {set->previous, 3 * sizeof *set->previous, true},
            {set->allowance, sizeof *set->allowance, true},
            {set->spring_share, sizeof *set->spring_share, true},
        },
      by_body[] = {
          {world->motion.body, sizeof *world->motion.body, false},
          {world->colliders.ball, sizeof *world->colliders.ball, false},
          {world->colliders.body, sizeof *world->colliders.body, false},
          {world->bodies.vx, sizeof *world->bodies.vx, false},
          {world->bodies.vy, sizeof *world->bodies.vy, false},
          {world->bodies.vz, sizeof *world->bodies.vz, false},
      };
    for (size_t k = 0; k < sizeof by_contact / sizeof *by_contact; ++k)
        fetch_lines(by_contact[k].array, by_contact[k].width, contacts_range, by_contact[k].is_written);
    for (size_t k = 0; k < sizeof by_body / sizeof *by_body; ++k)
        fetch_lines(by_body[k].array, by_body[k].width, bodies_range, by_body[k].is_written);
}

static uint32_t world_general_rows(const void *owner, const int32_t *contact, int count, general_lanes *rows)
{
    const scr_world *world = owner;
    const general_kernels *kernels = general_kernels_of(world);
    uint32_t plain = plain_contacts_among(world, contact, count).general;
    if (plain != 0) kernels->rows(&world->plain.view, &world->contacts, contact, plain, rows);
    return plain;
}

// The same to the last bit, for whoever wants a row by itself.
static contact_row plain_row(const scr_world *world, int64_t contact)
{
    int32_t lane[ROW_LANES];
    grain_bundle unused;
    row_lanes rows;
    plain_view begun = world->plain.view;
    begun.unbegun = NULL;
    next_contacts(contact, contact + 1, lane);
    plain_kernels_of(world)->rows(&begun, &world->contacts, lane, 0, 1, &unused, &rows);
    return contact_row_of_lane(&rows, 0, world->contacts.has_angular_impulses);
}

static contact_row world_row(const void *owner, int64_t contact)
{
    const scr_world *world = owner;
    if (world->kept_rows.is_open) return world->kept_rows.row[contact];
    return contact_is_plain(world, contact) ? plain_row(world, contact) : contact_row_of(world, contact);
}

double grain_inverse_inertia(const scr_world *world, int64_t body)
{
    const body_inertia *stiffened = stiffened_inertia(&world->mechanisms, body);
    return stiffened != NULL ? stiffened->inv_inertia.m[0][0] : world->bodies.inv_ix[body];
}

static system_body world_body(const void *owner, int64_t i)
{
    const scr_world *world = owner;
    const bodies *b = &world->bodies;
    system_body body = {
        .inv_mass = b->inv_mass[i],
        .length = body_spin_length(b, &world->colliders, i),
        .is_grain = body_is_grain(b, &world->colliders, i),
    };
    if (body.inv_mass == 0.0) return body;
    const body_inertia *stiffened = stiffened_inertia(&world->mechanisms, i);
    if (body.is_grain) {
        double inverse = grain_inverse_inertia(world, i);
        for (int k = 0; k < 3; ++k) body.inv_inertia.m[k][k] = inverse;
    } else if (stiffened != NULL) {
        body.inv_inertia = stiffened->inv_inertia;
    } else {
        body.inv_inertia = mat3_rotated_diagonal(body_rotation(b, i), vec3(b->inv_ix[i], b->inv_iy[i], b->inv_iz[i]));
    }
    return body;
}

static inline body_factors factors_of(const scr_world *world, int64_t i)
{
    const bodies *b = &world->bodies;
    if (body_is_grain(b, &world->colliders, i) && b->inv_mass[i] > 0.0) {
        double length = body_spin_length(b, &world->colliders, i);
        return (body_factors){b->inv_mass[i], length * length * grain_inverse_inertia(world, i)};
    }
    system_body body = world_body(world, i);
    return system_body_factors(&body);
}

static void world_factors(const void *owner, const int32_t *body, int64_t count, body_factors *factors)
{
    for (int64_t k = 0; k < count; ++k) factors[k] = factors_of(owner, body[k]);
}

// The balls of colliders: sweeps ask for nobody's place, and what comes after them for the same places again.
static void *lend_balls(const void *owner, size_t bytes)
{
    const colliders *c = &((const scr_world *)owner)->colliders;
    return bytes <= (size_t)c->table.count * sizeof *c->ball ? c->ball : NULL;
}

static void reclaim_balls(const void *owner)
{
    scr_world *world = ((const scr_world *)owner)->self;
    body_poses poses = world_poses(world);
    colliders_place(&world->colliders, &poses, world->threads, NULL);  // there is memory: they were placed before
}

contact_system world_contact_system(const scr_world *world)
{
    const contacts *set = &world->contacts;
    return (contact_system){
        .owner = world,
        .body_count = world->bodies.table.count,
        .contact_count = set->count,
        .general_count = set->general_count,
        .threads = world->threads,
        .coheres = materials_cohere(&world->materials),
        .ends = world_ends,
        .list_ends = world_list_ends,
        .side_a = set->a,
        .side_b = set->b,
        .side_count = world->colliders.table.count,
        .side_bodies = world_side_bodies,
        .begin = world->plain.is_open && world->plain.view.unbegun != NULL ? world_begin : NULL,
        .row = world_row,
        .rows = world->plain.is_open ? world_rows : NULL,
        .fetch = world_fetch,
        .general_rows = world->plain.is_open ? world_general_rows : NULL,
        .body = world_body,
        .factors = world_factors,
        .impulse = set->impulse,
        .impulse_room = set->capacity,
        .lend = lend_balls,
        .reclaim = reclaim_balls,
        .angular_impulse = set->has_angular_impulses ? set->angular_impulse : NULL,
        .joints = world_joint_system(world),
    };
}

// (1/m) 1 + [l] I^-1 [l]^T
