// SPDX-License-Identifier: BSD-3-Clause
// Prefix sums.
#ifndef CORE_ARRAYS_SCAN_H
#define CORE_ARRAYS_SCAN_H

#include <stdint.h>

// Exclusive scan in place of n counts; start[n] receives the total, which is returned. start has room for n + 1.
int64_t scr_scan_i64(int64_t *start, int64_t n, int threads);
int64_t scr_scan_i32(int32_t *start, int64_t n, int threads);  // the caller knows that the total fits

#endif
