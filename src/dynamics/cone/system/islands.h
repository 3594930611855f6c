// SPDX-License-Identifier: BSD-3-Clause
// Islands: bodies that contacts and joints connect, directly or through others that can be moved. What happens in one
// does not depend on any other in this step.
#ifndef DYNAMICS_CONE_SYSTEM_ISLANDS_H
#define DYNAMICS_CONE_SYSTEM_ISLANDS_H

#include "dynamics/cone/system/contact_system.h"

typedef struct island {
    int64_t first, last;  // its contacts, in the list of all
    int32_t bodies;
    bool has_others;  // some contact is not of grains, or a mechanism is in it
} island;

typedef struct island_list {
    island *island;
    int64_t count, capacity;
    // numbers, island by island, ascending in each; those of nothing that can be moved are left out
    int64_t *contact;
    int64_t contact_capacity;
    int32_t *root;  // (bodies) union-find; then the island's number
    int64_t root_capacity;
    contact_ends *ends;  // (contacts) scratch
    int64_t ends_capacity;
} island_list;

// In the order of their first contacts. Zero the list before its first use.
scr_status islands_find(island_list *list, const contact_system *system, scr_error *error);
void islands_free(island_list *list);

#endif
