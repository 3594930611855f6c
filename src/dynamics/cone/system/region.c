// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/region.h"

#include <string.h>

#include "core/arrays/colouring.h"
#include "core/base/threads.h"

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

// Several threads may put the same body in: into the same layer. They look for bodies of the layer before, which is
// complete.
static int32_t layer_now(const system_region *region, int32_t body)
{
    return body < 0 ? LAYER_NONE : __atomic_load_n(&region->layer[body], __ATOMIC_RELAXED);
}

static void put_next(system_region *region, int32_t body, int32_t now, int32_t layer)
{
    if (body != NO_BODY && now == LAYER_NONE) __atomic_store_n(&region->layer[body], layer, __ATOMIC_RELAXED);
}

static void grow_layer(system_region *region, const contact_system *system, int32_t layer)
{
    int64_t inside = 0;
#pragma omp parallel num_threads(loop_threads(system->contact_count, system->threads))
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < system->contact_count; ++i) {
            int32_t a = region->ends[i].a, b = region->ends[i].b;
            int32_t at_a = layer_now(region, a), at_b = layer_now(region, b);
            if ((at_a != layer - 1 && at_b != layer - 1) || !carries(system, i)) continue;
            put_next(region, a, at_a, layer);
            put_next(region, b, at_b, layer);
        }
#pragma omp for schedule(static) reduction(+ : inside)
        for (int64_t k = 0; k < system->body_count; ++k) inside += region->layer[k] != LAYER_NONE;
    }
    region->bodies = (int32_t)inside;
}

void region_grow(system_region *region, const contact_system *system, region_reach reach)
{
    for (int32_t layer = 1; layer <= reach.layers && region->bodies < reach.bodies; ++layer) {
        int32_t before = region->bodies;
        grow_layer(region, system, layer);
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

// Those on the centre line, or the others.
static void list_contacts(system_region *region, const contact_system *system, bool centre_line)
{
    for (int64_t i = 0; i < system->contact_count; ++i) {
        if (region->ends[i].centre_line != centre_line) continue;
        contact_place place = place_of(region, region->ends[i]);
        if (place == INSIDE) region->contact[region->count++] = i;
        else if (place == BORDER) region->border[region->border_count++] = i;
    }
}

scr_status region_close(system_region *region, const contact_system *system, scr_error *error)
{
    int64_t n = system->contact_count;
    scr_status status =
        scr_grow_anew(&region->contact, &region->contact_capacity, n, sizeof *region->contact, "a region", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&region->border, &region->border_capacity, n, sizeof *region->border, "a region", error);
    if (status != SCR_OK) return status;
    region->count = region->border_count = 0;
    list_contacts(region, system, false);
    region->general_count = region->count;
    list_contacts(region, system, true);
    return SCR_OK;
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

scr_status region_enter(system_region *region, subsystem *sub, const contact_system *whole, scr_error *error)
{
    scr_status status = subsystem_open(sub, whole, region->contact, region->count, error);
    if (status == SCR_OK)
        status = scr_grow_anew(&region->outside, &region->outside_capacity, sub->system.body_count,
                               sizeof *region->outside, "a region", error);
    if (status != SCR_OK) return status;
    if (sub->system.body_count > 0)
        memset(region->outside, 0, (size_t)sub->system.body_count * sizeof *region->outside);
    sub->outside = region->outside;
    return SCR_OK;
}

void region_push(system_region *region, const subsystem *sub, int64_t contact)
{
    const contact_system *whole = sub->whole;
    contact_row row = whole->row(whole->owner, contact);
    scr_vec3 g = load3(whole->impulse + 3 * contact), q = {0};
    if (whole->angular_impulse != NULL) q = load3(whole->angular_impulse + 3 * contact);
    if (row.a != NO_BODY)
        push(region->outside, whole, row.a, sub->number_of[row.a], row.lever_a, vec3_neg(g), vec3_neg(q));
    if (row.b != NO_BODY) push(region->outside, whole, row.b, sub->number_of[row.b], row.lever_b, g, q);
}

scr_status region_open(system_region *region, subsystem *sub, const contact_system *whole, scr_error *error)
{
    scr_status status = region_enter(region, sub, whole, error);
    for (int64_t k = 0; status == SCR_OK && k < region->border_count; ++k) region_push(region, sub, region->border[k]);
    return status;
}

void region_free(system_region *region)
{
    void *arrays[] = {region->contact, region->border, region->ends, region->layer, region->outside};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) scr_free(arrays[k]);
    *region = (system_region){0};
}
