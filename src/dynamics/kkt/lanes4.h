// SPDX-License-Identifier: BSD-3-Clause
// Four numbers in the lanes of a register, one of each of four nodes, and how they get there from the nodes' own
// arrays.
#ifndef DYNAMICS_KKT_LANES4_H
#define DYNAMICS_KKT_LANES4_H

#include <stdbool.h>
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

// v[k] = number k of each of the four, of n = 5 or 6; at: where each begins
ALWAYS_INLINE void lanes_gather(lanes4 v[VEC6], const double *base, const int64_t at[4], int n)
{
    const double *last = base + 4;
    UNROLL for (int l = 0; l < 4; ++l) v[l] = lanes_load(base + at[l]);
    lanes_transpose(v);
    if (n == 5) {
        v[4] = (lanes4){last[at[0]], last[at[1]], last[at[2]], last[at[3]]};
        return;
    }
    two a = two_load(last + at[0]), b = two_load(last + at[1]), c = two_load(last + at[2]), d = two_load(last + at[3]);
    v[4] = lanes_join(two_firsts(a, b), two_firsts(c, d));
    v[5] = lanes_join(two_seconds(a, b), two_seconds(c, d));
}

// The numbers 4 and 5 of lanes 2 half and 2 half + 1
ALWAYS_INLINE void lanes_last(two of[2], lanes4 v4, lanes4 v5, int half)
{
    two a = lanes_half(v4, half), b = lanes_half(v5, half);
    of[0] = two_firsts(a, b);
    of[1] = two_seconds(a, b);
}

// n = 5 or 6 numbers of each of the four, to where they belong
ALWAYS_INLINE void lanes_scatter(double *base, const int64_t at[4], const lanes4 v[VEC6], int n)
{
    lanes4 t[4] = {v[0], v[1], v[2], v[3]};
    lanes_transpose(t);
    UNROLL for (int l = 0; l < 4; ++l) lanes_store(base + at[l], t[l]);
    if (n == 5) {
        UNROLL for (int l = 0; l < 4; ++l) base[at[l] + 4] = v[4][l];
        return;
    }
    UNROLL for (int half = 0; half < 2; ++half)
    {
        two last[2];
        lanes_last(last, v[4], v[5], half);
        UNROLL for (int l = 0; l < 2; ++l) memcpy(base + at[2 * half + l] + 4, &last[l], sizeof last[l]);
    }
}

// Taken from what is there, one lane after the other: some may be the same
ALWAYS_INLINE void lanes_subtract(double *base, const int64_t at[4], const lanes4 v[VEC6], int n)
{
    lanes4 t[4] = {v[0], v[1], v[2], v[3]};
    lanes_transpose(t);
    UNROLL for (int l = 0; l < 4; ++l) lanes_store(base + at[l], lanes_load(base + at[l]) - t[l]);
    if (n == 5) {
        UNROLL for (int l = 0; l < 4; ++l) base[at[l] + 4] -= v[4][l];
        return;
    }
    UNROLL for (int half = 0; half < 2; ++half)
    {
        two last[2];
        lanes_last(last, v[4], v[5], half);
        UNROLL for (int l = 0; l < 2; ++l)
        {
            double *to = base + at[2 * half + l] + 4;
            two left = two_load(to) - last[l];
            memcpy(to, &left, sizeof left);
        }
    }
}

#endif
