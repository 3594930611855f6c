// SPDX-License-Identifier: BSD-3-Clause
// Four doubles at a time beside lanes of either precision (lanes.h), to and from which they are rounded.
#ifndef CORE_MATHS_QUADS_H
#define CORE_MATHS_QUADS_H

#include "core/maths/lanes.h"

typedef double quad __attribute__((vector_size(32)));
typedef int64_t quad_mask __attribute__((vector_size(32)));
typedef int32_t quad_whole __attribute__((vector_size(16)));
typedef real_number quad_numbers __attribute__((vector_size(4 * sizeof(real_number))));

static inline quad quad_load(const double *p)
{
    quad v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void quad_store(double *p, quad v) { memcpy(p, &v, sizeof v); }
static inline quad quad_select(quad_mask mask, quad a, quad b)
{
    return (quad)(((quad_mask)a & mask) | ((quad_mask)b & ~mask));
}
// b where they are equal, or one is not a number
static inline quad quad_min(quad a, quad b)
{
#if defined(__AVX2__)
    return (quad)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return quad_select(a < b, a, b);
#endif
}
static inline quad quad_max(quad a, quad b)
{
#if defined(__AVX2__)
    return (quad)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return quad_select(a > b, a, b);
#endif
}
static inline void quad_store_numbers(real_number *p, quad v)
{
    quad_numbers numbers = __builtin_convertvector(v, quad_numbers);
    memcpy(p, &numbers, sizeof numbers);
}

// Whole numbers and floats as doubles. Written out: gcc 12 converts vectors that grow by halves, three times the work.
static inline quad quad_of_whole(quad_whole v)
{
#if defined(__AVX2__)
    return (quad)_mm256_cvtepi32_pd((__m128i)v);
#else
    return __builtin_convertvector(v, quad);
#endif
}
static inline quad quad_of_numbers(quad_numbers v)
{
#if defined(__AVX2__) && defined(LANES_SINGLE)
    return (quad)_mm256_cvtps_pd((__m128)v);
#else
    return __builtin_convertvector(v, quad);
#endif
}

static inline quad quad_numbers_load(const real_number *p)
{
    quad_numbers numbers;
    memcpy(&numbers, p, sizeof numbers);
    return quad_of_numbers(numbers);
}

static inline void quad_transpose(quad r[4])
{
    quad a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    quad c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5), r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7), r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Four lanes of three numbers each, row by row: the fourth number is 0.
static inline void quad_rows(const real_number (*lanes)[REAL_LANES], int first, quad row[4])
{
    for (int axis = 0; axis < 3; ++axis) row[axis] = quad_numbers_load(lanes[axis] + first);
    row[3] = (quad){0};
}

static inline void add_numbers(real_number *sum, quad v)
{
    quad_numbers numbers = __builtin_convertvector(v, quad_numbers), old;
    memcpy(&old, sum, sizeof old);
    old = old + numbers;
    memcpy(sum, &old, sizeof old);
}

#endif
