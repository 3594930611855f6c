// SPDX-License-Identifier: BSD-3-Clause
// Where the numbers of columns that are worked on together are.
#include <string.h>

#include "dynamics/kkt/block6.h"
#include "dynamics/kkt/kkt_factor.h"

static const char WHAT[] = "the equations of a mechanism";

static void make_empty_place(const kkt_factors *f)
{
    const elimination *o = &f->order;
    int64_t place = o->count, entry = o->first[place];
    memset(f->entry + BLOCK6 * entry, 0, LANE_ENTRIES * BLOCK6 * sizeof *f->entry);
    for (int i = 0; i < LANE_ENTRIES; ++i) o->row[entry + i] = (int32_t)place;
    for (int i = 0; i < LANE_TARGETS; ++i) o->target[o->first_target[place] + i] = (int32_t)entry;
    for (int i = 0; i < BLOCK6; ++i) f->pivot[BLOCK6 * place + i] = i % (VEC6 + 1) == 0 ? 1.0 : 0.0;
    for (int i = 0; i < VEC6; ++i) f->floor[VEC6 * place + i] = 1.0, f->added[VEC6 * place + i] = 0.0;
    for (int i = 0; i < VEC6; ++i) f->compliance[VEC6 * place + i] = 2.0;  // -1 as a row
}

static void find_lane(const kkt_factors *f, kkt_batch *b, int lane, int64_t place)
{
    const elimination *o = &f->order;
    int64_t first = o->first[place], target = o->first_target[place];
    b->x[lane] = (int32_t)(VEC6 * place);
    b->pivot[lane] = (int32_t)(BLOCK6 * place);
    for (int e = 0; e < b->entries; ++e) {
        b->row_x[e][lane] = VEC6 * o->row[first + e];
        b->row_pivot[e][lane] = BLOCK6 * o->row[first + e];
        b->entry[e][lane] = (int32_t)(BLOCK6 * (first + e));
    }
    for (int t = 0; t < b->entries * (b->entries - 1) / 2; ++t) b->target[t][lane] = BLOCK6 * o->target[target + t];
}

// Returns where the next one's numbers begin.
static int64_t lay_out_lanes(const kkt_factors *f, kkt_batch *b, int64_t place, int64_t at)
{
    int n = lane_size(f->size[place]);
    b->lower = at;
    b->inverse = b->lower + LANES * lower_numbers(f->is_bare[place] ? MASSES : 0, n);
    at = b->inverse + LANES * n;
    for (int e = 0; e < b->entries; ++e) {
        b->size[e] = (uint8_t)lane_size(f->size[f->order.row[f->order.first[place] + e]]);
        b->w[e] = at;
        at += LANES * n * b->size[e];
    }
    return at;
}

// Where in the equations the numbers of a bare body's entry are, or -1: two Jacobians add up, or rows are missing.
static int64_t jacobian_of(const kkt_factors *f, const kkt_equations *e, int32_t body, int32_t block_place)
{
    const row_block *block = &e->block[f->order.node[block_place] - e->body_count];
    int64_t found = -1;
    for (int64_t a = block->first_jacobian; a < block->first_jacobian + block->jacobian_count; ++a) {
        if (e->jacobian[a].body != body) continue;
        if (found >= 0) return -1;
        found = a;
    }
    return block->row_count == lane_size(block->row_count) ? found : -1;
}

static int32_t doubles_before(const void *base, const void *at)
{
    return (int32_t)(((const char *)at - (const char *)base) / (int64_t)sizeof(double));
}

// Whether numbers of all arrays have short indices. They do unless there are some 50 million bodies.
static bool are_countable(const kkt_factors *f, const kkt_equations *e)
{
    const elimination *o = &f->order;
    int64_t places = o->count + 1, entries = o->first[o->count] + LANE_ENTRIES;
    int64_t jacobians = e->jacobian_count * (int64_t)(sizeof *e->jacobian / sizeof(double));
    int64_t most = BLOCK6 * (places > entries ? places : entries);
    return (most > jacobians ? most : jacobians) <= INT32_MAX;
}

static bool find_direct_lane(const kkt_factors *f, const kkt_equations *e, kkt_batch *b, int lane, int64_t place)
{
    int32_t body = f->order.node[place];
    b->body[lane] = doubles_before(e->body, &e->body[body]);
    for (int i = 0; i < b->entries; ++i) {
        int64_t jacobian = jacobian_of(f, e, body, f->order.row[f->order.first[place] + i]);
        if (jacobian < 0) return false;
        b->jacobian[i][lane] = doubles_before(e->jacobian, e->jacobian[jacobian].row);
    }
    return true;
}

static bool meets_hinges(const kkt_factors *f, const kkt_equations *e, int64_t place)
{
    for (int64_t i = f->order.first[place]; i < f->order.first[place + 1]; ++i) {
        const row_block *block = &e->block[f->order.node[f->order.row[i]] - e->body_count];
        if (block->row_count != HINGE_ROWS || block->turning_count != HINGE_ROWS - HINGE_PUSHES) return false;
    }
    return true;
}

static void find_direct(const kkt_factors *f, const kkt_equations *e, kkt_batch *b, int64_t place)
{
    b->is_direct = b->count == LANES && f->is_bare[place];
    for (int l = 0; b->is_direct && l < LANES; ++l) b->is_direct = find_direct_lane(f, e, b, l, place + l);
    b->is_hinged = b->is_direct;
    for (int l = 0; b->is_hinged && l < LANES; ++l) b->is_hinged = meets_hinges(f, e, place + l);
    for (int l = 0; l < b->count; ++l) f->is_direct[place + l] = b->is_direct;
}

scr_status kkt_batches_make(kkt_factors *f, const kkt_equations *e, scr_error *error)
{
    const elimination *o = &f->order;
    int64_t numbers = 0;
    f->batch_count = 0;
    if (!are_countable(f, e)) return scr_fail(error, SCR_NO_MEMORY, "a mechanism has too many joints to be solved");
    for (int64_t p = 0; p < o->count; ++p) f->batch_count += o->together[p] > 1;
    scr_status status = scr_grow_anew(&f->batch, &f->batch_capacity, f->batch_count + 1, sizeof *f->batch, WHAT, error);
    if (status != SCR_OK) return status;
    make_empty_place(f);
    memset(f->is_direct, 0, (size_t)o->count);
    int32_t count = 0;
    for (int64_t p = 0; p < o->count; ++p) {
        f->batch_of[p] = count;
        if (o->together[p] <= 1) continue;
        kkt_batch *b = &f->batch[count++];
        *b = (kkt_batch){.count = o->together[p], .entries = (int32_t)(o->first[p + 1] - o->first[p])};
        for (int l = 0; l < LANES; ++l) find_lane(f, b, l, l < b->count ? p + l : o->count);
        find_direct(f, e, b, p);
        numbers = lay_out_lanes(f, b, p, numbers);
    }
    return scr_grow_anew(&f->lane, &f->lane_capacity, numbers + 1, sizeof *f->lane, WHAT, error);
}
