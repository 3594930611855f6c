// SPDX-License-Identifier: BSD-3-Clause
// The numbers of the factors, column by column in the order of elimination, and the two loops over them.
//
// Column j with pivot L D L^T, D diagonal, positive for bodies and negative for rows, and entries A_ij below it:
//     W_ij = A_ij L^-T,      A_ik = A_ik - W_ij D^-1 W_kj^T     factor
//     y_j = D^-1 L^-1 b_j,   b_i = b_i - W_ij y_j               forward
//     x_j = L^-T (y_j - D^-1 sum_i W_ij^T x_i)                  back
#ifndef DYNAMICS_KKT_KKT_FACTOR_H
#define DYNAMICS_KKT_KKT_FACTOR_H

#include "core/base/kernels.h"
#include "dynamics/kkt/kkt_levels.h"

// A row whose pivot is not more than this share of all that was added up into it may be redundant. Rounding leaves some
// 1e-15, in loops of 5,000 links 1e-6, because the small pivots of long chains are differences too, and others are
// divided by them; rows that hold long chains, or masses that differ by a factor of 1e9, leave 1e-11 and less. So the
// pivot does not tell: the motion that violates the row does (kkt_row_holds). A close look doubts more rows than one in
// passing, as in every step.
// Copies of a body weigh less than it does, and rounding adds up along their chain: 1e-8 was seen between two hubs with
// 2,000 joints, and 1e-7 in rows that hold.
static const double REDUNDANT_SHARE = 1e-11, DOUBTED_SHARE = 1e-5, REDUNDANT_SHARE_OF_COPIES = 3e-8;

// Where rows are redundant, all rows but welds yield by this share of what they would if nothing else held their
// bodies. Less drowns in rounding, of welds between light copies sooner; more is felt: tests/dynamics/test_kkt.c.
static const double COMPLIANT_SHARE = 1e-9, COMPLIANT_SHARE_OF_COPIES = 1e-7;

// Up to four columns of the same shape, one after the other, that are worked on together (kkt_lanes.c). Where there are
// fewer, the others are the empty place behind all places: a node of numbers 1 that meets none but itself, with
// nothing. All is found once, in numbers of the arrays below, and kept short: every pass reads it with the factors.
typedef struct kkt_batch {
    int32_t count, entries;                   // columns, and entries of each
    int32_t x[LANES], pivot[LANES];           // of the columns
    int32_t row_x[LANE_ENTRIES][LANES];       // of the entries' rows
    int32_t row_pivot[LANE_ENTRIES][LANES];   //
    int32_t entry[LANE_ENTRIES][LANES];       //
    int32_t target[LANE_TARGETS][LANES];      // entries that they change
    int64_t lower, inverse, w[LANE_ENTRIES];  // in `lane`
    uint8_t size[LANE_ENTRIES];               // numbers in the rows, 5 or 6
    // Four bare bodies whose masses and Jacobians are taken from the equations, without pivots and entries: most of all
    bool is_direct;
    bool is_hinged;                         // direct, and all rows that they meet are those of hinges
    int32_t body[LANES];                    // in the equations' bodies, in doubles
    int32_t jacobian[LANE_ENTRIES][LANES];  // in their Jacobians, in doubles
} kkt_batch;

typedef struct kkt_factors {
    elimination order;
    double redundant_share, compliant_share;
    int64_t bare_count;               // places of bare bodies: the first ones
    double doubted_share;             // rows with pivots below it are judged by the motion that violates them
    const kkt_equations *equations;   // of the factoring in progress
    double *kept_pivot, *kept_entry;  // of columns that change: as the others leave them, without S
    // Bodies that are eliminated first, in lanes, add what they yield to the compliance of rows as they go.
    bool notes_compliance;
    bool is_judged;           // else pivots alone tell whether rows are redundant
    double *motion;           // (count + 1 x 6) that violates a row, while it is judged
    int64_t *jacobian_entry;  // (Jacobians) entry of its body and block, or -1
    int64_t *coupling_entry;  // (couplings) entry of the two bodies
    uint8_t *is_new;          // (entries) 1: neither Jacobian nor coupling fills it, elimination does
    uint8_t *size;            // (count) numbers in the node
    uint8_t *is_row;          // (count) 1: a block of rows
    uint8_t *is_bare;         // (count) 1: a body without S that goes before all that it meets
    uint8_t *is_direct;       // (count) 1: a body of a batch that is direct
    uint8_t *open;            // (count) bit k: row k holds nothing
    uint8_t *lost;            // (count) bit k: row k was found redundant
    double *compliance;       // (count x 6) 1/kg or the like: compliance of rows where some are redundant; else 0
    double *floor;            // (count x 6) pivots of bodies are at least this
    double *added;            // (count x 6) what was added up into the pivots of rows, starting with the compliance
    double *pivot;            // (count x 36) A_jj, then L^-T
    double *inverse;          // (count x 6) D^-1, 0 for rows that hold nothing
    double *entry;            // (entries x 36) A_ij, then W_ij
    int32_t *batch_of;        // (count) of the first column of a batch
    kkt_batch *batch;         // (batch_count)
    double *lane;             // L, D^-1 and W of batches
    int64_t batch_count, batch_capacity, lane_capacity;
} kkt_factors;

typedef void kkt_filling(const kkt_factors *f, const kkt_equations *e, bool compliant);
typedef void kkt_stiffening(const kkt_factors *f, const kkt_equations *e);

// Columns of a factoring. Those that S has no part in come before all others that they meet.
typedef enum kkt_part { KKT_ALL, KKT_LASTING, KKT_CHANGING } kkt_part;

// Of places from the first to before the last, by what is known of the last and all after it.
typedef void kkt_follow(const kkt_factors *f, int64_t first, int64_t last, double *x);

// Bodies and rows are those that were given; x stands by place. kkt_vectors.c
typedef struct kkt_vector_kernels {
    void (*gather)(const kkt_factors *f, const kkt_equations *e, int64_t body_count, int64_t block_count,
                   const double *body, const double *row, double *x);
    void (*scatter)(const kkt_factors *f, const kkt_equations *e, int64_t body_count, int64_t block_count,
                    const double *x, double *body, double *row);
    // But for bare bodies, with E the compliance of rows, 0 for bodies
    double (*compliant_size)(const kkt_factors *f, const double *x);                 // x^T E x
    void (*yield)(const kkt_factors *f, double *x);                                  // x = -E x
    void (*add)(const kkt_factors *f, const double *x, double factor, double *sum);  // sum += factor x
} kkt_vector_kernels;

typedef struct kkt_kernels {
    const kkt_vector_kernels *vectors;
    // the numbers of the equations -> pivot and entry; compliant: -> compliance, which rows' pivots do not hold yet;
    // kkt_fill.c. Without S, which is added then.
    kkt_filling *fill;
    kkt_stiffening *stiffen;
    // pivot, entry -> L^-T, D^-1, W. find: rows that are redundant are noted and left out, and the result counts them;
    // else their pivots are raised to the floor.
    int64_t (*factor)(const kkt_factors *f, kkt_part part, bool find);
    // x (count + 1 x 6) is the right-hand side at first, and the solution after both of these, for places from the
    // first on; those before them follow from it later. Of a place before the first the right-hand side is taken to be
    // 0.
    void (*forward)(const kkt_factors *f, int64_t first, double *x);
    kkt_follow *back;
} kkt_kernels;

// Of the batch that begins at a place, as above
typedef struct kkt_lane_kernels {
    int64_t (*factor)(const kkt_factors *f, int64_t place, bool find);
    void (*forward)(const kkt_factors *f, int64_t place, double *x);
    void (*back)(const kkt_factors *f, int64_t place, double *x);
} kkt_lane_kernels;

KERNELS_TO_AVX512(extern const kkt_lane_kernels, kkt_lane_kernels);
KERNELS_TO_AVX512(extern const kkt_vector_kernels, kkt_vector_kernels);
KERNELS_TO_AVX512(kkt_follow, kkt_follow);
KERNELS_TO_AVX512(kkt_filling, kkt_fill);
KERNELS_TO_AVX512(kkt_stiffening, kkt_stiffen);
KERNELS_TO_AVX512(extern const kkt_kernels, kkt_kernels);

// Bodies have 6 numbers and most joints 5: loops of known length for them. Any other block counts as 6, with the
// missing rows open.
#define WITH_SIZE(n, call)                                                                                             \
    do {                                                                                                               \
        if ((n) == 5) call(5);                                                                                         \
        else call(6);                                                                                                  \
    } while (0)

// The pivot of a body that goes before all that it meets is its mass, three times, and its inertia.
enum { MASSES = 3 };

// Rows of a hinge, which are most, and how many of them push; the others have no linear part.
enum { HINGE_ROWS = 5, HINGE_PUSHES = 3 };

// Pivots of bodies are never below those of M, and pivots of rows never below their compliance, but for rounding.
static const double BODY_FLOOR = 0.5, ROW_FLOOR = 0.5;

// Numbers below the diagonal of L, of n rows, the first ones with nothing there
static inline int lower_numbers(int first, int n) { return (n - first) * (n - first - 1) / 2; }

// kkt_batches.c; once sizes and the entries of Jacobians are known
scr_status kkt_batches_make(kkt_factors *f, const kkt_equations *e, scr_error *error);

// A row whose pivot is next to nothing.
typedef struct doubted_row {
    const kkt_factors *factors;
    int64_t place, before;  // of its node, and of the first node that was not eliminated before it
    int row;                // in the node
    double pivot;
    const double *lower;  // L of the node, column by column, those before the row's
    kkt_follow *follow;
} doubted_row;

// Whether it holds something after all, as the motion tells that a unit of its impulse makes where all earlier rows
// hold. The M-square of that motion is the pivot, but it is a sum of squares: of a row that others keep next to nothing
// is left, where the pivot has the rounding of large differences; kkt_judge.c.
bool kkt_row_holds(const doubted_row *d);

// Whether an earlier Jacobian of the block is of the same body.
static inline bool body_is_again(const kkt_factors *f, const row_block *block, int64_t jacobian)
{
    for (int64_t a = block->first_jacobian; a < jacobian; ++a)
        if (f->jacobian_entry[a] == f->jacobian_entry[jacobian]) return true;
    return false;
}

#endif
