// SPDX-License-Identifier: BSD-3-Clause
// Four columns of the same shape at once (kkt_levels.h), each in a lane: no lane is wasted, whatever the size of blocks,
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

typedef struct batch {
    int count, entries;    // nodes, and entries of each
    int64_t place[LANES];  // where there is no node: the empty place (kkt.c)
    int64_t entry[LANES];  // the first of each
    int64_t target[LANES];
    double *lower, *inverse, *w;
} batch;

ALWAYS_INLINE batch batch_at(const kkt_factors *f, int64_t place, int first, int n)
{
    const elimination *o = &f->order;
    batch b = {.count = o->together[place], .entries = (int)(o->first[place + 1] - o->first[place])};
    for (int l = 0; l < LANES; ++l) {
        bool is_there = l < b.count;
        b.place[l] = is_there ? place + l : o->count;
        b.entry[l] = is_there ? o->first[place + l] : o->first[o->count];
        b.target[l] = is_there ? o->first_target[place + l] : o->first_target[o->count];
    }
    b.lower = f->lane + LANES * f->first_lane[place];
    b.inverse = b.lower + LANES * lower_numbers(first, n);
    b.w = b.inverse + LANES * n;
    return b;
}

ALWAYS_INLINE int entry_size(const kkt_factors *f, const batch *b, int e)
{
    return lane_size(f->size[f->order.row[b->entry[0] + e]]);
}

// The places of entry e's rows
ALWAYS_INLINE void rows_of(const kkt_factors *f, const batch *b, int e, int64_t row[LANES])
{
    for (int l = 0; l < LANES; ++l) row[l] = f->order.row[b->entry[l] + e];
}

// ---- factor ----

// What pivots of rows must be above to hold
ALWAYS_INLINE void least_pivots(const kkt_factors *f, const batch *b, bool find, lanes4 least[VEC6])
{
    for (int k = 0; k < VEC6; ++k) least[k] = lanes_spread(0.0);
    if (find) {
        const double *added[LANES];
        for (int l = 0; l < LANES; ++l) added[l] = f->added + VEC6 * b->place[l];
        lanes_gather(least, added, VEC6);
        for (int k = 0; k < VEC6; ++k) least[k] *= f->redundant_share;
    }
    for (int l = 0; l < b->count; ++l)
        for (unsigned open = f->open[b->place[l]], k = 0; open != 0; open >>= 1, ++k)
            if (open & 1) least[k][l] = INFINITY;
}

ALWAYS_INLINE void load_pivots(const kkt_factors *f, const batch *b, int n, lanes4 a[VEC6][VEC6])
{
    const double *column[LANES];
    for (int c = 0; c < n; ++c) {
        for (int l = 0; l < LANES; ++l) column[l] = f->pivot + BLOCK6 * b->place[l] + VEC6 * c;
        lanes_gather(a[c], column, n);
    }
}

// L and D^-1, as factor_pivot of kkt_factor.c. Of rows that hold nothing, bit k of left_out[l] tells.
ALWAYS_INLINE void factor_pivots(const kkt_factors *f, const batch *b, bool find, bool is_row, int first, int n,
                                 lanes4 lower[VEC6][VEC6], lanes4 inverse[VEC6], unsigned left_out[LANES])
{
    lanes4 a[VEC6][VEC6], floor[VEC6], least[VEC6];  // a: columns
    const double *floors[LANES];
    const double sign = is_row ? -1.0 : 1.0;
    for (int l = 0; l < LANES; ++l) floors[l] = f->floor + VEC6 * b->place[l];
    lanes_gather(floor, floors, n);
    load_pivots(f, b, n, a);
    if (is_row) least_pivots(f, b, find, least);
    UNROLL for (int k = 0; k < first; ++k) inverse[k] = 1.0 / a[0][0];
    UNROLL for (int k = first; k < n; ++k)
    {
        lanes4 pivot = sign * a[k][k];
        pivot = lanes_choose(pivot < floor[k], floor[k], pivot);
        lanes4 inverted = 1.0 / pivot;
        if (is_row) {
            lane_mask holds = pivot > least[k];
            inverted = lanes_choose(holds, inverted, lanes_spread(0.0));
            for (int l = 0; find && l < LANES; ++l) left_out[l] |= (unsigned)(holds[l] == 0) << k;
        }
        inverse[k] = sign * inverted;
        UNROLL for (int r = k + 1; r < n; ++r) lower[r][k] = a[k][r] * inverse[k];
        UNROLL for (int c = k + 1; c < n; ++c) UNROLL for (int r = c; r < n; ++r) a[c][r] -= lower[c][k] * a[k][r];
    }
}

// W of an entry of m rows, row by row
ALWAYS_INLINE void factor_entry(const kkt_factors *f, const batch *b, int e, const lanes4 lower[VEC6][VEC6], int first,
                                int n, int m, lanes4 *w)
{
    lanes4 column[VEC6][VEC6];
    const double *from[LANES];
    for (int c = 0; c < n; ++c) {
        for (int l = 0; l < LANES; ++l) from[l] = f->entry + BLOCK6 * (b->entry[l] + e) + VEC6 * c;
        lanes_gather(column[c], from, m);
    }
    for (int r = 0; r < m; ++r) {
        UNROLL for (int c = 0; c < n; ++c)
        {
            lanes4 v = column[c][r];
            UNROLL for (int d = first; d < c; ++d) v -= w[n * r + d] * lower[c][d];
            w[n * r + c] = v;
        }
    }
}

// Rows of column c of W_b D^-1 W_a^T, from `from` on, taken from where they belong
ALWAYS_INLINE void subtract_column(double *const into[LANES], int c, const lanes4 *w_a, const lanes4 *w_b,
                                   const lanes4 inverse[VEC6], int from, int n, int m, lanes4 sum[VEC6])
{
    lanes4 scaled[VEC6];
    double *to[LANES];
    UNROLL for (int d = 0; d < n; ++d) scaled[d] = w_a[n * c + d] * inverse[d];
    UNROLL for (int r = 0; r < m; ++r)
    {
        if (r < from) {
            sum[r] = lanes_spread(0.0);
            continue;
        }
        sum[r] = scaled[0] * w_b[n * r];
        UNROLL for (int d = 1; d < n; ++d) sum[r] += scaled[d] * w_b[n * r + d];
    }
    for (int l = 0; l < LANES; ++l) to[l] = into[l] + VEC6 * c;
    lanes_subtract(to, sum, m);
}

// Of a pivot the part below the diagonal counts.
ALWAYS_INLINE void subtract_square(double *const into[LANES], const lanes4 *w, const lanes4 inverse[VEC6], int n, int m,
                                   lanes4 diagonal[VEC6])
{
    UNROLL for (int c = 0; c < m; ++c)
    {
        lanes4 sum[VEC6];
        subtract_column(into, c, w, w, inverse, c, n, m, sum);
        diagonal[c] = sum[c];
    }
}

ALWAYS_INLINE void subtract_product(double *const into[LANES], const lanes4 *w_a, const lanes4 *w_b,
                                    const lanes4 inverse[VEC6], int size_a, int n, int m)
{
    lanes4 sum[VEC6];
    for (int c = 0; c < size_a; ++c) subtract_column(into, c, w_a, w_b, inverse, 0, n, m, sum);
}

// What was added up into the pivots of rows, which finding needs
ALWAYS_INLINE void note_added(const kkt_factors *f, const batch *b, const int64_t row[LANES],
                              const lanes4 diagonal[VEC6], int m)
{
    for (int l = 0; l < b->count; ++l)
        for (int k = 0; k < m; ++k) f->added[VEC6 * row[l] + k] += diagonal[k][l];
}

ALWAYS_INLINE void update_others(const kkt_factors *f, batch *b, const lanes4 *w, const lanes4 inverse[VEC6],
                                 bool note, int n)
{
    int size[LANE_ENTRIES];
    for (int e = 0; e < b->entries; ++e) size[e] = entry_size(f, b, e);
    for (int e = 0; e < b->entries; ++e) {
        const lanes4 *w_a = w + BLOCK6 * e;
        lanes4 diagonal[VEC6];
        double *into[LANES];
        int64_t row[LANES];
        rows_of(f, b, e, row);
        for (int l = 0; l < LANES; ++l) into[l] = f->pivot + BLOCK6 * row[l];
#define INTO_PIVOT(m) subtract_square(into, w_a, inverse, n, m, diagonal)
        WITH_SIZE(size[e], INTO_PIVOT);
        if (note) note_added(f, b, row, diagonal, size[e]);
        for (int other = e + 1; other < b->entries; ++other) {
            for (int l = 0; l < LANES; ++l) into[l] = f->entry + BLOCK6 * f->order.target[b->target[l]++];
#define INTO_ENTRY(m) subtract_product(into, w_a, w + BLOCK6 * other, inverse, size[e], n, m)
            WITH_SIZE(size[other], INTO_ENTRY);
        }
    }
}

// Rows that were found redundant
ALWAYS_INLINE int64_t note_lost(const kkt_factors *f, const batch *b, const unsigned left_out[LANES])
{
    int64_t count = 0;
    for (int l = 0; l < b->count; ++l) {
        f->lost[b->place[l]] = (uint8_t)(left_out[l] & ~(unsigned)f->open[b->place[l]]);
        count += __builtin_popcount(f->lost[b->place[l]]);
    }
    return count;
}

ALWAYS_INLINE void store_all(double *to, const lanes4 *v, int count)
{
    for (int k = 0; k < count; ++k) lanes_store(to + LANES * k, v[k]);
}

ALWAYS_INLINE int64_t factor_batch(const kkt_factors *f, int64_t place, bool find, bool is_row, int first, int n)
{
    batch b = batch_at(f, place, first, n);
    lanes4 lower[VEC6][VEC6], inverse[VEC6], w[LANE_ENTRIES * BLOCK6];
    unsigned left_out[LANES] = {0};
    factor_pivots(f, &b, find, is_row, first, n, lower, inverse, left_out);
    double *to = b.lower;
    for (int r = first + 1; r < n; ++r)
        for (int d = first; d < r; ++d, to += LANES) lanes_store(to, lower[r][d]);
    store_all(b.inverse, inverse, n);
    to = b.w;
    for (int e = 0; e < b.entries; ++e) {
        int m = entry_size(f, &b, e);
#define FACTOR_ENTRY(size) factor_entry(f, &b, e, lower, first, n, size, w + BLOCK6 * e)
        WITH_SIZE(m, FACTOR_ENTRY);
        store_all(to, w + BLOCK6 * e, m * n);
        to += LANES * m * n;
    }
    update_others(f, &b, w, inverse, find && !is_row, n);
    return find && is_row ? note_lost(f, &b, left_out) : 0;
}

static int64_t factor(const kkt_factors *f, int64_t place, bool find)
{
    if (f->is_bare[place]) return factor_batch(f, place, find, false, MASSES, VEC6);
    if (!f->is_row[place]) return factor_batch(f, place, find, false, 0, VEC6);
    if (lane_size(f->size[place]) == 5) return factor_batch(f, place, find, true, 0, 5);
    return factor_batch(f, place, find, true, 0, VEC6);
}

// ---- solve ----

ALWAYS_INLINE bool all_zero(const lanes4 *v, int n)
{
    lane_mask some = v[0] != 0.0;
    for (int k = 1; k < n; ++k) some |= v[k] != 0.0;
    return !lanes_any(some);
}

ALWAYS_INLINE void gather_places(const double *x, const int64_t place[LANES], int n, lanes4 *own)
{
    const double *from[LANES];
    for (int l = 0; l < LANES; ++l) from[l] = x + VEC6 * place[l];
    lanes_gather(own, from, n);
}

ALWAYS_INLINE void put_own(const batch *b, double *x, int n, const lanes4 *own)
{
    double *to[LANES];
    for (int l = 0; l < LANES; ++l) to[l] = x + VEC6 * b->place[l];
    lanes_scatter(to, own, n);
}

ALWAYS_INLINE void forward_entry(const kkt_factors *f, const batch *b, int e, const double *w, const lanes4 *own,
                                 double *x, int n, int m)
{
    lanes4 sum[VEC6];
    int64_t row[LANES];
    double *to[LANES];
    rows_of(f, b, e, row);
    for (int l = 0; l < LANES; ++l) to[l] = x + VEC6 * row[l];
    UNROLL for (int r = 0; r < m; ++r)
    {
        sum[r] = lanes_load(w + LANES * n * r) * own[0];
        UNROLL for (int d = 1; d < n; ++d) sum[r] += lanes_load(w + LANES * (n * r + d)) * own[d];
    }
    lanes_subtract(to, sum, m);
}

ALWAYS_INLINE void forward_batch(const kkt_factors *f, int64_t place, double *x, int first, int n)
{
    batch b = batch_at(f, place, first, n);
    lanes4 own[VEC6];
    gather_places(x, b.place, n, own);
    if (all_zero(own, n)) return;  // most bodies, where nothing but rows ask for something
    const double *lower = b.lower, *w = b.w;
    UNROLL for (int r = first + 1; r < n; ++r) UNROLL for (int d = first; d < r; ++d, lower += LANES) own[r] -=
        lanes_load(lower) * own[d];
    UNROLL for (int k = 0; k < n; ++k) own[k] *= lanes_load(b.inverse + LANES * k);
    put_own(&b, x, n, own);
    for (int e = 0; e < b.entries; ++e) {
        int m = entry_size(f, &b, e);
#define FORWARD_ENTRY(size) forward_entry(f, &b, e, w, own, x, n, size)
        WITH_SIZE(m, FORWARD_ENTRY);
        w += LANES * m * n;
    }
}

ALWAYS_INLINE void back_entry(const kkt_factors *f, const batch *b, int e, const double *w, lanes4 *sum,
                              const double *x, int n, int m)
{
    lanes4 other[VEC6];
    int64_t row[LANES];
    rows_of(f, b, e, row);
    gather_places(x, row, m, other);
    UNROLL for (int r = 0; r < m; ++r) UNROLL for (int d = 0; d < n; ++d) sum[d] +=
        lanes_load(w + LANES * (n * r + d)) * other[r];
}

ALWAYS_INLINE void back_batch(const kkt_factors *f, int64_t place, double *x, int first, int n)
{
    batch b = batch_at(f, place, first, n);
    lanes4 own[VEC6], sum[VEC6];
    const double *w = b.w;
    for (int k = 0; k < n; ++k) sum[k] = lanes_spread(0.0);
    for (int e = 0; e < b.entries; ++e) {
        int m = entry_size(f, &b, e);
#define BACK_ENTRY(size) back_entry(f, &b, e, w, sum, x, n, size)
        WITH_SIZE(m, BACK_ENTRY);
        w += LANES * m * n;
    }
    gather_places(x, b.place, n, own);
    UNROLL for (int k = 0; k < n; ++k) own[k] -= lanes_load(b.inverse + LANES * k) * sum[k];
    UNROLL for (int r = n - 1; r > first; --r)
    {
        const double *lower = b.lower + LANES * lower_numbers(first, r);
        UNROLL for (int d = first; d < r; ++d) own[d] -= lanes_load(lower + LANES * (d - first)) * own[r];
    }
    put_own(&b, x, n, own);
}

static void forward(const kkt_factors *f, int64_t place, double *x)
{
    if (f->is_bare[place]) forward_batch(f, place, x, MASSES, VEC6);
    else if (lane_size(f->size[place]) == 5) forward_batch(f, place, x, 0, 5);
    else forward_batch(f, place, x, 0, VEC6);
}

static void back(const kkt_factors *f, int64_t place, double *x)
{
    if (f->is_bare[place]) back_batch(f, place, x, MASSES, VEC6);
    else if (lane_size(f->size[place]) == 5) back_batch(f, place, x, 0, 5);
    else back_batch(f, place, x, 0, VEC6);
}

const kkt_lane_kernels KERNEL(kkt_lane_kernels) = {factor, forward, back};
