// SPDX-License-Identifier: BSD-3-Clause
// Bodies that many blocks of rows meet, each as several copies that are welded to each other.
//
// When a body goes, all blocks that it meets meet each other. In a tree that costs nothing, because all but one of them
// go before it. But n blocks that close loops through the body, as n joints between it and the ground, would fill in
// n^2 entries and take n^3 work. A chain of copies is the same body: each has its share of the mass and of the
// momentum, and meets a few of the blocks in their order; welds (six rows that never yield) give all copies one
// velocity. Then what fills in stays between neighbours in the chain, and the cost grows with n.
//
// Copies come after all bodies, welds after all blocks, so that numbers of bodies, blocks and Jacobians stay what they
// were. A weld may be found redundant, where joints hold both of its copies: that is then said of as many rows of
// joints there.
#ifndef DYNAMICS_KKT_KKT_SPLIT_H
#define DYNAMICS_KKT_KKT_SPLIT_H

#include "dynamics/kkt/kkt.h"

typedef struct kkt_split {
    kkt_equations equations;  // with copies and welds
    int32_t body_count;       // of the equations as given
    int64_t block_count;
    body_inertia *body;
    double *mass_share;   // (bodies with copies) of the body that a copy has
    int32_t *met;         // (bodies as given) scratch: blocks so far
    int32_t *first_copy;  // (bodies as given + 1) copies of body i but the first: body_count + first_copy[i], ...
    row_block *block;
    joint_jacobian *jacobian;
    int64_t body_capacity, given_capacity, block_capacity, jacobian_capacity;
} kkt_split;

// Who is connected to whom; allocates. Where no body has many blocks there are no copies. Numbers are loaded
// afterwards, as often as they change.
scr_status kkt_split_make(kkt_split *s, const kkt_equations *e, scr_error *error);
void kkt_split_load(kkt_split *s, const kkt_equations *e);
void kkt_split_free(kkt_split *s);
// After a look for redundant rows: bit k of lost[place[node]] tells of row k of a block, of open[] that it holds
// nothing.
void kkt_split_blame(kkt_split *s, const int32_t *rank, const uint8_t *open, uint8_t *lost);

#endif
