// SPDX-License-Identifier: BSD-3-Clause
// Thread control and the two loops that keep results independent of the thread count.
//
// Sums run over blocks of fixed length: the result depends on the data alone, never on who computed which block.
#ifndef CORE_BASE_THREADS_H
#define CORE_BASE_THREADS_H

#include <stdatomic.h>
#include <stdint.h>

enum { SUM_BLOCK = 1024 };

int scr_core_count(void);  // what OpenMP may use by default

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t block_count_of(int64_t n, int64_t block) { return (n + block - 1) / block; }

// How many threads to wake for a loop of so many bodies or contacts: fewer of them than this are done sooner by one.
enum { FEW_ENTRIES = 64 };
static inline int loop_threads(int64_t count, int threads) { return count < FEW_ENTRIES ? 1 : threads; }

// The chunk-th of `chunks` nearly equal pieces of a list of n entries, in order. For work whose result does not depend
// on where the list is cut; sums of doubles do.
typedef struct index_range {
    int64_t first, last;
} index_range;
static inline index_range chunk_of(int64_t n, int64_t chunk, int64_t chunks)
{
    int64_t length = block_count_of(n, chunks);
    return (index_range){min_i64(chunk * length, n), min_i64((chunk + 1) * length, n)};
}

// Sum of n numbers, block by block. block_sum has room for block_count_of(n, SUM_BLOCK) numbers.
double scr_sum(const double *v, int64_t n, double *block_sum, int threads);

// A meeting point for the threads of one parallel region, for loops with many short stages. Threads wait actively for
// some tens of microseconds, then sleep: where other work shares the cores, a waiting thread gives way to it, and comes
// back as soon as it is woken (OpenMP's own barrier spins for much longer and loses whole time slices; one that yields
// instead of sleeping took 1.4 s for a solve that takes 0.25, beside two busy processes on two cores, this 0.9 s).
typedef struct scr_barrier {
    atomic_int arrived;
    atomic_uint round;
    atomic_int sleepers;
} scr_barrier;

void scr_barrier_wait(scr_barrier *barrier, int thread_count);

#endif
