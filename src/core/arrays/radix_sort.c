// SPDX-License-Identifier: BSD-3-Clause
// Stable radix sort, lowest digit first.
//
// A pass moves all entries to where their digit belongs: chunks of the list count their digits, a scan over (digit,
// chunk) says where each chunk puts each digit, and the chunks scatter their entries in order. Every pass is stable
// however the list is cut, so the result is the same for any number of threads. Bits in which all keys agree cost
// nothing: a digit begins at the lowest bit that still matters.
#include "core/arrays/radix_sort.h"

#include <string.h>

#include "core/base/threads.h"

enum {
    DIGIT_BITS = 8,  // 256 open buckets a thread still fit the first-level cache
    DIGIT_COUNT = 1 << DIGIT_BITS,
    KEYS_AHEAD = 8,     // one cache line
    VALUES_AHEAD = 16,  // one cache line
    CHUNKS_MAX = 64,
    SERIAL_BELOW = 4096,  // starting threads costs more than sorting fewer entries
};

typedef struct entries {
    uint64_t *key;
    uint32_t *value;
} entries;

// The bits in which a chunk's keys differ from the first key of all.
static uint64_t varying_bits(const uint64_t *key, index_range r)
{
    uint64_t varying = 0, first = key[0];
    for (int64_t i = r.first; i < r.last; ++i) varying |= key[i] ^ first;
    return varying;
}

static void count_digits(const uint64_t *key, index_range r, int shift, int64_t *count)
{
    memset(count, 0, DIGIT_COUNT * sizeof *count);
    for (int64_t i = r.first; i < r.last; ++i) ++count[(key[i] >> shift) & (DIGIT_COUNT - 1)];
}

// Turn the counts of all chunks into positions: digit by digit, and within a digit chunk by chunk.
static void scan_digits(int64_t (*count)[DIGIT_COUNT], int chunks)
{
    int64_t start = 0;
    for (int digit = 0; digit < DIGIT_COUNT; ++digit) {
        for (int p = 0; p < chunks; ++p) {
            int64_t c = count[p][digit];
            count[p][digit] = start;
            start += c;
        }
    }
}

// The next cache line of a bucket is asked for early: a store that waits for its line holds up all stores behind it.
// This halves the time of a pass; buckets gathered in small buffers first gained less.
static void scatter(entries from, entries to, index_range r, int shift, int64_t *start)
{
    for (int64_t i = r.first; i < r.last; ++i) {
        uint64_t key = from.key[i];
        int64_t at = start[(key >> shift) & (DIGIT_COUNT - 1)]++;
        to.key[at] = key;
        to.value[at] = from.value[i];
        __builtin_prefetch(&to.key[at + KEYS_AHEAD], 1);
        __builtin_prefetch(&to.value[at + VALUES_AHEAD], 1);
    }
}

static void copy_chunk(entries from, entries to, index_range r)
{
    size_t length = (size_t)(r.last - r.first);
    memcpy(to.key + r.first, from.key + r.first, length * sizeof *to.key);
    memcpy(to.value + r.first, from.value + r.first, length * sizeof *to.value);
}

size_t scr_radix_sort_bytes(int64_t n)
{
    return scr_arena_bytes(sizeof(uint64_t), n) + scr_arena_bytes(sizeof(uint32_t), n) +
           scr_arena_bytes(sizeof(int64_t[DIGIT_COUNT]), CHUNKS_MAX);
}

void scr_radix_sort(uint64_t *key, uint32_t *value, int64_t n, int key_bits, scr_arena arena, int threads)
{
    if (n < 2 || key_bits <= 0) return;
    int chunks = n < SERIAL_BELOW ? 1 : (int)min_i64(max_i64(threads, 1), CHUNKS_MAX);
    entries from = {key, value}, to;
    to.key = scr_arena_array(&arena, sizeof *to.key, n);
    to.value = scr_arena_array(&arena, sizeof *to.value, n);
    int64_t(*count)[DIGIT_COUNT] = scr_arena_array(&arena, sizeof *count, CHUNKS_MAX);

    uint64_t varying = 0;
#pragma omp parallel for num_threads(chunks) schedule(static) reduction(| : varying) if (chunks > 1)
    for (int p = 0; p < chunks; ++p) varying |= varying_bits(key, chunk_of(n, p, chunks));
    if (key_bits < 64) varying &= ((uint64_t)1 << key_bits) - 1;

    while (varying != 0) {
        int shift = __builtin_ctzll(varying);
#pragma omp parallel for num_threads(chunks) schedule(static) if (chunks > 1)
        for (int p = 0; p < chunks; ++p) count_digits(from.key, chunk_of(n, p, chunks), shift, count[p]);
        scan_digits(count, chunks);
#pragma omp parallel for num_threads(chunks) schedule(static) if (chunks > 1)
        for (int p = 0; p < chunks; ++p) scatter(from, to, chunk_of(n, p, chunks), shift, count[p]);
        entries other = from;
        from = to;
        to = other;
        varying &= ~((uint64_t)(DIGIT_COUNT - 1) << shift);
    }

    if (from.key == key) return;
#pragma omp parallel for num_threads(chunks) schedule(static) if (chunks > 1)
    for (int p = 0; p < chunks; ++p) copy_chunk(from, to, chunk_of(n, p, chunks));
}
