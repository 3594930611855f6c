// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/order.h"

#include <string.h>

#include "core/base/threads.h"

enum { GROUP_CONTACTS = GROUP_BUNDLES * LANES, LIST_CHUNK = 16384 };
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

// Contacts while they are being ordered.
typedef struct listing {
    contact_pairs list;  // shared contacts come last
    int64_t shared_count;
    int32_t *heavy;        // the body that shares a contact, or NO_BODY
    int32_t *light_count;  // of bodies
    double *inv_mass;
} listing;

size_t order_bytes(int64_t contact_count, int64_t body_count)
{
    size_t ends = listed_ends_bytes(contact_count, body_count);
    size_t pairs = scr_arena_bytes(sizeof(body_pair), contact_count),
           numbers = scr_arena_bytes(sizeof(int32_t), contact_count);
    size_t listed = 2 * pairs + 3 * numbers + scr_arena_bytes(1, contact_count) +
                    scr_arena_bytes(sizeof(uint64_t), body_count) + scr_arena_bytes(sizeof(int32_t), body_count) +
                    scr_arena_bytes(sizeof(double), body_count);
    size_t counted = scr_arena_bytes(sizeof(int64_t), block_count_of(contact_count, LIST_CHUNK));
    size_t separated = pairs + 2 * numbers, cut = blocks_bytes(contact_count, body_count) + numbers;
    return ends + listed + counted + (size_t)max_i64((int64_t)separated, (int64_t)cut);  // one after the other
}

static index_range chunk_range(int64_t chunk, int64_t count)
{
    return (index_range){chunk * LIST_CHUNK, min_i64((chunk + 1) * LIST_CHUNK, count)};
}

static int64_t count_kind(const listed_ends *ends, bool centre_line, index_range r)
{
    int64_t count = 0;
    for (int64_t i = r.first; i < r.last; ++i) count += ends->centre_line[i] == centre_line;
    return count;
}

static void list_all(contact_pairs *list, const listed_ends *ends, index_range r)
{
    memcpy(list->pair + r.first, ends->pair + r.first, (size_t)(r.last - r.first) * sizeof *list->pair);
    for (int64_t i = r.first; i < r.last; ++i) list->number[i] = (int32_t)i;
}

static void list_chunk(contact_pairs *list, const listed_ends *ends, bool centre_line, index_range r, int64_t at)
{
    for (int64_t i = r.first; i < r.last; ++i) {
        if (ends->centre_line[i] != centre_line) continue;
        list->pair[at] = ends->pair[i];
        list->number[at++] = (int32_t)i;
    }
}

static void list_contacts(contact_pairs *list, const contact_system *system, const listed_ends *ends, bool centre_line,
                          scr_arena arena)
{
    int64_t chunks = list->count > 0 ? block_count_of(system->contact_count, LIST_CHUNK) : 0, at = 0;
    bool are_alike = list->count == system->contact_count;
    int64_t *start = scr_arena_array(&arena, sizeof *start, chunks);
#pragma omp parallel for num_threads(system->threads) schedule(static) if (!are_alike)
    for (int64_t c = 0; c < chunks; ++c)
        start[c] = are_alike ? LIST_CHUNK : count_kind(ends, centre_line, chunk_range(c, system->contact_count));
    for (int64_t c = 0; c < chunks; ++c) {
        int64_t here = start[c];
        start[c] = at;
        at += here;
    }
#pragma omp parallel for num_threads(system->threads) schedule(static)
    for (int64_t c = 0; c < chunks; ++c) {
        index_range r = chunk_range(c, system->contact_count);
        if (are_alike) list_all(list, ends, r);
        else list_chunk(list, ends, centre_line, r, start[c]);
    }
}

static listing open_listing(const contact_system *system, const touched_bodies *touched, const listed_ends *ends,
                            bool centre_line, int64_t count, scr_arena *arena)
{
    listing l = {
        .list = {.count = count,
                 .body_count = touched->count,
                 .pair = scr_arena_array(arena, sizeof *l.list.pair, count),
                 .other_pair = scr_arena_array(arena, sizeof *l.list.other_pair, count),
                 .number = scr_arena_array(arena, sizeof *l.list.number, count),
                 .other_number = scr_arena_array(arena, sizeof *l.list.other_number, count),
                 .colour = scr_arena_array(arena, 1, count),
                 .taken = scr_arena_array(arena, sizeof *l.list.taken, touched->count)},
        .heavy = scr_arena_array(arena, sizeof *l.heavy, count),
        .light_count = scr_arena_array(arena, sizeof *l.light_count, touched->count),
        .inv_mass = scr_arena_array(arena, sizeof *l.inv_mass, touched->count),
    };
    list_contacts(&l.list, system, ends, centre_line, *arena);
    return l;
}

// ---- contacts of heavy bodies ----

static bool is_light(const listing *l, int32_t body, int32_t beside)
{
    return body != NO_BODY && beside != NO_BODY && l->inv_mass[body] >= HEAVY_RATIO * l->inv_mass[beside];
}
static bool is_heavy(const listing *l, int32_t body)
{
    return body != NO_BODY && l->light_count[body] > HEAVY_CONTACTS;
}

// The body that shares a contact: a heavy one with a light one that is not heavy itself.
static int32_t sharing_body(const listing *l, body_pair pair)
{
    if (is_heavy(l, pair.a) && is_light(l, pair.b, pair.a) && !is_heavy(l, pair.b)) return pair.a;
    if (is_heavy(l, pair.b) && is_light(l, pair.a, pair.b) && !is_heavy(l, pair.a)) return pair.b;
    return NO_BODY;
}

static void find_heavy(listing *l, const contact_system *system, const touched_bodies *touched)
{
    const contact_pairs *list = &l->list;
    memset(l->light_count, 0, (size_t)list->body_count * sizeof *l->light_count);
    for (int64_t i = 0; i < list->body_count; ++i)
        l->inv_mass[i] = system->body(system->owner, touched->body_of[i]).inv_mass;
    for (int64_t k = 0; k < list->count; ++k) {
        body_pair pair = list->pair[k];
        if (is_light(l, pair.b, pair.a)) ++l->light_count[pair.a];
        if (is_light(l, pair.a, pair.b)) ++l->light_count[pair.b];
    }
    l->shared_count = 0;
    for (int64_t k = 0; k < list->count; ++k) {
        l->heavy[k] = sharing_body(l, list->pair[k]);
        l->shared_count += l->heavy[k] != NO_BODY;
    }
}

// Shared contacts last, by heavy body; all in their order otherwise. Of their pairs only the light sides remain.
static void separate_shared(listing *l, scr_arena arena)
{
    contact_pairs *list = &l->list;
    int64_t plain = 0, start = list->count - l->shared_count;
    body_pair *pair = scr_arena_array(&arena, sizeof *pair, list->count);
    int32_t *number = scr_arena_array(&arena, sizeof *number, list->count),
            *heavy = scr_arena_array(&arena, sizeof *heavy, list->count);
    int32_t *next = l->light_count;
    memset(next, 0, (size_t)list->body_count * sizeof *next);
    for (int64_t k = 0; k < list->count; ++k)
        if (l->heavy[k] != NO_BODY) ++next[l->heavy[k]];
    for (int64_t i = 0; i < list->body_count; ++i) {
        int32_t here = next[i];
        next[i] = (int32_t)start;
        start += here;
    }
    for (int64_t k = 0; k < list->count; ++k) {
        int32_t by = l->heavy[k];
        int64_t to = by == NO_BODY ? plain++ : next[by]++;
        pair[to] = list->pair[k];
        if (by != NO_BODY) pair[to] = (body_pair){pair[to].a == by ? pair[to].b : pair[to].a, NO_BODY};
        number[to] = list->number[k];
        heavy[to] = by;
    }
    memcpy(list->pair, pair, (size_t)list->count * sizeof *pair);
    memcpy(list->number, number, (size_t)list->count * sizeof *number);
    memcpy(l->heavy, heavy, (size_t)list->count * sizeof *heavy);
}

// Does any body have more contacts than a heavy one must have?
static bool is_crowded(const block_cut *cut)
{
    for (int64_t k = 0; k < cut->block_count; ++k)
        if (cut->block[k].start[HEAVY_CONTACTS] < cut->block[k].last - cut->block[k].first) return true;
    return false;
}

static void colour_shared(listing *l, contact_block *shared)
{
    contact_pairs *list = &l->list;
    *shared = (contact_block){.first = list->count - l->shared_count, .last = list->count};
    memset(list->taken, 0, (size_t)list->body_count * sizeof *list->taken);
    scr_colour(list->pair + shared->first, l->shared_count, list->taken, list->colour + shared->first, shared->start);
}

// ---- spans, units, groups ----

// Numbers of a block's contacts colour by colour, those without a colour last.
static void fill_block(contact_order *order, const contact_pairs *list, const contact_block *block)
{
    int64_t next[COLOUR_COUNT + 1];
    for (int c = 0; c <= COLOUR_COUNT; ++c) next[c] = block->first + block->start[c];
    for (int64_t k = block->first; k < block->last; ++k) order->contact[next[list->colour[k]]++] = list->number[k];
}

// The same for shared contacts, and who shares them.
static void fill_shared(contact_order *order, const listing *l, const contact_block *shared, int32_t *heavy)
{
    int64_t next[COLOUR_COUNT + 1];
    for (int c = 0; c <= COLOUR_COUNT; ++c) next[c] = shared->first + shared->start[c];
    for (int64_t k = shared->first; k < shared->last; ++k) {
        int64_t to = next[l->list.colour[k]]++;
        order->contact[to] = l->list.number[k];
        heavy[to] = l->heavy[k];
    }
}

static index_range colour_range(const contact_block *block, int colour)
{
    return (index_range){block->first + block->start[colour], block->first + block->start[colour + 1]};
}

// At most so many groups: a colour of a block is one, of others cut in pieces; a contact without a colour is one.
static int64_t count_groups(const contact_block *block)
{
    int64_t groups = block->last - block->first - block->start[COLOUR_COUNT];
    for (int c = 0; c < COLOUR_COUNT; ++c)
        groups += block_count_of(block->start[c + 1] - block->start[c], ROLLING_GROUP_CONTACTS);
    return groups;
}

static scr_status reserve_groups(contact_order *order, const block_cut *cut, const contact_block *shared,
                                 scr_error *error)
{
    int64_t groups = count_groups(shared), shared_count = shared->last - shared->first;
    for (int64_t k = 0; k < cut->block_count; ++k) groups += count_groups(&cut->block[k]);
    scr_status status =
        scr_grow_anew(&order->group, &order->group_capacity, groups, sizeof *order->group, "contact groups", error);
    if (status == SCR_OK)
        status = scr_grow_anew(&order->unit, &order->unit_capacity, groups + cut->block_count, sizeof *order->unit,
                               "contact groups", error);
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
    listing l = open_listing(system, touched, ends, centre_line, count, &arena);
    scr_arena cut_memory = arena;
    block_cut cut = blocks_cut(&l.list, count, system->threads, &cut_memory);
    contact_block shared = {.first = count, .last = count};
    if (is_crowded(&cut)) find_heavy(&l, system, touched);
    if (l.shared_count > 0) {
        separate_shared(&l, arena);
        cut_memory = arena;
        cut = blocks_cut(&l.list, count - l.shared_count, system->threads, &cut_memory);
        colour_shared(&l, &shared);
    }
    int32_t *heavy = scr_arena_array(&cut_memory, sizeof *heavy, count);
#pragma omp parallel for num_threads(system->threads) schedule(dynamic)
    for (int64_t k = 0; k < cut.block_count; ++k) fill_block(order, &l.list, &cut.block[k]);
    fill_shared(order, &l, &shared, heavy);
    status = reserve_groups(order, &cut, &shared, error);
    if (status == SCR_OK) make_spans(order, &cut, touched->count, &shared, heavy);
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
