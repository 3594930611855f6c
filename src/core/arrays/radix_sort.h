// SPDX-License-Identifier: BSD-3-Clause
// Stable parallel radix sort of 64-bit keys with a 32-bit value.
//
// The order depends on the keys alone: equal keys keep their order, whatever the number of threads.
#ifndef CORE_ARRAYS_RADIX_SORT_H
#define CORE_ARRAYS_RADIX_SORT_H

#include "core/base/memory.h"

// How many bits hold the numbers below n.
static inline int scr_bits_for(int64_t n)
{
    int bits = 1;
    while (((int64_t)1 << bits) < n) ++bits;
    return bits;
}

// Bytes of arena that scr_radix_sort takes for n entries.
size_t scr_radix_sort_bytes(int64_t n);
// Sort key[] and value[] by the lowest key_bits bits of the keys (the higher ones are zero).
void scr_radix_sort(uint64_t *key, uint32_t *value, int64_t n, int key_bits, scr_arena arena, int threads);

#endif
