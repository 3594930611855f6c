// SPDX-License-Identifier: BSD-3-Clause
// For pairs of a sphere and a sphere set in the neighbour lists: the spheres of the set that may touch it while the
// lists last. A step then asks a few spheres and no tree. What comes of a pair is the same either way.
#ifndef COLLISION_BROAD_PART_LISTS_H
#define COLLISION_BROAD_PART_LISTS_H

#include "collision/broad/colliders.h"

typedef struct part_buffer {
    int32_t *item;
    int64_t count, capacity;
} part_buffer;

// Of one such pair.
typedef struct part_range {
    int64_t pair;        // entry in the neighbour lists
    int32_t a, b;        // colliders, a the owner
    int32_t buffer;      // which holds its spheres, ascending,
    int32_t count;       // so many
    int64_t first;       // from this one on
    bool out_of_memory;  // while they are listed
} part_range;

typedef struct part_lists {
    int32_t *of_pair;  // (pairs of the neighbour lists) entry in range, or -1
    part_range *range;
    part_buffer *buffer;  // (threads)
    int64_t pair_capacity, range_count, range_capacity, buffer_count;
    bool has_any;  // else of_pair is not filled
} part_lists;

// The pairs of all colliders, as neighbour lists have them; margins are theirs.
scr_status part_lists_make(part_lists *parts, const colliders *c, const int64_t *start, const int32_t *other,
                           const float *margin, int threads, scr_error *error);
void part_lists_free(part_lists *parts);

// The range of a pair, or NULL: then the set's tree is to be asked.
static inline const part_range *part_range_of(const part_lists *parts, int64_t pair)
{
    return parts->has_any && parts->of_pair[pair] >= 0 ? &parts->range[parts->of_pair[pair]] : NULL;
}
static inline const int32_t *part_items(const part_lists *parts, const part_range *range)
{
    return parts->buffer[range->buffer].item + range->first;
}

#endif
