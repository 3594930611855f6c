// SPDX-License-Identifier: BSD-3-Clause
// The order in which sweeps visit contacts of one kind, as a list of spans.
//
//   blocks    each the contacts of one block (blocks.h), colour by colour: one thread's, block beside block. A block of
//             the second level follows those that it is made of, and goes to the same thread, while their bodies are
//             still in its cache
//   colours   within one no body appears twice: lanes and threads solve its contacts at the same time
//   serial    contacts that found no colour, one by one
//   shared    contacts of heavy bodies, coloured by their light sides alone
//
// A plate on a thousand grains would need a thousand colours. A body is heavy here if it touches more than
// HEAVY_CONTACTS others that weigh at most 1/HEAVY_RATIO of it. In a shared span every group works with a copy of the
// heavy body of its own, which begins at the body's velocity; at the end of the span the body takes the mean of its
// copies. With G copies of mass M/G each, sum of |J^T g|^2 / M <= G sum over groups of |J^T g|^2 / M: what lowers the
// energy of the problem with copies lowers that of the problem. The lanes of a bundle share a copy in the same way, so
// a contact's own block counts the heavy body G x (lanes) times; being heavy, that is little.
//
// The order is made anew in every step. Of 128,000 settled grains that takes 8 to 9 ns a contact on one thread, records
// of bodies included, of some 470 for the step: finding who is touched 1.2, runs of blocks and what lies across them
// 1.3, colours 4.5, the list of numbers 1.4, records 0.9. With lists of pairs that were sorted by block it took 15 to
// 16. An order that lived as long as the neighbour list would save 2 % of a step at most.
#ifndef DYNAMICS_CONE_SWEEPS_ORDER_H
#define DYNAMICS_CONE_SWEEPS_ORDER_H

#include "core/arrays/colouring.h"
#include "core/base/memory.h"
#include "core/base/threads.h"
#include "dynamics/cone/sweeps/blocks.h"
#include "dynamics/cone/sweeps/sweep.h"
#include "dynamics/cone/sweeps/touched.h"
#include "dynamics/cone/system/contact_system.h"

enum { HEAVY_CONTACTS = 16, HEAVY_RATIO = 32, SPAN_MAX = 2 * COLOUR_COUNT + 3 };

typedef enum span_kind { SPAN_BLOCKS, SPAN_COLOUR, SPAN_SERIAL, SPAN_SHARED } span_kind;

typedef struct contact_span {
    span_kind kind;
    int64_t first_unit, last_unit;
} contact_span;

// What a thread does in one go: the groups of a block, or one group of any other span.
typedef struct work_unit {
    int64_t first_group, last_group;
    int64_t first_bundle;
    bool follows;                   // the unit before it: has bodies in common with it, and is the same thread's
    int64_t first_body, last_body;  // of a block of the first level; none in any other unit
} work_unit;

typedef struct bundle_group {
    int64_t first_bundle, last_bundle;
    int64_t first_contact, last_contact;  // in the order's list
    int64_t first_copy, last_copy;        // none but in shared spans
    bool is_near;                         // all its bodies are those of a block of the first level
} bundle_group;

typedef struct heavy_copy {
    int32_t body;      // its record
    int32_t shares;    // copies of this body in the span
    int32_t contacts;  // of the body in the copy's group
} heavy_copy;

typedef struct contact_order {
    int32_t *contact;
    int64_t count, capacity;  // contact numbers, span by span
    int64_t colour_piece;     // contacts of a group of a colour, at most
    contact_span span[SPAN_MAX];
    int span_count;
    work_unit *unit;
    int64_t unit_count, unit_capacity;
    bundle_group *group;
    int64_t group_count, group_capacity;
    heavy_copy *copy;
    int64_t copy_count, copy_capacity;
    int64_t bundle_count;
} contact_order;

size_t order_bytes(const contact_system *system);  // of scratch, ends included
// Contacts that are, or are not, on the centre line.
scr_status order_contacts(contact_order *order, const contact_system *system, const touched_bodies *touched,
                          const listed_ends *ends, bool centre_line, scr_arena arena, scr_error *error);
// The units of a span that are done by thread `part` of `parts`, so that all have about as many bundles.
index_range order_share(const contact_order *order, const contact_span *span, int part, int parts);
void order_free(contact_order *order);

#endif
