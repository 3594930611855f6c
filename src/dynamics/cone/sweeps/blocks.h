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
//
// Contacts come in the order of their first side, which is that of space, too: nearly all that have a body in a block
// follow each other. So nothing is sorted: one thread goes through the runs of contacts of a block of the last level,
// colours those that are own to a block of the first one, whose words of colours are in its cache, and puts the others
// aside, one in seven, to colour them next. The order within a block, of any level, is that of the contacts' numbers
// then, however they come.
#ifndef DYNAMICS_CONE_SWEEPS_BLOCKS_H
#define DYNAMICS_CONE_SWEEPS_BLOCKS_H

#include "core/arrays/colouring.h"
#include "core/base/memory.h"
#include "dynamics/cone/sweeps/touched.h"

enum {
    BLOCK_LEVELS = 2,
    BLOCK_BITS = 10,
    BLOCK_BODIES = 1 << BLOCK_BITS,  // of the first level
    GROWTH_BITS = 3,                 // from level to level: eight times as many
    BLOCKS_OF_NEXT = 1 << GROWTH_BITS,
    LEAST_BLOCKS = 8,  // a level of fewer would leave cores idle
};

typedef struct contact_block {
    int64_t first, last;              // in the list of contacts
    int64_t start[COLOUR_COUNT + 2];  // of colours, from `first`; those that found none come last
} contact_block;

typedef struct block_cut {
    int levels;                       // 0: all in one
    int64_t level[BLOCK_LEVELS + 1];  // where the blocks of a level begin, and those of all levels end
    contact_block *block;             // level by level; the last one holds what lies across all others
    int64_t block_count;
} block_cut;

// The lowest level at which one block holds both bodies; cut->levels if none does.
static inline int block_level_of(const block_cut *cut, body_pair pair)
{
    int level = 0;
    while (level < cut->levels && (pair.a ^ pair.b) >> (BLOCK_BITS + level * GROWTH_BITS) != 0) ++level;
    return level;
}

// Which contacts are put in order.
typedef struct chosen_contacts {
    const listed_ends *ends;
    bool are_all;
    contact_kind kind;   // of those that are, else
    int64_t body_count;  // that have a record
    int threads;
} chosen_contacts;

static inline bool is_chosen(const chosen_contacts *chosen, int64_t contact)
{
    return chosen->are_all || chosen->ends->kind[contact] == chosen->kind;
}

size_t blocks_bytes(int64_t contact_count, int64_t body_count);  // of an arena
size_t cut_bytes(int64_t body_count);                            // what of it the cut keeps
// Lists their numbers block by block, and those of a block colour by colour. The cut lives in the arena.
block_cut blocks_cut(const chosen_contacts *chosen, int32_t *contact, scr_arena *arena);
// The same if none is chosen.
block_cut blocks_of_nothing(int64_t body_count, scr_arena *arena);

#endif
