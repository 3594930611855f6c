// SPDX-License-Identifier: BSD-3-Clause
// Selections: which of n entries meet a condition, found by many threads, listed in ascending order.
#ifndef SCENE_PARTS_SELECTION_H
#define SCENE_PARTS_SELECTION_H

#include "core/base/memory.h"

typedef struct selection {
    int32_t *index;  // ascending
    int64_t count;
    // scratch
    int64_t capacity;
    int32_t *block_count;
    int64_t block_capacity;
} selection;

// Writes those of [first, last) that meet the condition to hits, ascending, and returns their number.
typedef int64_t (*selection_test)(const void *context, int64_t first, int64_t last, int32_t *hits);

// Room for selecting among n entries; making it then cannot fail.
scr_status selection_reserve(selection *s, int64_t n, scr_error *error);
void selection_make(selection *s, int64_t n, selection_test test, const void *context, int threads);
void selection_free(selection *s);

#endif
