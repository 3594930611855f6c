// SPDX-License-Identifier: BSD-3-Clause
// Contacts cut into blocks: what a core sweeps without leaving its cache, and without asking anybody.
//
// A block is a range of records of fixed length. Bodies are in the order of space (step/spatial_sort.c), so it is a
// region too, and a function of the state alone. A contact of two bodies of one block, or of one of them with
// something that cannot be moved, is the block's own: no two blocks share a body, so threads sweep blocks side by side,
// and the records of a block's bodies stay in a core's second-level cache while its contacts stream by. What lies
// across blocks goes by blocks of the next level, which are larger; what lies across those is coloured as a whole. Of a
// packed bed blocks of 2048 own some 85 % of the contacts.
//
// Within a block contacts are coloured, to fill lanes. A bed that fits a cache as a whole is not cut.
#ifndef DYNAMICS_CONE_SWEEPS_BLOCKS_H
#define DYNAMICS_CONE_SWEEPS_BLOCKS_H

#include "core/arrays/colouring.h"
#include "core/base/memory.h"

enum {
    BLOCK_LEVELS = 2,
    BLOCK_BITS = 10,
    BLOCK_BODIES = 1 << BLOCK_BITS,  // of the first level
    GROWTH_BITS = 3,                 // from level to level: eight times as many
    BLOCKS_OF_NEXT = 1 << GROWTH_BITS,
    LEAST_BLOCKS = 8,  // a level of fewer would leave cores idle
};

typedef struct contact_block {
    int64_t first, last;              // in the list of pairs
    int64_t start[COLOUR_COUNT + 2];  // of colours, from `first`
} contact_block;

typedef struct block_cut {
    int levels;                       // 0: all in one
    int64_t level[BLOCK_LEVELS + 1];  // where the blocks of a level begin, and those of all levels end
    contact_block *block;             // level by level; the last one holds what lies across all others
    int64_t block_count;
} block_cut;

// Pairs that are being put in order, and what goes with each.
typedef struct contact_pairs {
    int64_t count, body_count;
    body_pair *pair, *other_pair;  // as they are; room for as many in another order
    int32_t *number, *other_number;
    uint8_t *colour;
    uint64_t *taken;  // (body count) scratch of colouring
} contact_pairs;

size_t blocks_bytes(int64_t pair_count, int64_t body_count);  // of an arena, besides the list
// Order the first `count` pairs of the list by block, stably, and colour them. The cut lives in the arena.
block_cut blocks_cut(contact_pairs *list, int64_t count, int threads, scr_arena *arena);

#endif
