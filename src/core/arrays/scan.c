// SPDX-License-Identifier: BSD-3-Clause
// Prefix sums: threads add up a range each, one thread scans these few sums, threads fill in.
//
// Whole numbers add exactly, so where the list is cut does not matter to the result.
#include "core/arrays/scan.h"

#include "core/base/threads.h"

enum {
    SERIAL_BELOW = 1 << 16,  // starting threads costs more than scanning fewer counts
    CHUNKS_MAX = 256,
};

typedef int64_t sum_range(const void *count, index_range r);
// Exclusive scan that begins with sum; the sum after it is returned.
typedef int64_t fill_range(void *start, index_range r, int64_t sum);

static int64_t sum_i64(const void *count, index_range r)
{
    const int64_t *c = count;
    int64_t sum = 0;
    for (int64_t i = r.first; i < r.last; ++i) sum += c[i];
    return sum;
}

static int64_t fill_i64(void *start, index_range r, int64_t sum)
{
    int64_t *s = start;
    for (int64_t i = r.first; i < r.last; ++i) {
        int64_t count = s[i];
        s[i] = sum;
        sum += count;
    }
    return sum;
}

static int64_t sum_i32(const void *count, index_range r)
{
    const int32_t *c = count;
    int64_t sum = 0;
    for (int64_t i = r.first; i < r.last; ++i) sum += c[i];
    return sum;
}

static int64_t fill_i32(void *start, index_range r, int64_t sum)
{
    int32_t *s = start;
    for (int64_t i = r.first; i < r.last; ++i) {
        int32_t count = s[i];
        s[i] = (int32_t)sum;
        sum += count;
    }
    return sum;
}

static int64_t scan(void *start, int64_t n, int threads, sum_range *sum, fill_range *fill)
{
    if (n < SERIAL_BELOW || threads <= 1) return fill(start, (index_range){0, n}, 0);
    int chunks = (int)min_i64(threads, CHUNKS_MAX);
    int64_t chunk_sum[CHUNKS_MAX];
#pragma omp parallel for num_threads(chunks) schedule(static)
    for (int p = 0; p < chunks; ++p) chunk_sum[p] = sum(start, chunk_of(n, p, chunks));
    int64_t total = fill_i64(chunk_sum, (index_range){0, chunks}, 0);
#pragma omp parallel for num_threads(chunks) schedule(static)
    for (int p = 0; p < chunks; ++p) fill(start, chunk_of(n, p, chunks), chunk_sum[p]);
    return total;
}

int64_t scr_scan_i64(int64_t *start, int64_t n, int threads)
{
    int64_t total = scan(start, n, threads, sum_i64, fill_i64);
    start[n] = total;
    return total;
}

int64_t scr_scan_i32(int32_t *start, int64_t n, int threads)
{
    int64_t total = scan(start, n, threads, sum_i32, fill_i32);
    start[n] = (int32_t)total;
    return total;
}
