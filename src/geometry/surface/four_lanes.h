// SPDX-License-Identifier: BSD-3-Clause
// Four numbers at a time, for the tests of trees: the same operations in the same order on any processor.
#ifndef GEOMETRY_SURFACE_FOUR_LANES_H
#define GEOMETRY_SURFACE_FOUR_LANES_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_bits __attribute__((vector_size(16)));
enum { FOUR = 4 };

static inline four four_of(float v) { return (four){v, v, v, v}; }

static inline four load_four(const float *from)
{
    four v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline four larger(four a, four b)
{
    four_bits is_a = a > b;
    return (four)(((four_bits)a & is_a) | ((four_bits)b & ~is_a));
}

static inline unsigned bits_of(four_bits mask)
{
#if defined(__SSE2__)
    return (unsigned)_mm_movemask_ps((__m128)mask);
#else
    unsigned bits = 0;
    for (int k = 0; k < FOUR; ++k) bits |= (unsigned)(mask[k] & 1) << k;
    return bits;
#endif
}

#endif
