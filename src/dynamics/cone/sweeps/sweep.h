// SPDX-License-Identifier: BSD-3-Clause
// One Gauss-Seidel sweep over contacts of one colour: the innermost loop of the solver.
//
// Unknown: the impulse g of a contact, a world vector acting on body b and, negated, on a. Bodies hold the change of
// velocity that all impulses make so far, dv = M^-1 D g; what the free motion and the bias add is in r. For a contact
// with current impulse y (section 3 of docs/solvers.md):
//     u = dv_b - dv_a + (arm_b s_b - arm_a s_a) x n + r          relative velocity at the contact, plus bias
//     p = y - w (u + compliance y) / ((1 + eps) A)                A = (a_n, a_t) = diagonal block of N: normal, tangent
//     z = P(p) onto the cone |z_t| <= mu z_n, in the metric of A  (|z_t| <= mu (z_n + apex) where bodies cohere)
//                                                                 Coulomb: z_n = max(p_n, 0), then p_t cut to mu z_n
//     dv += M^-1 D (z - y)
// s stands for the angular velocity w, scaled so that one number, s_factor, is the inverse inertia of any body.
// Grains: s = rho w, rho their radius; the lever is arm = (way to the contact along n) / rho, close to 1 for a and -1
// for b. Other bodies: s = L^-1 w with I^-1 = L L^T, and s_factor = 1. With T = L^T [lever]x an impulse d makes
// ds = T d, and spin makes the velocity w x lever = T^T s at the contact: no inertia is needed in a sweep.
// Data is single precision: it holds differences from the free motion only, and the answer is summed up in double.
//
// Bundles hold LANES contacts lane by lane; within a colour no body appears twice. A group of bundles is the unit of
// work and of summation, so sums do not depend on who did which group.
#ifndef DYNAMICS_CONE_SWEEPS_SWEEP_H
#define DYNAMICS_CONE_SWEEPS_SWEEP_H

#include <stdbool.h>

#include "core/base/kernels.h"
#include "core/maths/wide.h"
#include "dynamics/cone/system/grain_bundle.h"

enum { GROUP_BUNDLES = 32, GENERAL_GROUP_BUNDLES = 16, GENERAL_LOCAL_STEPS = 2 };

// Contacts that are not those of a grain_bundle: levers and inertia have no special direction.
typedef struct general_bundle {
    int32_t a[LANES], b[LANES];  // records
    float n[3][LANES];
    float angular_a[9][LANES], angular_b[9][LANES];  // T, 3 x 3, row by row; 1/sqrt(kg), or 1 for a grain
    float r[3][LANES];                               // m/s
    float block[6][LANES];                           // 1/kg; xx yy zz xy xz yz of the diagonal block of N
    float cn[LANES], ct[LANES];                      // kg; 1 / ((majorant + eps) a)
    float compliance_n[LANES], compliance_t[LANES];  // 1/kg; eps a
    float kappa[LANES];                              // a_t / a_n
    float mu[LANES];
    float apex[LANES];                 // N s; how much a contact can pull
    float g[3][LANES], old[3][LANES];  // N s
} general_bundle;

// Beside a bundle of grains that cohere.
typedef struct apex_lanes {
    float apex[LANES];
} apex_lanes;  // N s

// Which impulse a sweep starts from: y = base + beta (base - old), base = g, or old again after a rejected sweep.
typedef struct sweep_mode {
    float beta;
    float relaxation;  // w above: 1 solves the contact exactly, any below 2 lowers the energy
    float sliding;     // the same under Coulomb's law where the contact slides or is open
    bool from_old;
    bool accelerated;  // keep old, form y; plain sweeps leave `old` alone
    bool sums;         // fill the sums
    bool coulomb;      // z_n is P's alone, and z_t is cut to it: Coulomb's own law
    bool fetches;      // records are far from the core: ask for them early
    bool streams;      // so are bundles, all of which together no cache holds
    bool is_apart;     // no two bundles of a call have a record in common
    bool never_pulls;  // every apex is 0
} sweep_mode;

typedef struct gap_mode {
    float least;   // the compliance of contacts that have less, over their diagonal
    bool coulomb;  // u_n with what slips (cone_slip) in place of u_n
    float *each;   // J; where that of each contact goes, lanes of the first bundle first; NULL: nowhere
} gap_mode;

typedef struct sweep_sums {
    double energy;   // J: sum of r.z + eps/2 z A z
    double change;   // J: sum of (z - y) (1 + eps) A (z - y)
    double size;     // J: sum of z (1 + eps) A z
    double elastic;  // J: sum of z eps A z
} sweep_sums;

typedef struct general_sweeps general_sweeps;    // general_sweep.h
typedef struct rolling_kernels rolling_kernels;  // rolling.h

typedef struct sweep_kernels {
    // dv += M^-1 D g for the impulses as they are
    void (*push_grains)(const grain_bundle *bundle, int64_t count, wide_record *record);
    // dv <- base + beta (base - dv_old) and dv_old <- base, where base is dv, or dv_old again after a rejected sweep
    void (*extrapolate)(wide_record *record, wide_record *old, int64_t count, float beta, bool from_old);
    // J: sum of v^2 / (2 v_factor) + s^2 / (2 s_factor); a zero factor counts nothing
    double (*kinetic)(const wide_record *record, int64_t count);
    // One sweep. old: not looked at unless it is accelerated; apex: NULL where nothing coheres
    void (*grains)(grain_bundle *bundle, old_impulses *old, const apex_lanes *apex, int64_t count, wide_record *record,
                   const sweep_mode *mode, sweep_sums *sums);
    // J: the duality gap of the impulses as they are (response.h)
    double (*grain_gap)(const grain_bundle *bundle, const apex_lanes *apex, int64_t count, const wide_record *record,
                        const gap_mode *mode);
    const general_sweeps *general;   // the same off the centre line
    const rolling_kernels *rolling;  // and where rolling is resisted
} sweep_kernels;

KERNELS_TO_AVX512(extern const sweep_kernels, sweep_kernels);

#endif
