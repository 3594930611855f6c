// SPDX-License-Identifier: BSD-3-Clause
// For pairs of a sphere and a sphere set in the neighbour lists: the groups of the set's spheres that may touch it
// while the lists last. A step then asks a few groups and no tree. What comes of a pair is the same either way.
//
// Groups are listed for a little more than the lists' margins. When the lists are made anew, those of a pair that has
// moved by less than that, in the set's frame, are taken over: all groups within reach R of a point x are among those
// within R' of x' if |x - x'| + R <= R'.
#ifndef COLLISION_BROAD_PART_LISTS_H
#define COLLISION_BROAD_PART_LISTS_H

#include "collision/broad/colliders.h"

typedef struct part_buffer {
    int32_t *item;
    int64_t count, capacity;
} part_buffer;

// Of one such pair.
typedef struct part_range {
    int64_t pair;           // entry in the neighbour lists
    int32_t a, b;           // colliders, a the owner
    uint64_t id_a, id_b;    // theirs
    scr_vec3 point;         // m: where the sphere's centre was in the set's frame
    double reach;           // m: from there all groups are listed
    int32_t taken_over;     // entry among the ranges before, or -1: there was none
    int32_t buffer, count;  // which holds its groups, ascending, so many
    int64_t first;          // from this one on
    bool out_of_memory;     // while they are listed
} part_range;

typedef struct part_ranges {
    part_range *item;
    part_buffer *buffer;  // (threads)
    int64_t count, capacity, buffer_count;
} part_ranges;

typedef struct part_lists {
    int32_t *of_pair;            // (pairs of the neighbour lists) entry in the ranges, or -1
    part_ranges ranges, before;  // by a, then b; before: those of the lists before
    int64_t pair_capacity;
    bool has_any;  // else of_pair is not filled
} part_lists;

// The pairs of all colliders, as neighbour lists have them; margins are theirs.
scr_status part_lists_make(part_lists *parts, const colliders *c, const int64_t *start, const int32_t *other,
                           const float *margin, int threads, scr_error *error);
void part_lists_free(part_lists *parts);

// The range of a pair, or NULL: then the set's tree is to be asked.
static inline const part_range *part_range_of(const part_lists *parts, int64_t pair)
{
    return parts->has_any && parts->of_pair[pair] >= 0 ? &parts->ranges.item[parts->of_pair[pair]] : NULL;
}
static inline const int32_t *part_groups(const part_ranges *ranges, const part_range *range)
{
    return ranges->buffer[range->buffer].item + range->first;
}

#endif
