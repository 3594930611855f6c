// SPDX-License-Identifier: BSD-3-Clause
// Six numbers that are worked on together: lane by lane the same operations in the same order on every processor.
#ifndef DYNAMICS_KKT_VEC6_H
#define DYNAMICS_KKT_VEC6_H

#include <string.h>

enum { VEC6 = 6 };

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 6")

typedef double two __attribute__((vector_size(16)));

ALWAYS_INLINE two two_firsts(two v, two w) { return __builtin_shufflevector(v, w, 0, 2); }
ALWAYS_INLINE two two_seconds(two v, two w) { return __builtin_shufflevector(v, w, 1, 3); }
ALWAYS_INLINE two two_sums(two v, two w) { return two_firsts(v, w) + two_seconds(v, w); }

#if defined(__AVX__)  // four and two; without wide registers three times two, which compilers make far better code of

typedef double four __attribute__((vector_size(32)));
typedef struct vec6 {
    four a;
    two b;
} vec6;

ALWAYS_INLINE vec6 vec6_load(const double *p)
{
    vec6 v;
    memcpy(&v.a, p, sizeof v.a);
    memcpy(&v.b, p + 4, sizeof v.b);
    return v;
}
ALWAYS_INLINE void vec6_store(double *p, vec6 v)
{
    memcpy(p, &v.a, sizeof v.a);
    memcpy(p + 4, &v.b, sizeof v.b);
}
ALWAYS_INLINE double vec6_lane(vec6 v, int k) { return k < 4 ? v.a[k] : v.b[k - 4]; }
ALWAYS_INLINE vec6 vec6_with_lane(vec6 v, int k, double x)
{
    if (k < 4) v.a[k] = x;
    else v.b[k - 4] = x;
    return v;
}
ALWAYS_INLINE vec6 vec6_add(vec6 v, vec6 w) { return (vec6){v.a + w.a, v.b + w.b}; }
ALWAYS_INLINE vec6 vec6_subtract(vec6 v, vec6 w) { return (vec6){v.a - w.a, v.b - w.b}; }
ALWAYS_INLINE vec6 vec6_multiply(vec6 v, vec6 w) { return (vec6){v.a * w.a, v.b * w.b}; }
ALWAYS_INLINE vec6 vec6_spread(double s)
{
    four a = {s, s, s, s};
    return (vec6){a, __builtin_shufflevector(a, a, 0, 1)};  // half a register: nothing to do
}

// Lanes become vectors and vectors lanes.
ALWAYS_INLINE void vec6_transpose(vec6 t[VEC6], const vec6 v[VEC6])
{
    four e0 = __builtin_shufflevector(v[0].a, v[1].a, 0, 4, 2, 6);
    four o0 = __builtin_shufflevector(v[0].a, v[1].a, 1, 5, 3, 7);
    four e1 = __builtin_shufflevector(v[2].a, v[3].a, 0, 4, 2, 6);
    four o1 = __builtin_shufflevector(v[2].a, v[3].a, 1, 5, 3, 7);
    four e2 = __builtin_shufflevector(v[4].a, v[5].a, 0, 4, 2, 6);
    four o2 = __builtin_shufflevector(v[4].a, v[5].a, 1, 5, 3, 7);
    t[0] = (vec6){__builtin_shufflevector(e0, e1, 0, 1, 4, 5), __builtin_shufflevector(e2, e2, 0, 1)};
    t[1] = (vec6){__builtin_shufflevector(o0, o1, 0, 1, 4, 5), __builtin_shufflevector(o2, o2, 0, 1)};
    t[2] = (vec6){__builtin_shufflevector(e0, e1, 2, 3, 6, 7), __builtin_shufflevector(e2, e2, 2, 3)};
    t[3] = (vec6){__builtin_shufflevector(o0, o1, 2, 3, 6, 7), __builtin_shufflevector(o2, o2, 2, 3)};
    two p = two_firsts(v[0].b, v[1].b), q = two_firsts(v[2].b, v[3].b);
    two r = two_seconds(v[0].b, v[1].b), s = two_seconds(v[2].b, v[3].b);
    t[4] = (vec6){__builtin_shufflevector(p, q, 0, 1, 2, 3), two_firsts(v[4].b, v[5].b)};
    t[5] = (vec6){__builtin_shufflevector(r, s, 0, 1, 2, 3), two_seconds(v[4].b, v[5].b)};
}

// 0 + 1, 0' + 1', 2 + 3, 2' + 3'
ALWAYS_INLINE four four_sums(four v, four w)
{
    return __builtin_shufflevector(v, w, 0, 4, 2, 6) + __builtin_shufflevector(v, w, 1, 5, 3, 7);
}

// The sums over the lanes of six vectors: ((0 + 1) + (2 + 3)) + (4 + 5) of each.
ALWAYS_INLINE vec6 vec6_sums(const vec6 v[VEC6])
{
    four p = four_sums(v[0].a, v[1].a), q = four_sums(v[2].a, v[3].a), r = four_sums(v[4].a, v[5].a);
    two s = two_sums(v[0].b, v[1].b), t = two_sums(v[2].b, v[3].b);
    four a = __builtin_shufflevector(p, q, 0, 1, 4, 5) + __builtin_shufflevector(p, q, 2, 3, 6, 7);
    two b = __builtin_shufflevector(r, r, 0, 1) + __builtin_shufflevector(r, r, 2, 3);
    return (vec6){a + __builtin_shufflevector(s, t, 0, 1, 2, 3), b + two_sums(v[4].b, v[5].b)};
}

#else

typedef struct vec6 {
    two a, b, c;
} vec6;

ALWAYS_INLINE vec6 vec6_load(const double *p)
{
    vec6 v;
    memcpy(&v.a, p, sizeof v.a);
    memcpy(&v.b, p + 2, sizeof v.b);
    memcpy(&v.c, p + 4, sizeof v.c);
    return v;
}
ALWAYS_INLINE void vec6_store(double *p, vec6 v)
{
    memcpy(p, &v.a, sizeof v.a);
    memcpy(p + 2, &v.b, sizeof v.b);
    memcpy(p + 4, &v.c, sizeof v.c);
}
ALWAYS_INLINE double vec6_lane(vec6 v, int k) { return k < 2 ? v.a[k] : k < 4 ? v.b[k - 2] : v.c[k - 4]; }
ALWAYS_INLINE vec6 vec6_with_lane(vec6 v, int k, double x)
{
    if (k < 2) v.a[k] = x;
    else if (k < 4) v.b[k - 2] = x;
    else v.c[k - 4] = x;
    return v;
}
ALWAYS_INLINE vec6 vec6_add(vec6 v, vec6 w) { return (vec6){v.a + w.a, v.b + w.b, v.c + w.c}; }
ALWAYS_INLINE vec6 vec6_subtract(vec6 v, vec6 w) { return (vec6){v.a - w.a, v.b - w.b, v.c - w.c}; }
ALWAYS_INLINE vec6 vec6_multiply(vec6 v, vec6 w) { return (vec6){v.a * w.a, v.b * w.b, v.c * w.c}; }
ALWAYS_INLINE vec6 vec6_spread(double s) { return (vec6){{s, s}, {s, s}, {s, s}}; }

ALWAYS_INLINE void vec6_transpose(vec6 t[VEC6], const vec6 v[VEC6])
{
    t[0] = (vec6){two_firsts(v[0].a, v[1].a), two_firsts(v[2].a, v[3].a), two_firsts(v[4].a, v[5].a)};
    t[1] = (vec6){two_seconds(v[0].a, v[1].a), two_seconds(v[2].a, v[3].a), two_seconds(v[4].a, v[5].a)};
    t[2] = (vec6){two_firsts(v[0].b, v[1].b), two_firsts(v[2].b, v[3].b), two_firsts(v[4].b, v[5].b)};
    t[3] = (vec6){two_seconds(v[0].b, v[1].b), two_seconds(v[2].b, v[3].b), two_seconds(v[4].b, v[5].b)};
    t[4] = (vec6){two_firsts(v[0].c, v[1].c), two_firsts(v[2].c, v[3].c), two_firsts(v[4].c, v[5].c)};
    t[5] = (vec6){two_seconds(v[0].c, v[1].c), two_seconds(v[2].c, v[3].c), two_seconds(v[4].c, v[5].c)};
}

ALWAYS_INLINE two two_of_sums(vec6 v, vec6 w) { return (two_sums(v.a, w.a) + two_sums(v.b, w.b)) + two_sums(v.c, w.c); }
ALWAYS_INLINE vec6 vec6_sums(const vec6 v[VEC6])
{
    return (vec6){two_of_sums(v[0], v[1]), two_of_sums(v[2], v[3]), two_of_sums(v[4], v[5])};
}

#endif

ALWAYS_INLINE vec6 vec6_zero(void) { return vec6_spread(0.0); }
ALWAYS_INLINE vec6 vec6_scale(vec6 v, double s) { return vec6_multiply(v, vec6_spread(s)); }
ALWAYS_INLINE vec6 vec6_plus(vec6 v, vec6 w, double s) { return vec6_add(v, vec6_scale(w, s)); }
ALWAYS_INLINE vec6 vec6_minus(vec6 v, vec6 w, double s) { return vec6_subtract(v, vec6_scale(w, s)); }

#endif
