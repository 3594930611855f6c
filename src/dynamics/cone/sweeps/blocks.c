// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/sweeps/blocks.h"

#include <string.h>

#include "core/base/threads.h"

enum { PARTS_MAX = 64 };  // of the list, one a thread, that are sorted side by side

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
           scr_arena_bytes(sizeof(uint32_t), pair_count) +
           scr_arena_bytes(sizeof(uint32_t), PARTS_MAX * plan_cut(body_count).block_count);
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

// Where each part of the list puts its pairs of each block: block by block, and within a block part by part.
static void find_places(block_cut *cut, uint32_t *place, int parts)
{
    int64_t at = 0;
    for (int64_t b = 0; b < cut->block_count; ++b) {
        cut->block[b].first = at;
        for (int p = 0; p < parts; ++p) {
            uint32_t *slot = &place[p * cut->block_count + b], here = *slot;
            *slot = (uint32_t)at;
            at += here;
        }
        cut->block[b].last = at;
    }
}

static void count_blocks(const contact_pairs *list, const block_cut *cut, index_range r, uint32_t *block,
                         uint32_t *place)
{
    memset(place, 0, (size_t)cut->block_count * sizeof *place);
    for (int64_t k = r.first; k < r.last; ++k) ++place[block[k] = (uint32_t)block_of(cut, list->pair[k])];
}

static void move_to_blocks(contact_pairs *list, index_range r, const uint32_t *block, uint32_t *place)
{
    for (int64_t k = r.first; k < r.last; ++k) {
        uint32_t to = place[block[k]]++;
        list->other_pair[to] = list->pair[k];
        list->other_number[to] = list->number[k];
    }
}

// Stably. Pairs come in the order of space: one after the other goes to the same few blocks, whose places are in the
// cache.
static void sort_by_block(contact_pairs *list, int64_t count, block_cut *cut, int threads, scr_arena arena)
{
    int parts = (int)max_i64(1, min_i64(threads, PARTS_MAX));
    uint32_t *block = scr_arena_array(&arena, sizeof *block, count);
    uint32_t *place = scr_arena_array(&arena, sizeof *place, parts * cut->block_count);
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int p = 0; p < parts; ++p)
        count_blocks(list, cut, chunk_of(count, p, parts), block, place + p * cut->block_count);
    find_places(cut, place, parts);
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int p = 0; p < parts; ++p)
        move_to_blocks(list, chunk_of(count, p, parts), block, place + p * cut->block_count);
    body_pair *pair = list->pair;
    int32_t *number = list->number;
    // What is not among the first `count` stays behind them.
    memcpy(list->other_pair + count, pair + count, (size_t)(list->count - count) * sizeof *pair);
    memcpy(list->other_number + count, number + count, (size_t)(list->count - count) * sizeof *number);
    list->pair = list->other_pair, list->number = list->other_number;
    list->other_pair = pair, list->other_number = number;
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

block_cut blocks_cut(contact_pairs *list, int64_t count, int threads, scr_arena *arena)
{
    block_cut cut = plan_cut(list->body_count);
    contact_block *across;
    cut.block = scr_arena_array(arena, sizeof *cut.block, cut.block_count);
    across = &cut.block[cut.block_count - 1];
    if (cut.levels > 0) sort_by_block(list, count, &cut, threads, *arena);
    else *across = (contact_block){.first = 0, .last = count};
    for (int level = 0; level < cut.levels; ++level) colour_level(list, &cut, level, threads);
    colour_block(list, across, 0, list->body_count);
    return cut;
}
