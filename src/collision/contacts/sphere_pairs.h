// SPDX-License-Identifier: BSD-3-Clause
// Pairs of grains, many at a time: which of them meet, and where.
//
// A pair is decided by the distance d of its centres alone:
//     d < r_a + r_b + envelope min(r_a, r_b)                they meet
//     d < the same + closing_a + closing_b                  they may, if they approach: GRAINS_UNDECIDED
#ifndef COLLISION_CONTACTS_SPHERE_PAIRS_H
#define COLLISION_CONTACTS_SPHERE_PAIRS_H

#include "collision/broad/colliders.h"
#include "core/base/kernels.h"

enum { PAIR_LANES = 4, PAIR_BLOCK = 64 * PAIR_LANES };
enum { GRAINS_APART = 0, GRAINS_TOUCH = 1, GRAINS_UNDECIDED = 2 };

typedef struct grain_pairs {
    const ball *ball;
    const float *closing;  // m
    double envelope;
    const periodic_cell *period;           // of space; NULL: it does not repeat itself
    int count;                             // pairs, at most PAIR_BLOCK
    int32_t a[PAIR_BLOCK], b[PAIR_BLOCK];  // colliders; the lanes after the last pair hold a pair, too
} grain_pairs;

typedef struct pair_frames {
    double normal[3 * PAIR_BLOCK];  // from a to b
    double gap[PAIR_BLOCK];         // m
} pair_frames;

typedef struct pair_kernels {
    void (*meet)(const grain_pairs *p, uint8_t verdict[PAIR_BLOCK], double gap[PAIR_BLOCK]);  // gap: m
    void (*place)(const grain_pairs *p, pair_frames *out);
} pair_kernels;

KERNELS(extern const pair_kernels, pair_kernels);

#endif
