// SPDX-License-Identifier: BSD-3-Clause
// Pairs of shapes that are no grains, by kernels that take several at a time where their kinds have one.
//
// Those of a block of a neighbour list are collected, sifted by their bounding balls and handed on, each to the kernel
// of its kinds (lanes/shape_pairs.h). What a kernel leaves open is finished one at a time. The contact points are those
// of narrow_phase, to the last bit.
#ifndef COLLISION_CONTACTS_PAIR_LANES_H
#define COLLISION_CONTACTS_PAIR_LANES_H

#include "collision/contacts/sphere_pairs.h"
#include "collision/lanes/shape_pairs.h"

_Static_assert((int)PAIR_BLOCK == (int)SHAPE_PAIRS_MAX, "all pairs of a block may have a kernel");

// Kinds of pairs that have a kernel.
enum { TWO_ELLIPSOIDS, TWO_CAPSULES, TWO_BOXES, LANE_KINDS };

typedef struct lane_kernels {
    shape_pair_search *search[LANE_KINDS];
} lane_kernels;

typedef struct lane_block {
    shape_pairs pairs;
    int near_count[LANE_KINDS], near[LANE_KINDS][SHAPE_PAIRS_MAX + LANES_MOST];  // whose bounding balls are in reach
} lane_block;

lane_kernels lane_kernels_for(bool plain);
// Whether pairs of these two have a kernel. None knows images.
bool has_lane_kernel(const colliders *c, int64_t i, int64_t j);

void lane_block_empty(lane_block *block);
void lane_block_add(lane_block *block, const colliders *c, int32_t i, int32_t j, double reach);  // that has a kernel
void lane_block_search(lane_block *block, const colliders *c, const lane_kernels *kernels);
// Empties the block, adds those of a block of pairs that have a kernel, in their order, and searches.
void lane_block_find(lane_block *block, const colliders *c, const grain_pairs *pairs, const lane_kernels *kernels);
static inline bool lane_block_has(const lane_block *block, int k, int32_t i, int32_t j)  // as the k-th
{
    return k < block->pairs.count && block->pairs.a[k] == i && block->pairs.b[k] == j;
}
// The points of the k-th pair, and how many; memory: room for them if they have to be made.
const contact_point *lane_block_points(const lane_block *block, const colliders *c, int k,
                                       contact_point memory[MANIFOLD_MAX], int *count);

#endif
