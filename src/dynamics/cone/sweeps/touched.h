// SPDX-License-Identifier: BSD-3-Clause
// The bodies that a contact problem is about: those that a contact or a joint can move. What flies freely has no record
// and is in no sweep. Records stand in the order of the system's bodies, which is that of space.
#ifndef DYNAMICS_CONE_SWEEPS_TOUCHED_H
#define DYNAMICS_CONE_SWEEPS_TOUCHED_H

#include "core/arrays/colouring.h"
#include "core/base/memory.h"
#include "dynamics/cone/system/contact_system.h"

typedef struct touched_bodies {
    int32_t *record_of;  // (the system's body count) the record of a body, NO_BODY if it has none; then one NO_BODY
    int32_t *body_of;    // (count) whose record it is
    int64_t count, capacity;
} touched_bodies;

// What a contact is in the orders of sweeps.
typedef enum contact_kind {
    LEFT_OUT,  // of the order that is being made
    ON_CENTRE_LINE,
    OFF_CENTRE_LINE
} contact_kind;

// The ends of all contacts. Contacts lie in the order of a's sides and sides in that of space: the records of contacts
// that follow each other are near each other, and reading two sides of four bytes costs less than a list of pairs.
typedef struct listed_ends {
    const int32_t *a, *b;   // (count) sides: the system's own, or bodies
    const int32_t *record;  // (sides) of the body of a side, NO_BODY if it has none
    uint8_t *kind;          // (count) contact_kind; not filled in where all are of one
    bool are_alike;         // all are of one kind
    int64_t count;
} listed_ends;

static inline body_pair ends_pair(const listed_ends *ends, int64_t i)
{
    return (body_pair){ends->record[ends->a[i]], ends->record[ends->b[i]]};
}

size_t listed_ends_bytes(const contact_system *system);  // of the arena
// Lists the ends in the arena, and who is touched.
scr_status find_touched(touched_bodies *touched, const contact_system *system, listed_ends *ends, scr_arena *arena,
                        scr_error *error);
void touched_free(touched_bodies *touched);

#endif
