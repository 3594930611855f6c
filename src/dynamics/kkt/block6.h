// Blocks of 6 x 6 numbers, column by column; of a block, n columns are in use, and the others are 0 where that matters.
//
// All loops run over columns. They are unrolled where n is known, so that a block stays in registers.
#ifndef DYNAMICS_KKT_BLOCK6_H
#define DYNAMICS_KKT_BLOCK6_H

#include "dynamics/kkt/six.h"

enum { BLOCK6 = SIX * SIX };

// A x, of n columns. Two sums: each addition waits for the one before it.
ALWAYS_INLINE six six_times(const double *a, const double *x, int n)
{
    six even = six_zero(), odd = six_zero();
    UNROLL for (int c = 0; c < n; ++c)
    {
        if (c % 2 == 0) even = six_plus(even, six_load(a + SIX * c), x[c]);
        else odd = six_plus(odd, six_load(a + SIX * c), x[c]);
    }
    return six_add(even, odd);
}

// A^T x; columns that are not in use must be 0
ALWAYS_INLINE six six_times_turned(const double *a, six x)
{
    six product[SIX];
    UNROLL for (int c = 0; c < SIX; ++c) product[c] = six_multiply(six_load(a + SIX * c), x);
    return six_sums(product);
}

ALWAYS_INLINE void block_load(six *v, const double *a, int n)
{
    UNROLL for (int c = 0; c < n; ++c) v[c] = six_load(a + SIX * c);
}
// Columns that are not in use become 0.
ALWAYS_INLINE void block_store(double *a, const six *v, int n)
{
    UNROLL for (int c = 0; c < SIX; ++c) six_store(a + SIX * c, c < n ? v[c] : six_zero());
}

// A = A - W T^T, where W and T have n columns and A has m.
ALWAYS_INLINE void block_minus_product(double *a, const six *w, const double *t, int m, int n)
{
    UNROLL for (int c = 0; c < m; ++c)
    {
        six v = six_load(a + SIX * c);
        UNROLL for (int d = 0; d < n; ++d) v = six_minus(v, w[d], t[SIX * d + c]);
        six_store(a + SIX * c, v);
    }
}

// v = v L^-T, L lower with a diagonal of 1; columns before `first` have nothing else
ALWAYS_INLINE void block_solve_right(six *v, const double *lower, int first, int n)
{
    UNROLL for (int c = first + 1; c < n; ++c)
        UNROLL for (int d = first; d < c; ++d) v[c] = six_minus(v[c], v[d], lower[SIX * d + c]);
}

// L^-T, column by column
ALWAYS_INLINE void block_invert_lower(six *upper, const double *lower, int first, int n)
{
    UNROLL for (int r = 0; r < n; ++r)
    {
        upper[r] = six_with_lane(six_zero(), r, 1.0);
        UNROLL for (int k = first; k < r; ++k) upper[r] = six_minus(upper[r], upper[k], lower[SIX * k + r]);
    }
}

#endif
