// SPDX-License-Identifier: BSD-3-Clause
// The numbers of the equations, put where they are eliminated: M and -C into pivots, J into entries; then S. The
// unknowns of rows are -l, so that everything is symmetric.
//
// Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/kkt/block6.h"
#include "dynamics/kkt/kkt_factor.h"

// Numbers go straight to memory: a register put together from single ones would wait for them.
ALWAYS_INLINE void clear_block(double *a)
{
    UNROLL for (int c = 0; c < VEC6; ++c) vec6_store(a + VEC6 * c, vec6_zero());
}

static void fill_body(const kkt_factors *f, int64_t rank, const body_inertia *body)
{
    double *a = f->pivot + BLOCK6 * rank, *floor = f->floor + VEC6 * rank;
    clear_block(a);
    for (int i = 0; i < 3; ++i) {
        a[VEC6 * i + i] = body->mass;
        for (int k = 0; k < 3; ++k) a[VEC6 * (3 + i) + 3 + k] = body->inertia.m[i][k];  // symmetric
        floor[i] = BODY_FLOOR * body->mass;
        floor[3 + i] = BODY_FLOOR / body->inv_inertia.m[i][i];  // no pivot of an inertia is less than this, halved
    }
}

static void add_stiffness(double *pivot, const double *stiffness)
{
    for (int c = 0; c < VEC6; ++c)
        vec6_store(pivot + VEC6 * c, vec6_add(vec6_load(pivot + VEC6 * c), vec6_load(stiffness + VEC6 * c)));
}

// The column is that of the body that goes first.
static void add_coupling(double *entry, const double *stiffness, bool a_first)
{
    vec6 v[VEC6], transposed[VEC6];
    block_load(v, stiffness, VEC6);
    if (!a_first) vec6_transpose(transposed, v);
    for (int c = 0; c < VEC6; ++c)
        vec6_store(entry + VEC6 * c, vec6_add(vec6_load(entry + VEC6 * c), a_first ? v[c] : transposed[c]));
}

void KERNEL(kkt_stiffen)(const kkt_factors *f, const kkt_equations *e)
{
    const int32_t *rank = f->order.rank;
    for (int32_t i = 0; i < e->body_count; ++i)
        if (e->is_touched == NULL || e->is_touched[i])
            add_stiffness(f->pivot + BLOCK6 * (int64_t)rank[i], e->stiffness + BLOCK6 * (int64_t)i);
    for (int64_t c = 0; c < e->coupling_count; ++c)
        add_coupling(f->entry + BLOCK6 * f->coupling_entry[c], e->coupling_stiffness + BLOCK6 * c,
                     rank[e->coupling[c].a] < rank[e->coupling[c].b]);
}

static void fill_rows(const kkt_factors *f, int64_t rank, const row_block *block)
{
    double *a = f->pivot + BLOCK6 * rank, *added = f->added + VEC6 * rank;
    clear_block(a);
    for (int r = 0; r < VEC6; ++r) {
        added[r] = r < block->row_count ? block->compliance[r] : 0.0;
        a[VEC6 * r + r] = -added[r];
    }
    f->open[rank] = (uint8_t)(block->open | (0x3f & ~0u << block->row_count));  // rows that are not there are open too
}

// J of one body: rows of the block are columns of the entry if the block goes first.
ALWAYS_INLINE void fill_jacobian(double *entry, const joint_jacobian *jacobian, int row_count, bool body_first)
{
    vec6 v[VEC6], transposed[VEC6];
    UNROLL for (int r = 0; r < VEC6; ++r) v[r] = r < row_count ? vec6_load(jacobian->row[r]) : vec6_zero();
    if (body_first) {
        vec6_transpose(transposed, v);
        block_store(entry, transposed, VEC6);
    } else {
        block_store(entry, v, VEC6);
    }
}

static void add_jacobian(double *entry, const joint_jacobian *jacobian, int row_count, bool body_first)
{
    for (int r = 0; r < row_count; ++r)
        for (int d = 0; d < VEC6; ++d) entry[body_first ? VEC6 * d + r : VEC6 * r + d] += jacobian->row[r][d];
}

static void fill_jacobians(const kkt_factors *f, const kkt_equations *e, const row_block *block, int32_t rank)
{
    for (int64_t a = block->first_jacobian; a < block->first_jacobian + block->jacobian_count; ++a) {
        if (f->jacobian_entry[a] < 0) continue;
        double *entry = f->entry + BLOCK6 * f->jacobian_entry[a];
        int32_t body_rank = f->order.rank[e->jacobian[a].body];
        bool body_first = body_rank < rank;
        if (f->is_direct[body_rank]) continue;
        if (body_is_again(f, block, a)) add_jacobian(entry, &e->jacobian[a], block->row_count, body_first);
        else fill_jacobian(entry, &e->jacobian[a], block->row_count, body_first);
    }
}

// The rows of a block as one body feels them, number by number: Jacobians of the same body add up.
ALWAYS_INLINE void rows_of_body(const kkt_factors *f, const kkt_equations *e, const row_block *block, int64_t jacobian,
                                vec6 number[VEC6])
{
    vec6 row[VEC6];
    for (int r = 0; r < VEC6; ++r)
        row[r] = r < block->row_count ? vec6_load(e->jacobian[jacobian].row[r]) : vec6_zero();
    for (int64_t a = jacobian + 1; a < block->first_jacobian + block->jacobian_count; ++a) {
        if (f->jacobian_entry[a] != f->jacobian_entry[jacobian]) continue;
        for (int r = 0; r < block->row_count; ++r) row[r] = vec6_add(row[r], vec6_load(e->jacobian[a].row[r]));
    }
    vec6_transpose(number, row);
}

// J M^-1 J^T of all rows of a block and one body
ALWAYS_INLINE vec6 row_mobility(const vec6 number[VEC6], const body_inertia *body)
{
    vec6 force = vec6_zero(), angular = vec6_zero();
    for (int i = 0; i < 3; ++i) {
        const double *inverse = body->inv_inertia.m[i];
        vec6 t = vec6_add(vec6_scale(number[3], inverse[0]),
                          vec6_add(vec6_scale(number[4], inverse[1]), vec6_scale(number[5], inverse[2])));
        force = vec6_add(force, vec6_multiply(number[i], number[i]));
        angular = vec6_add(angular, vec6_multiply(number[3 + i], t));
    }
    return vec6_plus(angular, force, 1.0 / body->mass);
}

static void find_compliance(const kkt_factors *f, const kkt_equations *e, const row_block *block, int32_t rank)
{
    vec6 sum = vec6_zero();
    for (int64_t a = block->first_jacobian; a < block->first_jacobian + block->jacobian_count; ++a) {
        if (f->jacobian_entry[a] < 0 || body_is_again(f, block, a)) continue;
        int32_t body = e->jacobian[a].body;
        if (f->notes_compliance && f->is_direct[f->order.rank[body]]) continue;
        vec6 number[VEC6];
        rows_of_body(f, e, block, a, number);
        vec6 one = row_mobility(number, &e->body[body]);
        sum = vec6_add(sum, e->mass_share != NULL ? vec6_scale(one, e->mass_share[body]) : one);  // of the whole body
    }
    vec6_store(f->compliance + VEC6 * (int64_t)rank, vec6_scale(sum, f->compliant_share));
}

void KERNEL(kkt_fill)(const kkt_factors *f, const kkt_equations *e, bool compliant)
{
    const elimination *o = &f->order;
    for (int64_t i = 0; i < o->first[o->count]; ++i)
        if (f->is_new[i]) clear_block(f->entry + BLOCK6 * i);
    for (int32_t i = 0; i < e->body_count; ++i)
        if (!f->is_direct[o->rank[i]]) fill_body(f, o->rank[i], &e->body[i]);
    for (int64_t b = 0; b < e->block_count; ++b) {
        int32_t rank = o->rank[e->body_count + b];
        fill_jacobians(f, e, &e->block[b], rank);
        if (compliant && b < e->block_count - e->weld_count) find_compliance(f, e, &e->block[b], rank);
        fill_rows(f, rank, &e->block[b]);
    }
}
