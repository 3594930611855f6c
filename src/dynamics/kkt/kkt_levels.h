// SPDX-License-Identifier: BSD-3-Clause
// The same elimination, level by level, and who can be worked on together there.
//
// A node's level is the longest chain of nodes that go before it, each meeting the next. Nodes of one level do not
// meet,
// so that any order among them is the same elimination. Those of the same shape (as many numbers, as many entries, of
// the same sizes) stand side by side then, and four of them are eliminated in the lanes of one register: kkt_lanes.c.
#ifndef DYNAMICS_KKT_KKT_LEVELS_H
#define DYNAMICS_KKT_KKT_LEVELS_H

#include "dynamics/kkt/kkt_order.h"

enum {
    LANES = 4,
    LANE_ENTRIES = 4,  // of a column, at most: wider ones are fast enough by themselves
    LANE_TARGETS = LANE_ENTRIES * (LANE_ENTRIES - 1) / 2,
};

// Blocks of 5 rows, as most joints have, are a size of their own; all others count as 6.
static inline int lane_size(int size) { return size == 5 ? 5 : 6; }

// out: nodes by place and, in row, by number; levels and sizes by node. Rows are left by number.
scr_status elimination_by_level(elimination *out, int32_t body_count, const int32_t *level, const uint8_t *size,
                                scr_error *error);

#endif
