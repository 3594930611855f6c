// SPDX-License-Identifier: BSD-3-Clause
// Eight floats at a time, with the same bits on every processor. With WIDE_PAIRS, where the processor has AVX-512, two
// eights at a time, each to the same bits as alone.
//
// Arithmetic uses the compiler's vector types: lane by lane IEEE operations, whatever the width of the machine. Only
// the moves between records in memory and lanes (records_load, records_add) know an instruction set; their plain form
// does the same operations in the same order. Never fused multiply-add, never approximate reciprocals.
#ifndef CORE_MATHS_WIDE_H
#define CORE_MATHS_WIDE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum { LANES = 8 };

#if defined(WIDE_PAIRS) && defined(__AVX512F__)
#define WIDE_IS_PAIR
enum { WIDE_EIGHTS = 2 };
#else
enum { WIDE_EIGHTS = 1 };
#endif

typedef float wide_eight __attribute__((vector_size(32)));
typedef double wide_double __attribute__((vector_size(64)));
typedef float wide __attribute__((vector_size(32 * WIDE_EIGHTS)));
typedef int32_t wide_mask __attribute__((vector_size(32 * WIDE_EIGHTS)));

static inline wide wide_set(float v) { return v - (wide){0}; }
static inline wide wide_load(const float *p)
{
    wide v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void wide_store(float *p, wide v) { memcpy(p, &v, sizeof v); }

static inline wide_eight wide_low(wide v)
{
#if defined(WIDE_IS_PAIR)
    return (wide_eight)_mm512_castps512_ps256((__m512)v);
#else
    return v;
#endif
}
static inline wide_eight wide_high(wide v)
{
#if defined(WIDE_IS_PAIR)
    return (wide_eight)_mm512_extractf32x8_ps((__m512)v, 1);
#else
    return v;
#endif
}

// a where the mask is set, else b
static inline wide wide_select(wide_mask mask, wide a, wide b)
{
    return (wide)(((wide_mask)a & mask) | ((wide_mask)b & ~mask));
}
// b where they are equal, or one is not a number
static inline wide wide_max(wide a, wide b)
{
#if defined(WIDE_IS_PAIR)
    return (wide)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (wide)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return wide_select(a > b, a, b);
#endif
}
static inline wide wide_min(wide a, wide b)
{
#if defined(WIDE_IS_PAIR)
    return (wide)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (wide)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return wide_select(a < b, a, b);
#endif
}

static inline wide wide_sqrt(wide a)
{
#if defined(WIDE_IS_PAIR)
    return (wide)_mm512_sqrt_ps((__m512)a);
#elif defined(__AVX2__)
    return (wide)_mm256_sqrt_ps((__m256)a);
#else
    for (int i = 0; i < LANES; ++i) a[i] = sqrtf(a[i]);
    return a;
#endif
}

// Bit i is set where lane i of the mask is.
static inline uint32_t wide_bits(wide_mask mask)
{
#if defined(WIDE_IS_PAIR)
    return _mm512_movepi32_mask((__m512i)mask);
#elif defined(__AVX2__)
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < LANES; ++i) bits |= (uint32_t)(mask[i] < 0) << i;
    return bits;
#endif
}

static inline wide_double wide_to_double(wide_eight a)
{
#if defined(__AVX512F__)
    return (wide_double)_mm512_cvtps_pd((__m256)a);  // compilers that prefer 256 bits make five operations of it
#else
    return __builtin_convertvector(a, wide_double);
#endif
}
// Lanes are added in a fixed tree.
static inline double wide_double_sum(wide_double a)
{
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

typedef struct wide3 {
    wide x, y, z;
} wide3;

static inline wide3 wide3_load(const float (*p)[LANES])
{
    return (wide3){wide_load(p[0]), wide_load(p[1]), wide_load(p[2])};
}
static inline void wide3_store(float (*p)[LANES], wide3 v)
{
    wide_store(p[0], v.x), wide_store(p[1], v.y), wide_store(p[2], v.z);
}
static inline wide3 wide3_add(wide3 a, wide3 b) { return (wide3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline wide3 wide3_sub(wide3 a, wide3 b) { return (wide3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline wide3 wide3_scale(wide s, wide3 a) { return (wide3){s * a.x, s * a.y, s * a.z}; }
static inline wide wide3_dot(wide3 a, wide3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
static inline wide3 wide3_cross(wide3 a, wide3 b)
{
    return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// v + w x r: the velocity of a point of a body (core/maths/pose.h)
static inline wide3 wide3_point_velocity(wide3 v, wide3 w, wide3 r) { return wide3_add(v, wide3_cross(w, r)); }

// A record of two vectors and the two factors that turn an impulse into their change.
typedef struct wide_record {
    float v[3], v_factor;
    float s[3], s_factor;
} wide_record;

#if !defined(WIDE_IS_PAIR)
#if defined(__AVX2__)
static inline void wide_transpose(__m256 r[8])
{
    __m256 t[8], u[8];
    for (int k = 0; k < 4; ++k) {
        t[2 * k] = _mm256_unpacklo_ps(r[2 * k], r[2 * k + 1]);
        t[2 * k + 1] = _mm256_unpackhi_ps(r[2 * k], r[2 * k + 1]);
    }
    for (int k = 0; k < 2; ++k) {
        u[4 * k] = _mm256_shuffle_ps(t[4 * k], t[4 * k + 2], _MM_SHUFFLE(1, 0, 1, 0));
        u[4 * k + 1] = _mm256_shuffle_ps(t[4 * k], t[4 * k + 2], _MM_SHUFFLE(3, 2, 3, 2));
        u[4 * k + 2] = _mm256_shuffle_ps(t[4 * k + 1], t[4 * k + 3], _MM_SHUFFLE(1, 0, 1, 0));
        u[4 * k + 3] = _mm256_shuffle_ps(t[4 * k + 1], t[4 * k + 3], _MM_SHUFFLE(3, 2, 3, 2));
    }
    for (int k = 0; k < 4; ++k) {
        r[k] = _mm256_permute2f128_ps(u[k], u[k + 4], 0x20);
        r[k + 4] = _mm256_permute2f128_ps(u[k], u[k + 4], 0x31);
    }
}
#endif

#if defined(__AVX2__)
// Four floats at each of eight places as x, y, z: lanes 0 to 3 and 4 to 7 in the two halves, so nothing crosses between
// them. row k holds those of lane k and of lane k + 4.
static inline wide3 wide_columns(const __m256 row[4])
{
    __m256 xy01 = _mm256_unpacklo_ps(row[0], row[1]), z01 = _mm256_unpackhi_ps(row[0], row[1]);
    __m256 xy23 = _mm256_unpacklo_ps(row[2], row[3]), z23 = _mm256_unpackhi_ps(row[2], row[3]);
    return (wide3){(wide)_mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0)),
                   (wide)_mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2)),
                   (wide)_mm256_shuffle_ps(z01, z23, _MM_SHUFFLE(1, 0, 1, 0))};
}

static inline __m256 wide_two_fours(const float *low, const float *high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(low)), _mm_load_ps(high), 1);
}
#endif

// For every lane: *v = v_b - v_a, *s_a and *s_b.
static inline void records_load(const wide_record *record, const int32_t a[LANES], const int32_t b[LANES], wide3 *v,
                                wide3 *s_a, wide3 *s_b)
{
#if defined(__AVX2__)
    __m256 rows_v[4], rows_a[4], rows_b[4];
    for (int k = 0; k < 4; ++k) {
        const wide_record *a0 = &record[a[k]], *a4 = &record[a[k + 4]], *b0 = &record[b[k]], *b4 = &record[b[k + 4]];
        rows_v[k] = _mm256_sub_ps(wide_two_fours(b0->v, b4->v), wide_two_fours(a0->v, a4->v));
        rows_a[k] = wide_two_fours(a0->s, a4->s);
        rows_b[k] = wide_two_fours(b0->s, b4->s);
    }
    *v = wide_columns(rows_v);
    *s_a = wide_columns(rows_a);
    *s_b = wide_columns(rows_b);
#else
    float lane_v[3][LANES], lane_a[3][LANES], lane_b[3][LANES];
    for (int i = 0; i < LANES; ++i) {
        const wide_record *ra = &record[a[i]], *rb = &record[b[i]];
        for (int axis = 0; axis < 3; ++axis) {
            lane_v[axis][i] = rb->v[axis] - ra->v[axis];
            lane_a[axis][i] = ra->s[axis];
            lane_b[axis][i] = rb->s[axis];
        }
    }
    *v = wide3_load(lane_v);
    *s_a = wide3_load(lane_a);
    *s_b = wide3_load(lane_b);
#endif
}

#if defined(__AVX2__)
// Of a record: what an impulse is multiplied by, (v_factor, arm s_factor), each four times.
static inline __m256 wide_factors(__m256 record, const float *arm)
{
    __m256 factor = _mm256_permute_ps(record, 0xFF), all = _mm256_broadcast_ss(arm);
#if defined(__AVX512VL__)
    return _mm256_mask_mul_ps(factor, 0xF0, factor, all);
#else
    return _mm256_mul_ps(factor, _mm256_blend_ps(_mm256_set1_ps(1.0f), all, 0xF0));
#endif
}
#endif

// For every lane: v_a -= v_factor_a dv, v_b += v_factor_b dv, s_a -= s_factor_a arm_a ds, s_b += s_factor_b arm_b ds.
// No record but one that never changes (both factors 0) appears twice.
static inline void records_add(wide_record *record, const int32_t a[LANES], const int32_t b[LANES],
                               const float arm_a[LANES], const float arm_b[LANES], wide3 dv, wide3 ds)
{
#if defined(__AVX2__)
    __m256 r[8] = {(__m256)dv.x, (__m256)dv.y, (__m256)dv.z, _mm256_setzero_ps(),
                   (__m256)ds.x, (__m256)ds.y, (__m256)ds.z, _mm256_setzero_ps()};
    wide_transpose(r);
    for (int i = 0; i < LANES; ++i) {
        __m256 ra = _mm256_load_ps(record[a[i]].v), factor_a = wide_factors(ra, &arm_a[i]);
        _mm256_store_ps(record[a[i]].v, _mm256_sub_ps(ra, _mm256_mul_ps(r[i], factor_a)));
        __m256 rb = _mm256_load_ps(record[b[i]].v), factor_b = wide_factors(rb, &arm_b[i]);
        _mm256_store_ps(record[b[i]].v, _mm256_add_ps(rb, _mm256_mul_ps(r[i], factor_b)));
    }
#else
    for (int i = 0; i < LANES; ++i) {
        wide_record *ra = &record[a[i]], *rb = &record[b[i]];
        const float lane_v[3] = {dv.x[i], dv.y[i], dv.z[i]}, lane_s[3] = {ds.x[i], ds.y[i], ds.z[i]};
        float va = ra->v_factor, vb = rb->v_factor, sa = ra->s_factor * arm_a[i], sb = rb->s_factor * arm_b[i];
        for (int axis = 0; axis < 3; ++axis) {
            ra->v[axis] -= lane_v[axis] * va;
            ra->s[axis] -= lane_s[axis] * sa;
        }
        for (int axis = 0; axis < 3; ++axis) {
            rb->v[axis] += lane_v[axis] * vb;
            rb->s[axis] += lane_s[axis] * sb;
        }
    }
#endif
}

// The same with a change of spin for either side: s_a -= s_factor_a ds_a, s_b += s_factor_b ds_b.
static inline void records_add_general(wide_record *record, const int32_t a[LANES], const int32_t b[LANES], wide3 dv,
                                       wide3 ds_a, wide3 ds_b)
{
#if defined(__AVX2__)
    const __m256 zero = _mm256_setzero_ps();
    __m256 to_a[8] = {(__m256)dv.x,   (__m256)dv.y,   (__m256)dv.z,   zero,
                      (__m256)ds_a.x, (__m256)ds_a.y, (__m256)ds_a.z, zero};
    __m256 to_b[8] = {(__m256)dv.x,   (__m256)dv.y,   (__m256)dv.z,   zero,
                      (__m256)ds_b.x, (__m256)ds_b.y, (__m256)ds_b.z, zero};
    wide_transpose(to_a);
    wide_transpose(to_b);
    for (int i = 0; i < LANES; ++i) {
        __m256 ra = _mm256_load_ps(record[a[i]].v), factor_a = _mm256_permute_ps(ra, 0xFF);
        _mm256_store_ps(record[a[i]].v, _mm256_sub_ps(ra, _mm256_mul_ps(to_a[i], factor_a)));
        __m256 rb = _mm256_load_ps(record[b[i]].v), factor_b = _mm256_permute_ps(rb, 0xFF);
        _mm256_store_ps(record[b[i]].v, _mm256_add_ps(rb, _mm256_mul_ps(to_b[i], factor_b)));
    }
#else
    for (int i = 0; i < LANES; ++i) {
        wide_record *ra = &record[a[i]], *rb = &record[b[i]];
        const float lane_v[3] = {dv.x[i], dv.y[i], dv.z[i]};
        const float lane_a[3] = {ds_a.x[i], ds_a.y[i], ds_a.z[i]}, lane_b[3] = {ds_b.x[i], ds_b.y[i], ds_b.z[i]};
        for (int axis = 0; axis < 3; ++axis) {
            ra->v[axis] -= lane_v[axis] * ra->v_factor;
            ra->s[axis] -= lane_a[axis] * ra->s_factor;
        }
        for (int axis = 0; axis < 3; ++axis) {
            rb->v[axis] += lane_v[axis] * rb->v_factor;
            rb->s[axis] += lane_b[axis] * rb->s_factor;
        }
    }
#endif
}

#endif

#endif
