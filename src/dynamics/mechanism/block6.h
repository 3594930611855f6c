// Blocks of 6 x 6 numbers, column by column; of a block, n columns are in use.
//
// All loops run over columns of six lanes, four and two: the same operations in the same order on every processor.
#ifndef DYNAMICS_MECHANISM_BLOCK6_H
#define DYNAMICS_MECHANISM_BLOCK6_H

#include <math.h>
#include <string.h>

enum { SIX = 6, BLOCK6 = 36 };

typedef double four __attribute__((vector_size(32)));
typedef double two __attribute__((vector_size(16)));
typedef struct six { four a; two b; } six;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE six six_load(const double *p) { six v; memcpy(&v.a, p, sizeof v.a); memcpy(&v.b, p + 4, sizeof v.b); return v; }
ALWAYS_INLINE void six_store(double *p, six v) { memcpy(p, &v.a, sizeof v.a); memcpy(p + 4, &v.b, sizeof v.b); }
ALWAYS_INLINE six six_zero(void) { return (six){{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0}}; }
ALWAYS_INLINE six six_scale(six v, double s) { return (six){v.a * s, v.b * s}; }
ALWAYS_INLINE six six_minus(six v, six w, double s) { return (six){v.a - w.a * s, v.b - w.b * s}; }  // v - w s
ALWAYS_INLINE six six_plus(six v, six w, double s) { return (six){v.a + w.a * s, v.b + w.b * s}; }
ALWAYS_INLINE six six_add_square(six v, six w) { return (six){v.a + w.a * w.a, v.b + w.b * w.b}; }

// v - A x and v + A x, of n columns
ALWAYS_INLINE six six_minus_times(six v, const double *a, const double *x, int n)
{
    for (int c = 0; c < n; ++c) v = six_minus(v, six_load(a + SIX * c), x[c]);
    return v;
}
ALWAYS_INLINE six six_plus_times(six v, const double *a, const double *x, int n)
{
    for (int c = 0; c < n; ++c) v = six_plus(v, six_load(a + SIX * c), x[c]);
    return v;
}

// A = A - W T, where W has n columns and A and T have m.
ALWAYS_INLINE void block_minus_product(double *a, const double *w, const double *t, int m, int n)
{
    six column[SIX];
    for (int d = 0; d < n; ++d) column[d] = six_load(w + SIX * d);
    for (int c = 0; c < m; ++c) {
        six v = six_load(a + SIX * c);
        for (int d = 0; d < n; ++d) v = six_minus(v, column[d], t[SIX * c + d]);
        six_store(a + SIX * c, v);
    }
}

// A = A L^-T, L lower with the inverse of its diagonal given apart
ALWAYS_INLINE void block_solve_right(double *a, const double *lower, const double *inverse, int n)
{
    six column[SIX];
    for (int c = 0; c < n; ++c) {
        six v = six_load(a + SIX * c);
        for (int d = 0; d < c; ++d) v = six_minus(v, column[d], lower[SIX * d + c]);
        column[c] = six_scale(v, inverse[c]);
        six_store(a + SIX * c, column[c]);
    }
}

// t = sign A^T
ALWAYS_INLINE void block_turn(double *t, const double *a, double sign)
{
    for (int c = 0; c < SIX; ++c)
        for (int r = 0; r < SIX; ++r) t[SIX * r + c] = sign * a[SIX * c + r];
}

// L^-T, column by column, from L
ALWAYS_INLINE void block_invert_lower(double *upper, const double *lower, const double *inverse, int n)
{
    memset(upper, 0, BLOCK6 * sizeof *upper);
    for (int r = 0; r < n; ++r) {
        six v = six_zero();
        for (int k = 0; k < r; ++k) v = six_minus(v, six_load(upper + SIX * k), lower[SIX * k + r]);
        six_store(upper + SIX * r, six_scale(v, inverse[r]));
        upper[SIX * r + r] = inverse[r];
    }
}

#endif
