// SPDX-License-Identifier: BSD-3-Clause
// All pairs of a grid, found and sifted bucket by bucket.
//
// A bucket writes into a place of its own, as large as the most crowded one needed last time; buckets that need more
// are counted, given room behind the others, and searched again. The sieve sees the pairs of a bucket while they are
// in the cache and keeps what its caller wants.
#ifndef COLLISION_BROAD_PAIR_LIST_H
#define COLLISION_BROAD_PAIR_LIST_H

#include "collision/broad/ball_pairs.h"

typedef struct pair_list {
    ball_pair *pair;
    int64_t *first, *count;  // (bucket_count) where the pairs of a bucket are, and how many it kept
    double share;            // pairs a ball to make room for; 0 if nothing is known yet
    int64_t pair_capacity, first_capacity, count_capacity;
} pair_list;

// Keep some of the pairs, in place and in order; how many is returned. Called by several threads at once.
typedef int64_t pair_sieve(void *context, ball_pair *pairs, int64_t count);

scr_status pair_list_find(pair_list *list, const ball_grid *grid, ball_pair_search *search, pair_sieve *sieve,
                          void *context, int threads, scr_error *error);
void pair_list_free(pair_list *list);

#endif
