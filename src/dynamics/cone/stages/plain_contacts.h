// SPDX-License-Identifier: BSD-3-Clause
// Contacts of grains, four at a time: first guess, hover and row of those that need no more than the plain law.
//
// Plain is a contact on the centre line of a loose grain with another, or with something that cannot be moved and does
// not turn, where nothing coheres, conveys or was sent off in an earlier pass. In a bed of spheres
// that is nearly every one. All others go one by one (contact_row.c), by the same law (contact_law_lanes.h).
#ifndef DYNAMICS_CONE_STAGES_PLAIN_CONTACTS_H
#define DYNAMICS_CONE_STAGES_PLAIN_CONTACTS_H

#include "collision/contacts/contacts.h"
#include "core/base/kernels.h"
#include "dynamics/cone/system/contact_system.h"
#include "dynamics/world/world.h"

enum { PLAIN_LANES = 4 };

typedef struct plain_kernels {
    // Of contacts first .. first + 3 those of the mask: allowance, spring share and first guess from what was recalled
    void (*guess)(const plain_view *view, contacts *set, int64_t first, uint32_t mask);
    // Bits of those whose hover is more than may be
    uint32_t (*hover)(const plain_view *view, const contacts *set, int64_t first);
    // Rows of any contacts
    void (*rows)(const plain_view *view, const contacts *set, const int32_t *contact, int lane, row_lanes *out);
} plain_kernels;

KERNELS(extern const plain_kernels, plain_kernels);

// Bring the records of bodies up to the motion of now; after this the others may be called.
scr_status plain_contacts_open(scr_world *world, scr_error *error);
const plain_kernels *plain_kernels_of(const scr_world *world);
// Bits of the plain ones among the contacts first .. first + 3, at most `count` of them
uint32_t plain_contacts_among(const scr_world *world, int64_t first, int64_t count);
bool contact_is_plain(const scr_world *world, int64_t contact);

#endif
