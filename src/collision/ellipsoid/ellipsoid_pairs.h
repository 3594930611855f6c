// SPDX-License-Identifier: BSD-3-Clause
// Pairs of ellipsoids, many at a time.
#ifndef COLLISION_ELLIPSOID_ELLIPSOID_PAIRS_H
#define COLLISION_ELLIPSOID_ELLIPSOID_PAIRS_H

#include "collision/broad/colliders.h"
#include "collision/narrow/contact_point.h"
#include "core/base/kernels.h"

enum { ELLIPSOID_BLOCK = 256 };
// ELLIPSOIDS_DEEP: they overlap so deeply that ellipsoid_pair must look for the shortest way out
enum { ELLIPSOIDS_APART = 0, ELLIPSOIDS_TOUCH = 1, ELLIPSOIDS_DEEP = 2 };

typedef struct ellipsoid_block {
    int count;                                       // pairs, at most ELLIPSOID_BLOCK
    int32_t a[ELLIPSOID_BLOCK], b[ELLIPSOID_BLOCK];  // colliders
    double reach[ELLIPSOID_BLOCK];                   // m
    uint8_t verdict[ELLIPSOID_BLOCK];                // out
    contact_point found[ELLIPSOID_BLOCK];            // out: where they touch, to the bits of ellipsoid_pair
} ellipsoid_block;

static inline void ellipsoid_block_add(ellipsoid_block *block, int32_t a, int32_t b, double reach)
{
    int k = block->count++;
    block->a[k] = a, block->b[k] = b, block->reach[k] = reach;
}

typedef void ellipsoid_pair_search(const colliders *c, ellipsoid_block *block);
KERNELS_TO_AVX512(ellipsoid_pair_search, ellipsoid_pairs);

#endif
