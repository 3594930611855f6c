// The pairs of balls in a grid whose enlarged balls overlap, bucket by bucket.
#ifndef COLLISION_BROAD_BALL_PAIRS_H
#define COLLISION_BROAD_BALL_PAIRS_H

#include "collision/broad/ball_grid.h"

typedef struct ball_pair { uint32_t a, b; } ball_pair;  // entries of the grid

// The pairs that the balls of a bucket find. As many as there is room for are written; how many there are is returned.
typedef int64_t ball_pair_search(const ball_grid *grid, int64_t bucket, ball_pair *pairs, int64_t room);
ball_pair_search ball_pairs_plain;
#if defined(SCREE_HAVE_AVX2)
ball_pair_search ball_pairs_avx2;
#endif

// The fastest one that this processor has.
static inline ball_pair_search *ball_pairs_best(void)
{
#if defined(SCREE_HAVE_AVX2)
    if (__builtin_cpu_supports("avx2")) return ball_pairs_avx2;
#endif
    return ball_pairs_plain;
}

#endif
