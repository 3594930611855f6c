// SPDX-License-Identifier: BSD-3-Clause
// Some contacts of a system, with the bodies they touch and the mechanisms those belong to, as a system of its own:
// bodies that can be moved and nothing else, numbered without gaps. Islands are solved as such.
#ifndef DYNAMICS_CONE_SYSTEM_SUBSYSTEM_H
#define DYNAMICS_CONE_SYSTEM_SUBSYSTEM_H

#include "dynamics/cone/system/contact_system.h"

typedef struct subsystem {
    contact_system system;  // what solvers see
    const contact_system *whole;
    const int64_t *contact;  // (contact_count) numbers in the whole
    int32_t *body;           // (body_count) numbers in the whole
    int32_t *number_of;      // by number in the whole: that in here, NO_BODY for others
    joint_system joints;
    const twist *outside;  // (body_count) what contacts of the whole that are not in here give bodies; NULL: nothing
    scr_arena memory;
    int64_t number_capacity;
} subsystem;

// Zero it first. The contacts must stay as they are while it is used; first guesses are copied.
scr_status subsystem_open(subsystem *s, const contact_system *whole, const int64_t *contact, int64_t count,
                          scr_error *error);
void subsystem_answer(const subsystem *s);  // impulses into the whole
void subsystem_free(subsystem *s);

#endif
