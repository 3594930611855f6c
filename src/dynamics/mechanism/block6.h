// Blocks of 6 x 6 numbers, column by column; of a block, n columns are in use.
//
// All loops run over columns of six lanes, four and two: the same operations in the same order on every processor. They
// are unrolled where n is known, so that a block stays in registers.
#ifndef DYNAMICS_MECHANISM_BLOCK6_H
#define DYNAMICS_MECHANISM_BLOCK6_H

#include <string.h>

enum { SIX = 6, BLOCK6 = 36 };

typedef double four __attribute__((vector_size(32)));
typedef double two __attribute__((vector_size(16)));
typedef struct six { four a; two b; } six;

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 6")

ALWAYS_INLINE six six_load(const double *p)
{
    six v;
    memcpy(&v.a, p, sizeof v.a);
    memcpy(&v.b, p + 4, sizeof v.b);
    return v;
}
ALWAYS_INLINE void six_store(double *p, six v)
{
    memcpy(p, &v.a, sizeof v.a);
    memcpy(p + 4, &v.b, sizeof v.b);
}
ALWAYS_INLINE six six_zero(void) { return (six){{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0}}; }
ALWAYS_INLINE double six_lane(six v, int k) { return k < 4 ? v.a[k] : v.b[k - 4]; }
ALWAYS_INLINE six six_with_lane(six v, int k, double x)
{
    if (k < 4) v.a[k] = x;
    else v.b[k - 4] = x;
    return v;
}
ALWAYS_INLINE six six_add(six v, six w) { return (six){v.a + w.a, v.b + w.b}; }
ALWAYS_INLINE six six_subtract(six v, six w) { return (six){v.a - w.a, v.b - w.b}; }
ALWAYS_INLINE six six_multiply(six v, six w) { return (six){v.a * w.a, v.b * w.b}; }
ALWAYS_INLINE six six_spread(double s)
{
    four a = {s, s, s, s};
    return (six){a, __builtin_shufflevector(a, a, 0, 1)};  // half a register: nothing to do
}
ALWAYS_INLINE six six_scale(six v, double s) { return six_multiply(v, six_spread(s)); }
ALWAYS_INLINE six six_plus(six v, six w, double s) { return six_add(v, six_scale(w, s)); }
ALWAYS_INLINE six six_minus(six v, six w, double s) { return six_subtract(v, six_scale(w, s)); }

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

ALWAYS_INLINE void block_load(six *v, const double *a, int n)
{
    UNROLL for (int c = 0; c < n; ++c) v[c] = six_load(a + SIX * c);
}
// Columns that are not in use become 0.
ALWAYS_INLINE void block_store(double *a, const six *v, int n)
{
    UNROLL for (int c = 0; c < SIX; ++c) six_store(a + SIX * c, c < n ? v[c] : six_zero());
}

// A = A - W T, where W has n columns and A and T have m.
ALWAYS_INLINE void block_minus_product(double *a, const six *w, const double *t, int m, int n)
{
    UNROLL for (int c = 0; c < m; ++c)
    {
        six v = six_load(a + SIX * c);
        UNROLL for (int d = 0; d < n; ++d) v = six_minus(v, w[d], t[SIX * c + d]);
        six_store(a + SIX * c, v);
    }
}

// A^T of a block in registers
ALWAYS_INLINE void block_turn(six t[SIX], const six v[SIX])
{
    four e0 = __builtin_shufflevector(v[0].a, v[1].a, 0, 4, 2, 6);
    four o0 = __builtin_shufflevector(v[0].a, v[1].a, 1, 5, 3, 7);
    four e1 = __builtin_shufflevector(v[2].a, v[3].a, 0, 4, 2, 6);
    four o1 = __builtin_shufflevector(v[2].a, v[3].a, 1, 5, 3, 7);
    four e2 = __builtin_shufflevector(v[4].a, v[5].a, 0, 4, 2, 6);
    four o2 = __builtin_shufflevector(v[4].a, v[5].a, 1, 5, 3, 7);
    t[0] = (six){__builtin_shufflevector(e0, e1, 0, 1, 4, 5), __builtin_shufflevector(e2, e2, 0, 1)};
    t[1] = (six){__builtin_shufflevector(o0, o1, 0, 1, 4, 5), __builtin_shufflevector(o2, o2, 0, 1)};
    t[2] = (six){__builtin_shufflevector(e0, e1, 2, 3, 6, 7), __builtin_shufflevector(e2, e2, 2, 3)};
    t[3] = (six){__builtin_shufflevector(o0, o1, 2, 3, 6, 7), __builtin_shufflevector(o2, o2, 2, 3)};
    two p = __builtin_shufflevector(v[0].b, v[1].b, 0, 2), q = __builtin_shufflevector(v[2].b, v[3].b, 0, 2);
    two r = __builtin_shufflevector(v[0].b, v[1].b, 1, 3), s = __builtin_shufflevector(v[2].b, v[3].b, 1, 3);
    t[4] = (six){__builtin_shufflevector(p, q, 0, 1, 2, 3), __builtin_shufflevector(v[4].b, v[5].b, 0, 2)};
    t[5] = (six){__builtin_shufflevector(r, s, 0, 1, 2, 3), __builtin_shufflevector(v[4].b, v[5].b, 1, 3)};
}

// v = v L^-T, L lower with a diagonal of 1
ALWAYS_INLINE void block_solve_right(six *v, const double *lower, int n)
{
    UNROLL for (int c = 1; c < n; ++c)
        UNROLL for (int d = 0; d < c; ++d) v[c] = six_minus(v[c], v[d], lower[SIX * d + c]);
}

// L^-T, column by column
ALWAYS_INLINE void block_invert_lower(six *upper, const double *lower, int n)
{
    UNROLL for (int r = 0; r < n; ++r)
    {
        upper[r] = six_with_lane(six_zero(), r, 1.0);
        UNROLL for (int k = 0; k < r; ++k) upper[r] = six_minus(upper[r], upper[k], lower[SIX * k + r]);
    }
}

#endif
