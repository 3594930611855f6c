// Compiled once for every instruction set: SCREE_ISA names it. Lane by lane IEEE operations: the same bits from all.
#include "dynamics/mechanism/kkt_factor.h"

#include "dynamics/mechanism/block6.h"

#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)

// Bodies have 6 numbers and most joints 5: loops of known length for them, any other length runs through the same code.
#define WITH_SIZE(n, call) \
    do { \
        if ((n) == 6) call(6); \
        else if ((n) == 5) call(5); \
        else call(n); \
    } while (0)

// Cholesky in place, lower part. A pivot is raised to its floor; one that then is not above `least` is left out: it holds
// nothing, and bit k of the result tells. n numbers.
ALWAYS_INLINE unsigned cholesky(double *a, double *inverse, const double *floor, const double *least, int n)
{
    unsigned left_out = 0;
    for (int k = 0; k < n; ++k) {
        double pivot = a[SIX * k + k];
        pivot = pivot > floor[k] ? pivot : floor[k];
        bool is_held = pivot > least[k];
        left_out |= (unsigned)!is_held << k;
        inverse[k] = is_held ? 1.0 / sqrt(pivot) : 0.0;
        six column = six_scale(six_load(a + SIX * k), inverse[k]);
        six_store(a + SIX * k, column);
        for (int c = k + 1; c < n; ++c) six_store(a + SIX * c, six_minus(six_load(a + SIX * c), column, a[SIX * k + c]));
    }
    return left_out;
}

// What a pivot must be above to hold.
ALWAYS_INLINE void least_pivots(const kkt_factors *f, int64_t j, bool find, double least[SIX])
{
    for (int k = 0; k < SIX; ++k) {
        least[k] = !f->is_row[j] ? -INFINITY : find ? REDUNDANT_SHARE * f->added[SIX * j + k] : 0.0;
        if (f->open[j] >> k & 1) least[k] = INFINITY;
    }
}

ALWAYS_INLINE unsigned factor_pivot(const kkt_factors *f, int64_t j, bool find, double inverse[SIX], int n)
{
    double *a = f->pivot + BLOCK6 * j, least[SIX], sign = f->is_row[j] ? -1.0 : 1.0;
    if (f->is_row[j])
        for (int c = 0; c < n; ++c) six_store(a + SIX * c, six_scale(six_load(a + SIX * c), -1.0));
    least_pivots(f, j, find, least);
    unsigned left_out = cholesky(a, inverse, f->floor + SIX * j, least, n);
    block_invert_lower(f->upper + BLOCK6 * j, a, inverse, n);
    block_turn(f->lower + BLOCK6 * j, f->upper + BLOCK6 * j, sign);
    return left_out;
}

// W of all entries of a column
ALWAYS_INLINE void factor_entries(const kkt_factors *f, int64_t j, const double inverse[SIX], int n)
{
    const elimination *o = &f->order;
    double sign = f->is_row[j] ? -1.0 : 1.0;
    for (int64_t e = o->first[j]; e < o->first[j + 1]; ++e) {
        block_solve_right(f->entry + BLOCK6 * e, f->pivot + BLOCK6 * j, inverse, n);
        block_turn(f->turned + BLOCK6 * e, f->entry + BLOCK6 * e, sign);
    }
}

ALWAYS_INLINE void add_squares(double *added, const double *w, int n)
{
    six v = six_load(added);
    for (int d = 0; d < n; ++d) v = six_add_square(v, six_load(w + SIX * d));
    six_store(added, v);
}

// What the elimination of column j does to the others
ALWAYS_INLINE void update_others(const kkt_factors *f, int64_t j, int n)
{
    const elimination *o = &f->order;
    const int32_t *target = o->target + o->first_target[j];
    for (int64_t a = o->first[j]; a < o->first[j + 1]; ++a) {
        int64_t i = o->row[a];
        const double *w = f->entry + BLOCK6 * a, *t = f->turned + BLOCK6 * a;
        int m = f->size[i];
        if (f->is_row[i] && !f->is_row[j]) add_squares(f->added + SIX * i, w, n);
#define INTO_PIVOT(size) block_minus_product(f->pivot + BLOCK6 * i, w, t, size, n)
        WITH_SIZE(m, INTO_PIVOT);
        for (int64_t b = a + 1; b < o->first[j + 1]; ++b) {
            double *into = f->entry + BLOCK6 * *target++;
#define INTO_ENTRY(size) block_minus_product(into, f->entry + BLOCK6 * b, t, size, n)
            WITH_SIZE(m, INTO_ENTRY);
        }
    }
}

ALWAYS_INLINE unsigned factor_column(const kkt_factors *f, int64_t j, bool find, int n)
{
    double inverse[SIX];
    unsigned left_out = factor_pivot(f, j, find, inverse, n);
    factor_entries(f, j, inverse, n);
    update_others(f, j, n);
    return left_out;
}

static int64_t factor(const kkt_factors *f, bool find)
{
    int64_t lost_count = 0;
    for (int64_t j = 0; j < f->order.count; ++j) {
        unsigned left_out;
#define FACTOR_COLUMN(size) left_out = factor_column(f, j, find, size)
        WITH_SIZE(f->size[j], FACTOR_COLUMN);
        if (!find || !f->is_row[j]) continue;
        f->lost[j] = (uint8_t)(left_out & ~(unsigned)f->open[j]);
        lost_count += __builtin_popcount(f->lost[j]);
    }
    return lost_count;
}

ALWAYS_INLINE void forward_column(const kkt_factors *f, int64_t j, double *x, int n)
{
    const elimination *o = &f->order;
    double *own = x + SIX * j, y[SIX];
    six_store(y, six_plus_times(six_zero(), f->lower + BLOCK6 * j, own, n));
    six_store(own, six_load(y));
    for (int64_t e = o->first[j]; e < o->first[j + 1]; ++e) {
        double *other = x + SIX * (int64_t)o->row[e];
        six_store(other, six_minus_times(six_load(other), f->entry + BLOCK6 * e, y, n));
    }
}

ALWAYS_INLINE void back_column(const kkt_factors *f, int64_t j, double *x, int n)
{
    const elimination *o = &f->order;
    double *own = x + SIX * j, y[SIX];
    six v = six_load(own);
    for (int64_t e = o->first[j]; e < o->first[j + 1]; ++e)
        v = six_minus_times(v, f->turned + BLOCK6 * e, x + SIX * (int64_t)o->row[e], SIX);
    six_store(y, v);
    six_store(own, six_plus_times(six_zero(), f->upper + BLOCK6 * j, y, n));
}

static void solve(const kkt_factors *f, double *x)
{
#define FORWARD_COLUMN(size) forward_column(f, j, x, size)
#define BACK_COLUMN(size) back_column(f, j, x, size)
    for (int64_t j = 0; j < f->order.count; ++j) WITH_SIZE(f->size[j], FORWARD_COLUMN);
    for (int64_t j = f->order.count - 1; j >= 0; --j) WITH_SIZE(f->size[j], BACK_COLUMN);
}

const kkt_kernels NAME(kkt_kernels_, SCREE_ISA) = {factor, solve};
