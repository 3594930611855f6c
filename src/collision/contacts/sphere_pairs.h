// SPDX-License-Identifier: BSD-3-Clause
// Pairs of grains, many at a time: which of them meet, and where.
//
// A pair is decided by the distance d of its centres alone:
//     d < r_a + r_b + envelope min(r_a, r_b)                they meet
//     d < the same + closing_a + closing_b                  they may, if they approach
// Whether those do follows from the velocities that they would have without contacts, as contacts.h has it; where
// these are not told they are undecided.
#ifndef COLLISION_CONTACTS_SPHERE_PAIRS_H
#define COLLISION_CONTACTS_SPHERE_PAIRS_H

#include "collision/broad/colliders.h"
#include "core/base/kernels.h"
#include "core/maths/pose.h"

enum { PAIR_LANES = 4, PAIR_BLOCK = 64 * PAIR_LANES, ROW_ENTRIES = 8 };

typedef struct grain_pairs {
    const ball *ball;
    const float *closing;  // m
    double envelope;
    const periodic_cell *period;  // of space; NULL: it does not repeat itself
    int count;                    // pairs, at most PAIR_BLOCK
    // colliders; the lanes after the last pair hold a pair, too. There is room to write ROW_ENTRIES at a time
    int32_t a[PAIR_BLOCK + ROW_ENTRIES], b[PAIR_BLOCK + ROW_ENTRIES];
    uint64_t is_other[PAIR_BLOCK / 64];  // bits of pairs that are not two grains: they pass undecided
} grain_pairs;

typedef struct pair_frames {
    double normal[3 * PAIR_BLOCK];  // from a to b
    double gap[PAIR_BLOCK];         // m
} pair_frames;

// Pairs that passed, in their order. Room for PAIR_LANES more than there are: what lies behind the last is undefined.
typedef struct sifted_pairs {
    int32_t *a, *b;  // colliders; ~b of those that are undecided
    int64_t count, undecided;
    double deepest;  // m: the largest overlap so far
} sifted_pairs;

// How grains would move.
typedef struct pair_motion {
    const body_motion *motion;  // (body count)
    const int32_t *body;        // (collider count)
    double time_step, max_friction;
} pair_motion;

typedef struct pair_kernels {
    // Adds those that meet, or come together; if m is NULL those that may, undecided. m: only where space does
    // not repeat itself
    void (*sift)(const grain_pairs *p, const pair_motion *m, sifted_pairs *out);
    void (*place)(const grain_pairs *p, pair_frames *out);
} pair_kernels;

KERNELS(extern const pair_kernels, pair_kernels);

#endif
