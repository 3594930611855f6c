// SPDX-License-Identifier: BSD-3-Clause
// Thread control and block sums.
#include "core/base/threads.h"

#if defined(__linux__)
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <sched.h>
#endif

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

// Sleep until the round is over; or return too early, nobody minds.
static void rest(scr_barrier *barrier, unsigned round)
{
#if defined(__linux__)
    // Who ends the round first changes it, then looks for sleepers; who sleeps does both the other way round. So one of
    // them sees the other, and the system itself looks at the round once more.
    atomic_fetch_add(&barrier->sleepers, 1);
    syscall(SYS_futex, &barrier->round, FUTEX_WAIT_PRIVATE, round, NULL, NULL, 0);
    atomic_fetch_sub(&barrier->sleepers, 1);
#else
    (void)barrier, (void)round;
    sched_yield();
#endif
}

static void wake_all(scr_barrier *barrier)
{
#if defined(__linux__)
    if (atomic_load(&barrier->sleepers) > 0)
        syscall(SYS_futex, &barrier->round, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#else
    (void)barrier;
#endif
}

void scr_barrier_wait(scr_barrier *barrier, int thread_count)
{
    unsigned round = atomic_load_explicit(&barrier->round, memory_order_acquire);
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 == thread_count) {
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        atomic_fetch_add(&barrier->round, 1);
        wake_all(barrier);
        return;
    }
    for (int spin = 0; atomic_load_explicit(&barrier->round, memory_order_acquire) == round; ++spin) {
        if (spin < SPIN_COUNT) relax();
        else rest(barrier, round);
    }
}
