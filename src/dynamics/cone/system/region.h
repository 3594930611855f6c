// SPDX-License-Identifier: BSD-3-Clause
// A region of a system: some of its bodies, and all contacts between them or with what cannot be moved.
//
// What is solved of it is solved with all other contacts as they are: those that touch bodies inside are the border,
// and act by their impulses. Bodies are put in one by one and then in layers, each the bodies that loaded contacts
// connect with the layer before.
#ifndef DYNAMICS_CONE_SYSTEM_REGION_H
#define DYNAMICS_CONE_SYSTEM_REGION_H

#include "dynamics/cone/system/subsystem.h"

typedef struct system_region {
    int64_t *contact;  // numbers: those off the centre line, then those of grains, ascending in both
    int64_t contact_capacity, count, general_count;
    int64_t *border;  // numbers of contacts outside that touch bodies inside
    int64_t border_capacity, border_count;
    int32_t bodies;
    bool is_whole;       // the last layer was empty: no loaded contact leads outside
    contact_ends *ends;  // (contacts of the system)
    int64_t ends_capacity;
    int32_t *layer;  // (bodies of the system) how many loaded contacts away from the nearest body put in by itself
    int64_t layer_capacity;
    twist *outside;  // (bodies of the subsystem) what the border's impulses give them
    int64_t outside_capacity;
} system_region;

enum { LAYER_JOINED = -1, LAYER_NONE = INT32_MAX };

// How many layers of bodies it gains, and at how many bodies it begins no further layer.
typedef struct region_reach {
    int32_t layers, bodies;
} region_reach;

static inline int32_t region_layer(const system_region *region, int32_t body)
{
    return body < 0 ? LAYER_NONE : region->layer[body];
}

// Zero it before its first use. Begin: nothing is inside, and the ends of all contacts are known.
scr_status region_begin(system_region *region, const contact_system *system, scr_error *error);
void region_put(system_region *region, int32_t body, int32_t layer);  // unless it is inside, or cannot be moved
void region_grow(system_region *region, const contact_system *system, region_reach reach);
// Lists contacts and border.
scr_status region_close(system_region *region, const contact_system *system, scr_error *error);
// The region as a subsystem in which the border's impulses are part of the free motion. No mechanism may lie in it in
// part.
scr_status region_open(system_region *region, subsystem *sub, const contact_system *whole, scr_error *error);
// The same step by step: nothing acts from outside yet; then the impulse of a contact of the border does.
scr_status region_enter(system_region *region, subsystem *sub, const contact_system *whole, scr_error *error);
void region_push(system_region *region, const subsystem *sub, int64_t contact);
void region_free(system_region *region);

#endif
