// SPDX-License-Identifier: BSD-3-Clause
// Records that follow each other in memory, lane by lane, for the numbers that core/maths/lanes.h was asked for: four
// doubles, or eight.
#ifndef CORE_MATHS_ROW_LANES_H
#define CORE_MATHS_ROW_LANES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/maths/lanes.h"

// Four numbers of one.
typedef double number_row __attribute__((vector_size(32)));

static inline number_row row_load(const double *p)
{
    number_row row;
    memcpy(&row, p, sizeof row);
    return row;
}
static inline void row_store(double *p, number_row row) { memcpy(p, &row, sizeof row); }

// Rows of REAL_LANES of them, `stride` doubles from each to the next, as four numbers of all.
static inline void lanes_load(real number[4], const double *first, size_t stride)
{
    for (int k = 0; k < 4; ++k) {
#if defined(LANES_EIGHT_DOUBLES)
        number[k] = __builtin_shufflevector(row_load(first + k * stride), row_load(first + (k + 4) * stride), 0, 1, 2,
                                            3, 4, 5, 6, 7);
#else
        number[k] = row_load(first + k * stride);
#endif
    }
    real_transpose(number);
}

// The other way: row[k] of the k-th.
static inline void lanes_to_rows(number_row row[REAL_LANES], const real number[4])
{
    real column[4] = {number[0], number[1], number[2], number[3]};
    real_transpose(column);
    for (int k = 0; k < 4; ++k) {
#if defined(LANES_EIGHT_DOUBLES)
        row[k] = __builtin_shufflevector(column[k], column[k], 0, 1, 2, 3);
        row[k + 4] = __builtin_shufflevector(column[k], column[k], 4, 5, 6, 7);
#else
        row[k] = column[k];
#endif
    }
}

static inline real3 load3(const double *x, const double *y, const double *z, int64_t first)
{
    return (real3){real_load(x + first), real_load(y + first), real_load(z + first)};
}

static inline bool all_lanes(real_mask mask) { return real_bits(mask) == (1u << REAL_LANES) - 1; }

// Single precision, as many. The conversions of the compiler's vector types are done lane by lane by gcc 12.
typedef float narrow __attribute__((vector_size(REAL_BYTES / 2)));
static inline narrow narrow_of(real v)
{
#if defined(LANES_EIGHT_DOUBLES)
    return (narrow)_mm512_cvtpd_ps((__m512d)v);
#elif defined(__AVX2__)
    return (narrow)_mm256_cvtpd_ps((__m256d)v);
#else
    return __builtin_convertvector(v, narrow);
#endif
}
static inline narrow narrow_load(const float *p)
{
    narrow v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void narrow_store(float *p, narrow v) { memcpy(p, &v, sizeof v); }
static inline real real_of(narrow v)
{
#if defined(LANES_EIGHT_DOUBLES)
    return (real)_mm512_cvtps_pd((__m256)v);
#elif defined(__AVX2__)
    return (real)_mm256_cvtps_pd((__m128)v);
#else
    return __builtin_convertvector(v, real);
#endif
}

#endif
