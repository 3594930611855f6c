// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/kkt/kkt.h"

#include <string.h>

#include "core/base/threads.h"
#include "dynamics/kkt/block6.h"
#include "dynamics/kkt/kkt_factor.h"
#include "dynamics/kkt/kkt_split.h"

// How large a term of the series below is, squared: small enough against the first to be the last one, also where what
// is missing then is seen and asked for again; too large against the one before it for rows that do not contradict each
// other.
static const double SMALL_TERM = 1e-10, SMALL_TERM_SEEN = 1e-6, CONTRADICTION = 1e-2;

// Changes of entries for each body and block, above which hubs are split: what a ring or a tree of hubs needs is below
// 10, a body with 100 joints to the ground makes 1500.
static const int64_t DENSE_WORK = 2000;
// Bytes for each such change and the entries that go with it, in both of the factors that a mechanism has.
static const double WORK_BYTES = 12.0, MEMORY_SHARE = 0.5;

struct kkt {
    kkt_factors factors;
    kkt_split split;  // if is_split
    bool is_split;
    const kkt_kernels *kernels;
    int64_t rank_capacity, entry_capacity, jacobian_capacity, coupling_capacity;
    int64_t kept_pivot_capacity, kept_entry_capacity;
    int64_t redundant_count;
    bool is_compliant;
    kkt_equations equations;  // last ordered or factored, with copies where hubs are split
    int32_t body_count;       // of those given
    int64_t block_count;
};

scr_status kkt_create(kkt **k, scr_error *error)
{
    scr_status status = scr_make_zeros(k, 1, sizeof **k, "the equations of a mechanism", error);
    if (status == SCR_OK) kkt_use(*k, SCR_BEST);
    return status;
}

void kkt_use(kkt *k, scr_instruction_set set) { k->kernels = KERNEL_TO_AVX512_FOR(set == SCR_BEST, kkt_kernels); }

void kkt_destroy(kkt *k)
{
    if (k == NULL) return;
    kkt_factors *f = &k->factors;
    elimination_free(&f->order);
    kkt_split_free(&k->split);
    void *arrays[] = {f->size,      f->is_row,     f->is_bare,   f->open,  f->lost,           f->floor,
                      f->added,     f->pivot,      f->inverse,   f->entry, f->jacobian_entry, f->coupling_entry,
                      f->is_new,    f->compliance, f->batch_of,  f->batch, f->lane,           f->motion,
                      f->is_direct, f->kept_pivot, f->kept_entry};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) scr_free(arrays[i]);
    scr_free(k);
}

static scr_status reserve(kkt *k, const kkt_equations *e, scr_error *error)
{
    kkt_factors *f = &k->factors;
    const scr_column by_rank[] = {{&f->size, sizeof *f->size},          {&f->is_row, sizeof *f->is_row},
                                  {&f->is_bare, sizeof *f->is_bare},    {&f->open, sizeof *f->open},
                                  {&f->lost, sizeof *f->lost},          {&f->compliance, VEC6 * sizeof(double)},
                                  {&f->floor, VEC6 * sizeof(double)},   {&f->added, VEC6 * sizeof(double)},
                                  {&f->inverse, VEC6 * sizeof(double)}, {&f->pivot, BLOCK6 * sizeof(double)},
                                  {&f->batch_of, sizeof *f->batch_of},  {&f->motion, VEC6 * sizeof(double)},
                                  {&f->is_direct, sizeof *f->is_direct}};
    const scr_column by_entry[] = {{&f->entry, BLOCK6 * sizeof(double)}, {&f->is_new, sizeof *f->is_new}};
    static const char what[] = "the equations of a mechanism";
    int64_t ranks = f->order.count + 1,
            entries = f->order.first[f->order.count] + LANE_ENTRIES;  // with the empty place
    size_t rank_columns = sizeof by_rank / sizeof *by_rank, entry_columns = sizeof by_entry / sizeof *by_entry;
    scr_status status = scr_grow_together(by_rank, rank_columns, &k->rank_capacity, ranks, what, error);
    if (status == SCR_OK) status = scr_grow_together(by_entry, entry_columns, &k->entry_capacity, entries, what, error);
    if (status == SCR_OK && e->stiffness != NULL)
        status = scr_grow_anew(&f->kept_pivot, &k->kept_pivot_capacity, ranks, BLOCK6 * sizeof(double), what, error);
    if (status == SCR_OK && e->stiffness != NULL)
        status = scr_grow_anew(&f->kept_entry, &k->kept_entry_capacity, entries, BLOCK6 * sizeof(double), what, error);
    if (status != SCR_OK) return status;
    status =
        scr_grow(&f->jacobian_entry, &k->jacobian_capacity, e->jacobian_count, sizeof *f->jacobian_entry, what, error);
    if (status != SCR_OK) return status;
    return scr_grow(&f->coupling_entry, &k->coupling_capacity, e->coupling_count, sizeof *f->coupling_entry, what,
                    error);
}

// As it is, or with hubs split where it would fill in much.
static scr_status find_order(kkt *k, const kkt_equations *e, scr_error *error)
{
    bool is_over = false;
    elimination *order = &k->factors.order;
    double bytes = MEMORY_SHARE * (double)scr_machine_bytes();
    int64_t most = (int64_t)(bytes / WORK_BYTES);
    bool may_split = e->stiffness == NULL;  // contacts fill in by themselves, whatever becomes of hubs
    int64_t enough = may_split ? min_i64(DENSE_WORK * (e->body_count + e->block_count), most) : most;
    k->is_split = false;
    scr_status status = elimination_find(order, e, enough, &is_over, error);
    if (status != SCR_OK || !is_over) return status;
    if (may_split) status = kkt_split_make(&k->split, e, error);
    k->is_split = may_split && status == SCR_OK && k->split.equations.weld_count > 0;
    if (status == SCR_OK && may_split)
        status = elimination_find(order, k->is_split ? &k->split.equations : e, most, &is_over, error);
    if (status != SCR_OK || !is_over) return status;
    return scr_fail(
        error, SCR_NO_MEMORY,
        "a mechanism of %d bodies closes so many loops that its equations would take more than %.1f GB, half of "
        "what this machine has",
        e->body_count, 1e-9 * bytes);
}

scr_status kkt_order(kkt *k, const kkt_equations *given, scr_error *error)
{
    kkt_factors *f = &k->factors;
    scr_status status = find_order(k, given, error);
    const kkt_equations *e = k->is_split ? &k->split.equations : given;
    if (status == SCR_OK) status = reserve(k, e, error);
    if (status != SCR_OK) return status;
    for (int32_t p = 0; p < f->order.count; ++p) {
        int32_t block = f->order.node[p] - e->body_count;
        f->is_row[p] = block >= 0;
        f->size[p] = (uint8_t)(block >= 0 ? e->block[block].row_count : VEC6);
        f->is_bare[p] = block < 0 && !f->order.changes[f->order.node[p]];  // S adds nothing to its mass
        f->open[p] = 0;
    }
    for (int64_t i = 0; i < f->order.first[f->order.count]; ++i) f->is_bare[f->order.row[i]] = 0;
    f->bare_count = 0;
    while (f->bare_count < f->order.count && f->is_bare[f->bare_count]) ++f->bare_count;
    memset(f->is_new, 1, (size_t)f->order.first[f->order.count]);
    for (int64_t b = 0; b < e->block_count; ++b)
        for (int64_t a = e->block[b].first_jacobian; a < e->block[b].first_jacobian + e->block[b].jacobian_count; ++a) {
            f->jacobian_entry[a] = -1;
            if (!is_movable(e, e->jacobian[a].body)) continue;
            f->jacobian_entry[a] = elimination_entry(&f->order, e->jacobian[a].body, e->body_count + (int32_t)b);
            f->is_new[f->jacobian_entry[a]] = 0;
        }
    for (int64_t c = 0; c < e->coupling_count; ++c) {
        f->coupling_entry[c] = elimination_entry(&f->order, e->coupling[c].a, e->coupling[c].b);
    }
    status = kkt_batches_make(f, e, error);
    if (status != SCR_OK) return status;
    k->equations = *e;
    f->redundant_share = k->is_split ? REDUNDANT_SHARE_OF_COPIES : REDUNDANT_SHARE;
    f->compliant_share = k->is_split ? COMPLIANT_SHARE_OF_COPIES : COMPLIANT_SHARE;
    k->body_count = given->body_count;
    k->block_count = given->block_count;
    k->redundant_count = 0;
    return SCR_OK;
}

static int64_t number_count(const kkt *k) { return (int64_t)VEC6 * k->factors.order.count; }

static void copy_blocks(double *to, const double *from, int64_t first, int64_t last)
{
    size_t bytes = BLOCK6 * (size_t)(last - first) * sizeof *to;
    if (bytes > 0) memcpy(to + BLOCK6 * first, from + BLOCK6 * first, bytes);
}

// Columns that S changes, as all others leave them, to be taken up again; those that follow each other at once.
static void keep_changing(const kkt_factors *f, bool take_up)
{
    const elimination *o = &f->order;
    double *pivot = take_up ? f->pivot : f->kept_pivot, *entry = take_up ? f->entry : f->kept_entry;
    const double *from_pivot = take_up ? f->kept_pivot : f->pivot, *from_entry = take_up ? f->kept_entry : f->entry;
    for (int64_t j = 0, last; j < o->count; j = last) {
        bool changes = o->changes[o->node[j]];
        for (last = j + 1; last < o->count && o->changes[o->node[last]] == changes;) ++last;
        if (!changes) continue;
        copy_blocks(pivot, from_pivot, j, last);
        copy_blocks(entry, from_entry, o->first[j], o->first[last]);
    }
}

// With rows that yield, in two parts: what S has no part in stays while it alone is new.
static void factor_compliant(kkt *k, const kkt_equations *e, bool is_lasting_known)
{
    const kkt_factors *f = &k->factors;
    if (is_lasting_known) {
        keep_changing(f, true);
    } else {
        k->kernels->fill(f, e, true);
        k->kernels->factor(f, KKT_LASTING, false);
        if (e->stiffness != NULL) keep_changing(f, false);
    }
    if (e->stiffness == NULL) return;
    k->kernels->stiffen(f, e);
    k->kernels->factor(f, KKT_CHANGING, false);
}

void kkt_factor(kkt *k, const kkt_equations *given)
{
    if (k->is_split) kkt_split_load(&k->split, given);
    const kkt_equations *e = k->is_split ? &k->split.equations : given;
    k->equations = *e;
    bool is_known = e->is_stiffness_alone && e->stiffness != NULL && e->is_redundant;  // the compliance of rows
    if (!is_known) memset(k->factors.compliance, 0, (size_t)number_count(k) * sizeof *k->factors.compliance);
    k->is_compliant = e->is_redundant;
    k->factors.notes_compliance = false;
    k->factors.equations = &k->equations;
    if (!k->is_compliant) {
        k->factors.is_judged = e->stiffness == NULL;
        k->factors.doubted_share = e->is_counted ? DOUBTED_SHARE : k->factors.redundant_share;
        k->kernels->fill(&k->factors, e, false);
        if (e->stiffness != NULL) k->kernels->stiffen(&k->factors, e);
        k->redundant_count = k->kernels->factor(&k->factors, KKT_ALL, true);
        k->is_compliant = k->redundant_count > 0;
        if (k->is_split) kkt_split_blame(&k->split, k->factors.order.rank, k->factors.open, k->factors.lost);
    }
    if (k->is_compliant) {
        k->factors.notes_compliance = e->mass_share == NULL;  // copies yield as the whole body does
        factor_compliant(k, e, is_known);
    }
}

// With the empty place, twice
int64_t kkt_work_count(const kkt *k) { return 2 * (number_count(k) + VEC6); }

// x becomes A^-1 E x, but for bare bodies.
static void solve_again(const kkt *k, double *x)
{
    const kkt_factors *f = &k->factors;
    k->kernels->vectors->yield(f, x);
    k->kernels->forward(f, f->bare_count, x);
    k->kernels->back(f, f->bare_count, f->order.count, x);
}

// Rows that yield: A = S + E, E their compliance. With x = A^-1 c and y = A^-1 E x the impulses of rigid rows are the
// series
//     x (1 + y/x + (y/x)^2 + ...),   y/x = E / A
// of which two terms are enough for all but very long chains. Where rows contradict each other S = 0, x = c / E, and y
// is as large: then
//     x (1 - y/x)^2 (1 + 3 y/x)
// has the same two terms but nothing of the contradiction. A single zero would not do: c / E is too large for rounding.
// Terms of long chains shrink by the same factor from one to the next, those of contradictions do not. Only rows yield,
// so that bare bodies, which are most, wait for the sum.
static void add_terms(const kkt *k, double *x, double *sum)
{
    const kkt_factors *f = &k->factors;
    const kkt_vector_kernels *vectors = k->kernels->vectors;
    double first = vectors->compliant_size(f, x), small = k->equations.is_step ? SMALL_TERM_SEEN : SMALL_TERM;
    solve_again(k, x);
    double second = vectors->compliant_size(f, x);  // sizes are squares
    vectors->add(f, x, 1.0, sum);
    if (second <= small * first) return;
    solve_again(k, x);
    double third = vectors->compliant_size(f, x);
    bool contradicts = third > CONTRADICTION * second;
    vectors->add(f, x, contradicts ? -5.0 : 1.0, sum);
    if (!contradicts && third <= small * first) return;
    solve_again(k, x);
    vectors->add(f, x, contradicts ? 3.0 : 1.0, sum);
}

static void solve_compliant(const kkt *k, int64_t first, double *x, double *sum)
{
    const kkt_factors *f = &k->factors;
    k->kernels->forward(f, first, x);
    k->kernels->back(f, f->bare_count, f->order.count, x);
    memcpy(sum, x, (size_t)(number_count(k) + VEC6) * sizeof *x);
    add_terms(k, x, sum);
    k->kernels->back(f, 0, f->bare_count, sum);
}

static void solve_once(const kkt *k, int64_t first, double *x)
{
    k->kernels->forward(&k->factors, first, x);
    k->kernels->back(&k->factors, 0, k->factors.order.count, x);
}

typedef enum solve_kind { SOLVE_ALL, SOLVE_ROUGHLY, SOLVE_ROWS } solve_kind;

static void solve(const kkt *k, solve_kind kind, double *body, double *row, double *work)
{
    const kkt_vector_kernels *vectors = k->kernels->vectors;
    double *sum = work + number_count(k) + VEC6;
    bool yields = k->is_compliant && kind != SOLVE_ROUGHLY, has_bodies = kind != SOLVE_ROWS;
    int64_t first = has_bodies ? 0 : k->factors.bare_count;  // bare bodies change nothing
    if (k->is_split || !has_bodies) memset(work, 0, (size_t)number_count(k) * sizeof *work);  // copies and welds too
    vectors->gather(&k->factors, &k->equations, has_bodies ? k->body_count : 0, k->block_count, body, row, work);
    if (yields) solve_compliant(k, first, work, sum);
    else solve_once(k, first, work);
    vectors->scatter(&k->factors, &k->equations, k->body_count, k->block_count, yields ? sum : work, body, row);
}

void kkt_solve(const kkt *k, double *body, double *row, double *work) { solve(k, SOLVE_ALL, body, row, work); }
void kkt_solve_rows(const kkt *k, double *body, double *row, double *work) { solve(k, SOLVE_ROWS, body, row, work); }
void kkt_solve_roughly(const kkt *k, double *body, double *row, double *work)
{
    solve(k, SOLVE_ROUGHLY, body, row, work);
}

int64_t kkt_redundant(const kkt *k, uint8_t *is_redundant)
{
    const kkt_equations *e = &k->equations;
    for (int64_t b = 0; is_redundant != NULL && b < k->block_count; ++b) {
        int32_t rank = k->factors.order.rank[e->body_count + b];
        for (int r = 0; r < e->block[b].row_count; ++r)
            is_redundant[e->block[b].first_row + r] = k->redundant_count > 0 && (k->factors.lost[rank] >> r & 1);
    }
    return k->redundant_count;
}

int64_t kkt_entry_count(const kkt *k) { return k->factors.order.first[k->factors.order.count]; }
