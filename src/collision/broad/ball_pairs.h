// SPDX-License-Identifier: BSD-3-Clause
// The pairs of balls in a grid whose enlarged balls overlap, bucket by bucket.
#ifndef COLLISION_BROAD_BALL_PAIRS_H
#define COLLISION_BROAD_BALL_PAIRS_H

#include "collision/broad/ball_grid.h"
#include "core/base/kernels.h"

typedef struct ball_pair {
    uint32_t a, b;
} ball_pair;  // entries of the grid

// The pairs that the balls of a bucket find. As many as there is room for are written; how many there are is returned.
typedef int64_t ball_pair_search(const ball_grid *grid, int64_t bucket, ball_pair *pairs, int64_t capacity);
KERNELS(ball_pair_search, ball_pairs);

#endif
