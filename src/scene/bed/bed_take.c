// SPDX-License-Identifier: BSD-3-Clause
// A bed out of a world.
#include <stdio.h>
#include <string.h>

#include "core/arrays/radix_sort.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"
#include "scene/bed/bed_world.h"

enum { NOT_TAKEN = -1 };

// What becomes of the world's bodies, shapes and materials.
typedef struct renumbering {
    int64_t grain_count, shape_count;
    int32_t *slot;              // (grain count) the body of a grain
    int32_t *shape;             // (collider count) the shape of a collider, or NOT_TAKEN
    int32_t *material;          // (material count) likewise
    int32_t *hull;              // (surface count) likewise
    bool has_frames, is_mixed;  // some grain is of several materials
    bool has_hulls;
} renumbering;

static bool is_taken(const scr_world *world, const bed_choice *choice, int64_t i)
{
    const bodies *b = &world->bodies;
    if (b->kind[i] != SCR_DYNAMIC || b->is_joined[i] || b->collider_count[i] == 0) return false;
    if (choice->group == 0) return b->id[i] > choice->listed;
    return (world->colliders.group[b->first_collider[i]] & choice->group) != 0;
}

// In the order in which they were made.
static scr_status choose(const scr_world *world, const bed_choice *choice, renumbering *r, scr_error *error)
{
    int64_t n = world->bodies.table.count;
    scr_arena arena = {0};
    scr_status status =
        scr_arena_reserve(&arena, scr_arena_bytes(sizeof(uint64_t), n) + scr_radix_sort_bytes(n), "a bed", error);
    if (status != SCR_OK) return status;
    scr_arena scratch = arena;
    uint64_t *id = scr_arena_array(&scratch, sizeof *id, n);
    for (int64_t i = 0; i < n; ++i) {
        if (!is_taken(world, choice, i)) continue;
        id[r->grain_count] = world->bodies.id[i];
        r->slot[r->grain_count++] = (int32_t)i;
    }
    scr_radix_sort(id, (uint32_t *)r->slot, r->grain_count, scr_bits_for((int64_t)world->bodies.next_id), scratch, 1);
    scr_arena_free(&arena);
    return SCR_OK;
}

static scr_status check_grain(const scr_world *world, int64_t body, scr_error *error)
{
    const colliders *c = &world->colliders;
    int32_t first = world->bodies.first_collider[body];
    for (int32_t k = first; k < first + world->bodies.collider_count[body]; ++k) {
        if (c->kind[k] > SCR_HULL)
            return scr_fail(error, SCR_BAD_INPUT,
                            "body %llu has a mesh or a sphere set: a bed holds spheres, ellipsoids, boxes, capsules, "
                            "cylinders, cones, hulls and bodies of several of them",
                            (unsigned long long)world->bodies.id[body]);
    }
    return SCR_OK;
}

static scr_status number_shapes(const scr_world *world, renumbering *r, scr_error *error)
{
    const colliders *c = &world->colliders;
    for (int64_t k = 0; k < c->table.count; ++k) r->shape[k] = NOT_TAKEN;
    for (int64_t m = 0; m < world->materials.table.count; ++m) r->material[m] = NOT_TAKEN;
    for (int64_t i = 0; i < r->grain_count; ++i) {
        int32_t body = r->slot[i], first = world->bodies.first_collider[body];
        scr_status status = check_grain(world, body, error);
        if (status != SCR_OK) return status;
        for (int32_t k = first; k < first + world->bodies.collider_count[body]; ++k) {
            r->material[c->material[k]] = 0;
            r->is_mixed = r->is_mixed || c->material[k] != c->material[first];
            r->shape[k] = (int32_t)r->shape_count++;
            r->has_frames = r->has_frames || c->place[k] != NO_PLACE;
            r->has_hulls = r->has_hulls || c->kind[k] == SCR_HULL;
        }
    }
    return SCR_OK;
}

static scr_status take_materials(const scr_world *world, const bed_choice *choice, renumbering *r, bed *b,
                                 scr_error *error)
{
    scr_status status = table_reserve(&b->materials, world->materials.table.count, error);
    for (int64_t m = 0; status == SCR_OK && m < world->materials.table.count; ++m) {
        if (r->material[m] == NOT_TAKEN) continue;
        int64_t k = b->materials.count++;
        scr_material_def def = materials_def(&world->materials, m);
        r->material[m] = (int32_t)k;
        memset(b->name[k], 0, sizeof b->name[k]);
        snprintf(b->name[k], sizeof b->name[k], "%s", choice->material[m]);
        b->density[k] = def.density, b->young[k] = def.young, b->poisson[k] = def.poisson;
        b->friction[k] = def.friction, b->restitution[k] = def.restitution;
        b->rolling_friction[k] = def.rolling_friction, b->spinning_friction[k] = def.spinning_friction;
        b->cohesion[k] = def.cohesion, b->surface_energy[k] = def.surface_energy;
    }
    return status;
}

// The hulls of grains, in the order in which they are met.
static scr_status take_hulls(const scr_world *world, renumbering *r, bed *b, scr_error *error)
{
    const colliders *c = &world->colliders;
    scr_status status = r->has_hulls ? table_reserve(&b->shape_hulls, r->shape_count, error) : SCR_OK;
    if (status != SCR_OK || !r->has_hulls) return status;
    b->shape_hulls.count = r->shape_count;
    for (int64_t i = 0; i < world->surfaces.table.count; ++i) r->hull[i] = NOT_TAKEN;
    for (int64_t k = 0; k < c->table.count && status == SCR_OK; ++k) {
        if (r->shape[k] == NOT_TAKEN) continue;
        b->shape_hull[r->shape[k]] = NO_HULL;
        if (c->kind[k] != SCR_HULL) continue;
        int32_t surface = c->places.surface[c->place[k]];
        if (r->hull[surface] == NOT_TAKEN) {
            r->hull[surface] = (int32_t)b->hulls.table.count;
            status = surfaces_add_copy(&b->hulls, &world->surfaces, surface, error);
        }
        b->shape_hull[r->shape[k]] = r->hull[surface];
    }
    return status;
}

static void take_shape(const colliders *c, int64_t k, bed *b, int64_t at, int64_t grain)
{
    int32_t p = c->place[k];
    b->grain[at] = (int32_t)grain;
    b->kind[at] = c->kind[k];
    b->radius[at] = c->radius[k];
    if (!bed_has_frames(b)) return;
    b->shape_position[at] = vec3(0.0, 0.0, 0.0), b->shape_rotation[at] = QUAT_IDENTITY;
    b->half[at] = vec3(0.0, 0.0, 0.0);
    if (p == NO_PLACE) return;
    pose frame = collider_frame_pose(c, p);
    const double *half = c->places.half + 3 * p;
    b->shape_position[at] = frame.position, b->shape_rotation[at] = frame.rotation;
    b->half[at] = vec3(half[0], half[1], half[2]);
    if (b->kind[at] != SCR_SPHERE) b->radius[at] = half[0];
}

static scr_status take_grains(const scr_world *world, const renumbering *r, bed *b, scr_error *error)
{
    const bodies *from = &world->bodies;
    const colliders *c = &world->colliders;
    int64_t at = 0;
    scr_status status = table_reserve(&b->grains, r->grain_count, error);
    if (status == SCR_OK) status = table_reserve(&b->shapes, r->shape_count, error);
    if (status == SCR_OK && r->has_frames) status = table_reserve(&b->frames, r->shape_count, error);
    if (status == SCR_OK && r->is_mixed) status = table_reserve(&b->shape_materials, r->shape_count, error);
    if (status != SCR_OK) return status;
    b->grains.count = r->grain_count;
    b->shapes.count = r->shape_count;
    b->frames.count = r->has_frames ? r->shape_count : 0;
    b->shape_materials.count = r->is_mixed ? r->shape_count : 0;
    for (int64_t i = 0; i < r->grain_count; ++i) {
        int32_t k = r->slot[i], first = from->first_collider[k];
        b->position[i] = period_wrapped(&c->period, body_position(from, k));
        b->rotation[i] = body_rotation(from, k);
        b->velocity[i] = body_velocity(from, k);
        b->spin[i] = vec3(from->wx[k], from->wy[k], from->wz[k]);
        b->mass[i] = 1.0 / from->inv_mass[k];
        b->inertia[i] = vec3(1.0 / from->inv_ix[k], 1.0 / from->inv_iy[k], 1.0 / from->inv_iz[k]);
        b->material[i] = (uint16_t)r->material[c->material[first]];
        for (int32_t s = first; s < first + from->collider_count[k]; ++s) {
            if (r->is_mixed) b->shape_material[at] = (uint16_t)r->material[c->material[s]];
            take_shape(c, s, b, at++, i);
        }
    }
    return SCR_OK;
}

static void copy3f(float *to, int64_t i, const float *from, int64_t k)
{
    memcpy(to + 3 * i, from + 3 * k, 3 * sizeof *to);
}
static void copy3(double *to, int64_t i, const double *from, int64_t k)
{
    memcpy(to + 3 * i, from + 3 * k, 3 * sizeof *to);
}

static scr_status take_contacts(const scr_world *world, const renumbering *r, bed *b, scr_error *error)
{
    const contact_cache *from = &world->cache;
    int64_t count = 0;
    for (int64_t k = 0; k < from->table.count; ++k)
        count += r->shape[from->a[k]] != NOT_TAKEN && r->shape[from->b[k]] != NOT_TAKEN;
    bool rolls = from->angular_impulses.count > 0;
    table *history = from->keeps_history ? &b->penalty_history : &b->cone_history;
    scr_status status = table_reserve(&b->contacts, count, error);
    if (status == SCR_OK) status = table_reserve(history, count, error);
    if (status == SCR_OK && rolls) status = table_reserve(&b->angular_history, count, error);
    if (status != SCR_OK) return status;
    b->contacts.count = history->count = count;
    b->angular_history.count = rolls ? count : 0;
    for (int64_t k = 0, i = 0; k < from->table.count; ++k) {
        int32_t s = r->shape[from->a[k]], t = r->shape[from->b[k]];
        if (s == NOT_TAKEN || t == NOT_TAKEN) continue;
        b->a[i] = s, b->b[i] = t;
        b->feature[i] = from->feature[k];
        copy3f(b->impulse, i, from->impulse, k);
        if (rolls) copy3f(b->angular_impulse, i, from->angular_impulse, k);
        if (from->keeps_history) {
            copy3(b->spring, i, from->spring, k);
            copy3(b->roll, i, from->roll, k);
            b->in_touch[i] = from->in_touch[k];
        } else {
            copy3f(b->previous, i, from->previous, k);
            b->allowance[i] = from->allowance[k];
        }
        ++i;
    }
    return SCR_OK;
}

static void take_about(const scr_world *world, bed *b)
{
    b->law = (uint32_t)world->def.contact.law;
    b->time_step = world->def.time_step;
    b->step_count = world->step_count;
    memcpy(b->cell_low, world->colliders.period.low, sizeof b->cell_low);
    memcpy(b->cell_length, world->colliders.period.length, sizeof b->cell_length);
}

scr_status bed_take(scr_world *world, const bed_choice *choice, bed *b, scr_error *error)
{
    renumbering r = {0};
    const periodic_cell *p = &world->colliders.period;
    if (period_moves(p))
        return scr_fail(error, SCR_BAD_INPUT, "no bed can be taken from a space that is %s",
                        p->is_sheared ? "sheared" : "stretched");
    world_show_state(world);
    scr_status status = scr_make_zeros(&r.slot, world->bodies.table.count, sizeof *r.slot, "a bed", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&r.shape, world->colliders.table.count, sizeof *r.shape, "a bed", error);
    if (status == SCR_OK)
        status = scr_make_zeros(&r.material, world->materials.table.count, sizeof *r.material, "a bed", error);
    if (status == SCR_OK) status = scr_make_zeros(&r.hull, world->surfaces.table.count, sizeof *r.hull, "a bed", error);
    if (status == SCR_OK) status = choose(world, choice, &r, error);
    if (status == SCR_OK) status = number_shapes(world, &r, error);
    if (status == SCR_OK) status = take_materials(world, choice, &r, b, error);
    if (status == SCR_OK) status = take_grains(world, &r, b, error);
    if (status == SCR_OK) status = take_hulls(world, &r, b, error);
    if (status == SCR_OK) status = take_contacts(world, &r, b, error);
    if (status == SCR_OK) take_about(world, b);
    scr_free(r.slot);
    scr_free(r.shape);
    scr_free(r.material);
    scr_free(r.hull);
    return status;
}
