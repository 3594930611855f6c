// SPDX-License-Identifier: BSD-3-Clause
// Counter-based random numbers: Philox 4x32-10 (Salmon et al., SC'11).
//
// A number is a function of (seed, stream, index) and of nothing else: no state to save, no order to keep, the same
// on any number of threads.
#ifndef CORE_MATHS_RNG_H
#define CORE_MATHS_RNG_H

#include <stdint.h>

typedef struct scr_random4 {
    uint32_t v[4];
} scr_random4;

scr_random4 scr_philox(const uint32_t counter[4], const uint32_t key[2]);  // the raw block function
// Two uniform doubles in [0, 1) for the index-th draw of a stream.
void scr_uniform2(uint64_t seed, uint64_t stream, uint64_t index, double u[2]);
double scr_uniform(uint64_t seed, uint64_t stream, uint64_t index);
double scr_normal(uint64_t seed, uint64_t stream, uint64_t index);  // mean 0, variance 1

#endif
