// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it. Lane by lane IEEE operations: the same bits from all.
#include "dynamics/kkt/kkt_factor.h"

#include <math.h>

#include "dynamics/kkt/block6.h"

// What a pivot must be above to hold.
ALWAYS_INLINE double least_pivot(const kkt_factors *f, int64_t j, int k, bool find)
{
    if (f->open[j] >> k & 1) return INFINITY;
    return find ? f->doubted_share * f->added[VEC6 * j + k] : 0.0;
}

// Of a row that is in doubt. lower: L so far
static bool row_holds(const kkt_factors *f, int64_t j, int k, double pivot, const double lower[BLOCK6])
{
    return kkt_row_holds(&(doubted_row){f, j, j, k, pivot, lower, KERNEL(kkt_follow)});
}

// The compliance of rows is known once all that yields to them has been eliminated.
ALWAYS_INLINE void take_compliance(const kkt_factors *f, int64_t j)
{
    for (int k = 0; k < VEC6; ++k) {
        f->pivot[BLOCK6 * j + (VEC6 + 1) * k] -= f->compliance[VEC6 * j + k];
        f->floor[VEC6 * j + k] = ROW_FLOOR * f->compliance[VEC6 * j + k];
    }
}

// D^-1 into inverse, and L, of which the part below the diagonal counts. A pivot is raised to its floor; one that then
// is not above the least is left out: it holds nothing, and bit k of the result tells. Rows are negated first, so that
// the chain of divisions, which everything waits for, has no signs in it. Columns before `first` hold the same number
// on their diagonal and nothing else.
ALWAYS_INLINE unsigned factor_pivot(const kkt_factors *f, int64_t j, bool find, int first, int n, double lower[BLOCK6])
{
    double *inverse = f->inverse + VEC6 * j, sign = f->is_row[j] ? -1.0 : 1.0;
    const double *floor = f->floor + VEC6 * j;
    unsigned left_out = 0;
    vec6 v[VEC6];
    if (f->is_row[j]) take_compliance(f, j);
    block_load(v, f->pivot + BLOCK6 * j, n);
    UNROLL for (int k = 0; k < n; ++k) v[k] = vec6_scale(v[k], sign);
    if (first > 0) inverse[0] = inverse[1] = inverse[2] = 1.0 / vec6_lane(v[0], 0);
    UNROLL for (int k = first; k < n; ++k)
    {
        double pivot = vec6_lane(v[k], k);
        if (__builtin_expect(pivot < floor[k], 0)) pivot = floor[k];
        double inverted = 1.0 / pivot;
        if (f->is_row[j] && __builtin_expect(!(pivot > least_pivot(f, j, k, find)), 0) &&
            !(find && row_holds(f, j, k, pivot, lower))) {
            inverted = 0.0;
            left_out |= 1u << k;
        }
        vec6 column = vec6_scale(v[k], inverted);
        UNROLL for (int c = k + 1; c < n; ++c) v[c] = vec6_minus(v[c], column, vec6_lane(v[k], c));
        vec6_store(lower + VEC6 * k, column);
        inverse[k] = sign * inverted;
    }
    if (n < VEC6) inverse[n] = 0.0;
    return left_out;
}

// L^-T, which solving needs
ALWAYS_INLINE void invert_pivot(const kkt_factors *f, int64_t j, const double lower[BLOCK6], int first, int n)
{
    vec6 upper[VEC6];
    block_invert_lower(upper, lower, first, n);
    block_store(f->pivot + BLOCK6 * j, upper, n);
}

// W D^-1
ALWAYS_INLINE void scale_entry(double scaled[BLOCK6], const vec6 w[VEC6], const double inverse[VEC6], int n)
{
    UNROLL for (int c = 0; c < n; ++c) vec6_store(scaled + VEC6 * c, vec6_scale(w[c], inverse[c]));
}

// W of all entries of a column, and what was added into the pivots of rows, which finding needs
ALWAYS_INLINE void factor_entries(const kkt_factors *f, int64_t j, bool find, const double lower[BLOCK6], int first,
                                  int n)
{
    const elimination *o = &f->order;
    const double *inverse = f->inverse + VEC6 * j;
    for (int64_t e = o->first[j]; e < o->first[j + 1]; ++e) {
        vec6 w[VEC6];
        block_load(w, f->entry + BLOCK6 * e, n);
        block_solve_right(w, lower, first, n);
        block_store(f->entry + BLOCK6 * e, w, n);
        if (!find || f->is_row[j]) continue;
        double *added = f->added + VEC6 * (int64_t)o->row[e];
        vec6 sum = vec6_load(added);
        UNROLL for (int d = 0; d < n; ++d) sum = vec6_add(sum, vec6_multiply(w[d], vec6_scale(w[d], inverse[d])));
        vec6_store(added, sum);
    }
}

// What the elimination of column j does to the others
ALWAYS_INLINE void update_others(const kkt_factors *f, int64_t j, int n)
{
    const elimination *o = &f->order;
    const int32_t *target = o->target + o->first_target[j];
    for (int64_t a = o->first[j]; a < o->first[j + 1]; ++a) {
        int64_t i = o->row[a];
        double scaled[BLOCK6];
        vec6 w[VEC6];
        block_load(w, f->entry + BLOCK6 * a, n);
        scale_entry(scaled, w, f->inverse + VEC6 * j, n);
        for (int64_t b = a; b < o->first[j + 1]; ++b) {
            double *into = b == a ? f->pivot + BLOCK6 * i : f->entry + BLOCK6 * *target++;
            block_load(w, f->entry + BLOCK6 * b, n);
#define INTO(size) block_minus_product(into, w, scaled, size, n)
            WITH_SIZE(f->size[i], INTO);
        }
    }
}

ALWAYS_INLINE unsigned factor_column(const kkt_factors *f, int64_t j, bool find, int first, int n)
{
    double lower[BLOCK6];
    unsigned left_out = factor_pivot(f, j, find, first, n, lower);
    factor_entries(f, j, find, lower, first, n);
    invert_pivot(f, j, lower, first, n);
    update_others(f, j, n);
    return left_out;
}

static int64_t factor(const kkt_factors *f, kkt_part part, bool find)
{
    int64_t lost_count = 0;
    const uint8_t *together = f->order.together;
    for (int64_t j = 0; j < f->order.count; j += together[j]) {
        if (part != KKT_ALL && f->order.changes[f->order.node[j]] != (part == KKT_CHANGING)) continue;
        if (together[j] > 1) {
            lost_count += KERNEL(kkt_lane_kernels).factor(f, j, find);
            continue;
        }
        if (f->is_bare[j]) {
            factor_column(f, j, find, MASSES, VEC6);
            continue;
        }
        unsigned left_out;
#define FACTOR_COLUMN(size) left_out = factor_column(f, j, find, 0, size)
        WITH_SIZE(f->size[j], FACTOR_COLUMN);
        if (!find || !f->is_row[j]) continue;
        f->lost[j] = (uint8_t)(left_out & ~(unsigned)f->open[j]);
        lost_count += __builtin_popcount(f->lost[j]);
    }
    return lost_count;
}

// Whether six numbers are 0, of either sign
ALWAYS_INLINE bool is_zero(const double *x)
{
    uint64_t bits[VEC6];
    memcpy(bits, x, sizeof bits);
    return (bits[0] | bits[1] | bits[2] | bits[3] | bits[4] | bits[5]) << 1 == 0;
}

ALWAYS_INLINE void forward_column(const kkt_factors *f, int64_t j, double *x, int n)
{
    const elimination *o = &f->order;
    double *own = x + VEC6 * j;
    if (is_zero(own)) return;  // most bodies, where nothing but rows ask for something
    vec6_store(own, vec6_multiply(vec6_load(f->inverse + VEC6 * j),
                                  vec6_times_transposed(f->pivot + BLOCK6 * j, vec6_load(own))));
    for (int64_t e = o->first[j]; e < o->first[j + 1]; ++e) {
        double *other = x + VEC6 * (int64_t)o->row[e];
        vec6_store(other, vec6_subtract(vec6_load(other), vec6_times(f->entry + BLOCK6 * e, own, n)));
    }
}

ALWAYS_INLINE void back_column(const kkt_factors *f, int64_t j, double *x, int n)
{
    const elimination *o = &f->order;
    double *own = x + VEC6 * j, y[VEC6];
    vec6 sum = vec6_zero();
    for (int64_t e = o->first[j]; e < o->first[j + 1]; ++e)
        sum = vec6_add(sum, vec6_times_transposed(f->entry + BLOCK6 * e, vec6_load(x + VEC6 * (int64_t)o->row[e])));
    vec6_store(y, vec6_subtract(vec6_load(own), vec6_multiply(vec6_load(f->inverse + VEC6 * j), sum)));
    vec6_store(own, vec6_times(f->pivot + BLOCK6 * j, y, n));
}

void KERNEL(kkt_follow)(const kkt_factors *f, int64_t first, int64_t last, double *x)
{
#define BACK_COLUMN(size) back_column(f, j, x, size)
    const uint8_t *together = f->order.together;
    for (int64_t j = last - 1; j >= first; --j) {
        if (together[j] > 1) KERNEL(kkt_lane_kernels).back(f, j, x);
        else if (together[j] == 1) WITH_SIZE(f->size[j], BACK_COLUMN);
    }
}

static void forward_all(const kkt_factors *f, int64_t first, double *x)
{
#define FORWARD_COLUMN(size) forward_column(f, j, x, size)
    const uint8_t *together = f->order.together;
    for (int64_t j = first; j < f->order.count; j += together[j]) {
        if (together[j] > 1) KERNEL(kkt_lane_kernels).forward(f, j, x);
        else WITH_SIZE(f->size[j], FORWARD_COLUMN);
    }
}

const kkt_kernels KERNEL(kkt_kernels) = {
    &KERNEL(kkt_vector_kernels), KERNEL(kkt_fill), KERNEL(kkt_stiffen), factor, forward_all, KERNEL(kkt_follow)};
