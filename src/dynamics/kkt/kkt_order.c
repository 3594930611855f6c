// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/kkt/kkt_order.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/kkt/kkt_levels.h"

// ---- A heap of nodes by degree, then by depth, then by number; the least is at the top. A node is in it once, or not.

typedef struct node_heap {
    int32_t count;
    int32_t *node;  // (node count) the heap
    int32_t *at;    // (node count) where a node is in it, or -1
    const int64_t *degree;
    const int32_t *depth;
} node_heap;

static bool node_is_less(const node_heap *h, int32_t a, int32_t b)
{
    if (h->degree[a] != h->degree[b]) return h->degree[a] < h->degree[b];
    return h->depth[a] < h->depth[b] || (h->depth[a] == h->depth[b] && a < b);
}

static void heap_put(node_heap *h, int32_t at, int32_t node) { h->node[at] = node, h->at[node] = at; }

static void heap_sift_up(node_heap *h, int32_t at)
{
    int32_t node = h->node[at];
    while (at > 0 && node_is_less(h, node, h->node[(at - 1) / 2])) {
        heap_put(h, at, h->node[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    heap_put(h, at, node);
}

static void heap_sift_down(node_heap *h, int32_t at)
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
static void heap_update(node_heap *h, int32_t node)
{
    if (h->at[node] < 0) heap_put(h, h->count++, node);
    heap_sift_up(h, h->at[node]);
    heap_sift_down(h, h->at[node]);
}

static int32_t heap_pop(node_heap *h)
{
    int32_t top = h->node[0];
    h->at[top] = -1;
    if (--h->count > 0) {
        heap_put(h, 0, h->node[h->count]);
        heap_sift_down(h, 0);
    }
    return top;
}

// ---- The order ----

// Who meets whom among the nodes that are left. Lists lie in one pool; a list that is full moves to its end. Nodes that
// are gone are taken out of a list when it is walked.
typedef struct neighbour_list {
    int64_t first;
    int32_t count, capacity;
} neighbour_list;

typedef struct elimination_graph {
    int32_t body_count, node_count;
    neighbour_list *list;  // (node_count)
    int64_t *degree;       // (node_count) numbers in the nodes that a node meets
    int32_t *depth;        // (node_count) the longest chain of nodes that went before it, each meeting the next
    int64_t *seen;         // (node_count) stamps
    uint8_t *size;         // (node_count) numbers in a node
    uint8_t *is_gone;      // (node_count)
    int32_t *held;         // (body_count + 1) union-find over bodies and the ground: held together by eliminated blocks
    int32_t *standing;     // (body_count + 1) at the root: how many of them stand still
    int32_t *heap_node, *heap_at;
    int32_t *pool;
    int64_t pool_count, pool_capacity;
    scr_arena arena;
} elimination_graph;

static scr_status reserve(elimination_graph *m, const kkt_equations *e, scr_error *error)
{
    int64_t n = e->body_count + e->block_count;
    size_t bytes = scr_arena_bytes(sizeof *m->list, n) + 2 * scr_arena_bytes(sizeof(int64_t), n) +
                   2 * scr_arena_bytes(sizeof(uint8_t), n) + 3 * scr_arena_bytes(sizeof(int32_t), n) +
                   2 * scr_arena_bytes(sizeof(int32_t), e->body_count + 1);
    scr_status status = scr_arena_reserve(&m->arena, bytes, "the order of a mechanism", error);
    if (status != SCR_OK) return status;
    memset(m->arena.base, 0, bytes);
    m->body_count = e->body_count;
    m->node_count = (int32_t)n;
    m->list = scr_arena_array(&m->arena, sizeof *m->list, n);
    m->degree = scr_arena_array(&m->arena, sizeof *m->degree, n);
    m->depth = scr_arena_array(&m->arena, sizeof *m->depth, n);
    m->seen = scr_arena_array(&m->arena, sizeof *m->seen, n);
    m->size = scr_arena_array(&m->arena, sizeof *m->size, n);
    m->is_gone = scr_arena_array(&m->arena, sizeof *m->is_gone, n);
    m->heap_node = scr_arena_array(&m->arena, sizeof *m->heap_node, n);
    m->heap_at = scr_arena_array(&m->arena, sizeof *m->heap_at, n);
    m->held = scr_arena_array(&m->arena, sizeof *m->held, e->body_count + 1);
    m->standing = scr_arena_array(&m->arena, sizeof *m->standing, e->body_count + 1);
    return scr_grow(&m->pool, &m->pool_capacity, 4 * n + 1, sizeof *m->pool, "the order of a mechanism", error);
}

static scr_status list_add(elimination_graph *m, int32_t node, int32_t other, scr_error *error)
{
    neighbour_list *list = &m->list[node];
    if (list->count == list->capacity) {
        int32_t capacity = 2 * list->capacity + 4;
        scr_status status = scr_grow(&m->pool, &m->pool_capacity, m->pool_count + capacity, sizeof *m->pool,
                                     "the order of a mechanism", error);
        if (status != SCR_OK) return status;
        memcpy(m->pool + m->pool_count, m->pool + list->first, (size_t)list->count * sizeof *m->pool);
        list->first = m->pool_count;
        list->capacity = capacity;
        m->pool_count += capacity;
    }
    m->pool[list->first + list->count++] = other;
    m->degree[node] += m->size[other];
    return SCR_OK;
}

static bool was_seen(elimination_graph *m, int32_t node, int64_t stamp)
{
    bool before = m->seen[node] == stamp;
    m->seen[node] = stamp;
    return before;
}

static scr_status meet_first(elimination_graph *m, const kkt_equations *e, scr_error *error)
{
    for (int32_t i = 0; i < m->body_count; ++i) m->size[i] = 6;
    for (int64_t b = 0; b < e->block_count; ++b) m->size[m->body_count + b] = (uint8_t)e->block[b].row_count;
    for (int64_t b = 0; b < e->block_count; ++b) {
        int32_t node = m->body_count + (int32_t)b;
        const joint_jacobian *jacobian = e->jacobian + e->block[b].first_jacobian;
        for (int32_t a = 0; a < e->block[b].jacobian_count; ++a) {
            if (!is_movable(e, jacobian[a].body) || was_seen(m, jacobian[a].body, b + 1)) continue;
            scr_status status = list_add(m, node, jacobian[a].body, error);
            if (status == SCR_OK) status = list_add(m, jacobian[a].body, node, error);
            if (status != SCR_OK) return status;
        }
    }
    for (int64_t c = 0; c < e->coupling_count; ++c) {
        scr_status status = list_add(m, e->coupling[c].a, e->coupling[c].b, error);
        if (status == SCR_OK) status = list_add(m, e->coupling[c].b, e->coupling[c].a, error);
        if (status != SCR_OK) return status;
    }
    for (int32_t i = 0; i <= m->body_count; ++i) {
        m->held[i] = i;
        m->standing[i] = 1;
    }
    memset(m->seen, 0, (size_t)m->node_count * sizeof *m->seen);
    return SCR_OK;
}

static int32_t held_root(elimination_graph *m, int32_t body)
{
    while (m->held[body] != body) body = m->held[body] = m->held[m->held[body]];
    return body;
}

static int add_root(elimination_graph *m, int32_t body, int32_t *root, int count)
{
    int32_t r = held_root(m, body);
    for (int k = 0; k < count; ++k)
        if (root[k] == r) return count;
    root[count] = r;
    return count + 1;
}

// The sets that a block holds together, each once; the number after the last body stands for the ground.
static int block_roots(elimination_graph *m, const kkt_equations *e, int64_t block, int32_t root[BLOCK_JACOBIANS + 1])
{
    const row_block *b = &e->block[block];
    const joint_jacobian *jacobian = e->jacobian + b->first_jacobian;
    int count = 0;
    bool to_ground = b->jacobian_count == 1;  // a row that sees one body holds it against the ground
    for (int32_t a = 0; a < b->jacobian_count; ++a) {
        if (is_movable(e, jacobian[a].body)) count = add_root(m, jacobian[a].body, root, count);
        else to_ground = true;
    }
    return to_ground ? add_root(m, m->body_count, root, count) : count;
}

static bool may_go(elimination_graph *m, const kkt_equations *e, int32_t node)
{
    if (node < m->body_count) return true;
    int32_t root[BLOCK_JACOBIANS + 1], standing = 0;
    int count = block_roots(m, e, node - m->body_count, root);
    for (int k = 0; k < count; ++k) standing += m->standing[root[k]];
    return standing <= 1;
}

static void hold_together(elimination_graph *m, const kkt_equations *e, int32_t node)
{
    if (node < m->body_count) {
        --m->standing[held_root(m, node)];
        return;
    }
    int32_t root[BLOCK_JACOBIANS + 1];
    int count = block_roots(m, e, node - m->body_count, root);
    for (int k = 1; k < count; ++k) {
        m->held[root[k]] = root[0];
        m->standing[root[0]] += m->standing[root[k]];
    }
}

// Take out of a list who is gone.
static void list_tidy(elimination_graph *m, int32_t node)
{
    neighbour_list *list = &m->list[node];
    int32_t *entry = m->pool + list->first, count = 0;
    for (int32_t k = 0; k < list->count; ++k)
        if (!m->is_gone[entry[k]]) entry[count++] = entry[k];
    list->count = count;
}

// All that the node meets will meet each other.
static scr_status fill_in(elimination_graph *m, int32_t node, int64_t *stamp, scr_error *error)
{
    neighbour_list around = m->list[node];  // its entries stay where they are: they are not added to
    for (int32_t a = 0; a < around.count; ++a) {
        int32_t i = m->pool[around.first + a];
        m->degree[i] -= m->size[node];
        if (m->depth[i] <= m->depth[node]) m->depth[i] = m->depth[node] + 1;
        if (around.count == 1) break;
        list_tidy(m, i);
        ++*stamp;
        m->seen[i] = *stamp;
        for (int32_t k = 0; k < m->list[i].count; ++k) m->seen[m->pool[m->list[i].first + k]] = *stamp;
        for (int32_t b = 0; b < around.count; ++b) {
            int32_t j = m->pool[around.first + b];
            if (m->seen[j] == *stamp) continue;
            scr_status status = list_add(m, i, j, error);
            if (status != SCR_OK) return status;
        }
    }
    return SCR_OK;
}

static scr_status add_column(elimination *out, const elimination_graph *m, int32_t node, scr_error *error)
{
    const neighbour_list *list = &m->list[node];
    int64_t begin = out->first[out->count];
    scr_status status = scr_grow(&out->row, &out->row_capacity, begin + list->count + LANE_ENTRIES, sizeof *out->row,
                                 "the order of a mechanism", error);
    if (status != SCR_OK) return status;
    memcpy(out->row + begin, m->pool + list->first, (size_t)list->count * sizeof *out->row);
    out->node[out->count] = node;
    out->rank[node] = out->count++;
    out->first[out->count] = begin + list->count;
    return SCR_OK;
}

static int64_t pair_count(int64_t n) { return n * (n - 1) / 2; }

static scr_status eliminate_all(elimination *out, elimination_graph *m, const kkt_equations *e, int64_t work_limit,
                                bool *is_over, scr_error *error)
{
    node_heap heap = {0, m->heap_node, m->heap_at, m->degree, m->depth};
    for (int32_t i = 0; i < m->node_count; ++i) heap.at[i] = -1;
    for (int32_t i = 0; i < m->node_count; ++i) heap_update(&heap, i);
    int64_t stamp = 0, work = 0;
    out->first[0] = 0;
    while (heap.count > 0) {
        int32_t node = heap_pop(&heap);
        if (!may_go(m, e, node)) continue;  // it comes back when one that it meets goes
        m->is_gone[node] = 1;
        list_tidy(m, node);
        work += pair_count(m->list[node].count);
        *is_over = work > work_limit;
        if (*is_over) return SCR_OK;
        scr_status status = add_column(out, m, node, error);
        if (status == SCR_OK) status = fill_in(m, node, &stamp, error);
        if (status != SCR_OK) return status;
        hold_together(m, e, node);
        for (int32_t k = 0; k < m->list[node].count; ++k) heap_update(&heap, m->pool[m->list[node].first + k]);
    }
    return SCR_OK;
}

static int by_value(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void sort_rows(elimination *out)
{
    for (int64_t k = 0; k < out->first[out->count]; ++k) out->row[k] = out->rank[out->row[k]];
    for (int32_t c = 0; c < out->count; ++c)
        qsort(out->row + out->first[c], (size_t)(out->first[c + 1] - out->first[c]), sizeof *out->row, by_value);
}

static scr_status find_targets(elimination *out, scr_error *error)
{
    out->first_target[0] = 0;
    for (int32_t c = 0; c < out->count; ++c) {
        out->first_target[c + 1] = out->first_target[c] + pair_count(out->first[c + 1] - out->first[c]);
    }
    if (out->first[out->count] > INT32_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "a mechanism has more closed loops than can be solved");
    scr_status status = scr_grow_anew(&out->target, &out->target_capacity, out->first_target[out->count] + LANE_TARGETS,
                                      sizeof *out->target, "the order of a mechanism", error);
    if (status != SCR_OK) return status;
    for (int32_t c = 0; c < out->count; ++c) {
        int32_t *target = out->target + out->first_target[c];
        for (int64_t a = out->first[c]; a < out->first[c + 1]; ++a) {
            int64_t entry = out->first[out->row[a]];
            for (int64_t b = a + 1; b < out->first[c + 1]; ++b) {
                while (out->row[entry] != out->row[b]) ++entry;  // all of them are there: that is what fills in
                *target++ = (int32_t)entry;
            }
        }
    }
    return SCR_OK;
}

static void find_changes(elimination *out, const kkt_equations *e)
{
    for (int32_t i = 0; i < out->count; ++i)
        out->changes[i] = i < e->body_count && e->stiffness != NULL && (e->is_touched == NULL || e->is_touched[i]);
    for (int32_t c = 0; c < out->count; ++c) {
        if (!out->changes[out->node[c]]) continue;
        for (int64_t k = out->first[c]; k < out->first[c + 1]; ++k) out->changes[out->row[k]] = 1;
    }
}

scr_status elimination_find(elimination *out, const kkt_equations *e, int64_t work_limit, bool *is_over,
                            scr_error *error)
{
    int64_t n = e->body_count + e->block_count;
    const scr_column columns[] = {
        {&out->node, sizeof *out->node},         {&out->rank, sizeof *out->rank},
        {&out->together, sizeof *out->together}, {&out->changes, sizeof *out->changes},
        {&out->first, sizeof *out->first},       {&out->first_target, sizeof *out->first_target}};
    out->count = 0;
    scr_status status = scr_grow_together(columns, sizeof columns / sizeof *columns, &out->node_capacity, n + 1,
                                          "the order of a mechanism", error);
    if (status != SCR_OK) return status;
    elimination_graph m = {0};
    status = reserve(&m, e, error);
    if (status == SCR_OK) status = meet_first(&m, e, error);
    if (status == SCR_OK) status = eliminate_all(out, &m, e, work_limit, is_over, error);
    if (status == SCR_OK && !*is_over) find_changes(out, e);
    if (status == SCR_OK && !*is_over) status = elimination_by_level(out, e->body_count, m.depth, m.size, error);
    scr_free(m.pool);
    scr_arena_free(&m.arena);
    if (status != SCR_OK || *is_over) return status;
    sort_rows(out);
    return find_targets(out, error);
}

void elimination_free(elimination *out)
{
    scr_free(out->node);
    scr_free(out->rank);
    scr_free(out->together);
    scr_free(out->changes);
    scr_free(out->first);
    scr_free(out->row);
    scr_free(out->first_target);
    scr_free(out->target);
    *out = (elimination){0};
}

int64_t elimination_entry(const elimination *o, int32_t node_a, int32_t node_b)
{
    int32_t a = o->rank[node_a], b = o->rank[node_b], column = a < b ? a : b, row = a < b ? b : a;
    int64_t low = o->first[column], high = o->first[column + 1] - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (o->row[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}
