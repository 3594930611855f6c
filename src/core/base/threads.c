// SPDX-License-Identifier: BSD-3-Clause
// Thread control and block sums.
#include "core/base/threads.h"

#include <sched.h>

#include <omp.h>

int scr_core_count(void) { return omp_get_max_threads(); }

static double sum_of_block(const double *v, int64_t first, int64_t last)
{
    double sum = 0.0;
    for (int64_t i = first; i < last; ++i) sum += v[i];
    return sum;
}

double scr_sum(const double *v, int64_t n, double *block_sum, int threads)
{
    int64_t block_count = block_count_of(n, SUM_BLOCK);
#pragma omp parallel for num_threads(threads) schedule(static) if (block_count > 1)
    for (int64_t b = 0; b < block_count; ++b)
        block_sum[b] = sum_of_block(v, b * SUM_BLOCK, min_i64((b + 1) * SUM_BLOCK, n));
    return sum_of_block(block_sum, 0, block_count);
}

enum { SPIN_COUNT = 2000 };

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void scr_barrier_wait(scr_barrier *barrier, int thread_count)
{
    unsigned round = atomic_load_explicit(&barrier->round, memory_order_acquire);
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 == thread_count) {
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        atomic_fetch_add_explicit(&barrier->round, 1, memory_order_release);
        return;
    }
    for (int spin = 0; atomic_load_explicit(&barrier->round, memory_order_acquire) == round; ++spin) {
        if (spin < SPIN_COUNT) relax();
        else sched_yield();
    }
}
