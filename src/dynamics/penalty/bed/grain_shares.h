// SPDX-License-Identifier: BSD-3-Clause
// Which thread does which block: each has a share of consecutive blocks, and who is done helps the others.
//
// A thread goes through its share up in one step and down in the next, so that it begins with what its caches have from
// the end of the last; helpers come from the other end. Who does a block changes no bit.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_SHARES_H
#define DYNAMICS_PENALTY_BED_GRAIN_SHARES_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core/base/threads.h"

typedef struct grain_share {
    alignas(64) _Atomic uint64_t left;  // first block not yet taken, and above it the last one and one
} grain_share;

static inline void shares_deal(grain_share *share, int threads, int64_t blocks)
{
    for (int t = 0; t < threads; ++t) {
        index_range range = chunk_of(blocks, t, threads);
        atomic_init(&share[t].left, (uint64_t)range.last << 32 | (uint64_t)range.first);
    }
}

// The next block of a share, from its low or its high end; -1 if there is none left.
static inline int64_t share_take(grain_share *share, bool low)
{
    uint64_t left = atomic_load_explicit(&share->left, memory_order_relaxed);
    for (;;) {
        uint64_t first = left & UINT32_MAX, last = left >> 32;
        if (first >= last) return -1;
        uint64_t rest = low ? last << 32 | (first + 1) : (last - 1) << 32 | first;
        if (atomic_compare_exchange_weak_explicit(&share->left, &left, rest, memory_order_relaxed,
                                                  memory_order_relaxed))
            return (int64_t)(low ? first : last - 1);
    }
}

// The next block for a thread, -1 when all are taken.
static inline int64_t shares_take(grain_share *share, int threads, int self, bool upwards)
{
    int64_t block = share_take(&share[self], upwards);
    for (int k = 1; k < threads && block < 0; ++k) block = share_take(&share[(self + k) % threads], !upwards);
    return block;
}

#endif
