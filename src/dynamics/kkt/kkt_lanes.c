// SPDX-License-Identifier: BSD-3-Clause
// Four columns of the same shape at once (kkt_levels.h), each in a lane: no lane is wasted, whatever the size of
// blocks,
// and neither divisions nor sums wait for each other. What is eliminated is kept lane by lane; what is left to be
// eliminated stays as it was, node by node.
//
// Of a batch are kept, four numbers each: L below its diagonal, row by row; D^-1; W of every entry, row by row.
//
// Compiled once for every instruction set: SCREE_ISA names it. The same operations in the same order: the same bits.
#include <math.h>

#include "dynamics/kkt/block6.h"
#include "dynamics/kkt/kkt_factor.h"
#include "dynamics/kkt/kkt_levels.h"
#include "dynamics/kkt/lanes4.h"

// Where the numbers of a body_inertia are
enum { MASS_AT, INERTIA_AT, INVERSE_AT = INERTIA_AT + 9 };

// ---- factor ----

// What pivots of rows must be above to hold
ALWAYS_INLINE void least_pivots(const kkt_factors *f, const kkt_batch *b, int64_t place, bool find, real least[VEC6])
{
    for (int k = 0; k < VEC6; ++k) least[k] = real_set(0.0);
    if (find) {
        lanes_gather(least, f->added, b->x, VEC6);
        for (int k = 0; k < VEC6; ++k) least[k] *= f->doubted_share;
    }
    for (int l = 0; l < b->count; ++l)
        for (unsigned open = f->open[place + l], k = 0; open != 0; open >>= 1, ++k)
            if (open & 1) least[k][l] = INFINITY;
}

// Which of the rows k that are in doubt hold after all. lower: L so far
static real_mask judge_rows(const kkt_factors *f, const kkt_batch *b, int64_t place, int k, real pivot,
                            const real lower[VEC6][VEC6], real_mask holds)
{
    for (int l = 0; l < b->count; ++l) {
        if (holds[l] != 0) continue;
        double own[BLOCK6];
        for (int d = 0; d < k; ++d)
            for (int c = d + 1; c <= k; ++c) own[VEC6 * d + c] = lower[c][d][l];
        const doubted_row doubted = {f, place + l, place, k, pivot[l], own, KERNEL(kkt_follow)};
        holds[l] = -(int64_t)kkt_row_holds(&doubted);
    }
    return holds;
}

// The lower parts of masses and inertias, from the equations, and the floors of their pivots
ALWAYS_INLINE void gather_masses(const kkt_factors *f, const kkt_batch *b, real a[VEC6][VEC6], real floor[VEC6])
{
    const double *base = (const double *)f->equations->body;
    real v[4][4];
    UNROLL for (int k = 0; k < 4; ++k)
    {
        static const int from[4] = {MASS_AT, INERTIA_AT + 4, INERTIA_AT + 8, INVERSE_AT + 4};
        UNROLL for (int l = 0; l < LANES; ++l) v[k][l] = real_load(base + b->body[l] + from[k]);
        real_transpose(v[k]);
    }
    const double *last = base + INVERSE_AT + 8;
    real inverse = {last[b->body[0]], last[b->body[1]], last[b->body[2]], last[b->body[3]]};
    a[2][2] = v[0][0];
    a[3][3] = v[0][1], a[3][4] = v[0][2], a[3][5] = v[0][3];
    a[4][4] = v[1][0], a[4][5] = v[1][1];
    a[5][5] = v[2][0];
    floor[3] = BODY_FLOOR / v[2][1], floor[4] = BODY_FLOOR / v[3][0], floor[5] = BODY_FLOOR / inverse;
}

// L and D^-1, as factor_pivot of kkt_factor.c. Of rows that hold nothing, bit k of left_out[l] tells.
ALWAYS_INLINE void factor_pivots(const kkt_factors *f, const kkt_batch *b, int64_t place, bool find, bool is_row,
                                 bool is_direct, int first, int n, real lower[VEC6][VEC6], real inverse[VEC6],
                                 unsigned left_out[LANES])
{
    real a[VEC6][VEC6], floor[VEC6], least[VEC6];  // a: columns
    const double sign = is_row ? -1.0 : 1.0;
    if (is_direct) {
        gather_masses(f, b, a, floor);
    } else {
        lanes_gather(floor, is_row ? f->compliance : f->floor, b->x, n);
        for (int c = first > 0 ? first - 1 : 0; c < n; ++c) lanes_gather(a[c], f->pivot + VEC6 * c, b->pivot, n);
    }
    if (is_row) least_pivots(f, b, place, find, least);
    UNROLL for (int k = 0; is_row && k < n; ++k)
    {
        a[k][k] -= floor[k];  // the compliance
        floor[k] *= ROW_FLOOR;
    }
    UNROLL for (int k = 0; k < first; ++k) inverse[k] = 1.0 / a[first - 1][first - 1];
    UNROLL for (int k = first; k < n; ++k)
    {
        real pivot = sign * a[k][k];
        pivot = real_select(pivot < floor[k], floor[k], pivot);
        real inverted = 1.0 / pivot;
        if (is_row) {
            real_mask holds = pivot > least[k];
            if (find && lanes_any(~holds)) holds = judge_rows(f, b, place, k, pivot, lower, holds);
            inverted = real_select(holds, inverted, real_set(0.0));
            for (int l = 0; find && l < LANES; ++l) left_out[l] |= (unsigned)(holds[l] == 0) << k;
        }
        inverse[k] = sign * inverted;
        UNROLL for (int r = k + 1; r < n; ++r) lower[r][k] = a[k][r] * inverse[k];
        UNROLL for (int c = k + 1; c < n; ++c) UNROLL for (int r = c; r < n; ++r) a[c][r] -= lower[c][k] * a[k][r];
    }
}

// Number d of row r of W
ALWAYS_INLINE real number_of(const double *w, int n, int r, int d) { return real_load(w + LANES * (n * r + d)); }

// The first number of a row of W that is not 0 whatever the pose: rows from `pushing` on have no linear part, and those
// numbers are neither stored nor read.
ALWAYS_INLINE int first_number(int r, int pushing) { return r < pushing ? 0 : MASSES; }

// W of an entry of m rows, row by row
ALWAYS_INLINE void factor_entry(const kkt_factors *f, const kkt_batch *b, int e, const real lower[VEC6][VEC6],
                                int first, int n, int m)
{
    real column[VEC6][VEC6], v[VEC6];
    double *w = f->lane + b->w[e];
    for (int c = 0; c < n; ++c) lanes_gather(column[c], f->entry + VEC6 * c, b->entry[e], m);
    for (int r = 0; r < m; ++r) {
        UNROLL for (int c = 0; c < n; ++c)
        {
            v[c] = column[c][r];
            UNROLL for (int d = first; d < c; ++d) v[c] -= v[d] * lower[c][d];
            real_store(w + LANES * (n * r + c), v[c]);
        }
    }
}

// The same, straight from Jacobians
ALWAYS_INLINE void factor_jacobian(const kkt_factors *f, const kkt_batch *b, int e, const real lower[VEC6][VEC6],
                                   int first, int n, int m, int pushing)
{
    const double *base = (const double *)f->equations->jacobian;
    double *w = f->lane + b->w[e];
    for (int r = 0; r < m; ++r) {
        real v[VEC6];
        lanes_gather(v, base + VEC6 * r, b->jacobian[e], VEC6);
        UNROLL for (int c = first + 1; c < n; ++c) UNROLL for (int d = first; d < c; ++d) v[c] -= v[d] * lower[c][d];
        UNROLL for (int c = first_number(r, pushing); c < n; ++c) real_store(w + LANES * (n * r + c), v[c]);
    }
}

// Rows of column c of W_b D^-1 W_a^T, from `from` on, taken from where they belong
ALWAYS_INLINE void subtract_column(double *into, const int32_t at[LANES], int c, const double *w_a, const double *w_b,
                                   const real inverse[VEC6], int from, int n, int m, int pushing, real sum[VEC6])
{
    real scaled[VEC6];
    const int first_of_c = first_number(c, pushing);
    UNROLL for (int d = first_of_c; d < n; ++d) scaled[d] = number_of(w_a, n, c, d) * inverse[d];
    UNROLL for (int r = 0; r < m; ++r)
    {
        if (r < from) {
            sum[r] = real_set(0.0);
            continue;
        }
        const int d0 = r < pushing ? first_of_c : first_number(r, pushing);
        sum[r] = scaled[d0] * number_of(w_b, n, r, d0);
        UNROLL for (int d = d0 + 1; d < n; ++d) sum[r] += scaled[d] * number_of(w_b, n, r, d);
    }
    lanes_subtract(into + VEC6 * c, at, sum, m);
}

// Of a pivot the part below the diagonal counts.
ALWAYS_INLINE void subtract_square(double *into, const int32_t at[LANES], const double *w, const real inverse[VEC6],
                                   int n, int m, int pushing, real diagonal[VEC6])
{
    UNROLL for (int c = 0; c < m; ++c)
    {
        real sum[VEC6];
        subtract_column(into, at, c, w, w, inverse, c, n, m, pushing, sum);
        diagonal[c] = sum[c];
    }
}

ALWAYS_INLINE void subtract_product(double *into, const int32_t at[LANES], const double *w_a, const double *w_b,
                                    const real inverse[VEC6], int size_a, int n, int m, int pushing)
{
    real sum[VEC6];
    UNROLL for (int c = 0; c < size_a; ++c) subtract_column(into, at, c, w_a, w_b, inverse, 0, n, m, pushing, sum);
}

// What was added up into the pivots of rows, which finding needs
ALWAYS_INLINE void note_added(const kkt_factors *f, const kkt_batch *b, int e, const real diagonal[VEC6])
{
    for (int l = 0; l < b->count; ++l)
        for (int k = 0; k < b->size[e]; ++k) f->added[b->row_x[e][l] + k] += diagonal[k][l];
}

// By how much rows yield to bodies that nothing else holds yet: a share of the same
ALWAYS_INLINE void note_compliance(const kkt_factors *f, const kkt_batch *b, int e, const real diagonal[VEC6], int m)
{
    real part[VEC6];
    UNROLL for (int k = 0; k < m; ++k) part[k] = -f->compliant_share * diagonal[k];
    lanes_subtract(f->compliance, b->row_x[e], part, m);
}

// How much is known of a batch's shape before its numbers are
typedef enum batch_shape { ANY_SHAPE, DIRECT_SHAPE, HINGED_SHAPE } batch_shape;

ALWAYS_INLINE void update_others(const kkt_factors *f, const kkt_batch *b, const real inverse[VEC6], bool note,
                                 batch_shape shape, int n)
{
    for (int e = 0, t = 0; e < b->entries; ++e) {
        const double *w_a = f->lane + b->w[e];
        real diagonal[VEC6];
#define INTO_PIVOT(m) subtract_square(f->pivot, b->row_pivot[e], w_a, inverse, n, m, VEC6, diagonal)
        if (shape == HINGED_SHAPE)
            subtract_square(f->pivot, b->row_pivot[e], w_a, inverse, n, HINGE_ROWS, HINGE_PUSHES, diagonal);
        else WITH_SIZE(b->size[e], INTO_PIVOT);
#define NOTE_COMPLIANCE(m) note_compliance(f, b, e, diagonal, m)
        if (note) note_added(f, b, e, diagonal);
        if (shape == HINGED_SHAPE && f->notes_compliance) note_compliance(f, b, e, diagonal, HINGE_ROWS);
        else if (shape == DIRECT_SHAPE && f->notes_compliance) WITH_SIZE(b->size[e], NOTE_COMPLIANCE);
        for (int other = e + 1; other < b->entries; ++other, ++t) {
            const double *w_b = f->lane + b->w[other];
#define INTO_ENTRY(m) subtract_product(f->entry, b->target[t], w_a, w_b, inverse, b->size[e], n, m, VEC6)
            if (shape == HINGED_SHAPE)
                subtract_product(f->entry, b->target[t], w_a, w_b, inverse, HINGE_ROWS, n, HINGE_ROWS, HINGE_PUSHES);
            else WITH_SIZE(b->size[other], INTO_ENTRY);
        }
    }
}

// Rows that were found redundant
ALWAYS_INLINE int64_t note_lost(const kkt_factors *f, const kkt_batch *b, int64_t place, const unsigned left_out[LANES])
{
    int64_t count = 0;
    for (int l = 0; l < b->count; ++l) {
        f->lost[place + l] = (uint8_t)(left_out[l] & ~(unsigned)f->open[place + l]);
        count += __builtin_popcount(f->lost[place + l]);
    }
    return count;
}

ALWAYS_INLINE void store_all(double *to, const real *v, int count)
{
    for (int k = 0; k < count; ++k) real_store(to + LANES * k, v[k]);
}

ALWAYS_INLINE int64_t factor_batch(const kkt_factors *f, int64_t place, bool find, bool is_row, batch_shape shape,
                                   int first, int n)
{
    const kkt_batch *b = &f->batch[f->batch_of[place]];
    real lower[VEC6][VEC6], inverse[VEC6];
    unsigned left_out[LANES] = {0};
    factor_pivots(f, b, place, find, is_row, shape != ANY_SHAPE, first, n, lower, inverse, left_out);
    double *to = f->lane + b->lower;
    for (int r = first + 1; r < n; ++r)
        for (int d = first; d < r; ++d, to += LANES) real_store(to, lower[r][d]);
    store_all(f->lane + b->inverse, inverse, n);
    for (int e = 0; e < b->entries; ++e) {
#define FACTOR_ENTRY(size) factor_entry(f, b, e, lower, first, n, size)
#define FACTOR_JACOBIAN(size) factor_jacobian(f, b, e, lower, first, n, size, VEC6)
        if (shape == HINGED_SHAPE) factor_jacobian(f, b, e, lower, first, n, HINGE_ROWS, HINGE_PUSHES);
        else if (shape == DIRECT_SHAPE) WITH_SIZE(b->size[e], FACTOR_JACOBIAN);
        else WITH_SIZE(b->size[e], FACTOR_ENTRY);
    }
    update_others(f, b, inverse, find && !is_row, shape, n);
    return find && is_row ? note_lost(f, b, place, left_out) : 0;
}

static bool is_hinged(const kkt_factors *f, int64_t place) { return f->batch[f->batch_of[place]].is_hinged; }

static int64_t factor(const kkt_factors *f, int64_t place, bool find)
{
    if (is_hinged(f, place)) return factor_batch(f, place, find, false, HINGED_SHAPE, MASSES, VEC6);
    if (f->is_direct[place]) return factor_batch(f, place, find, false, DIRECT_SHAPE, MASSES, VEC6);
    if (f->is_bare[place]) return factor_batch(f, place, find, false, ANY_SHAPE, MASSES, VEC6);
    if (!f->is_row[place]) return factor_batch(f, place, find, false, ANY_SHAPE, 0, VEC6);
    if (lane_size(f->size[place]) == 5) return factor_batch(f, place, find, true, ANY_SHAPE, 0, 5);
    return factor_batch(f, place, find, true, ANY_SHAPE, 0, VEC6);
}

// ---- solve ----

ALWAYS_INLINE bool all_zero(const real *v, int n)
{
    real_mask some = v[0] != 0.0;
    for (int k = 1; k < n; ++k) some |= v[k] != 0.0;
    return !lanes_any(some);
}

ALWAYS_INLINE void forward_entry(const kkt_batch *b, int e, const double *w, const real *own, double *x, int n, int m,
                                 int pushing)
{
    real sum[VEC6];
    UNROLL for (int r = 0; r < m; ++r)
    {
        const int d0 = first_number(r, pushing);
        sum[r] = number_of(w, n, r, d0) * own[d0];
        UNROLL for (int d = d0 + 1; d < n; ++d) sum[r] += number_of(w, n, r, d) * own[d];
    }
    lanes_subtract(x, b->row_x[e], sum, m);
}

ALWAYS_INLINE void forward_batch(const kkt_factors *f, int64_t place, double *x, int first, int n, bool hinged)
{
    const kkt_batch *b = &f->batch[f->batch_of[place]];
    real own[VEC6];
    lanes_gather(own, x, b->x, n);
    if (all_zero(own, n)) return;  // most bodies, where nothing but rows ask for something
    const double *lower = f->lane + b->lower, *inverse = f->lane + b->inverse;
    UNROLL for (int r = first + 1; r < n; ++r) UNROLL for (int d = first; d < r; ++d, lower += LANES) own[r] -=
        real_load(lower) * own[d];
    UNROLL for (int k = 0; k < n; ++k) own[k] *= real_load(inverse + LANES * k);
    lanes_scatter(x, b->x, own, n);
    for (int e = 0; e < b->entries; ++e) {
#define FORWARD_ENTRY(size) forward_entry(b, e, f->lane + b->w[e], own, x, n, size, VEC6)
        if (hinged) forward_entry(b, e, f->lane + b->w[e], own, x, n, HINGE_ROWS, HINGE_PUSHES);
        else WITH_SIZE(b->size[e], FORWARD_ENTRY);
    }
}

ALWAYS_INLINE void back_entry(const kkt_batch *b, int e, const double *w, real *sum, const double *x, int n, int m,
                              int pushing)
{
    real other[VEC6];
    lanes_gather(other, x, b->row_x[e], m);
    UNROLL for (int r = 0; r < m; ++r) UNROLL for (int d = first_number(r, pushing); d < n; ++d) sum[d] +=
        number_of(w, n, r, d) * other[r];
}

ALWAYS_INLINE void back_batch(const kkt_factors *f, int64_t place, double *x, int first, int n, bool hinged)
{
    const kkt_batch *b = &f->batch[f->batch_of[place]];
    const double *inverse = f->lane + b->inverse;
    real own[VEC6], sum[VEC6];
    for (int k = 0; k < n; ++k) sum[k] = real_set(0.0);
    for (int e = 0; e < b->entries; ++e) {
#define BACK_ENTRY(size) back_entry(b, e, f->lane + b->w[e], sum, x, n, size, VEC6)
        if (hinged) back_entry(b, e, f->lane + b->w[e], sum, x, n, HINGE_ROWS, HINGE_PUSHES);
        else WITH_SIZE(b->size[e], BACK_ENTRY);
    }
    lanes_gather(own, x, b->x, n);
    UNROLL for (int k = 0; k < n; ++k) own[k] -= real_load(inverse + LANES * k) * sum[k];
    UNROLL for (int r = n - 1; r > first; --r)
    {
        const double *lower = f->lane + b->lower + LANES * lower_numbers(first, r);
        UNROLL for (int d = first; d < r; ++d) own[d] -= real_load(lower + LANES * (d - first)) * own[r];
    }
    lanes_scatter(x, b->x, own, n);
}

static void forward(const kkt_factors *f, int64_t place, double *x)
{
    if (is_hinged(f, place)) forward_batch(f, place, x, MASSES, VEC6, true);
    else if (f->is_bare[place]) forward_batch(f, place, x, MASSES, VEC6, false);
    else if (lane_size(f->size[place]) == 5) forward_batch(f, place, x, 0, 5, false);
    else forward_batch(f, place, x, 0, VEC6, false);
}

static void back(const kkt_factors *f, int64_t place, double *x)
{
    if (is_hinged(f, place)) back_batch(f, place, x, MASSES, VEC6, true);
    else if (f->is_bare[place]) back_batch(f, place, x, MASSES, VEC6, false);
    else if (lane_size(f->size[place]) == 5) back_batch(f, place, x, 0, 5, false);
    else back_batch(f, place, x, 0, VEC6, false);
}

const kkt_lane_kernels KERNEL(kkt_lane_kernels) = {factor, forward, back};
