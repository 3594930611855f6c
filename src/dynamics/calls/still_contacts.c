// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/world/still_contacts.h"

#include <string.h>

#include "dynamics/penalty/stages/penalty_stages.h"
#include "dynamics/world/world.h"

static const field_info pair_fields[] = {
    FIELD(still_contacts, collider_a, FIELD_U64, ""),
    FIELD(still_contacts, collider_b, FIELD_U64, ""),
};

void still_contacts_init(still_contacts *s, scr_contact_law law, const still_names *names)
{
    *s = (still_contacts){0};
    s->pairs = (table){names->of[0], pair_fields, sizeof pair_fields / sizeof *pair_fields, s, 0, 0, false};
    if (law == SCR_PENALTY) contact_cache_init_with_history(&s->kept);
    else contact_cache_init(&s->kept);
    s->kept.table.name = names->of[1];
    s->kept.angular_impulses.name = names->of[2];
}

void still_contacts_free(still_contacts *s)
{
    table_free(&s->pairs);
    contact_cache_free(&s->kept);
    scr_free(s->number);
    scr_free(s->from);
}

void still_contacts_tables(still_contacts *s, table *tables[STILL_CONTACT_TABLE_COUNT])
{
    tables[0] = &s->pairs;
    tables[1] = &s->kept.table;
    tables[2] = &s->kept.angular_impulses;
}

bool still_contacts_are_valid(const still_contacts *s)
{
    return s->pairs.count == s->kept.table.count && contact_cache_has_numbers(&s->kept);
}

// ---- entries ------------------------------------------------------------------------------------------------------

static void copy_entry(const table *to, int64_t i, const table *from, int64_t k)
{
    for (int f = 0; f < to->field_count; ++f) {
        size_t size = field_size(&to->field[f]);
        const char *source = table_data(from, &from->field[f]);
        memcpy((char *)table_data(to, &to->field[f]) + (size_t)i * size, source + (size_t)k * size, size);
    }
}

// Both have the same fields. Where angular impulses are counted there is room for them.
static void copy_contact(contact_cache *to, int64_t i, const contact_cache *from, int64_t k)
{
    copy_entry(&to->table, i, &from->table, k);
    if (to->angular_impulses.count == 0) return;
    if (from->angular_impulses.count > 0) copy_entry(&to->angular_impulses, i, &from->angular_impulses, k);
    else memset(to->angular_impulse + 3 * i, 0, 3 * sizeof *to->angular_impulse);
}

static bool is_dynamic(const scr_world *world, int32_t collider)
{
    return world->bodies.inv_mass[world->colliders.body[collider]] > 0.0;
}

static bool has_number(const scr_world *world, const body_numbers *numbers, int32_t collider)
{
    return body_number(numbers, world->bodies.id[world->colliders.body[collider]]) >= 0;
}

static bool is_fixed(const scr_world *world, int32_t collider)
{
    return world->bodies.kind[world->colliders.body[collider]] == SCR_FIXED;
}

static bool is_still(const scr_world *world, const still_choice *choice, int32_t a, int32_t b)
{
    if (is_dynamic(world, a) || is_dynamic(world, b)) return false;
    if (choice->of != NULL) return has_number(world, choice->of, a) || has_number(world, choice->of, b);
    if (!is_fixed(world, a) || !is_fixed(world, b)) return false;
    return choice->but == NULL || !(has_number(world, choice->but, a) || has_number(world, choice->but, b));
}

static scr_status reserve_from(still_contacts *s, int64_t count, scr_error *error)
{
    return scr_grow(&s->from, &s->from_capacity, count, sizeof *s->from, "contacts at rest", error);
}

// Of both tables of a cache the entries from[0 .. kept - 1]. The scratch has room.
static void gather(contact_cache *cache, const int32_t *from, int64_t kept, scr_arena scratch, int threads)
{
    table_gather(&cache->table, from, kept, scratch, threads);
    if (cache->angular_impulses.count > 0) table_gather(&cache->angular_impulses, from, kept, scratch, threads);
}

static size_t gather_bytes(const contact_cache *cache, int64_t count)
{
    return table_gather_bytes(&cache->table, count) + table_gather_bytes(&cache->angular_impulses, count);
}

// ---- out of the cache ---------------------------------------------------------------------------------------------

scr_status world_keep_still_contacts(scr_world *world, const still_choice *choice, still_contacts *s, scr_error *error)
{
    give_grains_back(world);
    contact_cache *cache = &world->cache;
    int64_t n = cache->table.count, kept = 0, leaving = 0, there = s->pairs.count;
    scr_status status = reserve_from(s, n, error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < n; ++k)
        if (is_still(world, choice, cache->a[k], cache->b[k])) ++leaving;
    if (leaving == 0) return SCR_OK;
    status = table_reserve(&s->pairs, there + leaving, error);
    if (status == SCR_OK) status = scr_arena_reserve(&world->scratch, gather_bytes(cache, n), "contacts", error);
    if (status == SCR_OK) status = contact_cache_grow(&s->kept, leaving, cache->angular_impulses.count > 0, error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < n; ++k) {
        if (!is_still(world, choice, cache->a[k], cache->b[k])) {
            s->from[kept++] = (int32_t)k;
            continue;
        }
        int64_t i = s->pairs.count++;
        s->collider_a[i] = world->colliders.id[cache->a[k]];
        s->collider_b[i] = world->colliders.id[cache->b[k]];
        copy_contact(&s->kept, i, cache, k);
        s->kept.a[i] = s->kept.b[i] = 0;
    }
    s->kept.table.count = s->pairs.count;
    gather(cache, s->from, kept, world->scratch, world->threads);
    return contact_cache_index(cache, world->colliders.table.count, error);
}

// ---- and back -----------------------------------------------------------------------------------------------------

scr_status world_number_colliders(const scr_world *world, still_contacts *s, scr_error *error)
{
    const colliders *c = &world->colliders;
    scr_status status =
        scr_grow(&s->number, &s->number_capacity, (int64_t)c->next_id, sizeof *s->number, "contacts at rest", error);
    if (status != SCR_OK) return status;
    for (uint64_t id = 0; id < c->next_id; ++id) s->number[id] = -1;
    for (int64_t k = 0; k < c->table.count; ++k) s->number[c->id[k]] = (int32_t)k;
    return SCR_OK;
}

static int32_t number_of(const scr_world *world, const still_contacts *s, uint64_t id)
{
    return id < world->colliders.next_id ? s->number[id] : -1;
}

int64_t world_slot_of_collider(const scr_world *world, const still_contacts *s, uint64_t id)
{
    int32_t number = number_of(world, s, id);
    return number < 0 ? -1 : world->colliders.body[number];
}

static bool comes_back(const scr_world *world, int32_t a, int32_t b)
{
    return a >= 0 && b >= 0 && (is_dynamic(world, a) || is_dynamic(world, b));
}

// Those that come back become the cache's last entries; from receives those that stay.
static int64_t give_back(scr_world *world, const still_choice *choice, still_contacts *s)
{
    contact_cache *cache = &world->cache;
    int64_t stay = 0;
    for (int64_t k = 0; k < s->pairs.count; ++k) {
        int32_t a = number_of(world, s, s->collider_a[k]), b = number_of(world, s, s->collider_b[k]);
        if (comes_back(world, a, b)) {
            int64_t i = cache->table.count++;
            copy_contact(cache, i, &s->kept, k);
            cache->a[i] = a, cache->b[i] = b;
        } else if (a >= 0 && b >= 0 && is_still(world, choice, a, b)) {
            s->from[stay++] = (int32_t)k;
        }
    }
    if (cache->angular_impulses.count > 0) cache->angular_impulses.count = cache->table.count;
    return stay;
}

scr_status world_recall_still_contacts(scr_world *world, const still_choice *choice, still_contacts *s,
                                       scr_error *error)
{
    int64_t n = s->pairs.count;
    scr_arena scratch = {0};
    if (n == 0) return SCR_OK;
    give_grains_back(world);
    contact_cache *cache = &world->cache;
    bool rolls = s->kept.angular_impulses.count > 0;
    scr_status status = world_number_colliders(world, s, error);
    if (status == SCR_OK) status = reserve_from(s, n, error);
    if (status == SCR_OK)
        status = scr_arena_reserve(&scratch, gather_bytes(&s->kept, n) + table_gather_bytes(&s->pairs, n), "contacts",
                                   error);
    if (status == SCR_OK) status = contact_cache_grow(cache, n, rolls, error);
    if (status == SCR_OK) {
        int64_t stay = give_back(world, choice, s);
        gather(&s->kept, s->from, stay, scratch, world->threads);
        table_gather(&s->pairs, s->from, stay, scratch, world->threads);
        status =
            contact_cache_renumber(cache, NULL, world->colliders.table.count, &world->scratch, world->threads, error);
    }
    scr_arena_free(&scratch);
    return status;
}

// ---- one by one ---------------------------------------------------------------------------------------------------

still_contact still_contact_at(const still_contacts *s, int64_t k)
{
    still_contact c = {.collider_a = s->collider_a[k],
                       .collider_b = s->collider_b[k],
                       .feature = s->kept.feature[k],
                       .in_touch = s->kept.in_touch[k]};
    memcpy(c.spring, s->kept.spring + 3 * k, sizeof c.spring);
    memcpy(c.roll, s->kept.roll + 3 * k, sizeof c.roll);
    return c;
}

scr_status still_contacts_reserve(still_contacts *s, int64_t more, scr_error *error)
{
    scr_status status = table_reserve(&s->pairs, s->pairs.count + more, error);
    return status == SCR_OK ? contact_cache_grow(&s->kept, more, false, error) : status;
}

void still_contacts_add(still_contacts *s, const still_contact *c)
{
    int64_t k = s->pairs.count++;
    s->kept.table.count = s->pairs.count;
    s->collider_a[k] = c->collider_a;
    s->collider_b[k] = c->collider_b;
    s->kept.a[k] = s->kept.b[k] = 0;
    s->kept.feature[k] = c->feature;
    s->kept.in_touch[k] = c->in_touch;
    memset(s->kept.impulse + 3 * k, 0, 3 * sizeof *s->kept.impulse);
    memcpy(s->kept.spring + 3 * k, c->spring, sizeof c->spring);
    memcpy(s->kept.roll + 3 * k, c->roll, sizeof c->roll);
}

void still_contacts_keep_only(still_contacts *s, const int32_t *from, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        if (from[k] == k) continue;
        copy_entry(&s->pairs, k, &s->pairs, from[k]);
        copy_contact(&s->kept, k, &s->kept, from[k]);
    }
    s->pairs.count = s->kept.table.count = count;
}

// ---- loads --------------------------------------------------------------------------------------------------------

scr_status world_find_still_loads(const scr_world *world, const body_numbers *numbers, still_loads *loads,
                                  scr_error *error)
{
    const contacts *set = &world->contacts;
    const int32_t *body = world->colliders.body;
    loads->count = 0;
    if (!world->has_contacts) return SCR_OK;
    for (int64_t i = 0; i < set->count; ++i) {
        int32_t a = body[set->a[i]], b = body[set->b[i]];
        bool a_moves = world->bodies.inv_mass[a] > 0.0, b_moves = world->bodies.inv_mass[b] > 0.0;
        if (a_moves == b_moves) continue;
        int32_t number = body_number(numbers, world->bodies.id[a_moves ? b : a]);
        if (number < 0) continue;
        scr_status status =
            scr_grow(&loads->item, &loads->capacity, loads->count + 1, sizeof *loads->item, "loads", error);
        if (status != SCR_OK) return status;
        double scale = (a_moves ? 1.0 : -1.0) / world->def.time_step;
        loads->item[loads->count++] = (still_load){number, vec3_scale(scale, contact_impulse(set, i))};
    }
    return SCR_OK;
}

int64_t world_states_set(const scr_world *world) { return world->states_set; }
uint64_t world_next_body_id(const scr_world *world) { return world->bodies.next_id; }
