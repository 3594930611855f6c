// SPDX-License-Identifier: BSD-3-Clause
// Pairs of shapes, many at a time: what kernels are asked, and what they answer.
//
// A kernel is for one pair of kinds, and says of each pair to the bits of the function for a single one (narrow_phase)
// that the two are out of reach, or where they touch in one point. Pairs that need more than lanes can do stay open:
// they are done one at a time, from where the kernel got to.
#ifndef COLLISION_LANES_SHAPE_PAIRS_H
#define COLLISION_LANES_SHAPE_PAIRS_H

#include "collision/broad/colliders.h"
#include "collision/narrow/contact_point.h"
#include "core/base/kernels.h"

enum { SHAPE_PAIRS_MAX = 256 };
enum { LANES_MOST = 8 };  // of any kernel
enum { PAIR_APART = 0, PAIR_TOUCHES = 1, PAIR_OPEN = 2 };

typedef struct shape_pairs {
    int count;                                       // pairs, at most SHAPE_PAIRS_MAX
    int32_t a[SHAPE_PAIRS_MAX], b[SHAPE_PAIRS_MAX];  // colliders
    double reach[SHAPE_PAIRS_MAX];                   // m
    uint8_t verdict[SHAPE_PAIRS_MAX];                // out
    uint8_t clue[SHAPE_PAIRS_MAX];                   // out, of an open pair: what is known of it already
    contact_point found[SHAPE_PAIRS_MAX];            // out, of one that touches
} shape_pairs;

// which: (count) pairs of the kernel's kinds, and behind them so many entries more that lanes to spare have a pair,
// too. Space does not repeat itself: kernels know no images.
typedef void shape_pair_search(const colliders *c, shape_pairs *pairs, const int *which, int count);

#endif
