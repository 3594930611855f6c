// Six numbers that are worked on together: lane by lane the same operations in the same order on every processor.
#ifndef DYNAMICS_KKT_SIX_H
#define DYNAMICS_KKT_SIX_H

#include <string.h>

enum { SIX = 6 };

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 6")

typedef double two __attribute__((vector_size(16)));

ALWAYS_INLINE two two_firsts(two v, two w) { return __builtin_shufflevector(v, w, 0, 2); }
ALWAYS_INLINE two two_seconds(two v, two w) { return __builtin_shufflevector(v, w, 1, 3); }
ALWAYS_INLINE two two_sums(two v, two w) { return two_firsts(v, w) + two_seconds(v, w); }

#if defined(__AVX__)  // four and two; without wide registers three times two, which compilers make far better code of

typedef double four __attribute__((vector_size(32)));
typedef struct six { four a; two b; } six;

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

// Lanes become vectors and vectors lanes.
ALWAYS_INLINE void six_turn(six t[SIX], const six v[SIX])
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
    two p = two_firsts(v[0].b, v[1].b), q = two_firsts(v[2].b, v[3].b);
    two r = two_seconds(v[0].b, v[1].b), s = two_seconds(v[2].b, v[3].b);
    t[4] = (six){__builtin_shufflevector(p, q, 0, 1, 2, 3), two_firsts(v[4].b, v[5].b)};
    t[5] = (six){__builtin_shufflevector(r, s, 0, 1, 2, 3), two_seconds(v[4].b, v[5].b)};
}

// 0 + 1, 0' + 1', 2 + 3, 2' + 3'
ALWAYS_INLINE four four_sums(four v, four w)
{
    return __builtin_shufflevector(v, w, 0, 4, 2, 6) + __builtin_shufflevector(v, w, 1, 5, 3, 7);
}

// The sums over the lanes of six vectors: ((0 + 1) + (2 + 3)) + (4 + 5) of each.
ALWAYS_INLINE six six_sums(const six v[SIX])
{
    four p = four_sums(v[0].a, v[1].a), q = four_sums(v[2].a, v[3].a), r = four_sums(v[4].a, v[5].a);
    two s = two_sums(v[0].b, v[1].b), t = two_sums(v[2].b, v[3].b);
    four a = __builtin_shufflevector(p, q, 0, 1, 4, 5) + __builtin_shufflevector(p, q, 2, 3, 6, 7);
    two b = __builtin_shufflevector(r, r, 0, 1) + __builtin_shufflevector(r, r, 2, 3);
    return (six){a + __builtin_shufflevector(s, t, 0, 1, 2, 3), b + two_sums(v[4].b, v[5].b)};
}

#else

typedef struct six { two a, b, c; } six;

ALWAYS_INLINE six six_load(const double *p)
{
    six v;
    memcpy(&v.a, p, sizeof v.a);
    memcpy(&v.b, p + 2, sizeof v.b);
    memcpy(&v.c, p + 4, sizeof v.c);
    return v;
}
ALWAYS_INLINE void six_store(double *p, six v)
{
    memcpy(p, &v.a, sizeof v.a);
    memcpy(p + 2, &v.b, sizeof v.b);
    memcpy(p + 4, &v.c, sizeof v.c);
}
ALWAYS_INLINE double six_lane(six v, int k) { return k < 2 ? v.a[k] : k < 4 ? v.b[k - 2] : v.c[k - 4]; }
ALWAYS_INLINE six six_with_lane(six v, int k, double x)
{
    if (k < 2) v.a[k] = x;
    else if (k < 4) v.b[k - 2] = x;
    else v.c[k - 4] = x;
    return v;
}
ALWAYS_INLINE six six_add(six v, six w) { return (six){v.a + w.a, v.b + w.b, v.c + w.c}; }
ALWAYS_INLINE six six_subtract(six v, six w) { return (six){v.a - w.a, v.b - w.b, v.c - w.c}; }
ALWAYS_INLINE six six_multiply(six v, six w) { return (six){v.a * w.a, v.b * w.b, v.c * w.c}; }
ALWAYS_INLINE six six_spread(double s) { return (six){{s, s}, {s, s}, {s, s}}; }

ALWAYS_INLINE void six_turn(six t[SIX], const six v[SIX])
{
    t[0] = (six){two_firsts(v[0].a, v[1].a), two_firsts(v[2].a, v[3].a), two_firsts(v[4].a, v[5].a)};
    t[1] = (six){two_seconds(v[0].a, v[1].a), two_seconds(v[2].a, v[3].a), two_seconds(v[4].a, v[5].a)};
    t[2] = (six){two_firsts(v[0].b, v[1].b), two_firsts(v[2].b, v[3].b), two_firsts(v[4].b, v[5].b)};
    t[3] = (six){two_seconds(v[0].b, v[1].b), two_seconds(v[2].b, v[3].b), two_seconds(v[4].b, v[5].b)};
    t[4] = (six){two_firsts(v[0].c, v[1].c), two_firsts(v[2].c, v[3].c), two_firsts(v[4].c, v[5].c)};
    t[5] = (six){two_seconds(v[0].c, v[1].c), two_seconds(v[2].c, v[3].c), two_seconds(v[4].c, v[5].c)};
}

ALWAYS_INLINE two two_of_sums(six v, six w) { return (two_sums(v.a, w.a) + two_sums(v.b, w.b)) + two_sums(v.c, w.c); }
ALWAYS_INLINE six six_sums(const six v[SIX])
{
    return (six){two_of_sums(v[0], v[1]), two_of_sums(v[2], v[3]), two_of_sums(v[4], v[5])};
}

#endif

ALWAYS_INLINE six six_zero(void) { return six_spread(0.0); }
ALWAYS_INLINE six six_scale(six v, double s) { return six_multiply(v, six_spread(s)); }
ALWAYS_INLINE six six_plus(six v, six w, double s) { return six_add(v, six_scale(w, s)); }
ALWAYS_INLINE six six_minus(six v, six w, double s) { return six_subtract(v, six_scale(w, s)); }

#endif
