// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/kkt/kkt_split.h"

#include <string.h>

#include "core/arrays/colouring.h"
#include "core/base/threads.h"
#include "dynamics/kkt/kkt_order.h"

enum {
    COPY_BLOCKS = 8,  // that a copy meets: more fill in more, fewer need more welds
    HUB_BLOCKS = 32,  // that make a body worth copying
};

static const char WHAT[] = "the equations of a mechanism";

static void count_blocks(kkt_split *s, const kkt_equations *e)
{
    memset(s->met, 0, (size_t)e->body_count * sizeof *s->met);
    for (int64_t a = 0; a < e->jacobian_count; ++a)
        if (is_movable(e, e->jacobian[a].body)) ++s->met[e->jacobian[a].body];
}

// Where the copies of each body begin. Returns how many there are in all, without the bodies themselves.
static int32_t count_copies(kkt_split *s, const kkt_equations *e)
{
    int32_t copies = 0;
    count_blocks(s, e);
    for (int32_t i = 0; i < e->body_count; ++i) {
        s->first_copy[i] = copies;
        if (s->met[i] > HUB_BLOCKS) copies += (int32_t)block_count_of(s->met[i], COPY_BLOCKS) - 1;
    }
    s->first_copy[e->body_count] = copies;
    return copies;
}

// The number of the t-th copy of a body, the 0th being the body itself.
static int32_t copy_number(const kkt_split *s, int32_t body, int32_t t)
{
    return t == 0 ? body : s->body_count + s->first_copy[body] + t - 1;
}

static int32_t copy_count(const kkt_split *s, int32_t body)
{
    return s->first_copy[body + 1] - s->first_copy[body] + 1;
}

// Blocks are dealt out to the copies like cards: those on one copy are then seldom neighbours, which would hold it
// badly and leave pivots near nothing; and blocks between two hubs still join copies of the same number.
static void share_blocks(kkt_split *s, const kkt_equations *e)
{
    memset(s->met, 0, (size_t)e->body_count * sizeof *s->met);
    for (int64_t a = 0; a < e->jacobian_count; ++a) {
        int32_t body = e->jacobian[a].body;
        s->jacobian[a].body = NO_BODY;
        if (!is_movable(e, body)) continue;
        s->jacobian[a].body = copy_number(s, body, s->met[body]++ % copy_count(s, body));
    }
}

static void weld(kkt_split *s, int64_t number, int32_t earlier, int32_t later)
{
    row_block *block = &s->block[s->block_count + number];
    joint_jacobian *jacobian =
        &s->jacobian[s->equations.jacobian_count - 2 * (s->equations.block_count - s->block_count) + 2 * number];
    *block = (row_block){.row_count = BLOCK_ROWS,
                         .jacobian_count = 2,
                         .first_jacobian = jacobian - s->jacobian,
                         .first_row = s->equations.row_count -
                                      BLOCK_ROWS * (s->equations.block_count - s->block_count - number)};
    memset(jacobian, 0, 2 * sizeof *jacobian);
    jacobian[0].body = earlier;
    jacobian[1].body = later;
    for (int k = 0; k < BLOCK_ROWS; ++k) {
        jacobian[0].row[k][k] = -1.0;
        jacobian[1].row[k][k] = 1.0;
    }
}

static void weld_copies(kkt_split *s)
{
    for (int32_t i = 0; i < s->body_count; ++i) {
        int32_t count = copy_count(s, i);
        for (int32_t t = 0; t < count; ++t) s->mass_share[copy_number(s, i, t)] = 1.0 / count;
        for (int32_t t = 1; t < count; ++t)
            weld(s, s->first_copy[i] + t - 1, copy_number(s, i, t - 1), copy_number(s, i, t));
    }
}

scr_status kkt_split_make(kkt_split *s, const kkt_equations *e, scr_error *error)
{
    const scr_column given[] = {{&s->met, sizeof *s->met}, {&s->first_copy, sizeof *s->first_copy}};
    scr_status status = scr_grow_together(given, 2, &s->given_capacity, (int64_t)e->body_count + 1, WHAT, error);
    if (status != SCR_OK) return status;
    int32_t copies = count_copies(s, e);
    const scr_column bodies[] = {{&s->body, sizeof *s->body}, {&s->mass_share, sizeof *s->mass_share}};
    s->body_count = e->body_count;
    s->block_count = e->block_count;
    s->equations = *e;
    s->equations.body_count += copies;
    s->equations.block_count += copies;
    s->equations.row_count += BLOCK_ROWS * (int64_t)copies;
    s->equations.jacobian_count += 2 * (int64_t)copies;
    s->equations.weld_count = copies;
    status = scr_grow_together(bodies, 2, &s->body_capacity, s->equations.body_count, WHAT, error);
    if (status == SCR_OK)
        status = scr_grow(&s->block, &s->block_capacity, s->equations.block_count, sizeof *s->block, WHAT, error);
    if (status == SCR_OK)
        status = scr_grow(&s->jacobian, &s->jacobian_capacity, s->equations.jacobian_count, sizeof *s->jacobian, WHAT,
                          error);
    if (status != SCR_OK) return status;
    share_blocks(s, e);
    weld_copies(s);
    memcpy(s->block, e->block, (size_t)e->block_count * sizeof *s->block);
    s->equations.body = s->body;
    s->equations.mass_share = s->mass_share;
    s->equations.block = s->block;
    s->equations.jacobian = s->jacobian;
    return SCR_OK;
}

static body_inertia inertia_of_copy(const body_inertia *whole, double share)
{
    body_inertia copy = {.mass = share * whole->mass};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            copy.inertia.m[i][k] = share * whole->inertia.m[i][k];
            copy.inv_inertia.m[i][k] = whole->inv_inertia.m[i][k] / share;
        }
    return copy;
}

void kkt_split_load(kkt_split *s, const kkt_equations *e)
{
    for (int32_t i = 0; i < s->body_count; ++i)
        for (int32_t t = 0, count = copy_count(s, i); t < count; ++t)
            s->body[copy_number(s, i, t)] = inertia_of_copy(&e->body[i], 1.0 / count);
    memcpy(s->block, e->block, (size_t)e->block_count * sizeof *s->block);
    for (int64_t a = 0; a < e->jacobian_count; ++a)
        memcpy(s->jacobian[a].row, e->jacobian[a].row, sizeof s->jacobian[a].row);
    s->equations.is_redundant = e->is_redundant;
    s->equations.is_counted = e->is_counted;
}

// Rows that welds lost, by the body that was copied, into met.
static void count_lost_welds(kkt_split *s, const int32_t *rank, const uint8_t *lost)
{
    for (int32_t i = 0; i < s->body_count; ++i) {
        s->met[i] = 0;
        for (int32_t w = s->first_copy[i]; w < s->first_copy[i + 1]; ++w)
            s->met[i] += __builtin_popcount(lost[rank[s->equations.body_count + s->block_count + w]]);
    }
}

static int32_t body_of_copy(const kkt_split *s, int32_t number)
{
    if (number < s->body_count) return number;
    int32_t low = 0, high = s->body_count - 1, copy = number - s->body_count;  // the last body with first_copy <= copy
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (s->first_copy[middle] <= copy) low = middle;
        else high = middle - 1;
    }
    return low;
}

void kkt_split_blame(kkt_split *s, const int32_t *rank, const uint8_t *open, uint8_t *lost)
{
    count_lost_welds(s, rank, lost);
    for (int64_t b = s->block_count - 1; b >= 0; --b) {  // as without copies, the later ones are those too many
        const row_block *block = &s->block[b];
        int32_t at = rank[s->equations.body_count + b];
        for (int64_t a = block->first_jacobian; a < block->first_jacobian + block->jacobian_count; ++a) {
            if (s->jacobian[a].body == NO_BODY) continue;
            int32_t *left = &s->met[body_of_copy(s, s->jacobian[a].body)];
            for (int row = block->row_count - 1; row >= 0 && *left > 0; --row) {
                if ((open[at] | lost[at]) >> row & 1) continue;
                lost[at] |= (uint8_t)(1u << row);
                --*left;
            }
        }
    }
}

void kkt_split_free(kkt_split *s)
{
    void *arrays[] = {s->body, s->mass_share, s->met, s->first_copy, s->block, s->jacobian};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) scr_free(arrays[i]);
    *s = (kkt_split){0};
}
