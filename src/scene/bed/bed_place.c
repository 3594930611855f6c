// SPDX-License-Identifier: BSD-3-Clause
// A bed into a world: its grains become the world's last bodies, its contacts entries of the contact cache.
#include <math.h>
#include <string.h>

#include "dynamics/world/world.h"
#include "scene/bed/bed_world.h"

// Lengths of cells that differ by less, relative to them, are the same.
static const double SAME_LENGTH = 1e-12;

typedef struct placing {
    const bed *bed;
    scr_vec3 offset;
    const scr_material *material;
    scr_world *world;
    int64_t first_body, first_collider;  // those of grain 0 and shape 0
    scr_vec3 *position;                  // m, scratch for runs of spheres
    scr_surface *hull;                   // of each that the bed has, in the world
    scr_shape *shape;                    // scratch for one body
    int64_t shape_capacity;
} placing;

// Is the grain whose first shape this is one sphere about its centre, and as easily turned about all axes?
static bool is_plain(const bed *b, int64_t shape)
{
    int32_t grain = b->grain[shape];
    scr_vec3 inertia = b->inertia[grain];
    if (inertia.x != inertia.y || inertia.y != inertia.z) return false;
    if (!bed_has_frames(b)) return true;
    bool is_only = shape + 1 == b->shapes.count || b->grain[shape + 1] != grain;
    return is_only && b->kind[shape] == SCR_SPHERE && vec3_norm(b->shape_position[shape]) == 0.0;
}

// What a grain's density in the world is over the one it had.
static double density_ratio(const placing *p, int64_t grain)
{
    uint16_t m = p->bed->material[grain];
    return p->world->materials.density[p->material[m].index1 - 1] / p->bed->density[m];
}

// Do the materials of all shapes of a grain change their density alike? Else its mass is that of its shapes here.
static bool has_one_ratio(const placing *p, int64_t shape, int64_t count, double ratio)
{
    for (int64_t k = shape; k < shape + count; ++k) {
        uint16_t m = bed_shape_material(p->bed, k);
        double own = p->world->materials.density[p->material[m].index1 - 1] / p->bed->density[m];
        if (fabs(own - ratio) > 1e-12 * ratio) return false;
    }
    return true;
}

// Spheres of one material that follow one another, from a grain and its shape on.
static scr_status add_run(placing *p, int64_t *grain, int64_t *shape, scr_error *error)
{
    const bed *b = p->bed;
    int64_t first = *grain, count = 0;
    while (first + count < b->grains.count && is_plain(b, *shape + count) &&
           b->material[first + count] == b->material[first])
        ++count;
    for (int64_t i = 0; i < count; ++i) p->position[i] = vec3_add(b->position[first + i], p->offset);
    scr_status status = scr_world_add_spheres(p->world, count, p->position, b->radius + *shape, b->velocity + first,
                                              p->material[b->material[first]], NULL, error);
    if (status != SCR_OK) return status;
    bodies *to = &p->world->bodies;
    for (int64_t i = first; i < first + count; ++i) {
        int64_t k = p->first_body + i;
        double ratio = density_ratio(p, i);
        double mass = ratio * b->mass[i], inertia = ratio * b->inertia[i].x;
        if (!(mass > 0.0 && inertia > 0.0) || !isfinite(mass) || !isfinite(inertia))
            return scr_fail(error, SCR_BAD_INPUT, "grain %lld would have a mass of %g kg", (long long)i + 1, mass);
        body_put(to, k, (pose){p->position[i - first], b->rotation[i]}, b->velocity[i], b->spin[i]);
        to->inv_mass[k] = 1.0 / mass;
        to->inv_ix[k] = to->inv_iy[k] = to->inv_iz[k] = 1.0 / inertia;
    }
    *grain += count;
    *shape += count;
    return SCR_OK;
}

// Any other grain.
static scr_status add_body(placing *p, int64_t *grain, int64_t *shape, scr_error *error)
{
    const bed *b = p->bed;
    int64_t i = *grain, count = 0;
    scr_body body;
    while (*shape + count < b->shapes.count && b->grain[*shape + count] == i) ++count;
    scr_status status = scr_grow(&p->shape, &p->shape_capacity, count, sizeof *p->shape, "shapes of a grain", error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < count; ++k) {
        int64_t s = *shape + k;
        p->shape[k] = (scr_shape){.kind = (scr_shape_kind)b->kind[s],
                                  .material = p->material[bed_shape_material(b, s)],
                                  .rotation = QUAT_IDENTITY,
                                  .radius = b->radius[s]};
        if (!bed_has_frames(b)) continue;
        p->shape[k].position = b->shape_position[s], p->shape[k].rotation = b->shape_rotation[s];
        p->shape[k].half = b->half[s];
        if (b->kind[s] == SCR_HULL) p->shape[k].surface = p->hull[b->shape_hull[s]];
    }
    scr_body_def def = scr_default_body_def();
    double ratio = density_ratio(p, i);
    def.position = vec3_add(b->position[i], p->offset);
    def.rotation = b->rotation[i];
    def.velocity = b->velocity[i];
    def.spin = quat_rotate(b->rotation[i], b->spin[i]);
    def.shapes = p->shape;
    def.shape_count = (int)count;
    if (has_one_ratio(p, *shape, count, ratio)) {
        def.mass = ratio * b->mass[i];
        def.inertia = vec3_scale(ratio, b->inertia[i]);
    }
    status = scr_world_add_body(p->world, &def, &body, error);
    ++*grain;
    *shape += count;
    return status;
}

// Those that grains have: a bed that was cut may hold more.
static scr_status add_hulls(placing *p, scr_error *error)
{
    const bed *b = p->bed;
    scr_status status = scr_make_zeros(&p->hull, b->hulls.table.count, sizeof *p->hull, "hulls of a bed", error);
    for (int64_t s = 0; s < b->shape_hulls.count && status == SCR_OK; ++s) {
        int32_t i = b->shape_hull[s];
        if (i == NO_HULL || p->hull[i].index1 != 0) continue;
        status = surfaces_add_copy(&p->world->surfaces, &b->hulls, i, error);
        p->hull[i] = (scr_surface){(uint32_t)p->world->surfaces.table.count};
    }
    return status;
}

static scr_status add_grains(placing *p, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t grain = 0, shape = 0; status == SCR_OK && grain < p->bed->grains.count;) {
        if (is_plain(p->bed, shape)) status = add_run(p, &grain, &shape, error);
        else status = add_body(p, &grain, &shape, error);
    }
    return status;
}

// ---- contacts ------------------------------------------------------------------------------------------------------

// A contact across a seam is one in the world as well if it repeats itself alike along that axis.
static bool crosses_open_seam(const placing *p, const periodic_cell *cell, int64_t contact)
{
    const periodic_cell *space = &p->world->colliders.period;
    cell_steps crossing = bed_contact_crossing(p->bed, cell, contact);
    for (int axis = 0; axis < 3; ++axis) {
        double length = cell->length[axis];
        if (crossing.along[axis] != 0 && fabs(space->length[axis] - length) > SAME_LENGTH * length) return true;
    }
    return false;
}

static void put3f(float *to, int64_t i, double scale, const float *from, int64_t k)
{
    for (int axis = 0; axis < 3; ++axis) to[3 * i + axis] = (float)(scale * (double)from[3 * k + axis]);
}
static void put3(double *to, int64_t i, double sign, const double *from, int64_t k)
{
    for (int axis = 0; axis < 3; ++axis) to[3 * i + axis] = sign * from[3 * k + axis];
}

// Entry i of the cache from contact k. Impulses are those of the world's step. sign: -1 if the two change places.
static void put_contact(const placing *p, int64_t i, int64_t k, double sign)
{
    const bed *b = p->bed;
    contact_cache *to = &p->world->cache;
    double scale = sign * p->world->def.time_step / b->time_step;
    int32_t a = (int32_t)(p->first_collider + b->a[k]), other = (int32_t)(p->first_collider + b->b[k]);
    to->a[i] = sign > 0.0 ? a : other;
    to->b[i] = sign > 0.0 ? other : a;
    to->feature[i] = b->feature[k];
    put3f(to->impulse, i, scale, b->impulse, k);
    if (to->angular_impulses.count > 0) {
        bool knows = b->angular_history.count > 0;
        put3f(to->angular_impulse, i, knows ? scale : 0.0, knows ? b->angular_impulse : b->impulse, k);
    }
    if (to->keeps_history) {
        put3(to->spring, i, sign, b->spring, k);
        put3(to->roll, i, sign, b->roll, k);
        to->in_touch[i] = b->in_touch[k];
    } else {
        bool knows = b->cone_history.count > 0;
        put3f(to->previous, i, scale, knows ? b->previous : b->impulse, k);
        to->allowance[i] = knows ? b->allowance[k] : 0.0f;
    }
}

// By owner, as the world wants it.
static scr_status sort_cache(scr_world *world, scr_error *error)
{
    scr_arena scratch = {0};
    scr_status status =
        contact_cache_renumber(&world->cache, NULL, world->colliders.table.count, &scratch, world->threads, error);
    scr_arena_free(&scratch);
    return status;
}

static scr_status add_contacts(placing *p, scr_error *error)
{
    const bed *b = p->bed;
    const colliders *c = &p->world->colliders;
    contact_cache *to = &p->world->cache;
    periodic_cell cell = bed_cell(b);
    if (to->keeps_history && b->penalty_history.count == 0) return SCR_OK;  // the other law kept nothing of use
    scr_status status = contact_cache_grow(to, b->contacts.count, b->angular_history.count > 0, error);
    for (int64_t k = 0; status == SCR_OK && k < b->contacts.count; ++k) {
        int64_t i = p->first_collider + b->a[k], j = p->first_collider + b->b[k];
        bool owns = collider_owns(c, i, j), are_spheres = c->place[i] == NO_PLACE && c->place[j] == NO_PLACE;
        // Two spheres may change places. What a feature of other shapes means depends on who owns the contact.
        if (crosses_open_seam(p, &cell, k) || (!owns && !are_spheres)) continue;
        put_contact(p, to->table.count++, k, owns ? 1.0 : -1.0);
    }
    if (status == SCR_OK && to->angular_impulses.count > 0) to->angular_impulses.count = to->table.count;
    return status == SCR_OK ? sort_cache(p->world, error) : status;
}

scr_status bed_place(const bed *b, scr_vec3 offset, const scr_material *material, scr_world *world, scr_error *error)
{
    placing p = {.bed = b,
                 .offset = offset,
                 .material = material,
                 .world = world,
                 .first_body = world->bodies.table.count,
                 .first_collider = world->colliders.table.count};
    scr_status status = scr_make_zeros(&p.position, b->grains.count, sizeof *p.position, "grains of a bed", error);
    if (status == SCR_OK) status = add_hulls(&p, error);
    if (status == SCR_OK) status = add_grains(&p, error);
    if (status == SCR_OK) status = add_contacts(&p, error);
    scr_free(p.position);
    scr_free(p.hull);
    scr_free(p.shape);
    return status;
}
