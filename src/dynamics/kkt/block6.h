// SPDX-License-Identifier: BSD-3-Clause
// Blocks of 6 x 6 numbers, column by column; of a block, n columns are in use, and the others are 0 where that matters.
//
// All loops run over columns. They are unrolled where n is known, so that a block stays in registers.
#ifndef DYNAMICS_KKT_BLOCK6_H
#define DYNAMICS_KKT_BLOCK6_H

#include "dynamics/kkt/vec6.h"

enum { BLOCK6 = VEC6 * VEC6 };

// A x, of n columns. Two sums: each addition waits for the one before it.
ALWAYS_INLINE vec6 vec6_times(const double *a, const double *x, int n)
{
    vec6 even = vec6_zero(), odd = vec6_zero();
    UNROLL for (int c = 0; c < n; ++c)
    {
        if (c % 2 == 0) even = vec6_plus(even, vec6_load(a + VEC6 * c), x[c]);
        else odd = vec6_plus(odd, vec6_load(a + VEC6 * c), x[c]);
    }
    return vec6_add(even, odd);
}

// A^T x; columns that are not in use must be 0
ALWAYS_INLINE vec6 vec6_times_transposed(const double *a, vec6 x)
{
    vec6 product[VEC6];
    UNROLL for (int c = 0; c < VEC6; ++c) product[c] = vec6_multiply(vec6_load(a + VEC6 * c), x);
    return vec6_sums(product);
}

ALWAYS_INLINE void block_load(vec6 *v, const double *a, int n)
{
    UNROLL for (int c = 0; c < n; ++c) v[c] = vec6_load(a + VEC6 * c);
}
// Columns that are not in use become 0.
ALWAYS_INLINE void block_store(double *a, const vec6 *v, int n)
{
    UNROLL for (int c = 0; c < VEC6; ++c) vec6_store(a + VEC6 * c, c < n ? v[c] : vec6_zero());
}

// A = A - W T^T, where W and T have n columns and A has m.
ALWAYS_INLINE void block_minus_product(double *a, const vec6 *w, const double *t, int m, int n)
{
    UNROLL for (int c = 0; c < m; ++c)
    {
        vec6 v = vec6_load(a + VEC6 * c);
        UNROLL for (int d = 0; d < n; ++d) v = vec6_minus(v, w[d], t[VEC6 * d + c]);
        vec6_store(a + VEC6 * c, v);
    }
}

// v = v L^-T, L lower with a diagonal of 1; columns before `first` have nothing else
ALWAYS_INLINE void block_solve_right(vec6 *v, const double *lower, int first, int n)
{
    UNROLL for (int c = first + 1; c < n; ++c) UNROLL for (int d = first; d < c; ++d) v[c] =
        vec6_minus(v[c], v[d], lower[VEC6 * d + c]);
}

// L^-T, column by column
ALWAYS_INLINE void block_invert_lower(vec6 *upper, const double *lower, int first, int n)
{
    UNROLL for (int r = 0; r < n; ++r)
    {
        upper[r] = vec6_with_lane(vec6_zero(), r, 1.0);
        UNROLL for (int k = first; k < r; ++k) upper[r] = vec6_minus(upper[r], upper[k], lower[VEC6 * k + r]);
    }
}

#endif
