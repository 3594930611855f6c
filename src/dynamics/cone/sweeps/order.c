// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/order.h"

#include <string.h>

#include "core/base/threads.h"

enum { GROUP_CONTACTS = GROUP_BUNDLES * LANES };

void order_free(contact_order *order)
{
    scr_free(order->contact);
    scr_free(order->group);
    scr_free(order->copy);
}

// Contacts while they are being ordered.
typedef struct listing {
    int64_t count, shared_count;  // shared contacts come last
    body_pair *pair;
    int32_t *number;
    int32_t *heavy;  // the body that shares a contact, or NO_BODY
    uint8_t *colour;
    // Of bodies
    uint64_t *taken;
    int32_t *light_count;
    double *inv_mass;
    int64_t body_count;
} listing;

size_t order_bytes(int64_t contact_count, int64_t body_count)
{
    return 2 * scr_arena_bytes(sizeof(body_pair), contact_count) + 4 * scr_arena_bytes(sizeof(int32_t), contact_count) +
           scr_arena_bytes(1, contact_count) + scr_arena_bytes(sizeof(uint64_t), body_count) +
           scr_arena_bytes(sizeof(int32_t), body_count) + scr_arena_bytes(sizeof(double), body_count);
}

static listing list_contacts(const contact_system *system, bool centre_line, int64_t count, scr_arena *arena)
{
    listing list = {
        .pair = scr_arena_array(arena, sizeof *list.pair, count),
        .number = scr_arena_array(arena, sizeof *list.number, count),
        .heavy = scr_arena_array(arena, sizeof *list.heavy, count),
        .colour = scr_arena_array(arena, 1, count),
        .taken = scr_arena_array(arena, sizeof *list.taken, system->body_count),
        .light_count = scr_arena_array(arena, sizeof *list.light_count, system->body_count),
        .inv_mass = scr_arena_array(arena, sizeof *list.inv_mass, system->body_count),
        .body_count = system->body_count,
    };
    for (int64_t i = 0; count > 0 && i < system->contact_count; ++i) {
        contact_ends ends = system->ends(system->owner, i);
        if (ends.centre_line != centre_line) continue;
        list.pair[list.count] = (body_pair){ends.a, ends.b};
        list.number[list.count++] = (int32_t)i;
    }
    return list;
}

static void colour_contacts(listing *list, int64_t first, int64_t last, int64_t start[COLOUR_COUNT + 2])
{
    if (last > first) memset(list->taken, 0, (size_t)list->body_count * sizeof *list->taken);
    scr_colour(list->pair + first, last - first, list->taken, list->colour + first, start);
}

static bool is_light(const listing *list, int32_t body, int32_t beside)
{
    return body != NO_BODY && beside != NO_BODY && list->inv_mass[body] >= HEAVY_RATIO * list->inv_mass[beside];
}
static bool is_heavy(const listing *list, int32_t body)
{
    return body != NO_BODY && list->light_count[body] > HEAVY_CONTACTS;
}

// The body that shares a contact: a heavy one with a light one that is not heavy itself.
static int32_t sharing_body(const listing *list, body_pair pair)
{
    if (is_heavy(list, pair.a) && is_light(list, pair.b, pair.a) && !is_heavy(list, pair.b)) return pair.a;
    if (is_heavy(list, pair.b) && is_light(list, pair.a, pair.b) && !is_heavy(list, pair.a)) return pair.b;
    return NO_BODY;
}

static void find_heavy(listing *list, const contact_system *system)
{
    memset(list->light_count, 0, (size_t)list->body_count * sizeof *list->light_count);
    for (int64_t i = 0; i < list->body_count; ++i) list->inv_mass[i] = system->body(system->owner, i).inv_mass;
    for (int64_t k = 0; k < list->count; ++k) {
        body_pair pair = list->pair[k];
        if (is_light(list, pair.b, pair.a)) ++list->light_count[pair.a];
        if (is_light(list, pair.a, pair.b)) ++list->light_count[pair.b];
    }
    list->shared_count = 0;
    for (int64_t k = 0; k < list->count; ++k) {
        list->heavy[k] = sharing_body(list, list->pair[k]);
        list->shared_count += list->heavy[k] != NO_BODY;
    }
}

// Shared contacts last, by heavy body; all in their order otherwise. Of their pairs only the light sides remain.
static void separate_shared(listing *list, scr_arena arena)
{
    int64_t plain = 0, start = list->count - list->shared_count;
    body_pair *pair = scr_arena_array(&arena, sizeof *pair, list->count);
    int32_t *number = scr_arena_array(&arena, sizeof *number, list->count),
            *heavy = scr_arena_array(&arena, sizeof *heavy, list->count);
    int32_t *next = list->light_count;
    memset(next, 0, (size_t)list->body_count * sizeof *next);
    for (int64_t k = 0; k < list->count; ++k)
        if (list->heavy[k] != NO_BODY) ++next[list->heavy[k]];
    for (int64_t i = 0; i < list->body_count; ++i) {
        int32_t here = next[i];
        next[i] = (int32_t)start;
        start += here;
    }
    for (int64_t k = 0; k < list->count; ++k) {
        int32_t by = list->heavy[k];
        int64_t to = by == NO_BODY ? plain++ : next[by]++;
        pair[to] = list->pair[k];
        if (by != NO_BODY) pair[to] = (body_pair){pair[to].a == by ? pair[to].b : pair[to].a, NO_BODY};
        number[to] = list->number[k];
        heavy[to] = by;
    }
    memcpy(list->pair, pair, (size_t)list->count * sizeof *pair);
    memcpy(list->number, number, (size_t)list->count * sizeof *number);
    memcpy(list->heavy, heavy, (size_t)list->count * sizeof *heavy);
}

// Give every span its piece of the order. shared: where the colours of shared contacts begin.
static void fill_order(contact_order *order, listing *list, const int64_t shared[COLOUR_COUNT + 2], int32_t *heavy)
{
    int64_t plain = list->count - list->shared_count;
    int64_t next[COLOUR_COUNT + 1], shared_next[COLOUR_COUNT + 1];
    int64_t shared_overflow = shared[COLOUR_COUNT + 1] - shared[COLOUR_COUNT];
    memcpy(next, order->start, sizeof next);
    for (int c = 0; c < COLOUR_COUNT; ++c) shared_next[c] = plain + shared_overflow + shared[c];
    shared_next[COLOUR_COUNT] = plain;
    for (int64_t k = 0; k < list->count; ++k) {
        int64_t to = k < plain ? next[list->colour[k]]++ : shared_next[list->colour[k]]++;
        order->contact[to] = list->number[k];
        if (k >= plain) heavy[to] = list->heavy[k];
    }
    order->start[COLOUR_COUNT + 1] = list->count;
}

// Copies of the heavy bodies of a group; contacts of one body follow each other.
static void make_copies(contact_order *order, bundle_group *group, const int32_t *heavy)
{
    group->first_copy = order->copy_count;
    for (int64_t k = group->first_contact; k < group->last_contact; ++k) {
        bool is_new = k == group->first_contact || heavy[k] != heavy[k - 1];
        if (is_new) order->copy[order->copy_count++] = (heavy_copy){.body = heavy[k]};
        ++order->copy[order->copy_count - 1].contacts;
    }
    group->last_copy = order->copy_count;
}

// Copies of one body in a span follow each other too.
static void count_shares(heavy_copy *copy, int64_t count)
{
    for (int64_t first = 0, last; first < count; first = last) {
        for (last = first; last < count && copy[last].body == copy[first].body;) ++last;
        for (int64_t k = first; k < last; ++k) copy[k].shares = (int32_t)(last - first);
    }
}

static void add_span(contact_order *order, span_kind kind, int64_t first, int64_t last, const int32_t *heavy)
{
    if (first == last) return;
    int64_t per_group = kind == SPAN_SERIAL ? 1 : GROUP_CONTACTS, first_copy = order->copy_count;
    contact_span *span = &order->span[order->span_count++];
    *span = (contact_span){kind, order->group_count, 0};
    for (int64_t k = first; k < last; k += per_group) {
        bundle_group *group = &order->group[order->group_count++];
        *group = (bundle_group){
            .first_bundle = order->bundle_count, .first_contact = k, .last_contact = min_i64(k + per_group, last)};
        order->bundle_count += block_count_of(group->last_contact - k, LANES);
        group->last_bundle = order->bundle_count;
        if (kind == SPAN_SHARED) make_copies(order, group, heavy);
    }
    span->last_group = order->group_count;
    if (kind == SPAN_SHARED) count_shares(order->copy + first_copy, order->copy_count - first_copy);
}

// Cut every span into groups of whole bundles; every serial contact is a group of its own.
static scr_status make_groups(contact_order *order, const listing *list, const int64_t shared[COLOUR_COUNT + 2],
                              const int32_t *heavy, scr_error *error)
{
    int64_t plain = list->count - list->shared_count, overflow = shared[COLOUR_COUNT + 1] - shared[COLOUR_COUNT];
    int64_t groups = plain - order->start[COLOUR_COUNT] + overflow;
    for (int c = 0; c < COLOUR_COUNT; ++c) {
        groups += block_count_of(order->start[c + 1] - order->start[c], GROUP_CONTACTS);
        groups += block_count_of(shared[c + 1] - shared[c], GROUP_CONTACTS);
    }
    scr_status status =
        scr_grow_anew(&order->group, &order->group_capacity, groups, sizeof *order->group, "contact groups", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&order->copy, &order->copy_capacity, list->shared_count, sizeof *order->copy,
                               "copies of heavy bodies", error);
    if (status != SCR_OK) return status;
    order->span_count = 0;
    order->group_count = order->copy_count = order->bundle_count = 0;
    for (int c = 0; c < COLOUR_COUNT; ++c) add_span(order, SPAN_COLOUR, order->start[c], order->start[c + 1], NULL);
    add_span(order, SPAN_SERIAL, order->start[COLOUR_COUNT], plain + overflow, NULL);
    int64_t at = plain + overflow;
    for (int c = 0; c < COLOUR_COUNT; ++c) add_span(order, SPAN_SHARED, at + shared[c], at + shared[c + 1], heavy);
    return SCR_OK;
}

scr_status order_contacts(contact_order *order, const contact_system *system, bool centre_line, scr_arena arena,
                          scr_error *error)
{
    int64_t count = centre_line ? system->contact_count - system->general_count : system->general_count;
    scr_status status =
        scr_grow_anew(&order->contact, &order->capacity, count, sizeof *order->contact, "contact order", error);
    if (status != SCR_OK) return status;
    order->count = count;
    listing list = list_contacts(system, centre_line, count, &arena);
    int64_t shared[COLOUR_COUNT + 2] = {0};
    colour_contacts(&list, 0, count, order->start);
    bool is_crowded = order->start[HEAVY_CONTACTS] < count;  // or no body has more contacts than that
    if (is_crowded && system->angular_impulse == NULL) find_heavy(&list, system);
    if (list.shared_count > 0) {
        int64_t plain = count - list.shared_count;
        separate_shared(&list, arena);
        colour_contacts(&list, 0, plain, order->start);
        colour_contacts(&list, plain, count, shared);
    }
    int32_t *heavy = scr_arena_array(&arena, sizeof *heavy, count);
    fill_order(order, &list, shared, heavy);
    return make_groups(order, &list, shared, heavy, error);
}
