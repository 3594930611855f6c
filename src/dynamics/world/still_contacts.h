// SPDX-License-Identifier: BSD-3-Clause
// Contacts of grains that do not move for a while: kept as they were, so that they go on with their load and grip.
//
// No step finds a contact between two bodies that are not dynamic, and the contact cache forgets it. Kept here by the
// ids of its colliders, which survive sorting, it comes back to the cache when one of them is released.
#ifndef DYNAMICS_WORLD_STILL_CONTACTS_H
#define DYNAMICS_WORLD_STILL_CONTACTS_H

#include "collision/contacts/contact_cache.h"
#include "scree/scree.h"

typedef struct still_contacts {
    table pairs;
    uint64_t *collider_a, *collider_b;  // ids
    contact_cache kept;                 // entry k is that of pair k; its own numbers of colliders are 0
    // scratch
    int32_t *number;  // by the id of a collider
    int32_t *from;
    int64_t number_capacity, from_capacity;
} still_contacts;

enum { STILL_CONTACT_TABLE_COUNT = 3 };
typedef struct still_names {
    const char *of[STILL_CONTACT_TABLE_COUNT];  // of its tables: pairs, contacts, angular impulses
} still_names;
void still_contacts_init(still_contacts *s, scr_contact_law law, const still_names *names);
void still_contacts_free(still_contacts *s);
void still_contacts_tables(still_contacts *s, table *tables[STILL_CONTACT_TABLE_COUNT]);
bool still_contacts_are_valid(const still_contacts *s);

// Numbers that somebody gave to some bodies.
typedef struct body_numbers {
    const int32_t *by_id;  // (count) -1: it has none
    int64_t count;         // a body with a larger id has none
} body_numbers;
static inline int32_t body_number(const body_numbers *n, uint64_t id)
{
    return id < (uint64_t)n->count ? n->by_id[id] : -1;
}

// Whose contacts are kept.
typedef struct still_choice {
    const body_numbers *of;   // of those that have numbers; NULL: of two that are fixed
    const body_numbers *but;  // where `of` is NULL: none of those that have numbers here; NULL: without exception
} still_choice;

// From the cache: contacts that are chosen, none of the two bodies being dynamic.
scr_status world_keep_still_contacts(scr_world *world, const still_choice *choice, still_contacts *s, scr_error *error);
// Back to the cache: those of which one is dynamic again. Dropped: those of bodies that are gone, or no longer chosen.
scr_status world_recall_still_contacts(scr_world *world, const still_choice *choice, still_contacts *s,
                                       scr_error *error);

// One of them, under the penalty law: what its next step builds on.
typedef struct still_contact {
    uint64_t collider_a, collider_b;  // ids
    double spring[3], roll[3];        // m, rad: as in contact_history
    uint32_t feature;
    uint8_t in_touch;
} still_contact;
still_contact still_contact_at(const still_contacts *s, int64_t k);
scr_status still_contacts_reserve(still_contacts *s, int64_t more, scr_error *error);
void still_contacts_add(still_contacts *s, const still_contact *contact);  // there is room
// Those that stay, and only these: from[] ascends.
void still_contacts_keep_only(still_contacts *s, const int32_t *from, int64_t count);

// Find colliders by their ids: once after bodies came, went or were sorted, then for each its body's slot; -1: gone.
scr_status world_number_colliders(const scr_world *world, still_contacts *s, scr_error *error);
int64_t world_slot_of_collider(const scr_world *world, const still_contacts *s, uint64_t id);

// What a dynamic body did to one with a number that is not, in one contact of the last step.
typedef struct still_load {
    int32_t number;
    scr_vec3 force;  // N
} still_load;
typedef struct still_loads {
    still_load *item;
    int64_t count, capacity;
} still_loads;
// All of them, in the order of the contacts: a pass over these.
scr_status world_find_still_loads(const scr_world *world, const body_numbers *numbers, still_loads *loads,
                                  scr_error *error);

int64_t world_states_set(const scr_world *world);  // how often a body that is not kinematic was put somewhere
uint64_t world_next_body_id(const scr_world *world);

#endif
