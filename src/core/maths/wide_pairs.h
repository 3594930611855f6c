// SPDX-License-Identifier: BSD-3-Clause
// Two eights of lanes side by side, where the processor has AVX-512; elsewhere one at a time. For code that is compiled
// for several instruction sets and takes WIDE_EIGHTS of what it works on at once. The bits are those of one by one.
//
// The eights of a pair are two of an array: the second lies `apart` bytes behind the first. 0: it is the first once
// more, for the last of an odd number; both halves then hold the same, and what they store is the same.
#ifndef CORE_MATHS_WIDE_PAIRS_H
#define CORE_MATHS_WIDE_PAIRS_H

#if !defined(WIDE_PAIRS)
#error "WIDE_PAIRS says how wide wide.h is: define it before the first include"
#endif
#include "core/maths/wide.h"

#if defined(WIDE_IS_PAIR)
static inline const void *wide_behind(const void *p, int64_t apart) { return (const char *)p + apart; }

static inline __m512 wide_halves(const float *low, const float *high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(low)), _mm256_loadu_ps(high), 1);
}

static inline wide wide_load_apart(const float *p, int64_t apart)
{
    return (wide)wide_halves(p, wide_behind(p, apart));
}
static inline void wide_store_apart(float *p, int64_t apart, wide v)
{
    wide_eight low = wide_low(v), high = wide_high(v);
    memcpy(p, &low, sizeof low), memcpy((char *)p + apart, &high, sizeof high);
}

// Records of lane k in the lower half of row k, those of lane k of the second eight in the upper: x, y, z of v in the
// quarters 0 and 2 of *column, those of s in 1 and 3.
static inline void wide_columns_of_four(const __m512 row[4], __m512 column[3])
{
    __m512 xy01 = _mm512_unpacklo_ps(row[0], row[1]), z01 = _mm512_unpackhi_ps(row[0], row[1]);
    __m512 xy23 = _mm512_unpacklo_ps(row[2], row[3]), z23 = _mm512_unpackhi_ps(row[2], row[3]);
    column[0] = _mm512_shuffle_ps(xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0));
    column[1] = _mm512_shuffle_ps(xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2));
    column[2] = _mm512_shuffle_ps(z01, z23, _MM_SHUFFLE(1, 0, 1, 0));
}

// Quarters 0 and 2, or 1 and 3, of both: a0 b0 a2 b2.
static inline __m512 wide_even_quarters(__m512 a, __m512 b)
{
    return (__m512)_mm512_permutex2var_pd((__m512d)a, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), (__m512d)b);
}
static inline __m512 wide_odd_quarters(__m512 a, __m512 b)
{
    return (__m512)_mm512_permutex2var_pd((__m512d)a, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), (__m512d)b);
}

static inline void wide_columns_of_eight(const wide_record *record, const int32_t *which, const int32_t *which_high,
                                         __m512 first[3], __m512 second[3])
{
    __m512 row[LANES];
    for (int k = 0; k < LANES; ++k) row[k] = wide_halves(record[which[k]].v, record[which_high[k]].v);
    wide_columns_of_four(row, first);
    wide_columns_of_four(row + 4, second);
}

// As records_load.
static inline void records_load_apart(const wide_record *record, const int32_t a[LANES], const int32_t b[LANES],
                                      int64_t apart, wide3 *v, wide3 *s_a, wide3 *s_b)
{
    __m512 a0[3], a4[3], b0[3], b4[3], v_of[3], a_of[3], b_of[3];
    wide_columns_of_eight(record, a, wide_behind(a, apart), a0, a4);
    wide_columns_of_eight(record, b, wide_behind(b, apart), b0, b4);
    for (int axis = 0; axis < 3; ++axis) {
        v_of[axis] = wide_even_quarters(_mm512_sub_ps(b0[axis], a0[axis]), _mm512_sub_ps(b4[axis], a4[axis]));
        a_of[axis] = wide_odd_quarters(a0[axis], a4[axis]);
        b_of[axis] = wide_odd_quarters(b0[axis], b4[axis]);
    }
    *v = (wide3){(wide)v_of[0], (wide)v_of[1], (wide)v_of[2]};
    *s_a = (wide3){(wide)a_of[0], (wide)a_of[1], (wide)a_of[2]};
    *s_b = (wide3){(wide)b_of[0], (wide)b_of[1], (wide)b_of[2]};
}

// The vectors of lanes k, k + 4 and, of the second eight, k and k + 4 in the quarters of row k.
static inline void wide_rows_of_four(wide3 v, __m512 row[4])
{
    __m512 x = (__m512)v.x, y = (__m512)v.y, z = (__m512)v.z, zero = _mm512_setzero_ps();
    __m512 xy01 = _mm512_unpacklo_ps(x, y), xy23 = _mm512_unpackhi_ps(x, y);
    __m512 z01 = _mm512_unpacklo_ps(z, zero), z23 = _mm512_unpackhi_ps(z, zero);
    row[0] = _mm512_shuffle_ps(xy01, z01, _MM_SHUFFLE(1, 0, 1, 0));
    row[1] = _mm512_shuffle_ps(xy01, z01, _MM_SHUFFLE(3, 2, 3, 2));
    row[2] = _mm512_shuffle_ps(xy23, z23, _MM_SHUFFLE(1, 0, 1, 0));
    row[3] = _mm512_shuffle_ps(xy23, z23, _MM_SHUFFLE(3, 2, 3, 2));
}

static inline __m512 wide_change(__m512 records, __m512 impulse)
{
    return _mm512_mul_ps(impulse, _mm512_permute_ps(records, 0xFF));
}

static inline void records_store(wide_record *low, wide_record *high, __m512 records)
{
    _mm256_storeu_ps(low->v, _mm512_castps512_ps256(records));
    _mm256_storeu_ps(high->v, _mm512_extractf32x8_ps(records, 1));
}

// As records_add_general.
static inline void records_add_apart(wide_record *record, const int32_t a[LANES], const int32_t b[LANES], int64_t apart,
                                     wide3 dv, wide3 ds_a, wide3 ds_b)
{
    const int32_t *a_high = wide_behind(a, apart), *b_high = wide_behind(b, apart);
    __m512 of_v[4], of_a[4], of_b[4];
    wide_rows_of_four(dv, of_v);
    wide_rows_of_four(ds_a, of_a);
    wide_rows_of_four(ds_b, of_b);
    for (int k = 0; k < LANES; ++k) {
        wide_record *low = &record[a[k]], *high = &record[a_high[k]];
        __m512 both = wide_halves(low->v, high->v), *v = &of_v[k % 4], *s = &of_a[k % 4];
        __m512 to_a = k < 4 ? wide_even_quarters(*v, *s) : wide_odd_quarters(*v, *s);
        records_store(low, high, _mm512_sub_ps(both, wide_change(both, to_a)));
        low = &record[b[k]], high = &record[b_high[k]], s = &of_b[k % 4];
        both = wide_halves(low->v, high->v);
        __m512 to_b = k < 4 ? wide_even_quarters(*v, *s) : wide_odd_quarters(*v, *s);
        records_store(low, high, _mm512_add_ps(both, wide_change(both, to_b)));
    }
}
#else
static inline wide wide_load_apart(const float *p, int64_t apart) { return (void)apart, wide_load(p); }
static inline void wide_store_apart(float *p, int64_t apart, wide v) { (void)apart, wide_store(p, v); }
static inline void records_load_apart(const wide_record *record, const int32_t a[LANES], const int32_t b[LANES],
                                      int64_t apart, wide3 *v, wide3 *s_a, wide3 *s_b)
{
    (void)apart;
    records_load(record, a, b, v, s_a, s_b);
}
static inline void records_add_apart(wide_record *record, const int32_t a[LANES], const int32_t b[LANES], int64_t apart,
                                     wide3 dv, wide3 ds_a, wide3 ds_b)
{
    (void)apart;
    records_add_general(record, a, b, dv, ds_a, ds_b);
}
#endif

static inline wide3 wide3_load_apart(const float (*p)[LANES], int64_t apart)
{
    return (wide3){wide_load_apart(p[0], apart), wide_load_apart(p[1], apart), wide_load_apart(p[2], apart)};
}
static inline void wide3_store_apart(float (*p)[LANES], int64_t apart, wide3 v)
{
    wide_store_apart(p[0], apart, v.x), wide_store_apart(p[1], apart, v.y), wide_store_apart(p[2], apart, v.z);
}

#endif
