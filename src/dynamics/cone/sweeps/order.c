// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/order.h"

#include <string.h>

#include "core/base/threads.h"

enum { GROUP_CONTACTS = GROUP_BUNDLES * LANES };
// Off the centre line a contact is longer work, and so is one that resists rolling: smaller pieces share it out among
// threads as evenly.
enum { GENERAL_GROUP_CONTACTS = GENERAL_GROUP_BUNDLES * LANES, ROLLING_GROUP_CONTACTS = GROUP_CONTACTS / 8 };

void order_free(contact_order *order)
{
    scr_free(order->contact);
    scr_free(order->unit);
    scr_free(order->group);
    scr_free(order->copy);
}

// ---- contacts of heavy bodies ----

// Bodies, by record.
typedef struct weighed_bodies {
    int32_t *light_count;  // how many light ones it touches
    double *inv_mass;
} weighed_bodies;

// By heavy body, then by the level of block, then by number. Of their pairs only the light sides remain.
typedef struct shared_contacts {
    int64_t count;
    int32_t *number, *heavy;
    body_pair *light;
    uint8_t *colour;
} shared_contacts;

static bool is_light(const weighed_bodies *w, int32_t body, int32_t beside)
{
    return body != NO_BODY && beside != NO_BODY && w->inv_mass[body] >= HEAVY_RATIO * w->inv_mass[beside];
}
static bool is_heavy(const weighed_bodies *w, int32_t body)
{
    return body != NO_BODY && w->light_count[body] > HEAVY_CONTACTS;
}

// The body that shares a contact: a heavy one with a light one that is not heavy itself.
static int32_t sharing_body(const weighed_bodies *w, body_pair pair)
{
    if (is_heavy(w, pair.a) && is_light(w, pair.b, pair.a) && !is_heavy(w, pair.b)) return pair.a;
    if (is_heavy(w, pair.b) && is_light(w, pair.a, pair.b) && !is_heavy(w, pair.a)) return pair.b;
    return NO_BODY;
}

static void weigh_bodies(weighed_bodies *w, const contact_system *system, const touched_bodies *touched,
                         const chosen_contacts *chosen)
{
    memset(w->light_count, 0, (size_t)touched->count * sizeof *w->light_count);
    for (int64_t i = 0; i < touched->count; ++i)
        w->inv_mass[i] = system->body(system->owner, touched->body_of[i]).inv_mass;
    for (int64_t k = 0; k < chosen->ends->count; ++k) {
        if (!is_chosen(chosen, k)) continue;
        body_pair pair = ends_pair(chosen->ends, k);
        if (is_light(w, pair.b, pair.a)) ++w->light_count[pair.a];
        if (is_light(w, pair.a, pair.b)) ++w->light_count[pair.b];
    }
}

// Where the next contact goes of those that a body shares: by the level at which a block holds both sides.
typedef struct shared_places {
    int32_t next[BLOCK_LEVELS + 1];
} shared_places;

static void list_shared(shared_contacts *shared, const weighed_bodies *w, const chosen_contacts *chosen,
                        const block_cut *cut, shared_places *places)
{
    int32_t at = 0;
    memset(places, 0, (size_t)chosen->body_count * sizeof *places);
    for (int64_t k = 0; k < chosen->ends->count; ++k) {
        if (!is_chosen(chosen, k)) continue;
        body_pair pair = ends_pair(chosen->ends, k);
        int32_t by = sharing_body(w, pair);
        if (by != NO_BODY) ++places[by].next[block_level_of(cut, pair)];
    }
    for (int64_t i = 0; i < chosen->body_count; ++i)
        for (int level = 0; level <= BLOCK_LEVELS; ++level) {
            int32_t here = places[i].next[level];
            places[i].next[level] = at;
            at += here;
        }
    shared->count = at;
    for (int64_t k = 0; at > 0 && k < chosen->ends->count; ++k) {
        if (!is_chosen(chosen, k)) continue;
        body_pair pair = ends_pair(chosen->ends, k);
        int32_t by = sharing_body(w, pair);
        if (by == NO_BODY) continue;
        int32_t to = places[by].next[block_level_of(cut, pair)]++;
        shared->number[to] = (int32_t)k;
        shared->heavy[to] = by;
        shared->light[to] = (body_pair){pair.a == by ? pair.b : pair.a, NO_BODY};
    }
}

// They are chosen no longer.
static void leave_out(chosen_contacts *chosen, const shared_contacts *shared)
{
    uint8_t *kind = chosen->ends->kind;
    if (chosen->are_all) memset(kind, chosen->kind, (size_t)chosen->ends->count);
    chosen->are_all = false;
    for (int64_t k = 0; k < shared->count; ++k) kind[shared->number[k]] = LEFT_OUT;
}

// Does any body have more contacts than a heavy one must have?
static bool is_crowded(const block_cut *cut)
{
    for (int64_t k = 0; k < cut->block_count; ++k)
        if (cut->block[k].start[HEAVY_CONTACTS] < cut->block[k].last - cut->block[k].first) return true;
    return false;
}

size_t order_bytes(const contact_system *system)
{
    int64_t contacts = system->contact_count, bodies = system->body_count;
    size_t shared = scr_arena_bytes(sizeof(body_pair), contacts) + 3 * scr_arena_bytes(sizeof(int32_t), contacts) +
                    scr_arena_bytes(1, contacts);
    size_t weighed = scr_arena_bytes(sizeof(int32_t), bodies) + scr_arena_bytes(sizeof(double), bodies) +
                     scr_arena_bytes(sizeof(shared_places), bodies),
           cut = blocks_bytes(contacts, bodies) + scr_arena_bytes(sizeof(uint64_t), bodies);
    return listed_ends_bytes(system) + cut_bytes(bodies) + shared +
           (size_t)max_i64((int64_t)weighed, (int64_t)cut);  // one after the other
}

static shared_contacts find_shared(const contact_system *system, const touched_bodies *touched,
                                   const chosen_contacts *chosen, const block_cut *cut, scr_arena *arena)
{
    int64_t room = chosen->ends->count;
    shared_contacts shared = {.number = scr_arena_array(arena, sizeof *shared.number, room),
                              .heavy = scr_arena_array(arena, sizeof *shared.heavy, room),
                              .light = scr_arena_array(arena, sizeof *shared.light, room),
                              .colour = scr_arena_array(arena, 1, room)};
    scr_arena scratch = *arena;
    weighed_bodies w = {.light_count = scr_arena_array(&scratch, sizeof *w.light_count, touched->count),
                        .inv_mass = scr_arena_array(&scratch, sizeof *w.inv_mass, touched->count)};
    weigh_bodies(&w, system, touched, chosen);
    list_shared(&shared, &w, chosen, cut, scr_arena_array(&scratch, sizeof(shared_places), touched->count));
    return shared;
}

// Shared contacts stand behind all others.
static contact_block colour_shared(const shared_contacts *shared, int64_t first, int64_t body_count, scr_arena arena)
{
    contact_block block = {.first = first, .last = first + shared->count};
    uint64_t *taken = scr_arena_array(&arena, sizeof *taken, body_count);
    memset(taken, 0, (size_t)body_count * sizeof *taken);
    scr_colour(shared->light, shared->count, taken, shared->colour, block.start);
    return block;
}

// ---- spans, units, groups ----

// Colour by colour, those without a colour last, and who shares them, by place in the order.
static void fill_shared(contact_order *order, const shared_contacts *shared, const contact_block *block, int32_t *heavy)
{
    int64_t next[COLOUR_COUNT + 1];
    for (int c = 0; c <= COLOUR_COUNT; ++c) next[c] = block->first + block->start[c];
    for (int64_t k = 0; k < shared->count; ++k) {
        int64_t to = next[shared->colour[k]]++;
        order->contact[to] = shared->number[k];
        heavy[to] = shared->heavy[k];
    }
}

static index_range colour_range(const contact_block *block, int colour)
{
    return (index_range){block->first + block->start[colour], block->first + block->start[colour + 1]};
}

// Groups of a block whose colours are cut in pieces; a contact without a colour is one.
static int64_t count_groups(const contact_block *block, int64_t piece)
{
    int64_t groups = block->last - block->first - block->start[COLOUR_COUNT];
    for (int c = 0; c < COLOUR_COUNT; ++c) groups += block_count_of(block->start[c + 1] - block->start[c], piece);
    return groups;
}

static scr_status reserve_groups(contact_order *order, const block_cut *cut, const contact_block *shared,
                                 scr_error *error)
{
    int64_t blocks = cut->block_count - 1, shared_count = shared->last - shared->first;
    int64_t apart = count_groups(&cut->block[blocks], order->colour_piece) + count_groups(shared, GROUP_CONTACTS);
    int64_t groups = apart, units = apart + blocks;
    for (int64_t k = 0; k < blocks; ++k) groups += count_groups(&cut->block[k], INT32_MAX);
    scr_status status =
        scr_grow_anew(&order->group, &order->group_capacity, groups, sizeof *order->group, "contact groups", error);
    if (status == SCR_OK)
        status =
            scr_grow_anew(&order->unit, &order->unit_capacity, units, sizeof *order->unit, "contact groups", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&order->copy, &order->copy_capacity, shared_count, sizeof *order->copy,
                               "copies of heavy bodies", error);
    return status;
}

static bundle_group *add_group(contact_order *order, index_range contacts)
{
    bundle_group *group = &order->group[order->group_count++];
    *group = (bundle_group){
        .first_bundle = order->bundle_count, .first_contact = contacts.first, .last_contact = contacts.last};
    order->bundle_count += block_count_of(contacts.last - contacts.first, LANES);
    group->last_bundle = order->bundle_count;
    return group;
}

static contact_span *open_span(contact_order *order, span_kind kind)
{
    contact_span *span = &order->span[order->span_count++];
    *span = (contact_span){kind, order->unit_count, order->unit_count};
    return span;
}

// A unit of the groups that are added next.
static work_unit *open_unit(contact_order *order, contact_span *span)
{
    work_unit *unit = &order->unit[order->unit_count++];
    *unit = (work_unit){.first_group = order->group_count, .first_bundle = order->bundle_count};
    span->last_unit = order->unit_count;
    return unit;
}

static void add_block(contact_order *order, const contact_block *block)
{
    for (int c = 0; c < COLOUR_COUNT; ++c)
        if (block->start[c] < block->start[c + 1]) add_group(order, colour_range(block, c));
    for (int64_t k = block->first + block->start[COLOUR_COUNT]; k < block->last; ++k)
        add_group(order, (index_range){k, k + 1});
}

static work_unit *add_block_unit(contact_order *order, contact_span *span, const contact_block *block)
{
    work_unit *unit = open_unit(order, span);
    add_block(order, block);
    unit->last_group = order->group_count;
    return unit;
}

static void add_near_block(contact_order *order, contact_span *span, const block_cut *cut, int64_t number,
                           int64_t body_count)
{
    work_unit *unit = add_block_unit(order, span, &cut->block[number]);
    for (int64_t g = unit->first_group; g < unit->last_group; ++g) order->group[g].is_near = true;
    unit->first_body = number * BLOCK_BODIES;
    unit->last_body = min_i64(unit->first_body + BLOCK_BODIES, body_count);
}

// Blocks of the first level, and after those that make up one of the second this one.
static void add_blocks(contact_order *order, const block_cut *cut, int64_t body_count)
{
    if (cut->levels == 0) return;
    contact_span *span = open_span(order, SPAN_BLOCKS);
    for (int64_t k = 0; k < cut->level[1]; ++k) {
        add_near_block(order, span, cut, k, body_count);
        if (cut->levels == 1) continue;
        order->unit[order->unit_count - 1].follows = k % BLOCKS_OF_NEXT != 0;
        if ((k + 1) % BLOCKS_OF_NEXT != 0 && k + 1 < cut->level[1]) continue;
        add_block_unit(order, span, &cut->block[cut->level[1] + k / BLOCKS_OF_NEXT])->follows = true;
    }
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

static void add_span(contact_order *order, span_kind kind, index_range contacts, const int32_t *heavy)
{
    if (contacts.first == contacts.last) return;
    int64_t per_group = kind == SPAN_SERIAL ? 1 : kind == SPAN_COLOUR ? order->colour_piece : GROUP_CONTACTS;
    int64_t first_copy = order->copy_count;
    contact_span *span = open_span(order, kind);
    for (int64_t k = contacts.first; k < contacts.last; k += per_group) {
        work_unit *unit = open_unit(order, span);
        bundle_group *group = add_group(order, (index_range){k, min_i64(k + per_group, contacts.last)});
        if (kind == SPAN_SHARED) make_copies(order, group, heavy);
        unit->last_group = order->group_count;
    }
    if (kind == SPAN_SHARED) count_shares(order->copy + first_copy, order->copy_count - first_copy);
}

static void make_spans(contact_order *order, const block_cut *cut, int64_t body_count, const contact_block *shared,
                       const int32_t *heavy)
{
    const contact_block *across = &cut->block[cut->block_count - 1];
    order->span_count = 0;
    order->unit_count = order->group_count = order->copy_count = order->bundle_count = 0;
    add_blocks(order, cut, body_count);
    for (int c = 0; c < COLOUR_COUNT; ++c) add_span(order, SPAN_COLOUR, colour_range(across, c), NULL);
    add_span(order, SPAN_SERIAL, colour_range(across, COLOUR_COUNT), NULL);
    add_span(order, SPAN_SERIAL, colour_range(shared, COLOUR_COUNT), NULL);
    for (int c = 0; c < COLOUR_COUNT; ++c) add_span(order, SPAN_SHARED, colour_range(shared, c), heavy);
}

scr_status order_contacts(contact_order *order, const contact_system *system, const touched_bodies *touched,
                          const listed_ends *ends, bool centre_line, scr_arena arena, scr_error *error)
{
    int64_t count = centre_line ? system->contact_count - system->general_count : system->general_count;
    scr_status status =
        scr_grow_anew(&order->contact, &order->capacity, count, sizeof *order->contact, "contact order", error);
    if (status != SCR_OK) return status;
    order->count = count;
    order->colour_piece = system->angular_impulse != NULL ? ROLLING_GROUP_CONTACTS
                          : centre_line                   ? GROUP_CONTACTS
                                                          : GENERAL_GROUP_CONTACTS;
    chosen_contacts chosen = {.ends = ends,
                              .are_all = ends->are_alike,
                              .kind = centre_line ? ON_CENTRE_LINE : OFF_CENTRE_LINE,
                              .body_count = touched->count,
                              .threads = system->threads};
    shared_contacts shared = {0};
    contact_block shared_block = {.first = count, .last = count};
    scr_arena cut_memory = arena;
    block_cut cut =
        count > 0 ? blocks_cut(&chosen, order->contact, &cut_memory) : blocks_of_nothing(touched->count, &cut_memory);
    if (is_crowded(&cut)) shared = find_shared(system, touched, &chosen, &cut, &cut_memory);
    int32_t *heavy = NULL;
    if (shared.count > 0) {
        leave_out(&chosen, &shared);
        heavy = scr_arena_array(&cut_memory, sizeof *heavy, count);
        cut = blocks_cut(&chosen, order->contact, &cut_memory);
        shared_block = colour_shared(&shared, count - shared.count, touched->count, cut_memory);
        fill_shared(order, &shared, &shared_block, heavy);
    }
    status = reserve_groups(order, &cut, &shared_block, error);
    if (status == SCR_OK) make_spans(order, &cut, touched->count, &shared_block, heavy);
    return status;
}

// The first unit of a span that begins at this bundle or later, and follows no other.
static int64_t unit_from(const contact_order *order, const contact_span *span, int64_t bundle)
{
    int64_t low = span->first_unit, high = span->last_unit;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (order->unit[middle].first_bundle < bundle) low = middle + 1;
        else high = middle;
    }
    while (low < span->last_unit && order->unit[low].follows) ++low;
    return low;
}

index_range order_share(const contact_order *order, const contact_span *span, int part, int parts)
{
    int64_t first = order->unit[span->first_unit].first_bundle;
    int64_t last =
        span->last_unit < order->unit_count ? order->unit[span->last_unit].first_bundle : order->bundle_count;
    index_range mine = {span->first_unit, span->last_unit};
    if (part > 0) mine.first = unit_from(order, span, first + (last - first) * part / parts);
    if (part < parts - 1) mine.last = unit_from(order, span, first + (last - first) * (part + 1) / parts);
    return mine;
}
