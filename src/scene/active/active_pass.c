// SPDX-License-Identifier: BSD-3-Clause
// One pass: all grains of the world are listed by what becomes of them, then they are changed. Parking comes first and
// is done with when grains are added, which may fail for want of memory: their cells then stay parked. So do those of
// which only some grains could be parked: the others are still in the world, and go with the next pass.
#include "scene/active/active_pass.h"

#include <string.h>

#include "core/base/threads.h"
#include "core/maths/vec3.h"
#include "scene/active/active_contacts.h"
#include "scene/sleep/sleeping.h"

enum { PARKED_AT_ONCE = 1 << 18, BATCHES_MAX = 4 };

scr_status active_pass_reserve(active_box *box, scr_error *error)
{
    scr_status status = scr_grow(&box->next, &box->next_capacity, box->cells.table.count, sizeof *box->next,
                                 "cells of the active box", error);
    if (status == SCR_OK) memcpy(box->next, box->cells.state, (size_t)box->cells.table.count);
    return status;
}

static void drop_list(slot_list *list)
{
    scr_free(list->slot);
    *list = (slot_list){0};
}

void active_pass_trim(active_box *box)
{
    drop_list(&box->fix);
    drop_list(&box->release);
    drop_list(&box->park);
    drop_list(&box->wake);
    scr_free(box->leaving);
    scr_free(box->moved);
    box->leaving = NULL;
    box->moved = NULL;
    box->leaving_capacity = box->moved_capacity = 0;
}

static scr_status add_slot(slot_list *list, int64_t slot, scr_error *error)
{
    scr_status status = scr_grow(&list->slot, &list->capacity, list->count + 1, sizeof *list->slot,
                                 "grains that the active box moves", error);
    if (status == SCR_OK) list->slot[list->count++] = (int32_t)slot;
    return status;
}

static double speed_of(const scr_body_view *b, int64_t i) { return vec3_norm(vec3(b->vx[i], b->vy[i], b->vz[i])); }

// Which list a grain goes on; NULL: none.
static slot_list *list_for(active_box *box, const scr_body_view *b, int64_t i)
{
    cell_state state = (cell_state)box->next[cell_of(&box->cells, b->x[i], b->y[i])];
    if (sleeping_has(box->asleep, b, i)) return state == CELL_LIVE ? NULL : &box->wake;
    if (state == CELL_PARKED) return &box->park;
    if (b->kind[i] == SCR_FIXED) return state == CELL_LIVE ? &box->release : NULL;
    return state == CELL_FIXED && speed_of(b, i) <= box->def->freeze_speed ? &box->fix : NULL;
}

static scr_status list_grains(active_box *box, const scr_world *world, scr_error *error)
{
    const scr_body_view b = scr_world_bodies(world);
    int64_t fixed = 0;
    box->fix.count = box->release.count = box->park.count = box->wake.count = 0;
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < b.count && status == SCR_OK; ++i) {
        if (is_listed(box, b.id[i])) continue;
        fixed += b.kind[i] == SCR_FIXED && !sleeping_has(box->asleep, &b, i);
        slot_list *list = list_for(box, &b, i);
        if (list != NULL) status = add_slot(list, i, error);
    }
    if (status == SCR_OK && fixed != box->fixed)
        status = scr_fail(error, SCR_DIVERGED, "%lld grains are fixed, not the %lld that should be", (long long)fixed,
                          (long long)box->fixed);
    ++box->passes;
    box->bodies_looked_at += b.count;
    return status;
}

// ---- books --------------------------------------------------------------------------------------------------------

static void book_moment(active_box *box, const scr_world *world, const stored_grain *g, double sign)
{
    double mass = sign * stored_grain_mass(world, g);
    box->moment[0] += mass * g->position.x;
    box->moment[1] += mass * g->position.y;
    box->moment[2] += mass * g->position.z;
}

// A dynamic grain comes to a stop.
static void book_stop(active_box *box, const scr_world *world, int64_t slot, const stored_grain *g)
{
    box->frozen_energy += world_body_kinetic_energy(world, slot);
    book_moment(box, world, g, 1.0);
}

// ---- within the world ---------------------------------------------------------------------------------------------

static void fix_grains(active_box *box, scr_world *world)
{
    for (int64_t k = 0; k < box->fix.count; ++k) {
        stored_grain g = world_stored_grain(world, box->fix.slot[k]);
        book_stop(box, world, box->fix.slot[k], &g);
    }
    world_fix_grains(world, box->fix.slot, box->fix.count);
    box->fixed += box->fix.count;
}

// What is to be parked and still dynamic stops where it is, and is fixed with the others.
static scr_status stop_leaving(active_box *box, const scr_world *world, scr_error *error)
{
    const scr_body_view b = scr_world_bodies(world);
    int64_t fast = 0;
    scr_status status = SCR_OK;
    for (int64_t k = 0; k < box->park.count && status == SCR_OK; ++k) {
        int64_t slot = box->park.slot[k];
        if (b.kind[slot] == SCR_FIXED) continue;
        fast += speed_of(&b, slot) > box->def->freeze_speed;
        status = add_slot(&box->fix, slot, error);
    }
    if (status == SCR_OK) box->parked_fast += fast;
    return status;
}

static void release_grains(active_box *box, scr_world *world)
{
    for (int64_t k = 0; k < box->release.count; ++k) {
        stored_grain g = world_stored_grain(world, box->release.slot[k]);
        book_moment(box, world, &g, -1.0);
    }
    world_release_grains(world, box->release.slot, box->release.count);
    box->fixed -= box->release.count;
}

// ---- out of the world ---------------------------------------------------------------------------------------------

static int64_t cell_of_stored(const active_box *box, const stored_grain *g)
{
    return cell_of(&box->cells, g->position.x, g->position.y);
}

static scr_status reserve_moved(active_box *box, int64_t count, scr_error *error)
{
    return scr_grow(&box->moved, &box->moved_capacity, count, sizeof *box->moved, "parked grains", error);
}

static scr_status reserve_parking(active_box *box, int64_t batch, scr_error *error)
{
    scr_status status = grain_store_reserve(&box->store, box->park.count, box->cells.table.count, error);
    if (status == SCR_OK) status = reserve_moved(box, batch, error);
    if (status == SCR_OK)
        status = scr_grow(&box->leaving, &box->leaving_capacity, batch, sizeof *box->leaving, "parked grains", error);
    return status;
}

// Some grains of the list from `first` on, when all before it are gone from the world: slots ascend, and each of those
// that are left has moved down by as many.
static scr_status park_batch(active_box *box, scr_world *world, int64_t first, int64_t count, scr_error *error)
{
    const scr_body_view b = scr_world_bodies(world);
    for (int64_t k = 0; k < count; ++k) {
        int64_t slot = box->park.slot[first + k] - first;
        box->moved[k] = world_stored_grain(world, slot);
        box->leaving[k] = b.handle[slot];
        if (!grain_store_fits(&box->moved[k]))
            return scr_fail(error, SCR_BAD_INPUT,
                            "more shapes were made than the store of parked grains can tell apart");
    }
    scr_status status = scr_world_remove_bodies(world, count, box->leaving, error);
    if (status != SCR_OK) return status;
    box->fixed -= count;
    for (int64_t k = 0; k < count; ++k) {
        int64_t cell = cell_of_stored(box, &box->moved[k]);
        grain_store_put(&box->store, &box->cells.list[cell], &box->moved[k]);
        ++box->cells.parked[cell];
        box->cells.changed[cell] = scr_world_step_count(world) + 1;
    }
    return SCR_OK;
}

// A bed that is parked as the run begins goes in a few batches: the world gives back the memory of one before the store
// takes that of the next.
static scr_status park_grains(active_box *box, scr_world *world, scr_error *error)
{
    int64_t count = box->park.count, batch = max_i64(PARKED_AT_ONCE, (count + BATCHES_MAX - 1) / BATCHES_MAX);
    if (count == 0) return SCR_OK;
    scr_status status = reserve_parking(box, min_i64(batch, count), error);
    if (status == SCR_OK) status = active_contacts_park(box, world, error);
    for (int64_t first = 0; first < count && status == SCR_OK; first += batch) {
        status = park_batch(box, world, first, min_i64(batch, count - first), error);
        if (status == SCR_OK && first + batch < count) world_trim(world);
    }
    return status;
}

// ---- and back -----------------------------------------------------------------------------------------------------

static bool comes_back(const active_box *box, int64_t change)
{
    return box->cells.parked[box->changes.cell[change]] > 0 && box->changes.state[change] != CELL_PARKED;
}

static scr_status read_coming(active_box *box, int64_t *count, scr_error *error)
{
    *count = 0;
    for (int64_t k = 0; k < box->changes.count; ++k)
        if (comes_back(box, k)) *count += box->cells.parked[box->changes.cell[k]];
    scr_status status = reserve_moved(box, *count, error);
    int64_t read = 0;
    for (int64_t k = 0; k < box->changes.count && status == SCR_OK; ++k)
        if (comes_back(box, k))
            read += grain_store_read(&box->store, box->cells.list[box->changes.cell[k]], box->moved + read);
    return status;
}

// Of the grains that were added last those in live cells.
static scr_status list_added(active_box *box, int64_t first_slot, int64_t count, scr_error *error)
{
    box->release.count = 0;
    scr_status status = SCR_OK;
    for (int64_t k = 0; k < count && status == SCR_OK; ++k)
        if (box->next[cell_of_stored(box, &box->moved[k])] == CELL_LIVE)
            status = add_slot(&box->release, first_slot + k, error);
    return status;
}

static scr_status unpark_grains(active_box *box, scr_world *world, scr_error *error)
{
    int64_t count, first_slot = scr_world_bodies(world).count;
    scr_status status = read_coming(box, &count, error);
    if (status == SCR_OK) status = list_added(box, first_slot, count, error);
    if (status == SCR_OK) status = active_contacts_reserve(box, error);
    if (status == SCR_OK) status = world_add_fixed_grains(world, box->moved, count, error);
    if (status != SCR_OK) return status;
    box->fixed += count;
    release_grains(box, world);
    for (int64_t k = 0; k < box->changes.count; ++k) {
        if (!comes_back(box, k)) continue;
        int64_t cell = box->changes.cell[k];
        grain_store_drop(&box->store, &box->cells.list[cell]);
        box->cells.parked[cell] = 0;
        box->cells.changed[cell] = scr_world_step_count(world) + 1;
    }
    return active_contacts_unpark(box, world, error);
}

// The new states of all cells that change, or before that of those that become parked.
static void keep_states(active_box *box, bool all)
{
    for (int64_t k = 0; k < box->changes.count; ++k)
        if (all || box->changes.state[k] == CELL_PARKED) box->cells.state[box->changes.cell[k]] = box->changes.state[k];
}

scr_status active_pass(active_box *box, scr_world *world, scr_error *error)
{
    for (int64_t k = 0; k < box->changes.count; ++k) box->next[box->changes.cell[k]] = box->changes.state[k];
    scr_status status = list_grains(box, world, error);
    // Grains that sleep where they may not be live any more wake first, and then do as the others.
    if (status == SCR_OK && box->wake.count > 0) {
        status = sleeping_wake_grains(box->asleep, world, box->wake.slot, box->wake.count, error);
        if (status == SCR_OK) status = list_grains(box, world, error);
    }
    if (status == SCR_OK) status = stop_leaving(box, world, error);
    if (status == SCR_OK) {
        sleeping_surroundings_changed(box->asleep);
        fix_grains(box, world);
        status = active_contacts_keep(box, world, error);
    }
    if (status == SCR_OK) {
        release_grains(box, world);
        status = park_grains(box, world, error);
        keep_states(box, false);
    }
    if (status == SCR_OK) status = unpark_grains(box, world, error);
    if (status == SCR_OK) status = active_contacts_recall(box, world, error);
    if (status == SCR_OK) {
        keep_states(box, true);
        box->travel = 0.0;
    }
    for (int64_t k = 0; k < box->changes.count; ++k)
        box->next[box->changes.cell[k]] = box->cells.state[box->changes.cell[k]];
    return status;
}
