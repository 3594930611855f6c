// SPDX-License-Identifier: BSD-3-Clause
// The grains that sleep, and the forces that acted on each when it fell asleep.
//
// Asleep, a grain is fixed. It stays so while the forces that bodies in motion exert on it are those that the same
// bodies exerted when it fell asleep, its reference, to within a share of what it then carried:
//   carried = 1/2 (weight + sum of |f| over its contacts)
// The reference holds from when it fell asleep until it wakes, whatever its neighbours do meanwhile: small changes do
// not add up unseen.
#ifndef SCENE_SLEEP_SLEEPERS_H
#define SCENE_SLEEP_SLEEPERS_H

#include "dynamics/world/still_contacts.h"
#include "scene/sleep/sleep_cells.h"

typedef struct sleepers {
    table table;                // "sleepers", in the order in which they fell asleep
    uint64_t *id;               // of the body
    int64_t *since;             // the step count when it was chosen
    double *carried;            // N
    double *reference;          // N, 3 each: of the bodies that were in motion when grains last fell asleep or woke
    table forces;               // "sleeper_forces": those of its contacts, then
    uint64_t *sleeper, *other;  // bodies
    float *force;               // N, 3 each: of the other on the sleeper
    float *torque;              // N m, 3 each: of the sleeper on the other, about its centre of mass
    // derived
    int32_t *entry;     // by the id of a body: its entry here, or -1
    uint8_t *is_awake;  // by the id of a body: 1 if it is dynamic, 2 if it is there
    int64_t id_count, entry_capacity, awake_capacity;
    int64_t *cell;       // of a sleeper
    int32_t *bordering;  // entries with a reference
    int64_t bordering_count;
    int64_t derived_capacity;
    double *on_listed;  // N, N m; 6 for each body that the scene lists and that does not move: what sleepers do to it
    int64_t listed_capacity, listed_count;
    // scratch
    int32_t *from;
    uint8_t *is_due;  // (entries)
    int64_t from_capacity, due_capacity;
    scr_arena arena;
} sleepers;

enum { SLEEPER_TABLE_COUNT = 2 };
void sleepers_init(sleepers *s);
void sleepers_free(sleepers *s);
bool sleepers_are_valid(const sleepers *s);

static inline body_numbers sleeper_numbers(const sleepers *s) { return (body_numbers){s->entry, s->id_count}; }
static inline int32_t sleeper_entry(const sleepers *s, uint64_t id)
{
    return id < (uint64_t)s->id_count ? s->entry[id] : -1;
}

// Make all that is derived anew: who is where, what is in motion. listed: the scene lists bodies with ids up to it.
scr_status sleepers_derive(sleepers *s, sleep_cells *cells, const scr_world *world, int64_t listed, scr_error *error);
void sleepers_renew_references(sleepers *s);  // after that: other bodies are in motion than before
// Add grains, by their slots, and the forces on them in the last step.
scr_status sleepers_add(sleepers *s, const scr_world *world, const int32_t *slot, int64_t count, scr_error *error);
// Room for dropping entries, with is_due for all of them; dropping them then cannot fail.
scr_status sleepers_reserve_drop(sleepers *s, scr_error *error);
void sleepers_drop_due(sleepers *s);  // those with is_due != 0

#endif
