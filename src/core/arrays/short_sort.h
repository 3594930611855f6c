// SPDX-License-Identifier: BSD-3-Clause
// Sorting of a few numbers, or of ones that are nearly in order: by insertion.
#ifndef CORE_ARRAYS_SHORT_SORT_H
#define CORE_ARRAYS_SHORT_SORT_H

#include <stdint.h>

static inline void short_sort(int32_t *item, int64_t count)
{
    for (int64_t k = 1; k < count; ++k) {
        int32_t v = item[k];
        int64_t at = k;
        for (; at > 0 && item[at - 1] > v; --at) item[at] = item[at - 1];
        item[at] = v;
    }
}

#endif
