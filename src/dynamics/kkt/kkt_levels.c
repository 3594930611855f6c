// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/kkt/kkt_levels.h"

#include <stdlib.h>
#include <string.h>

typedef struct shaped_node {
    uint32_t shape;  // the same for those that fit together; ALONE: fits nobody
    int32_t place;   // as it was
} shaped_node;

static const uint32_t ALONE = UINT32_MAX, CHANGES = 1u << 30;

typedef struct levelling {
    int32_t body_count;
    const int32_t *level;  // (count) by node
    const uint8_t *size;   // (count) by node
    int32_t *first;        // (levels + 1) new places
    shaped_node *sorted;   // (count) by new place
    int32_t *node;         // (count) by new place
    int64_t *first_entry;  // (count + 1) by new place
    int32_t *row;          // (entries)
} levelling;

static int by_shape(const void *a, const void *b)
{
    const shaped_node *x = a, *y = b;
    if (x->shape != y->shape) return x->shape < y->shape ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

// Of a node whose rows have their new places: what it is, and the sizes of its rows in their order. What changes with S
// is worked on at other times than what does not.
static uint32_t shape_of(const levelling *l, const elimination *out, int32_t place)
{
    int32_t node = out->node[place], met[LANE_ENTRIES];
    int64_t begin = out->first[place], count = out->first[place + 1] - begin;
    if (count > LANE_ENTRIES) return ALONE;
    for (int64_t k = 0; k < count; ++k) {
        int64_t at = k;
        for (; at > 0 && out->rank[met[at - 1]] > out->rank[out->row[begin + k]]; --at) met[at] = met[at - 1];
        met[at] = out->row[begin + k];
    }
    uint32_t shape = (uint32_t)count << 2 | (node >= l->body_count ? 2u : 0u) | (lane_size(l->size[node]) == 5);
    for (int64_t k = 0; k < count; ++k) shape = shape << 1 | (lane_size(l->size[met[k]]) == 5);
    return out->changes[node] ? shape | CHANGES : shape;
}

// How many from here on are worked on together, `count` being of the same shape.
static uint8_t together(int32_t count, uint32_t shape)
{
    return shape == ALONE ? 1 : (uint8_t)(count < LANES ? count : LANES);
}

static void place_level(levelling *l, elimination *out, int32_t begin, int32_t end)
{
    for (int32_t p = begin; p < end; ++p) l->sorted[p].shape = shape_of(l, out, l->sorted[p].place);
    qsort(l->sorted + begin, (size_t)(end - begin), sizeof *l->sorted, by_shape);
    for (int32_t p = begin; p < end; ++p) {
        l->node[p] = out->node[l->sorted[p].place];
        out->together[p] = 0;
    }
    for (int32_t p = begin; p < end;) {
        int32_t last = p;
        while (last < end && l->sorted[last].shape == l->sorted[p].shape) ++last;
        while (p < last) {
            out->together[p] = together(last - p, l->sorted[p].shape);
            p += out->together[p];
        }
    }
}

static void count_levels(levelling *l, const elimination *out, int32_t levels)
{
    memset(l->first, 0, ((size_t)levels + 1) * sizeof *l->first);
    for (int32_t p = 0; p < out->count; ++p) ++l->first[l->level[out->node[p]] + 1];
    for (int32_t k = 0; k < levels; ++k) l->first[k + 1] += l->first[k];
    for (int32_t p = 0; p < out->count; ++p) l->sorted[l->first[l->level[out->node[p]]]++].place = p;
    for (int32_t k = levels; k > 0; --k) l->first[k] = l->first[k - 1];
    l->first[0] = 0;
}

static void move_columns(levelling *l, elimination *out)
{
    l->first_entry[0] = 0;
    for (int32_t p = 0; p < out->count; ++p) {
        int64_t from = out->first[l->sorted[p].place], count = out->first[l->sorted[p].place + 1] - from;
        memcpy(l->row + l->first_entry[p], out->row + from, (size_t)count * sizeof *l->row);
        l->first_entry[p + 1] = l->first_entry[p] + count;
    }
    memcpy(out->node, l->node, (size_t)out->count * sizeof *out->node);
    memcpy(out->row, l->row, (size_t)out->first[out->count] * sizeof *out->row);
    memcpy(out->first, l->first_entry, ((size_t)out->count + 1) * sizeof *out->first);
}

scr_status elimination_by_level(elimination *out, int32_t body_count, const int32_t *level, const uint8_t *size,
                                scr_error *error)
{
    levelling l = {.body_count = body_count, .level = level, .size = size};
    scr_arena arena = {0};
    int32_t levels = 1;
    int64_t n = out->count, entries = out->first[n];
    for (int32_t p = 0; p < n; ++p) levels = level[p] >= levels ? level[p] + 1 : levels;
    size_t bytes = scr_arena_bytes(sizeof *l.first, levels + 1) + scr_arena_bytes(sizeof *l.sorted, n) +
                   scr_arena_bytes(sizeof *l.node, n) + scr_arena_bytes(sizeof *l.first_entry, n + 1) +
                   scr_arena_bytes(sizeof *l.row, entries);
    scr_status status = scr_arena_reserve(&arena, bytes, "the order of a mechanism", error);
    if (status != SCR_OK) return status;
    scr_arena use = arena;
    l.first = scr_arena_array(&use, sizeof *l.first, levels + 1);
    l.sorted = scr_arena_array(&use, sizeof *l.sorted, n);
    l.node = scr_arena_array(&use, sizeof *l.node, n);
    l.first_entry = scr_arena_array(&use, sizeof *l.first_entry, n + 1);
    l.row = scr_arena_array(&use, sizeof *l.row, entries);
    count_levels(&l, out, levels);
    for (int32_t k = levels - 1; k >= 0; --k) {  // a node meets none but those of later levels
        place_level(&l, out, l.first[k], l.first[k + 1]);
        for (int32_t p = l.first[k]; p < l.first[k + 1]; ++p) out->rank[l.node[p]] = p;
    }
    move_columns(&l, out);
    scr_arena_free(&arena);
    return SCR_OK;
}
