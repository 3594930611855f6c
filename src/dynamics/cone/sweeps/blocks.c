// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/blocks.h"

#include <string.h>

#include "core/arrays/radix_sort.h"
#include "core/base/threads.h"

static int block_bits(int level) { return BLOCK_BITS + level * GROWTH_BITS; }
static int64_t block_size(int level) { return (int64_t)1 << block_bits(level); }

static block_cut plan_cut(int64_t body_count)
{
    block_cut cut = {0};
    while (cut.levels < BLOCK_LEVELS && body_count >= LEAST_BLOCKS * block_size(cut.levels)) {
        int64_t blocks = block_count_of(body_count, block_size(cut.levels));
        cut.level[cut.levels + 1] = cut.level[cut.levels] + blocks;
        ++cut.levels;
    }
    cut.block_count = cut.level[cut.levels] + 1;
    return cut;
}

size_t blocks_bytes(int64_t pair_count, int64_t body_count)
{
    return scr_arena_bytes(sizeof(contact_block), plan_cut(body_count).block_count) +
           scr_arena_bytes(sizeof(uint64_t), pair_count) + scr_radix_sort_bytes(pair_count);
}

// The lowest level at which one block holds both bodies.
static int64_t block_of(const block_cut *cut, body_pair pair)
{
    int32_t a = pair.a == NO_BODY ? pair.b : pair.a, b = pair.b == NO_BODY ? pair.a : pair.b;
    for (int level = 0; level < cut->levels; ++level) {
        int bits = block_bits(level);
        if ((a ^ b) >> bits == 0) return cut->level[level] + (max_i64(a, 0) >> bits);
    }
    return cut->block_count - 1;
}

static void find_bounds(block_cut *cut, const uint64_t *key, int64_t count)
{
    int64_t at = 0;
    for (int64_t b = 0; b < cut->block_count; ++b) {
        cut->block[b].first = at;
        int64_t low = at, high = count;  // the first key above b
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (key[middle] <= (uint64_t)b) low = middle + 1;
            else high = middle;
        }
        cut->block[b].last = at = low;
    }
}

static void sort_by_block(contact_pairs *list, int64_t count, block_cut *cut, const listed_ends *ends, int threads,
                          scr_arena arena)
{
    uint64_t *key = scr_arena_array(&arena, sizeof *key, count);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t k = 0; k < count; ++k) key[k] = (uint64_t)block_of(cut, list->pair[k]);
    scr_radix_sort(key, (uint32_t *)list->number, count, scr_bits_for(cut->block_count), arena, threads);
    find_bounds(cut, key, count);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t k = 0; k < count; ++k) list->pair[k] = ends->pair[list->number[k]];
}

static void colour_block(contact_pairs *list, contact_block *block, int64_t first_body, int64_t last_body)
{
    if (block->first == block->last) {
        memset(block->start, 0, sizeof block->start);
        return;
    }
    memset(list->taken + first_body, 0, (size_t)(last_body - first_body) * sizeof *list->taken);
    scr_colour(list->pair + block->first, block->last - block->first, list->taken, list->colour + block->first,
               block->start);
}

static void colour_level(contact_pairs *list, block_cut *cut, int level, int threads)
{
    int64_t size = block_size(level), first = cut->level[level], count = cut->level[level + 1] - first;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int64_t k = 0; k < count; ++k)
        colour_block(list, &cut->block[first + k], k * size, min_i64((k + 1) * size, list->body_count));
}

block_cut blocks_cut(contact_pairs *list, int64_t count, const listed_ends *ends, int threads, scr_arena *arena)
{
    block_cut cut = plan_cut(list->body_count);
    contact_block *across;
    cut.block = scr_arena_array(arena, sizeof *cut.block, cut.block_count);
    across = &cut.block[cut.block_count - 1];
    if (cut.levels > 0) sort_by_block(list, count, &cut, ends, threads, *arena);
    else *across = (contact_block){.first = 0, .last = count};
    for (int level = 0; level < cut.levels; ++level) colour_level(list, &cut, level, threads);
    colour_block(list, across, 0, list->body_count);
    return cut;
}
