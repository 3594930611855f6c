// SPDX-License-Identifier: BSD-3-Clause
#include "scene/sleep/sleepers.h"

#include <math.h>
#include <string.h>

#include "dynamics/world/fixed_grains.h"
#include "dynamics/world/world.h"

enum { LOAD_SIZE = 6, IS_DYNAMIC = 1, IS_THERE = 2 };

static const field_info sleeper_fields[] = {
    FIELD(sleepers, id, FIELD_U64, ""),
    FIELD(sleepers, since, FIELD_I64, ""),
    FIELD(sleepers, carried, FIELD_F64, "N"),
    FIELD_WIDE(sleepers, reference, FIELD_F64, 3, "N"),
};

static const field_info force_fields[] = {
    FIELD(sleepers, sleeper, FIELD_U64, ""),
    FIELD(sleepers, other, FIELD_U64, ""),
    FIELD_WIDE(sleepers, force, FIELD_F32, 3, "N"),
    FIELD_WIDE(sleepers, torque, FIELD_F32, 3, "N m"),
};

void sleepers_init(sleepers *s)
{
    *s = (sleepers){0};
    s->table = (table){"sleepers", sleeper_fields, sizeof sleeper_fields / sizeof *sleeper_fields, s, 0, 0, false};
    s->forces = (table){"sleeper_forces", force_fields, sizeof force_fields / sizeof *force_fields, s, 0, 0, false};
}

void sleepers_free(sleepers *s)
{
    void *arrays[] = {s->entry, s->is_awake, s->cell, s->bordering, s->on_listed, s->from, s->is_due};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
    table_free(&s->table);
    table_free(&s->forces);
    scr_arena_free(&s->arena);
}

bool sleepers_are_valid(const sleepers *s)
{
    for (int64_t e = 0; e < s->table.count; ++e)
        if (!(s->carried[e] >= 0.0) || !isfinite(s->carried[e])) return false;
    for (int64_t k = 0; k < 3 * s->table.count; ++k)
        if (!isfinite(s->reference[k])) return false;
    for (int64_t k = 0; k < 3 * s->forces.count; ++k)
        if (!isfinite(s->force[k]) || !isfinite(s->torque[k])) return false;
    return true;
}

// ---- derived ------------------------------------------------------------------------------------------------------

static scr_status reserve_derived(sleepers *s, int64_t ids, int64_t listed, scr_error *error)
{
    const char *what = "sleeping grains";
    const scr_column columns[] = {
        {&s->cell, sizeof *s->cell},
        {&s->bordering, sizeof *s->bordering},
    };
    scr_status status = scr_grow(&s->entry, &s->entry_capacity, ids, sizeof *s->entry, what, error);
    if (status == SCR_OK) status = scr_grow(&s->is_awake, &s->awake_capacity, ids, sizeof *s->is_awake, what, error);
    if (status == SCR_OK)
        status = scr_grow_together(columns, sizeof columns / sizeof *columns, &s->derived_capacity, s->table.count,
                                   what, error);
    if (status == SCR_OK)
        status = scr_grow(&s->on_listed, &s->listed_capacity, LOAD_SIZE * listed, sizeof *s->on_listed, what, error);
    return status;
}

static void find_bodies(sleepers *s, sleep_cells *cells, const scr_world *world)
{
    const scr_body_view b = scr_world_bodies(world);
    for (int64_t id = 0; id < s->id_count; ++id) s->entry[id] = -1;
    memset(s->is_awake, 0, (size_t)s->id_count);
    for (int64_t e = 0; e < s->table.count; ++e) {
        s->cell[e] = 0;
        if (s->id[e] < (uint64_t)s->id_count) s->entry[s->id[e]] = (int32_t)e;
    }
    for (int64_t c = 0; c < cells->table.count; ++c) cells->asleep[c] = 0;
    for (int64_t i = 0; i < b.count; ++i) {
        int32_t e = s->entry[b.id[i]];
        s->is_awake[b.id[i]] = b.kind[i] == SCR_DYNAMIC ? IS_DYNAMIC : IS_THERE;
        if (e < 0) continue;
        s->cell[e] = sleep_cell_of(cells, vec3(b.x[i], b.y[i], b.z[i]));
        ++cells->asleep[s->cell[e]];
    }
}

static scr_vec3 load3(const float *v) { return vec3((double)v[0], (double)v[1], (double)v[2]); }

static void add_to_listed(sleepers *s, int64_t k)
{
    double *load = s->on_listed + LOAD_SIZE * (int64_t)(s->other[k] - 1);
    for (int axis = 0; axis < 3; ++axis) {
        load[axis] -= (double)s->force[3 * k + axis];
        load[3 + axis] += (double)s->torque[3 * k + axis];
    }
}

// What acts between a sleeper and a body that does not move either, no step finds. A chosen grain still moves.
static void find_loads_on_listed(sleepers *s)
{
    for (int64_t i = 0; i < LOAD_SIZE * s->listed_count; ++i) s->on_listed[i] = 0.0;
    for (int64_t k = 0; k < s->forces.count; ++k) {
        if (s->other[k] > (uint64_t)s->listed_count || sleeper_entry(s, s->sleeper[k]) < 0) continue;
        if (s->is_awake[s->sleeper[k]] == IS_THERE && s->is_awake[s->other[k]] == IS_THERE) add_to_listed(s, k);
    }
}

static void list_bordering(sleepers *s)
{
    s->bordering_count = 0;
    for (int64_t e = 0; e < s->table.count; ++e) {
        const double *f = s->reference + 3 * e;
        if (f[0] != 0.0 || f[1] != 0.0 || f[2] != 0.0) s->bordering[s->bordering_count++] = (int32_t)e;
    }
}

scr_status sleepers_derive(sleepers *s, sleep_cells *cells, const scr_world *world, int64_t listed, scr_error *error)
{
    int64_t ids = (int64_t)world_next_body_id(world);
    scr_status status = reserve_derived(s, ids, listed, error);
    if (status == SCR_OK)
        status = scr_grow(&cells->asleep, &cells->asleep_capacity, cells->table.count, sizeof *cells->asleep,
                          "cells of sleeping grains", error);
    if (status != SCR_OK) return status;
    s->id_count = ids;
    s->listed_count = listed;
    find_bodies(s, cells, world);
    find_loads_on_listed(s);
    list_bordering(s);
    return SCR_OK;
}

void sleepers_renew_references(sleepers *s)
{
    for (int64_t i = 0; i < 3 * s->table.count; ++i) s->reference[i] = 0.0;
    for (int64_t k = 0; k < s->forces.count; ++k) {
        int32_t e = sleeper_entry(s, s->sleeper[k]);
        if (e < 0 || s->other[k] >= (uint64_t)s->id_count || s->is_awake[s->other[k]] != IS_DYNAMIC) continue;
        for (int axis = 0; axis < 3; ++axis) s->reference[3 * e + axis] += (double)s->force[3 * k + axis];
    }
    list_bordering(s);
}

// ---- falling asleep -----------------------------------------------------------------------------------------------

// What contact k of a view does to the grain that is its side a (sign -1) or b (1).
static void put_force(sleepers *s, const scr_contact_view *view, int64_t k, const bodies *b, int64_t sleeper,
                      int64_t other, double sign)
{
    int64_t to = s->forces.count++;
    scr_vec3 f = vec3_scale(sign, view->force[k]), back = vec3_scale(-1.0, f);
    scr_vec3 lever = vec3_sub(view->point[k], body_position(b, other));
    scr_vec3 torque = vec3_add_scaled(vec3_cross(lever, back), -sign, view->torque[k]);
    s->sleeper[to] = b->id[sleeper];
    s->other[to] = b->id[other];
    const double of[3] = {f.x, f.y, f.z}, about[3] = {torque.x, torque.y, torque.z};
    for (int axis = 0; axis < 3; ++axis)
        s->force[3 * to + axis] = (float)of[axis], s->torque[3 * to + axis] = (float)about[axis];
    int32_t e = s->entry[b->id[sleeper]];
    s->carried[e] += 0.5 * vec3_norm(load3(s->force + 3 * to));
}

static bool is_new(const sleepers *s, uint64_t id, int64_t first) { return sleeper_entry(s, id) >= first; }

static scr_status add_forces(sleepers *s, const scr_world *world, int64_t first, scr_error *error)
{
    const bodies *b = &world->bodies;
    scr_contact_view view;
    scr_status status = scr_world_contacts(world, &view, error);
    int64_t count = 0;
    for (int64_t k = 0; k < view.count && status == SCR_OK; ++k)
        count += is_new(s, b->id[body_slot(b, view.a[k])], first) + is_new(s, b->id[body_slot(b, view.b[k])], first);
    if (status == SCR_OK) status = table_reserve(&s->forces, s->forces.count + count, error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < view.count; ++k) {
        if (vec3_norm(view.force[k]) == 0.0) continue;
        int64_t slot_a = body_slot(b, view.a[k]), slot_b = body_slot(b, view.b[k]);
        if (is_new(s, b->id[slot_a], first)) put_force(s, &view, k, b, slot_a, slot_b, -1.0);
        if (is_new(s, b->id[slot_b], first)) put_force(s, &view, k, b, slot_b, slot_a, 1.0);
    }
    return SCR_OK;
}

scr_status sleepers_add(sleepers *s, const scr_world *world, const int32_t *slot, int64_t count, scr_error *error)
{
    const scr_body_view b = scr_world_bodies(world);
    int64_t first = s->table.count, forces = s->forces.count;
    double g = vec3_norm(scr_world_gravity(world));
    scr_status status = table_reserve(&s->table, first + count, error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < count; ++k) {
        int64_t e = s->table.count++, i = slot[k];
        s->id[e] = b.id[i];
        s->since[e] = scr_world_step_count(world);
        s->carried[e] = 0.5 * g / b.inv_mass[i];
        s->reference[3 * e] = s->reference[3 * e + 1] = s->reference[3 * e + 2] = 0.0;
        s->entry[b.id[i]] = (int32_t)e;
    }
    status = add_forces(s, world, first, error);
    if (status == SCR_OK) return SCR_OK;
    for (int64_t k = 0; k < count; ++k) s->entry[b.id[slot[k]]] = -1;
    s->table.count = first;
    s->forces.count = forces;
    return status;
}

// ---- waking -------------------------------------------------------------------------------------------------------

scr_status sleepers_reserve_drop(sleepers *s, scr_error *error)
{
    int64_t n = max_i64(s->table.count, s->forces.count);
    scr_status status = scr_grow(&s->from, &s->from_capacity, n, sizeof *s->from, "sleeping grains", error);
    if (status == SCR_OK)
        status = scr_grow(&s->is_due, &s->due_capacity, s->table.count, sizeof *s->is_due, "sleeping grains", error);
    if (status == SCR_OK)
        status = scr_arena_reserve(
            &s->arena, table_gather_bytes(&s->table, s->table.count) + table_gather_bytes(&s->forces, s->forces.count),
            "sleeping grains", error);
    return status;
}

void sleepers_drop_due(sleepers *s)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < s->forces.count; ++k) {
        int32_t e = sleeper_entry(s, s->sleeper[k]);
        if (e >= 0 && !s->is_due[e]) s->from[kept++] = (int32_t)k;
    }
    table_gather(&s->forces, s->from, kept, s->arena, 1);
    kept = 0;
    for (int64_t e = 0; e < s->table.count; ++e) {
        if (s->is_due[e]) s->entry[s->id[e]] = -1;
        else s->from[kept++] = (int32_t)e;
    }
    table_gather(&s->table, s->from, kept, s->arena, 1);
    for (int64_t e = 0; e < kept; ++e) s->entry[s->id[e]] = (int32_t)e;
}
