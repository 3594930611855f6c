// The numbers of the factors, column by column in the order of elimination, and the two loops over them.
//
// Column j with pivot D = s L L^T, s = 1 for a body and -1 for rows, and entries A_ij below it:
//     W_ij = A_ij L^-T,   A_ik = A_ik - s W_ij W_kj^T       factor
//     y_j = s L^-1 b_j,   b_i = b_i - W_ij y_j              forward
//     x_j = L^-T (y_j - s sum_i W_ij^T x_i)                 back
#ifndef DYNAMICS_MECHANISM_KKT_FACTOR_H
#define DYNAMICS_MECHANISM_KKT_FACTOR_H

#include "dynamics/mechanism/kkt_order.h"

// A row whose pivot is not more than this share of all that was added up into it is redundant. Rounding leaves some 1e-15.
static const double REDUNDANT_SHARE = 1e-11;

typedef struct kkt_factors {
    elimination order;
    uint8_t *size;      // (count) numbers in the node
    uint8_t *is_row;    // (count) 1: a block of rows
    uint8_t *open;      // (count) bit k: row k holds nothing
    uint8_t *lost;      // (count) bit k: row k was found redundant
    double *floor;      // (count x 6) pivots are at least this
    double *added;      // (count x 6) what was added up into the pivots of rows, starting with the compliance
    double *pivot;      // (count x 36)
    double *lower;      // (count x 36) s L^-1
    double *upper;      // (count x 36) L^-T
    double *entry;      // (entries x 36) A_ij, then W_ij
    double *turned;     // (entries x 36) s W_ij^T
} kkt_factors;

// Factor what has been filled into pivot and entry. find: rows that are redundant are noted and left out; else their pivots are
// raised to the floor. Returns how many were found.
typedef struct kkt_kernels {
    int64_t (*factor)(const kkt_factors *f, bool find);
    void (*solve)(const kkt_factors *f, double *x);  // (count x 6) right-hand side on entry, solution on return
} kkt_kernels;

extern const kkt_kernels kkt_kernels_plain;
#if defined(SCREE_HAVE_AVX2)
extern const kkt_kernels kkt_kernels_avx2;
#endif

// Both give the same bits.
static inline const kkt_kernels *kkt_best_kernels(void)
{
#if defined(SCREE_HAVE_AVX2)
    if (__builtin_cpu_supports("avx2")) return &kkt_kernels_avx2;
#endif
    return &kkt_kernels_plain;
}

#endif
