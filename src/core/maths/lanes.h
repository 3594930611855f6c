// SPDX-License-Identifier: BSD-3-Clause
// Numbers lane by lane: four doubles at a time, eight floats with LANES_SINGLE, or a single double with LANES_SCALAR.
// Eight doubles with LANES_EIGHT, and sixteen floats with WIDE_PAIRS, where the processor has AVX-512.
// wide.h has eight floats and the records that sweeps move them to and from; what is compiled for several precisions
// includes this.
//
// Lane by lane IEEE operations by the compiler's vector types, so the same bits on every processor. Only + - * / and
// square roots: no fused multiply-add, no approximate reciprocals.
#ifndef CORE_MATHS_LANES_H
#define CORE_MATHS_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(LANES_SINGLE)
typedef float real_number;
typedef int32_t real_truth;
#else
typedef double real_number;
typedef int64_t real_truth;
#endif
#if defined(LANES_SCALAR)
typedef real_number real;
typedef int real_mask;
#else
#if defined(LANES_SINGLE) && defined(WIDE_PAIRS) && defined(__AVX512F__)
#define LANES_PAIRED  // sixteen floats, as in wide.h
enum { REAL_BYTES = 64 };
#elif defined(LANES_EIGHT) && defined(__AVX512F__)
#define LANES_EIGHT_DOUBLES
enum { REAL_BYTES = 64 };
#else
enum { REAL_BYTES = 32 };
#endif
typedef real_number real __attribute__((vector_size(REAL_BYTES)));
typedef real_truth real_mask __attribute__((vector_size(REAL_BYTES)));
#endif
enum { REAL_LANES = sizeof(real) / sizeof(real_number) };

static inline real real_set(double v) { return (real_number)v - (real){0}; }
static inline real real_load(const real_number *p)
{
    real v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void real_store(real_number *p, real v) { memcpy(p, &v, sizeof v); }

#if !defined(LANES_SCALAR)
static inline real_mask mask_load(const real_truth *p)
{
    real_mask v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void mask_store(real_truth *p, real_mask v) { memcpy(p, &v, sizeof v); }
#endif

// a where the mask is set, else b; or else 0: also where a is not a number
#if defined(LANES_SCALAR)
static inline real real_select(real_mask mask, real a, real b) { return mask ? a : b; }
static inline real real_where(real_mask mask, real a) { return mask ? a : 0.0; }
static inline real_mask real_not(real_mask mask) { return !mask; }
#else
static inline real real_select(real_mask mask, real a, real b)
{
    return (real)(((real_mask)a & mask) | ((real_mask)b & ~mask));
}
static inline real real_where(real_mask mask, real a) { return (real)((real_mask)a & mask); }
static inline real_mask real_not(real_mask mask) { return ~mask; }
#endif
// b where they are equal, or one is not a number
static inline real real_max(real a, real b)
{
#if defined(LANES_SCALAR) || !defined(__AVX2__)
    return real_select(a > b, a, b);
#elif defined(LANES_PAIRED)
    return (real)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(LANES_EIGHT_DOUBLES)
    return (real)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif defined(LANES_SINGLE)
    return (real)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return (real)_mm256_max_pd((__m256d)a, (__m256d)b);
#endif
}
static inline real real_min(real a, real b)
{
#if defined(LANES_SCALAR) || !defined(__AVX2__)
    return real_select(a < b, a, b);
#elif defined(LANES_PAIRED)
    return (real)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(LANES_EIGHT_DOUBLES)
    return (real)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif defined(LANES_SINGLE)
    return (real)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return (real)_mm256_min_pd((__m256d)a, (__m256d)b);
#endif
}
static inline real real_abs(real a) { return real_max(a, -a); }

static inline real real_sqrt(real a)
{
#if defined(LANES_SCALAR)
    return sqrt(a);
#elif defined(LANES_PAIRED)
    return (real)_mm512_sqrt_ps((__m512)a);
#elif defined(LANES_EIGHT_DOUBLES)
    return (real)_mm512_sqrt_pd((__m512d)a);
#elif defined(__AVX2__) && defined(LANES_SINGLE)
    return (real)_mm256_sqrt_ps((__m256)a);
#elif defined(__AVX2__)
    return (real)_mm256_sqrt_pd((__m256d)a);
#elif defined(LANES_SINGLE)
    for (int i = 0; i < REAL_LANES; ++i) a[i] = sqrtf(a[i]);
    return a;
#else
    for (int i = 0; i < REAL_LANES; ++i) a[i] = sqrt(a[i]);
    return a;
#endif
}

#if defined(LANES_EIGHT_DOUBLES)
// Four rows become four columns, in either half.
static inline void real_transpose(real r[4])
{
    real a = __builtin_shufflevector(r[0], r[1], 0, 8, 2, 10, 4, 12, 6, 14),
         b = __builtin_shufflevector(r[0], r[1], 1, 9, 3, 11, 5, 13, 7, 15),
         c = __builtin_shufflevector(r[2], r[3], 0, 8, 2, 10, 4, 12, 6, 14),
         d = __builtin_shufflevector(r[2], r[3], 1, 9, 3, 11, 5, 13, 7, 15);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}
#elif !defined(LANES_SINGLE) && !defined(LANES_SCALAR)
// Four rows become four columns.
static inline void real_transpose(real r[4])
{
    real a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    real c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5), r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7), r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
#endif

#if !defined(LANES_SINGLE) && !defined(LANES_SCALAR)
// Rounded to single precision. Casts to and fro would say so, but gcc 12 takes two of them for none where it
// vectorises.
static inline real real_rounded(real a)
{
#if defined(LANES_EIGHT_DOUBLES)
    return (real)_mm512_cvtps_pd(_mm512_cvtpd_ps((__m512d)a));
#elif defined(__AVX2__)
    return (real)_mm256_cvtps_pd(_mm256_cvtpd_ps((__m256d)a));
#else
    for (int i = 0; i < REAL_LANES; ++i) a[i] = (double)(float)a[i];
    return a;
#endif
}
#endif

// Bit i is set where lane i of the mask is.
static inline uint32_t real_bits(real_mask mask)
{
#if defined(LANES_SCALAR)
    return mask != 0;
#elif defined(LANES_PAIRED)
    return _mm512_movepi32_mask((__m512i)mask);
#elif defined(LANES_EIGHT_DOUBLES)
    return _mm512_movepi64_mask((__m512i)mask);
#elif defined(__AVX2__) && defined(LANES_SINGLE)
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__AVX2__)
    return (uint32_t)_mm256_movemask_pd((__m256d)mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < REAL_LANES; ++i) bits |= (uint32_t)(mask[i] < 0) << i;
    return bits;
#endif
}

typedef struct real3 {
    real x, y, z;
} real3;

static inline real3 real3_load(const real_number (*p)[REAL_LANES])
{
    return (real3){real_load(p[0]), real_load(p[1]), real_load(p[2])};
}
static inline void real3_store(real_number (*p)[REAL_LANES], real3 v)
{
    real_store(p[0], v.x), real_store(p[1], v.y), real_store(p[2], v.z);
}
static inline real3 real3_add(real3 a, real3 b) { return (real3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline real3 real3_sub(real3 a, real3 b) { return (real3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline real3 real3_neg(real3 a) { return (real3){-a.x, -a.y, -a.z}; }
static inline real3 real3_scale(real s, real3 a) { return (real3){s * a.x, s * a.y, s * a.z}; }
static inline real3 real3_where(real_mask m, real3 a)
{
    return (real3){real_where(m, a.x), real_where(m, a.y), real_where(m, a.z)};
}
static inline real3 real3_select(real_mask m, real3 a, real3 b)
{
    return (real3){real_select(m, a.x, b.x), real_select(m, a.y, b.y), real_select(m, a.z, b.z)};
}
static inline real real3_dot(real3 a, real3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
static inline real3 real3_cross(real3 a, real3 b)
{
    return (real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// v + w x r: the velocity of a point of a body (core/maths/pose.h)
static inline real3 real3_point_velocity(real3 v, real3 w, real3 r) { return real3_add(v, real3_cross(w, r)); }
// The part of a across the unit vector n.
static inline real3 real3_across(real3 a, real3 n) { return real3_sub(a, real3_scale(real3_dot(a, n), n)); }

// Unit quaternions, as core/maths/quat.h has them.
typedef struct real_quat {
    real w, x, y, z;
} real_quat;

static inline real_quat real_quat_mul(real_quat a, real_quat b)
{
    return (real_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                       a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline real_quat real_quat_conj(real_quat q) { return (real_quat){q.w, -q.x, -q.y, -q.z}; }
static inline real3 real_quat_rotate(real_quat q, real3 v)
{
    real3 u = {q.x, q.y, q.z}, t = real3_scale(real_set(2.0), real3_cross(u, v));
    return real3_add(real3_add(v, real3_scale(q.w, t)), real3_cross(u, t));
}

#endif
