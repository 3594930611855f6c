// SPDX-License-Identifier: BSD-3-Clause
// The life of the active box: made, begun, run in every step, saved and loaded. What a pass does is in active_pass.c.
#include "scene/active/active_box.h"

#include <math.h>

#include "core/maths/vec3.h"
#include "scene/active/active_pass.h"
#include "scene/model/messages.h"

static const double SLACK = 0.25;          // share of a cell's edge by which bodies move before cells are chosen anew
static const double TRAVEL = 0.25;         // share of the shell after which grains in it are looked for
static const double CELL_PER_GRAIN = 2.0;  // edges of cells over diameters of grains, at least

static const field_info footing_fields[] = {
    FIELD(active_box, x, FIELD_F64, "m"),
    FIELD(active_box, y, FIELD_F64, "m"),
    FIELD(active_box, ux, FIELD_F64, ""),
    FIELD(active_box, uy, FIELD_F64, ""),
};

static const field_info about_fields[] = {
    SCALAR(active_box, begun_with, FIELD_I64, ""),     SCALAR(active_box, fixed, FIELD_I64, ""),
    SCALAR(active_box, parked_fast, FIELD_I64, ""),    SCALAR(active_box, travel, FIELD_F64, "m"),
    SCALAR(active_box, frozen_energy, FIELD_F64, "J"), SCALAR_WIDE(active_box, moment, FIELD_F64, 3, "kg m"),
};

scr_status active_box_init(active_box *box, const scene *s, struct sleeping *asleep, scr_error *error)
{
    *box = (active_box){.scene = s, .def = s->active_box.present ? &s->active_box : NULL, .asleep = asleep};
    cell_grid_init(&box->cells);
    grain_store_init(&box->store, s->active_box.store_bytes);
    static const still_names names = {{"fixed_pairs", "fixed_contacts", "fixed_contact_twists"}};
    still_contacts_init(&box->still, s->world.contact.law, &names);
    box->still.pairs.is_optional = box->still.kept.table.is_optional = true;
    parked_contacts_init(&box->contacts);
    box->footing_table =
        (table){"active_footings", footing_fields, sizeof footing_fields / sizeof *footing_fields, box, 0, 0, false};
    box->about = (table){"active_box", about_fields, sizeof about_fields / sizeof *about_fields, box, 0, 0, false};
    if (box->def == NULL) return SCR_OK;
    int count = box->def->around_count;
    scr_status status = table_reserve(&box->footing_table, count, error);
    if (status == SCR_OK) status = scr_make_zeros(&box->was, count, sizeof *box->was, "the active box", error);
    if (status == SCR_OK) status = scr_make_zeros(&box->now, count, sizeof *box->now, "the active box", error);
    if (status == SCR_OK) box->footing_table.count = count;
    return status;
}

void active_box_free(active_box *box)
{
    cell_grid_free(&box->cells);
    grain_store_free(&box->store);
    still_contacts_free(&box->still);
    parked_contacts_free(&box->contacts);
    table_free(&box->footing_table);
    cell_changes_free(&box->changes);
    scr_free(box->was);
    scr_free(box->now);
    scr_free(box->next);
    scr_free(box->fix.slot);
    scr_free(box->release.slot);
    scr_free(box->park.slot);
    scr_free(box->wake.slot);
    scr_free(box->leaving);
    scr_free(box->moved);
    scr_free(box->staying);
}

// ---- footings -----------------------------------------------------------------------------------------------------

// A body that is gone keeps its last footing.
static void find_footings(active_box *box, const scr_world *world, const scr_body *handle)
{
    for (int k = 0; k < box->def->around_count; ++k) {
        scr_body_state state;
        bool is_there = scr_body_get_state(world, handle[box->def->around[k]], &state, NULL) == SCR_OK;
        box->was[k] = (active_footing){box->x[k], box->y[k], box->ux[k], box->uy[k]};
        box->now[k] = is_there ? footing_of(&state) : box->was[k];
    }
}

static void keep_footings(active_box *box)
{
    for (int k = 0; k < box->def->around_count; ++k) {
        box->x[k] = box->now[k].x, box->y[k] = box->now[k].y;
        box->ux[k] = box->now[k].ux, box->uy[k] = box->now[k].uy;
    }
}

static bool has_moved(const active_box *box)
{
    for (int k = 0; k < box->def->around_count; ++k)
        if (footing_change(box->def, &box->was[k], &box->now[k]) > SLACK * box->cells.edge) return true;
    return false;
}

// ---- beginning ----------------------------------------------------------------------------------------------------

// What is no grain that can be stored is refused, with the place in the scene that it came from.
static scr_status check_grains(const active_box *box, const scr_world *world, const grain_origin *origins,
                               int origin_count, scr_error *error)
{
    const scr_body_view b = scr_world_bodies(world);
    const scene *s = box->scene;
    for (int64_t i = 0; i < b.count; ++i) {
        if (is_listed(box, b.id[i])) continue;
        double diameter = 2.0 * world_stored_grain(world, i).radius;
        bool is_storable = body_is_storable(world, i) && b.kind[i] == SCR_DYNAMIC;
        if (is_storable && CELL_PER_GRAIN * diameter <= box->def->cell) continue;
        const grain_origin *from = &origins[0];
        for (int k = 1; k < origin_count && origins[k].first_id <= b.id[i]; ++k) from = &origins[k];
        const char *label = label_of(from->kind, from->name, from->index).text;
        if (!is_storable)
            return scene_fail(error, SCR_BAD_INPUT, s, from->location,
                              "%s has grains that an active box cannot park: only spheres that move, of their "
                              "material's density",
                              label);
        return scene_fail(error, SCR_BAD_INPUT, s, s->active_box.location,
                          "cells of %g m are too small for grains of %g m diameter (%s): at least twice as long",
                          box->def->cell, diameter, label);
    }
    return SCR_OK;
}

static scr_status check_emitters(const scene *s, scr_error *error)
{
    for (int k = 0; k < s->emitter_count; ++k)
        for (int m = 0; m < s->emitters[k].mix.count; ++m)
            if (s->emitters[k].mix.grain[m].shape.kind != SCR_SPHERE)
                return scene_fail(error, SCR_BAD_INPUT, s, s->emitters[k].location,
                                  "%s makes grains that an active box cannot park: only spheres",
                                  label_of("emitter", s->emitters[k].name, k).text);
    return SCR_OK;
}

static void widen(double low[2], double high[2], double x, double y)
{
    low[0] = fmin(low[0], x), low[1] = fmin(low[1], y);
    high[0] = fmax(high[0], x), high[1] = fmax(high[1], y);
}

// Cells cover all grains that are and will be, and as much around them as the box is large.
static scr_status cover_grains(active_box *box, const scr_world *world, scr_error *error)
{
    const scr_body_view b = scr_world_bodies(world);
    const scene *s = box->scene;
    double margin = plan_reach(box->def, 2.0 * box->def->cell + box->def->shell);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < b.count; ++i)
        if (!is_listed(box, b.id[i])) widen(low, high, b.x[i], b.y[i]);
    for (int k = 0; k < s->emitter_count; ++k) {
        scr_aabb bounds = region_bounds(&s->emitters[k].region);
        widen(low, high, bounds.low.x, bounds.low.y);
        widen(low, high, bounds.high.x, bounds.high.y);
    }
    if (!(low[0] <= high[0])) widen(low, high, box->now[0].x, box->now[0].y);
    for (int axis = 0; axis < 2; ++axis) low[axis] -= margin, high[axis] += margin;
    scr_error reason;
    scr_status status = cell_grid_cover(&box->cells, low, high, box->def->cell, &reason);
    return status == SCR_OK ? SCR_OK
                            : scene_fail(error, status, s, box->def->location, "active_box: %s", reason.message);
}

scr_status active_box_begin(active_box *box, scr_world *world, const scr_body *handle, const grain_origin *origins,
                            int origin_count, scr_error *error)
{
    if (box->def == NULL) return SCR_OK;
    find_footings(box, world, handle);
    scr_status status = check_emitters(box->scene, error);
    if (status == SCR_OK) status = check_grains(box, world, origins, origin_count, error);
    if (status == SCR_OK) status = cover_grains(box, world, error);
    if (status == SCR_OK) status = active_pass_reserve(box, error);
    if (status == SCR_OK) status = cell_grid_choose(&box->cells, box->def, NULL, box->now, &box->changes, error);
    box->begun_with = scr_world_bodies(world).count;
    if (status == SCR_OK) status = active_pass(box, world, error);
    if (status != SCR_OK) return status;
    keep_footings(box);
    active_pass_trim(box);
    world_trim(world);
    return SCR_OK;
}

// ---- running ------------------------------------------------------------------------------------------------------

scr_status active_box_run(active_box *box, scr_world *world, const scr_body *handle, scr_error *error)
{
    if (box->def == NULL) return SCR_OK;
    find_footings(box, world, handle);
    bool moved = has_moved(box), travelled = box->travel > TRAVEL * box->def->shell;
    if (!moved && !travelled) return SCR_OK;
    box->changes.count = 0;
    scr_status status = SCR_OK;
    if (moved) status = cell_grid_choose(&box->cells, box->def, box->was, box->now, &box->changes, error);
    if (status == SCR_OK && (travelled || box->changes.count > 0)) status = active_pass(box, world, error);
    if (status == SCR_OK && moved) keep_footings(box);
    return status;
}

scr_status active_box_release(active_box *box, scr_world *world, scr_error *error)
{
    if (box->def == NULL) return SCR_OK;
    scr_status status = cell_grid_release(&box->cells, &box->changes, error);
    return status == SCR_OK ? active_pass(box, world, error) : status;
}

void active_box_end_step(active_box *box, const scr_world *world)
{
    if (box->def != NULL) box->travel += scr_world_time_step(world) * scr_world_report(world).max_speed;
}

scr_status active_box_check(const active_box *box, const scr_world *world, int64_t expected, scr_error *error)
{
    if (box->def == NULL) return SCR_OK;
    int64_t there = scr_world_report(world).body_count, parked = box->store.count;
    if (there + parked == expected && box->fixed <= there) return SCR_OK;
    return scr_fail(error, SCR_DIVERGED,
                    "step %lld: %lld bodies in the world and %lld parked grains are not the %lld that there should be",
                    (long long)scr_world_step_count(world), (long long)there, (long long)parked, (long long)expected);
}

scr_active_counts active_box_count(const active_box *box, const scr_world *world, const scr_body *handle)
{
    if (box->def == NULL) return (scr_active_counts){0};
    int64_t listed = 0;
    for (int k = 0; k < box->scene->body_count; ++k) listed += scr_body_is_alive(world, handle[k]);
    return (scr_active_counts){.is_present = true,
                               .live = scr_world_report(world).body_count - box->fixed - listed,
                               .fixed = box->fixed,
                               .parked = box->store.count,
                               .parked_fast = box->parked_fast,
                               .frozen_energy = box->frozen_energy,
                               .potential = active_box_potential(box, scr_world_gravity(world))};
}

double active_box_potential(const active_box *box, scr_vec3 gravity)
{
    return -vec3_dot(gravity, vec3(box->moment[0], box->moment[1], box->moment[2]));
}

// ---- state --------------------------------------------------------------------------------------------------------

int active_box_tables(active_box *box, table *tables[ACTIVE_BOX_TABLE_COUNT])
{
    if (box->def == NULL) return 0;
    table *own[] = {&box->about,        &box->footing_table, &box->cells.table,
                    &box->store.grains, &box->store.chunks,  &box->contacts.table};
    int count = sizeof own / sizeof *own;
    for (int k = 0; k < count; ++k) tables[k] = own[k];
    still_contacts_tables(&box->still, tables + count);
    return count + STILL_CONTACT_TABLE_COUNT;
}

static bool lists_are_valid(const active_box *box)
{
    int64_t parked = 0;
    for (int64_t c = 0; c < box->cells.table.count; ++c) {
        if (!grain_store_list_is_valid(&box->store, box->cells.list[c], box->cells.parked[c])) return false;
        parked += box->cells.parked[c];
    }
    return parked == box->store.count;
}

static bool contacts_are_valid(const active_box *box)
{
    int64_t parked = 0;
    if (!still_contacts_are_valid(&box->still) || !parked_contacts_are_valid(&box->contacts, box->cells.table.count))
        return false;
    for (int64_t c = 0; c < box->cells.table.count; ++c) {
        int64_t length = parked_contacts_length(&box->contacts, box->cells.contacts[c]);
        if (length < 0 || (length > 0 && box->cells.parked[c] == 0)) return false;
        parked += length;
    }
    return parked == box->contacts.count;
}

scr_status active_box_after_load(active_box *box, scr_error *error)
{
    if (box->def == NULL) return SCR_OK;
    bool fits = box->footing_table.count == box->def->around_count && cell_grid_is_valid(&box->cells) &&
                grain_store_is_valid(&box->store) && lists_are_valid(box) && contacts_are_valid(box) && box->fixed >= 0;
    for (int k = 0; fits && k < box->def->around_count; ++k)
        fits = isfinite(box->x[k]) && isfinite(box->y[k]) && isfinite(box->ux[k]) && isfinite(box->uy[k]);
    if (!fits)
        return scr_fail(error, SCR_BAD_INPUT, "the saved state does not fit together: its parked grains are damaged");
    return active_pass_reserve(box, error);
}
