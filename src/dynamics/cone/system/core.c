// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/core.h"

#include <string.h>

#include "core/arrays/colouring.h"

enum { JOINED = -1, FAR = INT32_MAX };  // layers

static int32_t layer_of(const system_core *core, int32_t body) { return body == NO_BODY ? FAR : core->layer[body]; }

static void put_in_layer(system_core *core, int32_t body, int32_t layer)
{
    if (body == NO_BODY || core->layer[body] != FAR) return;
    core->layer[body] = layer;
    ++core->bodies;
}

// Bodies that joints hold, and those of contacts off the centre line: with them begins what is solved at once. False:
// some contact on that line holds a body that joints hold, too.
static bool find_first_layers(system_core *core, const contact_system *system)
{
    for (int64_t k = 0; system->joints != NULL && k < system->joints->mechanism_count; ++k) {
        const joint_mechanism *one = &system->joints->mechanism[k];
        for (int32_t i = 0; i < one->equations.body_count; ++i) put_in_layer(core, one->body[i], JOINED);
    }
    for (int64_t i = 0; i < system->contact_count; ++i) {
        contact_ends ends = core->ends[i];
        if (ends.centre_line) {
            if (layer_of(core, ends.a) == JOINED || layer_of(core, ends.b) == JOINED) return false;
            continue;
        }
        put_in_layer(core, ends.a, 0);
        put_in_layer(core, ends.b, 0);
    }
    return true;
}

static bool carries(const contact_system *system, int64_t contact)
{
    const float *g = system->impulse + 3 * contact;
    return g[0] != 0.0f || g[1] != 0.0f || g[2] != 0.0f;
}

static void find_layers(system_core *core, const contact_system *system, core_reach reach)
{
    for (int32_t layer = 1; layer <= reach.layers && core->bodies < reach.bodies; ++layer) {
        int32_t before = core->bodies;
        for (int64_t i = 0; i < system->contact_count; ++i) {
            int32_t a = core->ends[i].a, b = core->ends[i].b;
            if ((layer_of(core, a) != layer - 1 && layer_of(core, b) != layer - 1) || !carries(system, i)) continue;
            put_in_layer(core, a, layer);
            put_in_layer(core, b, layer);
        }
        core->is_whole = core->bodies == before;
        if (core->is_whole) break;
    }
}

static bool is_inside(const system_core *core, contact_ends ends)
{
    return (ends.a == NO_BODY || core->layer[ends.a] != FAR) && (ends.b == NO_BODY || core->layer[ends.b] != FAR);
}

static bool touches_inside(const system_core *core, contact_ends ends)
{
    return layer_of(core, ends.a) != FAR || layer_of(core, ends.b) != FAR;
}

static scr_status list_contacts(system_core *core, const contact_system *system, scr_error *error)
{
    int64_t general = 0;
    core->general_count = system->general_count;  // they are all inside
    core->count = core->general_count;
    core->border_count = 0;
    scr_status status =
        scr_grow(&core->contact, &core->contact_capacity, core->count, sizeof *core->contact, "the core", error);
    for (int64_t i = 0; status == SCR_OK && i < system->contact_count; ++i) {
        contact_ends ends = core->ends[i];
        if (!ends.centre_line) {
            core->contact[general++] = i;
        } else if (touches_inside(core, ends) && is_inside(core, ends)) {
            status = scr_grow(&core->contact, &core->contact_capacity, core->count + 1, sizeof *core->contact,
                              "the core", error);
            if (status == SCR_OK) core->contact[core->count++] = i;
        } else if (touches_inside(core, ends)) {
            status = scr_grow(&core->border, &core->border_capacity, core->border_count + 1, sizeof *core->border,
                              "the core", error);
            if (status == SCR_OK) core->border[core->border_count++] = i;
        }
    }
    return status;
}

scr_status core_find(system_core *core, const contact_system *system, core_reach reach, bool *is_apart,
                     scr_error *error)
{
    scr_status status =
        scr_grow_anew(&core->ends, &core->ends_capacity, system->contact_count, sizeof *core->ends, "the core", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&core->layer, &core->layer_capacity, system->body_count, sizeof *core->layer, "the core",
                               error);
    if (status != SCR_OK) return status;
    contact_system_all_ends(system, core->ends);
    for (int64_t k = 0; k < system->body_count; ++k) core->layer[k] = FAR;
    core->bodies = 0;
    core->is_whole = false;
    *is_apart = find_first_layers(core, system);
    if (!*is_apart) return SCR_OK;
    find_layers(core, system, reach);
    return list_contacts(core, system, error);
}

// ---- the border ----

static void push(twist *outside, const contact_system *whole, int32_t body, int32_t number, scr_vec3 lever,
                 scr_vec3 impulse, scr_vec3 angular_impulse)
{
    if (body == NO_BODY || number == NO_BODY) return;
    system_body mass = whole->body(whole->owner, body);
    scr_vec3 moment = vec3_add(vec3_cross(lever, impulse), angular_impulse);
    outside[number].v = vec3_add_scaled(outside[number].v, mass.inv_mass, impulse);
    outside[number].w = vec3_add(outside[number].w, mat3_times(&mass.inv_inertia, moment));
}

static scr_vec3 load3(const float *v) { return vec3((double)v[0], (double)v[1], (double)v[2]); }

scr_status core_open(system_core *core, subsystem *sub, const contact_system *whole, scr_error *error)
{
    scr_status status = subsystem_open(sub, whole, core->contact, core->count, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&core->outside, &core->outside_capacity, sub->system.body_count, sizeof *core->outside,
                               "the core", error);
    if (status != SCR_OK) return status;
    if (sub->system.body_count > 0) memset(core->outside, 0, (size_t)sub->system.body_count * sizeof *core->outside);
    for (int64_t k = 0; k < core->border_count; ++k) {
        int64_t i = core->border[k];
        contact_row row = whole->row(whole->owner, i);
        scr_vec3 g = load3(whole->impulse + 3 * i), q = {0};
        if (whole->angular_impulse != NULL) q = load3(whole->angular_impulse + 3 * i);
        if (row.a != NO_BODY)
            push(core->outside, whole, row.a, sub->number_of[row.a], row.lever_a, vec3_neg(g), vec3_neg(q));
        if (row.b != NO_BODY) push(core->outside, whole, row.b, sub->number_of[row.b], row.lever_b, g, q);
    }
    sub->outside = core->outside;
    return SCR_OK;
}

void core_free(system_core *core)
{
    void *arrays[] = {core->contact, core->border, core->ends, core->layer, core->outside};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
    *core = (system_core){0};
}
