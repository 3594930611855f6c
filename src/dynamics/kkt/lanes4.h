// SPDX-License-Identifier: BSD-3-Clause
// Four numbers in the lanes of a register, one of each of four nodes, and how they get there from the nodes' own
// arrays.
#ifndef DYNAMICS_KKT_LANES4_H
#define DYNAMICS_KKT_LANES4_H

#include <stdbool.h>

#include "core/maths/lanes.h"
#include "dynamics/kkt/vec6.h"

_Static_assert((int)REAL_LANES == 4, "a lane for each of four nodes");

ALWAYS_INLINE bool lanes_any(real_mask mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

ALWAYS_INLINE two two_load(const double *p)
{
    two v;
    memcpy(&v, p, sizeof v);
    return v;
}
ALWAYS_INLINE real lanes_join(two a, two b)
{
    real v;
    memcpy(&v, &a, sizeof a);
    memcpy((char *)&v + sizeof a, &b, sizeof b);
    return v;
}
ALWAYS_INLINE two lanes_half(real v, int k)
{
    two a;
    memcpy(&a, (const char *)&v + (size_t)k * sizeof a, sizeof a);
    return a;
}

// v[k] = number k of each of the four, of n = 5 or 6; at: where each begins
ALWAYS_INLINE void lanes_gather(real v[VEC6], const double *base, const int32_t at[4], int n)
{
    const double *last = base + 4;
    UNROLL for (int l = 0; l < 4; ++l) v[l] = real_load(base + at[l]);
    real_transpose(v);
    if (n == 5) {
        v[4] = (real){last[at[0]], last[at[1]], last[at[2]], last[at[3]]};
        return;
    }
    two a = two_load(last + at[0]), b = two_load(last + at[1]), c = two_load(last + at[2]), d = two_load(last + at[3]);
    v[4] = lanes_join(two_firsts(a, b), two_firsts(c, d));
    v[5] = lanes_join(two_seconds(a, b), two_seconds(c, d));
}

// The numbers 4 and 5 of lanes 2 half and 2 half + 1
ALWAYS_INLINE void lanes_last(two of[2], real v4, real v5, int half)
{
    two a = lanes_half(v4, half), b = lanes_half(v5, half);
    of[0] = two_firsts(a, b);
    of[1] = two_seconds(a, b);
}

// n = 5 or 6 numbers of each of the four, to where they belong
ALWAYS_INLINE void lanes_scatter(double *base, const int32_t at[4], const real v[VEC6], int n)
{
    real t[4] = {v[0], v[1], v[2], v[3]};
    real_transpose(t);
    UNROLL for (int l = 0; l < 4; ++l) real_store(base + at[l], t[l]);
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
ALWAYS_INLINE void lanes_subtract(double *base, const int32_t at[4], const real v[VEC6], int n)
{
    real t[4] = {v[0], v[1], v[2], v[3]};
    real_transpose(t);
    UNROLL for (int l = 0; l < 4; ++l) real_store(base + at[l], real_load(base + at[l]) - t[l]);
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
