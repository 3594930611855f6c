// SPDX-License-Identifier: BSD-3-Clause
// Vectors of a solve: from bodies and rows to places and back, and sums over them.
//
// Compiled once for every instruction set: SCREE_ISA names it. Lane by lane IEEE operations: the same bits from all.
#include "dynamics/kkt/block6.h"
#include "dynamics/kkt/kkt_factor.h"

static void gather(const kkt_factors *f, const kkt_equations *e, int64_t body_count, int64_t block_count,
                   const double *body, const double *row, double *x)
{
    const int32_t *rank = f->order.rank;
    vec6_store(x + VEC6 * (int64_t)f->order.count, vec6_zero());  // the empty place
    for (int64_t i = 0; i < body_count; ++i) vec6_store(x + VEC6 * (int64_t)rank[i], vec6_load(body + VEC6 * i));
    for (int64_t b = 0; b < block_count; ++b) {
        double *to = x + VEC6 * (int64_t)rank[e->body_count + b];
        const double *from = row + e->block[b].first_row;
        if (e->block[b].row_count == VEC6 - 1) memcpy(to, from, (VEC6 - 1) * sizeof *to), to[VEC6 - 1] = 0.0;
        else
            for (int r = 0; r < VEC6; ++r) to[r] = r < e->block[b].row_count ? from[r] : 0.0;
    }
}

static void scatter(const kkt_factors *f, const kkt_equations *e, int64_t body_count, int64_t block_count,
                    const double *x, double *body, double *row)
{
    const int32_t *rank = f->order.rank;
    for (int64_t i = 0; i < body_count; ++i) vec6_store(body + VEC6 * i, vec6_load(x + VEC6 * (int64_t)rank[i]));
    for (int64_t b = 0; b < block_count; ++b) {
        const double *from = x + VEC6 * (int64_t)rank[e->body_count + b];
        double *to = row + e->block[b].first_row;
        if (e->block[b].row_count == VEC6 - 1)
            for (int r = 0; r < VEC6 - 1; ++r) to[r] = -from[r];
        else
            for (int r = 0; r < e->block[b].row_count; ++r) to[r] = -from[r];
    }
}

static double compliant_size(const kkt_factors *f, const double *x)
{
    vec6 sum = vec6_zero();  // lane by lane: one sum would wait for itself
    for (int64_t i = VEC6 * f->bare_count, n = VEC6 * (int64_t)f->order.count; i < n; i += VEC6) {
        vec6 v = vec6_load(x + i);
        sum = vec6_add(sum, vec6_multiply(vec6_load(f->compliance + i), vec6_multiply(v, v)));
    }
    double total = 0.0;
    for (int i = 0; i < VEC6; ++i) total += vec6_lane(sum, i);
    return total;
}

static void yield(const kkt_factors *f, double *x)
{
    for (int64_t i = VEC6 * f->bare_count, n = VEC6 * (int64_t)f->order.count; i < n; ++i) x[i] *= -f->compliance[i];
}

static void add(const kkt_factors *f, const double *x, double factor, double *sum)
{
    for (int64_t i = VEC6 * f->bare_count, n = VEC6 * (int64_t)f->order.count; i < n; ++i) sum[i] += factor * x[i];
}

const kkt_vector_kernels KERNEL(kkt_vector_kernels) = {gather, scatter, compliant_size, yield, add};
