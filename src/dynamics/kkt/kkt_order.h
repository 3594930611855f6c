// SPDX-License-Identifier: BSD-3-Clause
// In which order bodies and blocks of rows are eliminated, and what that fills in.
//
// Nodes are the bodies that can be moved (0..body_count-1) and then the blocks; a block meets the bodies of its
// Jacobians, a body those it is coupled with. The node with the least degree, counted in numbers, goes first; of equals
// the one that stands on the shortest chain of nodes gone before it: of a ring every other one, then every other one of
// those left. So neighbouring columns seldom wait for each other's numbers, and rounding adds up over few of them. Then
// the lowest number goes first.
//
// When a block goes, bodies that are left stand still, as the ground does. Rows that hold a part of the mechanism
// between two such things would find each other redundant though they are not: a link between two bodies that both hold
// it. So a block waits as long as the block, and what eliminated blocks hold together with it, would be tied to more
// than one of them. Then a pivot of nothing belongs to a row that is redundant in the whole mechanism. A tree never
// waits.
#ifndef DYNAMICS_KKT_KKT_ORDER_H
#define DYNAMICS_KKT_KKT_ORDER_H

#include "dynamics/kkt/kkt.h"

// Columns of the factor in the order of elimination. Places count in that order.
typedef struct elimination {
    int32_t count;  // of nodes
    int32_t *node;  // (count) by place
    int32_t *rank;  // (count) by node
    // (count) places from here on that kkt_lanes.c works on together, 1: none; 0: those that come with one before them
    uint8_t *together;
    uint8_t *changes;       // (count) by node; 1: its column depends on S. All that go after it and meet it do
    int64_t *first;         // (count + 1) entries below the diagonal, by column
    int32_t *row;           // (first[count]) places, ascending within a column
    int64_t *first_target;  // (count + 1)
    int32_t *target;        // entries that a column changes: of its rows a < b, the one in column a and row b
    int64_t node_capacity, row_capacity, target_capacity;
} elimination;

// work_limit: targets at most. Where there would be more, *is_over becomes true and there is no order.
scr_status elimination_find(elimination *out, const kkt_equations *e, int64_t work_limit, bool *is_over,
                            scr_error *error);
void elimination_free(elimination *out);
// The entry of two nodes that meet, in the column of the one that goes first.
int64_t elimination_entry(const elimination *o, int32_t node_a, int32_t node_b);

static inline bool is_movable(const kkt_equations *e, int32_t body) { return body >= 0 && body < e->body_count; }

#endif
