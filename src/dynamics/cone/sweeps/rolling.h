// SPDX-License-Identifier: BSD-3-Clause
// Sweeps over contacts that resist rolling and spinning. They have a second unknown.
//
// q: the moment of the contact over its arm (the effective radius of its bodies), a world vector in N s that acts on b
// and, negated, on a. To it belongs the relative spin times the arm,
//     w = arm (w_b - w_a) + what free motion and bias add         m/s
// and the cone of cone.h. The block of a contact couples g and q, because both turn its bodies:
//     u += A d + X e,    w += X^T d + B e           for changes d of g and e of q
// Grains: A = (a_n, a_t), B = a_q, X e = cross e x n. It is majorised by a diagonal, (1 + rho) times its own in tangent
// and q with rho = |cross| / sqrt(a_t a_q), so that a projected step on the contact alone is a descent. Between grains
// alike rho is nothing or little, and one step is the solution or near it: relaxed, it took fewer sweeps than four that
// were not, on beds of grains within 10 % of each other, in bins. Bundles stand beside those of sweep.h, lane by lane.
#ifndef DYNAMICS_CONE_SWEEPS_ROLLING_H
#define DYNAMICS_CONE_SWEEPS_ROLLING_H

#include "dynamics/cone/sweeps/sweep.h"

typedef struct rolling_grain {
    float q[3][LANES], old[3][LANES];      // N s; and that of the sweep before
    float w[3][LANES];                     // m/s
    float reach_a[LANES], reach_b[LANES];  // arm over rho of sweep.h
    float roll[LANES], spin[LANES];        // as in friction_cone
    float apex[LANES];                     // N s
    float ct[LANES], cq[LANES];            // kg; 1 / ((1 + rho + eps) a)
    float keep_t[LANES], keep_q[LANES];    // (1 + rho) / (1 + rho + eps)
    float kappa_t[LANES], kappa_q[LANES];  // cn / ct, cn / cq
    float arm[LANES];                      // m
} rolling_grain;

// 1/kg: eps_q a_q
static inline double rolling_compliance(const rolling_grain *m, int lane)
{
    return (1.0 - (double)m->keep_q[lane]) / (double)m->cq[lane];
}

typedef struct rolling_general {
    float q[3][LANES], old[3][LANES];          // N s
    float w[3][LANES];                         // m/s
    float spin_a[9][LANES], spin_b[9][LANES];  // as angular_a in general_bundle: arm L^T, or arm over rho for a grain
    float arm[LANES];                          // m
    float roll[LANES], spin[LANES];
    float mix[9][LANES];                    // 1/kg; X, row by row
    float block_q[6][LANES];                // 1/kg; B
    float cn[LANES], ct[LANES], cq[LANES];  // kg; 1 / ((majorant + eps) a)
    float compliance_q[LANES];              // 1/kg
} rolling_general;

struct rolling_kernels {
    void (*push_grains)(const grain_bundle *bundle, const rolling_grain *rolling, int64_t count, wide_record *record);
    void (*push_general)(const general_bundle *bundle, const rolling_general *rolling, int64_t count,
                         wide_record *record);
    void (*grains)(grain_bundle *bundle, old_impulses *old, rolling_grain *rolling, int64_t count, wide_record *record,
                   const sweep_mode *mode, sweep_sums *sums);
    void (*general)(general_bundle *bundle, rolling_general *rolling, int64_t count, wide_record *record,
                    const sweep_mode *mode, sweep_sums *sums);
    double (*grain_gap)(const grain_bundle *bundle, const rolling_grain *rolling, int64_t count,
                        const wide_record *record, const gap_mode *mode);
    double (*general_gap)(const general_bundle *bundle, const rolling_general *rolling, int64_t count,
                          const wide_record *record, const gap_mode *mode);
};

KERNELS_TO_AVX512(extern const rolling_kernels, rolling_kernels);

#endif
