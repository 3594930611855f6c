// SPDX-License-Identifier: BSD-3-Clause
// The contact cache: what of a step's contacts the next step builds on. It is part of the state.
//
// Keyed by (collider a, collider b, feature), in the contacts' order. Impulses are kept as world vectors: they survive
// a turn of the contact's frame. When colliders are re-sorted or removed, the cache is renumbered.
// For the complementarity law it keeps two steps' impulses and the allowance, for the penalty law the last step's
// impulse and the history.
#ifndef COLLISION_CONTACTS_CONTACT_CACHE_H
#define COLLISION_CONTACTS_CONTACT_CACHE_H

#include "collision/contacts/contacts.h"

typedef struct contact_cache {
    table table;
    int32_t *a, *b;
    uint32_t *feature;
    float *impulse;    // N s, 3 each, acting on b
    float *previous;   // N s, 3 each: one step earlier; complementarity
    float *allowance;  // m; complementarity
    bool keeps_history;
    double *spring, *roll;  // m, rad, 3 each; penalty: as in contact_history
    uint8_t *in_touch;      // penalty
    // as many entries as the table, or none where no contact resists rolling; complementarity
    table angular_impulses;
    float *angular_impulse;  // N m s, 3 each
    int64_t *start;          // derived: (collider count + 1) first entry of an owner
    int64_t start_capacity, collider_count;
} contact_cache;

void contact_cache_init(contact_cache *cache);               // for the complementarity law
void contact_cache_init_with_history(contact_cache *cache);  // for the penalty law
void contact_cache_free(contact_cache *cache);
// Make `start` anew after the state was loaded; entries are in order.
scr_status contact_cache_index(contact_cache *cache, int64_t collider_count, scr_error *error);
bool contact_cache_is_valid(const contact_cache *cache, int64_t collider_count);
bool contact_cache_has_numbers(const contact_cache *cache);  // are impulses and history numbers that can be?

// The entry of a contact, or -1 if the last step did not have it.
int64_t contact_cache_find(const contact_cache *cache, int32_t a, int32_t b, uint32_t feature);
// Fill impulse, previous, allowance and, where there are angular impulses, last_angular_impulse of every contact from
// the cache, 0 for new ones; of a cache that keeps it the history alone, which has room. impulse receives the last
// step's, previous the one before; is_new (contact count) says which contacts were not there. A contact whose feature
// is not in the cache takes the place of one of its pair that is gone, if that one's impulse lies along its normal:
// what rolls or slides from triangle to triangle goes on with its load and its grip.
void contact_cache_recall(const contact_cache *cache, contacts *set, uint8_t *is_new, int threads);
// Replace the cache by the contacts of a solved step.
scr_status contact_cache_remember(contact_cache *cache, const contacts *set, int64_t collider_count, int threads,
                                  scr_error *error);
// Take the memory for renumbering to at most so many colliders, so that it cannot fail for want of it afterwards.
scr_status contact_cache_reserve(contact_cache *cache, int64_t collider_count, scr_arena *scratch, scr_error *error);
// Room for so many more entries behind those that are there, which the caller counts; rolls: they may have angular
// impulses, and those that are there know none if none did so far.
scr_status contact_cache_grow(contact_cache *cache, int64_t more, bool rolls, scr_error *error);
// Collider i becomes new_number[i], -1 if it is gone; NULL: all keep their numbers, and entries that were added come
// into their places. Owners stay owners: they are chosen by id.
scr_status contact_cache_renumber(contact_cache *cache, const int32_t *new_number, int64_t new_count,
                                  scr_arena *scratch, int threads, scr_error *error);

#endif
