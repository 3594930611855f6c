// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/region.h"

#include <string.h>

#include "core/arrays/colouring.h"

scr_status region_begin(system_region *region, const contact_system *system, scr_error *error)
{
    scr_status status = scr_grow_anew(&region->ends, &region->ends_capacity, system->contact_count,
                                      sizeof *region->ends, "a region", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&region->layer, &region->layer_capacity, system->body_count, sizeof *region->layer,
                               "a region", error);
    if (status != SCR_OK) return status;
    contact_system_all_ends(system, region->ends);
    for (int64_t k = 0; k < system->body_count; ++k) region->layer[k] = LAYER_NONE;
    region->bodies = 0;
    region->is_whole = false;
    return SCR_OK;
}

void region_put(system_region *region, int32_t body, int32_t layer)
{
    if (body == NO_BODY || region->layer[body] != LAYER_NONE) return;
    region->layer[body] = layer;
    ++region->bodies;
}

static bool carries(const contact_system *system, int64_t contact)
{
    const float *g = system->impulse + 3 * contact;
    return g[0] != 0.0f || g[1] != 0.0f || g[2] != 0.0f;
}

void region_grow(system_region *region, const contact_system *system, region_reach reach)
{
    for (int32_t layer = 1; layer <= reach.layers && region->bodies < reach.bodies; ++layer) {
        int32_t before = region->bodies;
        for (int64_t i = 0; i < system->contact_count; ++i) {
            int32_t a = region->ends[i].a, b = region->ends[i].b;
            if ((region_layer(region, a) != layer - 1 && region_layer(region, b) != layer - 1) || !carries(system, i))
                continue;
            region_put(region, a, layer);
            region_put(region, b, layer);
        }
        region->is_whole = region->bodies == before;
        if (region->is_whole) break;
    }
}

typedef enum contact_place { OUTSIDE, BORDER, INSIDE } contact_place;

static contact_place place_of(const system_region *region, contact_ends ends)
{
    bool has_a = region_layer(region, ends.a) != LAYER_NONE, has_b = region_layer(region, ends.b) != LAYER_NONE;
    if (!has_a && !has_b) return OUTSIDE;
    return (has_a || ends.a == NO_BODY) && (has_b || ends.b == NO_BODY) ? INSIDE : BORDER;
}

static scr_status list_contact(system_region *region, int64_t contact, contact_place place, scr_error *error)
{
    bool inside = place == INSIDE;
    int64_t **list = inside ? &region->contact : &region->border,
            *capacity = inside ? &region->contact_capacity : &region->border_capacity,
            *count = inside ? &region->count : &region->border_count;
    scr_status status = scr_grow(list, capacity, *count + 1, sizeof **list, "a region", error);
    if (status == SCR_OK) (*list)[(*count)++] = contact;
    return status;
}

// Those on the centre line, or the others.
static scr_status list_contacts(system_region *region, const contact_system *system, bool centre_line, scr_error *error)
{
    scr_status status = SCR_OK;
    for (int64_t i = 0; status == SCR_OK && i < system->contact_count; ++i) {
        if (region->ends[i].centre_line != centre_line) continue;
        contact_place place = place_of(region, region->ends[i]);
        if (place != OUTSIDE) status = list_contact(region, i, place, error);
    }
    return status;
}

scr_status region_close(system_region *region, const contact_system *system, scr_error *error)
{
    region->count = region->border_count = 0;
    scr_status status = list_contacts(region, system, false, error);
    region->general_count = region->count;
    return status == SCR_OK ? list_contacts(region, system, true, error) : status;
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

scr_status region_open(system_region *region, subsystem *sub, const contact_system *whole, scr_error *error)
{
    scr_status status = subsystem_open(sub, whole, region->contact, region->count, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&region->outside, &region->outside_capacity, sub->system.body_count,
                               sizeof *region->outside, "a region", error);
    if (status != SCR_OK) return status;
    if (sub->system.body_count > 0)
        memset(region->outside, 0, (size_t)sub->system.body_count * sizeof *region->outside);
    for (int64_t k = 0; k < region->border_count; ++k) {
        int64_t i = region->border[k];
        contact_row row = whole->row(whole->owner, i);
        scr_vec3 g = load3(whole->impulse + 3 * i), q = {0};
        if (whole->angular_impulse != NULL) q = load3(whole->angular_impulse + 3 * i);
        if (row.a != NO_BODY)
            push(region->outside, whole, row.a, sub->number_of[row.a], row.lever_a, vec3_neg(g), vec3_neg(q));
        if (row.b != NO_BODY) push(region->outside, whole, row.b, sub->number_of[row.b], row.lever_b, g, q);
    }
    sub->outside = region->outside;
    return SCR_OK;
}

void region_free(system_region *region)
{
    void *arrays[] = {region->contact, region->border, region->ends, region->layer, region->outside};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
    *region = (system_region){0};
}
