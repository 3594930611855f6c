// SPDX-License-Identifier: BSD-3-Clause
// Four numbers in the lanes of a register, one of each of four nodes, and how they get there from the nodes' own arrays.
#ifndef DYNAMICS_KKT_LANES4_H
#define DYNAMICS_KKT_LANES4_H

#include <stdint.h>

#include "dynamics/kkt/vec6.h"

typedef double lanes4 __attribute__((vector_size(32)));
typedef int64_t lane_mask __attribute__((vector_size(32)));

ALWAYS_INLINE lanes4 lanes_spread(double s) { return (lanes4){s, s, s, s}; }
ALWAYS_INLINE lanes4 lanes_load(const double *p)
{
    lanes4 v;
    memcpy(&v, p, sizeof v);
    return v;
}
ALWAYS_INLINE void lanes_store(double *p, lanes4 v) { memcpy(p, &v, sizeof v); }
// a where the mask is set, else b
ALWAYS_INLINE lanes4 lanes_choose(lane_mask mask, lanes4 a, lanes4 b) 
{
    return (lanes4)(((lane_mask)a & mask) | ((lane_mask)b & ~mask));
}
ALWAYS_INLINE bool lanes_any(lane_mask mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

ALWAYS_INLINE two two_load(const double *p)
{
    two v;
    memcpy(&v, p, sizeof v);
    return v;
}
ALWAYS_INLINE lanes4 lanes_join(two a, two b)
{
    lanes4 v;
    memcpy(&v, &a, sizeof a);
    memcpy((char *)&v + sizeof a, &b, sizeof b);
    return v;
}
ALWAYS_INLINE two lanes_half(lanes4 v, int k)
{
    two a;
    memcpy(&a, (const char *)&v + (size_t)k * sizeof a, sizeof a);
    return a;
}

// Lanes become vectors and vectors lanes.
ALWAYS_INLINE void lanes_transpose(lanes4 v[4])
{
#if defined(__AVX__)
    lanes4 a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6), b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
    lanes4 c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6), d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
    v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    v[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
#else
    two h[4][2];
    for (int k = 0; k < 4; ++k)
        for (int half = 0; half < 2; ++half) h[k][half] = lanes_half(v[k], half);
    for (int half = 0; half < 2; ++half) {
        v[2 * half] = lanes_join(two_firsts(h[0][half], h[1][half]), two_firsts(h[2][half], h[3][half]));
        v[2 * half + 1] = lanes_join(two_seconds(h[0][half], h[1][half]), two_seconds(h[2][half], h[3][half]));
    }
#endif
}

// v[k] = number k of each of the four, of n = 5 or 6
ALWAYS_INLINE void lanes_gather(lanes4 v[VEC6], const double *const from[4], int n)
{
    UNROLL for (int l = 0; l < 4; ++l) v[l] = lanes_load(from[l]);
    lanes_transpose(v);
    if (n == 5) {
        v[4] = (lanes4){from[0][4], from[1][4], from[2][4], from[3][4]};
        return;
    }
    two a = two_load(from[0] + 4), b = two_load(from[1] + 4), c = two_load(from[2] + 4), d = two_load(from[3] + 4);
    v[4] = lanes_join(two_firsts(a, b), two_firsts(c, d));
    v[5] = lanes_join(two_seconds(a, b), two_seconds(c, d));
}

// Six numbers of each of the four as vectors; those from n on are 0.
ALWAYS_INLINE void lanes_part(vec6 of[4], const lanes4 v[VEC6], int n)
{
    lanes4 t[4] = {v[0], v[1], v[2], v[3]}, last = n == 5 ? lanes_spread(0.0) : v[5];
    double six[4][VEC6];
    lanes_transpose(t);
    UNROLL for (int half = 0; half < 2; ++half)
    {
        two a = lanes_half(v[4], half), b = lanes_half(last, half), e = two_firsts(a, b), o = two_seconds(a, b);
        memcpy(six[2 * half] + 4, &e, sizeof e);
        memcpy(six[2 * half + 1] + 4, &o, sizeof o);
    }
    UNROLL for (int l = 0; l < 4; ++l)
    {
        lanes_store(six[l], t[l]);
        of[l] = vec6_load(six[l]);
    }
}

// *to[l] = *to[l] - v of the first `count` lanes, one after the other: some may be the same
ALWAYS_INLINE void lanes_subtract(double *const to[4], const lanes4 v[VEC6], int n, int count)
{
    vec6 own[4];
    lanes_part(own, v, n);
    UNROLL for (int l = 0; l < 4; ++l)
    {
        if (l < count) vec6_store(to[l], vec6_subtract(vec6_load(to[l]), own[l]));
    }
}

#endif
