// SPDX-License-Identifier: BSD-3-Clause
// The bodies that a contact problem is about: those that a contact or a joint can move. What flies freely has no record
// and is in no sweep. Records stand in the order of the system's bodies, which is that of space.
#ifndef DYNAMICS_CONE_SWEEPS_TOUCHED_H
#define DYNAMICS_CONE_SWEEPS_TOUCHED_H

#include "core/arrays/colouring.h"
#include "core/base/memory.h"
#include "dynamics/cone/system/contact_system.h"

typedef struct touched_bodies {
    int32_t *record_of;  // (the system's body count) the record of a body, NO_BODY if it has none
    int32_t *body_of;    // (count) whose record it is
    int64_t count, capacity;
} touched_bodies;

// The ends of all contacts, asked for once.
typedef struct listed_ends {
    body_pair *pair;       // (contact count) records
    uint8_t *centre_line;  // (contact count)
} listed_ends;

size_t listed_ends_bytes(int64_t contact_count, int64_t body_count);  // of the arena
// Lists the ends in the arena, and who is touched.
scr_status find_touched(touched_bodies *touched, const contact_system *system, listed_ends *ends, scr_arena *arena,
                        scr_error *error);
void touched_free(touched_bodies *touched);

static inline int32_t record_of_body(const touched_bodies *touched, int32_t body)
{
    return body == NO_BODY ? NO_BODY : touched->record_of[body];
}

#endif
