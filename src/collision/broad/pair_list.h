// SPDX-License-Identifier: BSD-3-Clause
// All pairs of a grid, found and sifted bucket by bucket.
//
// A bucket writes into a place of its own, as large as the most crowded one needed last time; buckets that need more
// are counted, given room apart, and searched again. The sieve sees the pairs of a bucket while they are in the cache
// and keeps what its caller wants.
#ifndef COLLISION_BROAD_PAIR_LIST_H
#define COLLISION_BROAD_PAIR_LIST_H

#include "collision/broad/ball_pairs.h"

typedef struct pair_list {
    ball_pair *pair;  // of most buckets,
    ball_pair *more;  // of those that were searched again
    int64_t *first,
        *count;    // (bucket_count) where the pairs of a bucket are, below 0: ~first of more; how many it kept
    double share;  // pairs a ball to make room for; 0 if nothing is known yet
    int64_t more_capacity, first_capacity, count_capacity;
    // Where `pair` is. Set by an owner who needs the pairs only for a while: the arena that they lie in, and are lost
    // with. NULL: memory of its own
    scr_arena *memory;
    scr_arena own_memory;
} pair_list;

static inline const ball_pair *pair_list_bucket(const pair_list *list, int64_t bucket)
{
    int64_t first = list->first[bucket];
    return first >= 0 ? list->pair + first : list->more + ~first;
}

// Keep some of the pairs, in place and in order; how many is returned. Called by several threads at once.
typedef int64_t pair_sieve(void *context, ball_pair *pairs, int64_t count);

scr_status pair_list_find(pair_list *list, const ball_grid *grid, ball_pair_search *search, pair_sieve *sieve,
                          void *context, int threads, scr_error *error);
void pair_list_free(pair_list *list);

#endif
