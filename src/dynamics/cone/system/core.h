// SPDX-License-Identifier: BSD-3-Clause
// The core of a system: its bodies that are no grains, with all their contacts, and the grains that carry them.
//
// A vehicle on a bed is a few hundred contacts in which loads are large and masses differ most, among 100,000 of grains
// alike. Sweeps bring loads from one body to the next: where a heavy one rests on light ones they need thousands.
// Newton's method solves the few at once, if enough of the grains beneath are with them that what is left outside
// hardly moves. Contacts outside act on the core by their impulses as they are: the border.
#ifndef DYNAMICS_CONE_SYSTEM_CORE_H
#define DYNAMICS_CONE_SYSTEM_CORE_H

#include "dynamics/cone/system/subsystem.h"

typedef struct system_core {
    int64_t *contact;  // numbers: those off the centre line, then those of grains, ascending in both
    int64_t contact_capacity, count, general_count;
    int64_t *border;  // numbers of contacts outside that touch grains inside
    int64_t border_capacity, border_count;
    int32_t bodies;
    bool is_whole;       // no further grains carry it
    contact_ends *ends;  // (contacts) scratch
    int64_t ends_capacity;
    int32_t *layer;  // (bodies) how many loaded contacts away from the nearest body with a contact off the centre line
    int64_t layer_capacity;
    twist *outside;  // (bodies of the subsystem) what the border's impulses give them
    int64_t outside_capacity;
} system_core;

// How many layers of grains it has, and at how many bodies it begins no further layer.
typedef struct core_reach {
    int32_t layers, bodies;
} core_reach;

// Zero it before its first use. False in *is_apart: bodies held by joints touch others like grains do, and the rest of
// the system cannot be solved without them.
scr_status core_find(system_core *core, const contact_system *system, core_reach reach, bool *is_apart,
                     scr_error *error);
// The core as a subsystem in which the border's impulses are part of the free motion.
scr_status core_open(system_core *core, subsystem *sub, const contact_system *whole, scr_error *error);
void core_free(system_core *core);

#endif
