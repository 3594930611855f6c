// SPDX-License-Identifier: BSD-3-Clause
// Selections. Each block of entries writes its hits to the block's own part of the list; then one thread closes the
// gaps. So the list depends on the entries alone, not on who looked at which.
#include "scene/parts/selection.h"

#include <assert.h>
#include <string.h>

#include "core/base/threads.h"

enum { BLOCK = 4096 };  // entries

scr_status selection_reserve(selection *s, int64_t n, scr_error *error)
{
    scr_status status = scr_grow(&s->index, &s->capacity, n, sizeof *s->index, "a selection", error);
    if (status != SCR_OK) return status;
    return scr_grow(&s->block_count, &s->block_capacity, block_count_of(n, BLOCK), sizeof *s->block_count,
                    "a selection", error);
}

void selection_make(selection *s, int64_t n, selection_test test, const void *context, int threads)
{
    assert(n <= s->capacity);
    int64_t blocks = block_count_of(n, BLOCK);
#pragma omp parallel for num_threads(threads) schedule(static) if (blocks > 1)
    for (int64_t b = 0; b < blocks; ++b) {
        int64_t first = b * BLOCK;
        s->block_count[b] = (int32_t)test(context, first, min_i64(first + BLOCK, n), s->index + first);
    }
    s->count = 0;
    for (int64_t b = 0; b < blocks; ++b) {
        memmove(s->index + s->count, s->index + b * BLOCK, (size_t)s->block_count[b] * sizeof *s->index);
        s->count += s->block_count[b];
    }
}

void selection_free(selection *s)
{
    scr_free(s->index);
    scr_free(s->block_count);
    *s = (selection){0};
}
