// SPDX-License-Identifier: BSD-3-Clause
// Contacts of parked grains under the penalty law, whose springs are state: 77 bytes a contact, in lists, one a cell.
//
// A contact of which one grain is parked is in the list of that grain's cell, with the cell of the other, where it goes
// on if that one comes back first. Entries that are given back are zero, and used again first. It is state: one table.
#ifndef SCENE_ACTIVE_PARKED_CONTACTS_H
#define SCENE_ACTIVE_PARKED_CONTACTS_H

#include "core/arrays/table.h"
#include "dynamics/world/still_contacts.h"

enum { NO_CONTACT = -1, NO_CELL = -1 };

typedef struct parked_contacts {
    table table;                        // "parked_contacts"
    uint64_t *collider_a, *collider_b;  // ids
    double *spring, *roll;              // m, rad, 3 each
    uint32_t *feature;
    uint8_t *in_touch;
    int32_t *other;     // cell of the grain that is not the list's; NO_CELL: it is a body that is never parked
    int32_t *next;      // in its list; NO_CONTACT at the end
    int32_t free_list;  // scalar
    int64_t count;      // scalar: those in lists
} parked_contacts;

void parked_contacts_init(parked_contacts *p);
void parked_contacts_free(parked_contacts *p);
bool parked_contacts_are_valid(const parked_contacts *p, int64_t cells);  // numbers, and the free list
// The length of a list; -1: it is damaged.
int64_t parked_contacts_length(const parked_contacts *p, int32_t list);

scr_status parked_contacts_reserve(parked_contacts *p, int64_t more, scr_error *error);
void parked_contacts_put(parked_contacts *p, int32_t *list, const still_contact *contact, int32_t other);
still_contact parked_contact_at(const parked_contacts *p, int32_t entry);
void parked_contacts_drop(parked_contacts *p, int32_t *list);

#endif
