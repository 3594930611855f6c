// SPDX-License-Identifier: BSD-3-Clause
// Disjoint sets of the numbers 0 to n - 1, by union-find: root[k] is k to begin with.
#ifndef CORE_ARRAYS_DISJOINT_H
#define CORE_ARRAYS_DISJOINT_H

#include <stdint.h>

static inline int32_t disjoint_root(int32_t *root, int32_t k)
{
    while (root[k] != k) k = root[k] = root[root[k]];
    return k;
}

// The lower number becomes the root, so that the result depends on what is joined alone.
static inline void disjoint_join(int32_t *root, int32_t a, int32_t b)
{
    a = disjoint_root(root, a), b = disjoint_root(root, b);
    if (a < b) root[b] = a;
    else root[a] = b;
}

#endif
