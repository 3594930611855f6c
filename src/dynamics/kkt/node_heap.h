// SPDX-License-Identifier: BSD-3-Clause
// Nodes by degree, then by depth, then by number; the least is at the top. A node is in it once, or not.
#ifndef DYNAMICS_KKT_NODE_HEAP_H
#define DYNAMICS_KKT_NODE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct node_heap {
    int32_t count;
    int32_t *node;  // (node count) the heap
    int32_t *at;    // (node count) where a node is in it, or -1
    const int64_t *degree;
    const int32_t *depth;
} node_heap;

static inline bool node_is_less(const node_heap *h, int32_t a, int32_t b)
{
    if (h->degree[a] != h->degree[b]) return h->degree[a] < h->degree[b];
    return h->depth[a] < h->depth[b] || (h->depth[a] == h->depth[b] && a < b);
}

static inline void heap_put(node_heap *h, int32_t at, int32_t node) { h->node[at] = node, h->at[node] = at; }

static inline void heap_sift_up(node_heap *h, int32_t at)
{
    int32_t node = h->node[at];
    while (at > 0 && node_is_less(h, node, h->node[(at - 1) / 2])) {
        heap_put(h, at, h->node[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    heap_put(h, at, node);
}

static inline void heap_sift_down(node_heap *h, int32_t at)
{
    int32_t node = h->node[at];
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= h->count) break;
        if (child + 1 < h->count && node_is_less(h, h->node[child + 1], h->node[child])) ++child;
        if (!node_is_less(h, h->node[child], node)) break;
        heap_put(h, at, h->node[child]);
        at = child;
    }
    heap_put(h, at, node);
}

// After a change of the node's degree or depth; one that is not in the heap comes in.
static inline void heap_update(node_heap *h, int32_t node)
{
    if (h->at[node] < 0) heap_put(h, h->count++, node);
    heap_sift_up(h, h->at[node]);
    heap_sift_down(h, h->at[node]);
}

static inline int32_t heap_pop(node_heap *h)
{
    int32_t top = h->node[0];
    h->at[top] = -1;
    if (--h->count > 0) {
        heap_put(h, 0, h->node[h->count]);
        heap_sift_down(h, 0);
    }
    return top;
}

#endif
