// SPDX-License-Identifier: BSD-3-Clause
// Grains of the bed that have something else near: they are shown to the general stages, and pushed by them.
#include <string.h>

#include "core/arrays/radix_sort.h"
#include "core/base/threads.h"
#include "dynamics/detection/detection.h"
#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

static const double BORDER_MARGIN = 0.2;  // of the radius: as far as a grain may go before the border is found anew

// The general stages read a grain at the midpoint, as they left it there for the bodies they move themselves.
static void show_grain(scr_world *world, int64_t i)
{
    const grain_bed *bed = &world->grains.bed;
    const grain_record *g = grain_motion(bed, i);
    bodies *b = &world->bodies;
    midpoint_state *midpoint = &world->penalty.midpoint;
    new_motion *m = &world->motion;
    scr_vec3 at = grain_midpoint(bed, i, world->def.time_step);
    midpoint->x[i] = at.x, midpoint->y[i] = at.y, midpoint->z[i] = at.z;
    midpoint->qw[i] = 1.0, midpoint->qx[i] = midpoint->qy[i] = midpoint->qz[i] = 0.0;
    twist t = {{g->v[0], g->v[1], g->v[2]}, {g->w[0], g->w[1], g->w[2]}};
    midpoint->wx[i] = t.w.x, midpoint->wy[i] = t.w.y, midpoint->wz[i] = t.w.z;
    b->vx[i] = t.v.x, b->vy[i] = t.v.y, b->vz[i] = t.v.z;
    motion_set_twist(&m->body[i], t);
    world->colliders.ball[bed->collider[i]] = (ball){at.x, at.y, at.z, g->radius};
}

static void show_border(scr_world *world)
{
    const grain_world *g = &world->grains;
#pragma omp parallel for num_threads(loop_threads(g->border_count, world->threads)) schedule(static)
    for (int64_t k = 0; k < g->border_count; ++k) show_grain(world, g->border[k]);
}

static scr_status grow_border(grain_world *g, int64_t count, int64_t body_count, scr_error *error)
{
    const char *what = "grains at the border of the bed";
    scr_status status = scr_grow(&g->border, &g->border_capacity, count, sizeof *g->border, what, error);
    if (status == SCR_OK)
        status =
            scr_grow(&g->border_number, &g->border_number_capacity, body_count, sizeof *g->border_number, what, error);
    if (status == SCR_OK)
        status =
            scr_grow(&g->watched, &g->watched_capacity, g->collider_count + count, sizeof *g->watched, what, error);
    return status;
}

// Grains whose row is not empty, and those in the rows of others: every pair in the lists has a collider outside the
// bed.
static scr_status list_border(scr_world *world, scr_error *error)
{
    grain_world *g = &world->grains;
    const neighbours *list = &world->neighbours;
    int64_t n = world->bodies.table.count, count = 0;
    scr_status status = grow_border(g, 0, n, error);
    if (status != SCR_OK) return status;
    memset(g->border_number, 0, (size_t)n * sizeof *g->border_number);
    for (int64_t k = 0; k < list->start[g->collider_count]; ++k)
        g->border_number[world->colliders.body[list->other[k]]] = 1;
    for (int64_t i = g->body_count; i < n; ++i) {
        int64_t k = g->bed.collider[i];
        if (list->start[k + 1] > list->start[k]) g->border_number[i] = 1;
        count += g->border_number[i];
    }
    status = grow_border(g, count + count / 4, n, error);
    if (status != SCR_OK) return status;
    g->border_count = 0;
    g->watched_count = g->collider_count;
    for (int64_t k = 0; k < g->collider_count; ++k) g->watched[k] = (int32_t)k;
    for (int64_t i = g->body_count; i < n; ++i) {
        if (!g->border_number[i]) continue;
        g->border_number[i] = (int32_t)g->border_count;
        g->border[g->border_count++] = (int32_t)i;
        g->watched[g->watched_count++] = g->bed.collider[i];
    }
    return SCR_OK;
}

static scr_status mark_walls(scr_world *world, scr_error *error)
{
    grain_world *g = &world->grains;
    int64_t n = world->colliders.table.count;
    scr_status status = scr_grow_anew(&g->is_wall, &g->is_wall_capacity, n, 1, "walls of the bed", error);
    if (status != SCR_OK) return status;
    memset(g->is_wall, 0, (size_t)n);
    for (int32_t w = 0; w < g->bed.walls.count; ++w) g->is_wall[g->bed.walls.wall[w].collider] = 1;
    return SCR_OK;
}

static scr_status find_border(scr_world *world, scr_error *error)
{
    grain_world *g = &world->grains;
    g->has_border = false;
#pragma omp parallel for num_threads(world->threads) schedule(static)
    for (int64_t i = g->body_count; i < world->bodies.table.count; ++i) show_grain(world, i);
    measure_motion(world, NULL, world->colliders.table.count);
    widen_margins(world, g->collider_count, BORDER_MARGIN);
    neighbours_invalidate(&world->neighbours);
    scr_status status = mark_walls(world, error);
    if (status != SCR_OK) return status;
    world->neighbours.without_grain_pairs = true;
    world->neighbours.is_wall = g->is_wall;
    neighbour_motion motion = world_neighbour_motion(world);
    status = neighbours_update(&world->neighbours, &world->colliders, &motion, world->threads, error);
    world->neighbours.without_grain_pairs = false;
    world->neighbours.is_wall = NULL;
    if (status == SCR_OK) status = list_border(world, error);
    if (status != SCR_OK) return status;
    g->has_border = true;
    g->border_travel = 0.0;
    return SCR_OK;
}

scr_status find_pairs_outside_bed(scr_world *world, scr_error *error)
{
    grain_world *g = &world->grains;
    scr_status status = begin_pairs(world, error);
    if (status != SCR_OK) return status;
    if (!g->has_border) return find_border(world, error);
    if (g->collider_count == g->bed.walls.count) return SCR_OK;  // nothing else that a grain could come near
    if (g->border_travel > 0.9 * BORDER_MARGIN * g->bed.least_radius) return find_border(world, error);
    show_border(world);
    measure_motion(world, g->watched, g->watched_count);
    neighbour_motion motion = world_neighbour_motion(world);
    motion.watched = g->watched;
    motion.watched_count = g->watched_count;
    if (neighbours_are_complete(&world->neighbours, &world->colliders, &motion, world->threads)) return SCR_OK;
    return find_border(world, error);
}

// ---- pushes ----

static void set_push(grain_push *to, int32_t slot, scr_vec3 force, scr_vec3 torque)
{
    *to = (grain_push){slot, {force.x, force.y, force.z}, {torque.x, torque.y, torque.z}};
}

// What contacts do to border grains: those they own, then those of which they are side b.
static void collect_contacts(scr_world *world)
{
    grain_world *g = &world->grains;
    const contacts *set = &world->contacts;
    const colliders *c = &world->colliders;
#pragma omp parallel for num_threads(loop_threads(g->border_count, world->threads)) schedule(static)
    for (int64_t k = 0; k < g->border_count; ++k) {
        int32_t i = g->border[k], collider = g->bed.collider[i];
        scr_vec3 force = {0}, torque = {0};
        for (int64_t e = set->start[collider]; e < set->start[collider + 1]; ++e)
            add_contact_push(world, e, -1.0, i, &force, &torque);
        set_push(&g->push[k], i, force, torque);
    }
    for (int64_t e = 0; e < set->start[g->collider_count]; ++e) {
        int32_t i = c->body[set->b[e]];
        if (i < g->body_count) continue;
        grain_push *p = &g->push[g->border_number[i]];
        scr_vec3 force = {p->force[0], p->force[1], p->force[2]}, torque = {p->torque[0], p->torque[1], p->torque[2]};
        add_contact_push(world, e, 1.0, i, &force, &torque);
        set_push(p, i, force, torque);
    }
}

// The user's forces on grains, by slot, those on the same grain in the order in which they were given.
static int64_t sort_applied(const scr_world *world, uint64_t *slot, uint32_t *number, scr_arena arena)
{
    int64_t count = 0;
    for (int64_t k = 0; k < world->applied_count; ++k) {
        int64_t i = body_slot(&world->bodies, world->applied[k].body);
        if (i < world->grains.body_count) continue;  // outside the bed, or gone
        slot[count] = (uint64_t)i;
        number[count++] = (uint32_t)k;
    }
    scr_radix_sort(slot, number, count, scr_bits_for(world->bodies.table.count), arena, world->threads);
    return count;
}

// Merge them from the back into the list of what contacts do.
static scr_status collect_applied(scr_world *world, scr_error *error)
{
    grain_world *g = &world->grains;
    int64_t n = world->applied_count;
    scr_status status = scr_arena_reserve(&world->scratch,
                                          scr_arena_bytes(sizeof(uint64_t), n) + scr_arena_bytes(sizeof(uint32_t), n) +
                                              scr_radix_sort_bytes(n),
                                          "applied forces", error);
    if (status != SCR_OK) return status;
    scr_arena arena = world->scratch;
    uint64_t *slot = scr_arena_array(&arena, sizeof *slot, n);
    uint32_t *number = scr_arena_array(&arena, sizeof *number, n);
    int64_t count = sort_applied(world, slot, number, arena), left = g->push_count, to = left + count;
    g->push_count = to;
    for (int64_t k = count - 1; k >= 0; --k) {
        while (left > 0 && (uint64_t)g->push[left - 1].slot > slot[k]) g->push[--to] = g->push[--left];
        set_push(&g->push[--to], (int32_t)slot[k], world->applied[number[k]].force, world->applied[number[k]].torque);
    }
    return SCR_OK;
}

scr_status collect_pushes(scr_world *world, scr_error *error)
{
    grain_world *g = &world->grains;
    if (!g->is_loaded) return SCR_OK;
    scr_status status = scr_grow_anew(&g->push, &g->push_capacity, g->border_count + world->applied_count,
                                      sizeof *g->push, "forces on grains", error);
    if (status != SCR_OK) return status;
    g->push_count = g->border_count;
    collect_contacts(world);
    return world->applied_count > 0 ? collect_applied(world, error) : SCR_OK;
}
