// SPDX-License-Identifier: BSD-3-Clause
// Contacts several at a time: first guess, hover and row of those that need no more than the plain law.
//
// Plain is a contact of loose bodies, that no joint holds, where nothing coheres, conveys or was sent off in an earlier
// pass: nearly every one in a bed. Those on the centre line of a grain with another, or with something that cannot be
// moved and does not turn, and that do not reach over a sheared seam, have kernels of their own (plain_lanes.c), and so
// have those off it, unless something resists rolling (general_lanes.c). All others go one by one (contact_row.c), by
// the same law (contact_law_lanes.h).
#ifndef DYNAMICS_CONE_STAGES_PLAIN_CONTACTS_H
#define DYNAMICS_CONE_STAGES_PLAIN_CONTACTS_H

#include "collision/contacts/contacts.h"
#include "core/base/kernels.h"
#include "dynamics/cone/system/contact_system.h"
#include "dynamics/world/world.h"

enum { PLAIN_LANES = 8 };
// Bits of plain_memory.is_plain: on the centre line, off it; the body has a record.
enum { PLAIN_CENTRAL = 1, PLAIN_GENERAL = 2, PLAIN_TOUCHED = 4 };

typedef struct plain_kernels {
    // Of any PLAIN_LANES contacts of view->unbegun those of the mask: allowance, spring share and first guess from what
    // was recalled
    void (*begin)(const plain_view *view, const int32_t *contact, uint32_t mask);
    // Bits of those of any PLAIN_LANES whose hover is more than may be
    uint32_t (*hover)(const plain_view *view, const contacts *set, const int32_t *contact);
    // Impulses of contacts into the velocities of their bodies, one contact after the other
    void (*push)(body_motion *body, const plain_view *view, const contacts *set, const int32_t *contact, int64_t count);
    // What the springs of PLAIN_LANES contacts from `first` on keep of this step (warm_start.c). balls: of colliders
    void (*stretch)(const ball *balls, contacts *set, int64_t first);
    // Rows of any contacts, whole bundles of them, at most ROWS_AT_ONCE in all; those of the mask are begun where that
    // is still to be done (view->unbegun). exact: NULL where single precision will do
    void (*rows)(const plain_view *view, const contacts *set, const int32_t *contact, uint32_t mask, int bundles,
                 grain_bundle *out, row_lanes *exact);
} plain_kernels;

KERNELS_TO_AVX512(extern const plain_kernels, plain_kernels);

// The same for contacts off the centre line.
typedef struct general_kernels {
    void (*begin)(const plain_view *view, const int32_t *contact, uint32_t mask);
    uint32_t (*hover)(const plain_view *view, const contacts *set, const int32_t *contact);
    void (*rows)(const plain_view *view, const contacts *set, const int32_t *contact, uint32_t mask,
                 general_lanes *out);
} general_kernels;

KERNELS(extern const general_kernels, general_kernels);

// Make the records of bodies and colliders; after this the others may be called.
scr_status plain_contacts_open(scr_world *world, scr_error *error);
// The roots of inertias besides: rows and impulses off the centre line need them.
void plain_contacts_open_rows(scr_world *world);
const plain_kernels *plain_kernels_of(const scr_world *world);
const general_kernels *general_kernels_of(const scr_world *world);

typedef struct plain_masks {
    uint32_t central, general;
} plain_masks;
// Bits of the plain ones among so many contacts
plain_masks plain_contacts_among(const scr_world *world, const int32_t *contact, int count);
// Contacts from `first` on; those after the last one are the last one again
static inline int next_contacts(int64_t first, int64_t last, int32_t contact[PLAIN_LANES])
{
    for (int k = 0; k < PLAIN_LANES; ++k) contact[k] = (int32_t)min_i64(first + k, last - 1);
    return (int)min_i64(PLAIN_LANES, last - first);
}
// Plain on the centre line; plain off it
bool contact_is_plain(const scr_world *world, int64_t contact);
bool contact_is_plain_general(const scr_world *world, int64_t contact);

#endif
