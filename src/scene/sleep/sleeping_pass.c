// SPDX-License-Identifier: BSD-3-Clause
// How grains fall asleep and wake.
#include <math.h>
#include <string.h>

#include "core/maths/vec3.h"
#include "dynamics/world/fixed_grains.h"
#include "scene/sleep/sleeping_pass.h"

static const double CELL_PER_GRAIN = 4.0;  // edges of cells over diameters of the largest grains, unless it is given

scr_status sleeping_refresh(sleeping *s, const scr_world *world, scr_error *error)
{
    scr_status status = sleepers_derive(&s->grains, &s->cells, world, s->scene->body_count, error);
    if (status != SCR_OK) return status;
    sleepers_renew_references(&s->grains);
    s->must_refresh = false;
    return SCR_OK;
}

static scr_status add_slot(sleeping *s, int64_t *count, int64_t slot, scr_error *error)
{
    scr_status status =
        scr_grow(&s->slot, &s->slot_capacity, *count + 1, sizeof *s->slot, "grains that fall asleep or wake", error);
    if (status == SCR_OK) s->slot[(*count)++] = (int32_t)slot;
    return status;
}

// ---- choosing -----------------------------------------------------------------------------------------------------

// A dynamic grain that is slow, and was there at the last look.
static bool is_slow_grain(const sleeping *s, const scr_world *world, const scr_body_view *b, int64_t i)
{
    return b->kind[i] == SCR_DYNAMIC && b->id[i] > (uint64_t)s->scene->body_count && b->id[i] < (uint64_t)s->known_id &&
           vec3_norm(vec3(b->vx[i], b->vy[i], b->vz[i])) <= s->def->speed && body_is_storable(world, i);
}

// Cells cover all grains that are slow or asleep.
static scr_status cover(sleeping *s, const scr_world *world, scr_error *error)
{
    const scr_body_view b = scr_world_bodies(world);
    scr_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    double largest = 0.0;
    for (int64_t i = 0; i < b.count; ++i) {
        if (!sleeping_has(s, &b, i) && !is_slow_grain(s, world, &b, i)) continue;
        box.low = vec3(fmin(box.low.x, b.x[i]), fmin(box.low.y, b.y[i]), fmin(box.low.z, b.z[i]));
        box.high = vec3(fmax(box.high.x, b.x[i]), fmax(box.high.y, b.y[i]), fmax(box.high.z, b.z[i]));
        largest = fmax(largest, 2.0 * world_stored_grain(world, i).radius);
    }
    if (largest == 0.0) return SCR_OK;
    if (s->cell_edge == 0.0) s->cell_edge = s->def->cell > 0.0 ? s->def->cell : CELL_PER_GRAIN * largest;
    if (sleep_cells_contain(&s->cells, &box)) return SCR_OK;
    scr_status status = sleep_cells_cover(&s->cells, &box, s->cell_edge, scr_world_step_count(world), error);
    return status == SCR_OK ? sleeping_refresh(s, world, error) : status;
}

enum { QUIET_UNKNOWN, QUIET_YES, QUIET_NO };

static bool cell_is_quiet(sleeping *s, int64_t cell, int64_t step)
{
    if (s->is_quiet[cell] == QUIET_UNKNOWN)
        s->is_quiet[cell] = sleep_ring_disturbed(&s->cells, cell) <= step - s->after ? QUIET_YES : QUIET_NO;
    return s->is_quiet[cell] == QUIET_YES;
}

scr_status sleeping_choose(sleeping *s, const scr_world *world, scr_error *error)
{
    const scr_body_view b = scr_world_bodies(world);
    int64_t step = scr_world_step_count(world), count = 0;
    scr_status status = cover(s, world, error);
    if (status == SCR_OK)
        status = scr_grow(&s->is_quiet, &s->quiet_capacity, s->cells.table.count, 1, "cells of sleeping grains", error);
    if (status != SCR_OK || s->cells.table.count == 0) return status;
    memset(s->is_quiet, QUIET_UNKNOWN, (size_t)s->cells.table.count);
    for (int64_t i = 0; i < b.count && status == SCR_OK; ++i) {
        if (b.kind[i] != SCR_DYNAMIC) continue;
        if (!cell_is_quiet(s, sleep_cell_of(&s->cells, vec3(b.x[i], b.y[i], b.z[i])), step)) continue;
        if (is_slow_grain(s, world, &b, i)) status = add_slot(s, &count, i, error);
    }
    if (status != SCR_OK || count == 0) return status;
    status = sleeping_refresh(s, world, error);
    if (status == SCR_OK) status = sleepers_add(&s->grains, world, s->slot, count, error);
    if (status == SCR_OK) s->chosen = count;
    return status == SCR_OK ? sleeping_refresh(s, world, error) : status;
}

// ---- books --------------------------------------------------------------------------------------------------------

static void book_moment(sleeping *s, const scr_world *world, int64_t slot, double sign)
{
    stored_grain g = world_stored_grain(world, slot);
    double mass = sign * stored_grain_mass(world, &g);
    s->moment[0] += mass * g.position.x;
    s->moment[1] += mass * g.position.y;
    s->moment[2] += mass * g.position.z;
}

// ---- falling asleep -----------------------------------------------------------------------------------------------

// Chosen ones that are gone, or were fixed by somebody else meanwhile, are dropped.
static scr_status list_chosen(sleeping *s, const scr_world *world, int64_t *count, scr_error *error)
{
    const scr_body_view b = scr_world_bodies(world);
    int64_t first = s->grains.table.count - s->chosen;
    scr_status status = sleepers_reserve_drop(&s->grains, error);
    if (status == SCR_OK)
        for (int64_t e = 0; e < s->grains.table.count; ++e) s->grains.is_due[e] = e >= first;
    for (int64_t i = 0; i < b.count && status == SCR_OK; ++i) {
        int32_t e = sleeper_entry(&s->grains, b.id[i]);
        if (e < first || b.kind[i] != SCR_DYNAMIC) continue;
        status = add_slot(s, count, i, error);
        s->grains.is_due[e] = 0;
    }
    return status;
}

scr_status sleeping_fix_chosen(sleeping *s, scr_world *world, scr_error *error)
{
    int64_t count = 0;
    if (s->chosen == 0) return SCR_OK;
    scr_status status = list_chosen(s, world, &count, error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < count; ++k) {
        s->frozen_energy += world_body_kinetic_energy(world, s->slot[k]);
        book_moment(s, world, s->slot[k], 1.0);
    }
    world_fix_grains(world, s->slot, count);
    s->fallen += count;
    s->chosen = 0;
    sleepers_drop_due(&s->grains);
    s->must_refresh = true;
    body_numbers numbers = sleeper_numbers(&s->grains);
    return world_keep_still_contacts(world, &(still_choice){.of = &numbers}, &s->contacts, error);
}

// ---- waking -------------------------------------------------------------------------------------------------------

static void count_woken_cells(sleeping *s)
{
    for (int64_t e = 0; e < s->grains.table.count; ++e) {
        if (!s->grains.is_due[e]) continue;
        s->woken_cells += s->cells.asleep[s->grains.cell[e]] > 0;
        s->cells.asleep[s->grains.cell[e]] = 0;
    }
}

// Those that are due. There is room for dropping them.
static scr_status wake(sleeping *s, scr_world *world, scr_error *error)
{
    const scr_body_view b = scr_world_bodies(world);
    int64_t count = 0, chosen = 0;
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < b.count && status == SCR_OK; ++i)
        if (sleeping_has(s, &b, i) && s->grains.is_due[sleeper_entry(&s->grains, b.id[i])])
            status = add_slot(s, &count, i, error);
    if (status != SCR_OK) return status;
    count_woken_cells(s);
    for (int64_t k = 0; k < count; ++k) book_moment(s, world, s->slot[k], -1.0);
    world_release_grains(world, s->slot, count);
    for (int64_t e = s->grains.table.count - s->chosen; e < s->grains.table.count; ++e) chosen += !s->grains.is_due[e];
    s->chosen = chosen;
    sleepers_drop_due(&s->grains);
    if (s->grains.table.count == 0) memset(s->moment, 0, sizeof s->moment);
    s->must_refresh = true;
    body_numbers numbers = sleeper_numbers(&s->grains);
    status = world_recall_still_contacts(world, &(still_choice){.of = &numbers}, &s->contacts, error);
    return status == SCR_OK ? sleeping_refresh(s, world, error) : status;
}

scr_status sleeping_wake_due(sleeping *s, scr_world *world, scr_error *error)
{
    sleepers *g = &s->grains;
    int64_t due = 0;
    scr_status status = sleepers_reserve_drop(g, error);
    if (status != SCR_OK) return status;
    for (int64_t e = 0; e < g->table.count; ++e) {
        g->is_due[e] = sleep_ring_disturbed(&s->cells, g->cell[e]) >= g->since[e];
        due += g->is_due[e];
    }
    if (due > 0) status = wake(s, world, error);
    if (status == SCR_OK) s->must_wake = false;
    return status;
}

scr_status sleeping_wake_grains(sleeping *s, scr_world *world, const int32_t *slot, int64_t count, scr_error *error)
{
    const scr_body_view b = scr_world_bodies(world);
    scr_status status = sleepers_reserve_drop(&s->grains, error);
    if (status != SCR_OK) return status;
    memset(s->grains.is_due, 0, (size_t)s->grains.table.count);
    for (int64_t k = 0; k < count; ++k)
        if (sleeping_has(s, &b, slot[k])) s->grains.is_due[sleeper_entry(&s->grains, b.id[slot[k]])] = 1;
    return wake(s, world, error);
}

scr_status sleeping_wake_all(sleeping *s, scr_world *world, scr_error *error)
{
    if (s->grains.table.count == 0) return SCR_OK;
    scr_status status = sleepers_reserve_drop(&s->grains, error);
    if (status != SCR_OK) return status;
    memset(s->grains.is_due, 1, (size_t)s->grains.table.count);
    return wake(s, world, error);
}
