// Which of a run of balls are near a given one: the innermost loop of the neighbour search.
//
// Single precision, relative to the corner of the grid; radii are enlarged by what rounding may lose, so a ball in
// reach is never missed. A ball too many does no harm.
#ifndef COLLISION_BALL_SEARCH_H
#define COLLISION_BALL_SEARCH_H

#include <stdint.h>

enum { SEARCH_RUN_MAX = 64, SEARCH_PADDING = 8 };

typedef struct ball_lanes {
    float *x, *y, *z, *r;  // (count + SEARCH_PADDING)
} ball_lanes;

// Bit k is set if ball first + k, k < count <= SEARCH_RUN_MAX, overlaps the ball (x, y, z, r).
typedef uint64_t (*ball_search)(const ball_lanes *lanes, int64_t first, int64_t count, float x, float y, float z, float r);

uint64_t ball_search_plain(const ball_lanes *lanes, int64_t first, int64_t count, float x, float y, float z, float r);
#if defined(SCREE_HAVE_AVX2)
uint64_t ball_search_avx2(const ball_lanes *lanes, int64_t first, int64_t count, float x, float y, float z, float r);
#endif

// The fastest one that this processor has.
static inline ball_search ball_search_best(void)
{
#if defined(SCREE_HAVE_AVX2)
    if (__builtin_cpu_supports("avx2")) return ball_search_avx2;
#endif
    return ball_search_plain;
}

#endif
