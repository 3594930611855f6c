// SPDX-License-Identifier: BSD-3-Clause
// A compliant contact as a function of velocity: the load its springs make, and how that changes.
//
// For a relative velocity u (which holds the bias too) and a compliance R = diag(R_n, R_t, R_q), the load that solves
// R g + u = 0 within the cone, as maximum dissipation has it, is
//     g(u) = P(-R^-1 u)              P: the nearest point of the cone in the metric R
// It is minus the gradient of a convex function, the energy that is set free at u:
//     phi(u) = -u . g - 1/2 g . R g
// and its slope G = -dg/du is symmetric and never negative. With e_i the directions of the parts of the load that the
// cone cuts to limit_i x (cone.h), of length l_i before, and Pi_i the projection onto the space of each part:
//     G = q q^T / (R_n (1 + sum limit_i^2 R_i/R_n)) + sum_cut limit_i x / (l_i R_i) (Pi_i - e_i e_i^T)
//         + sum_others Pi_i / R_i
//     q = n + sum_cut limit_i e_i
// An open contact has G = 0.
#ifndef DYNAMICS_CONE_SYSTEM_RESPONSE_H
#define DYNAMICS_CONE_SYSTEM_RESPONSE_H

#include "core/maths/mat3.h"
#include "dynamics/cone/system/cone.h"

static const double LOAD_ROUNDING = 1e-15;  // of a load: what it is off its cone by without being wrong

typedef struct load_compliance {
    double n, t, q;  // 1/kg, positive; q counts only where rolling is resisted
} load_compliance;

typedef struct contact_slope {
    bool is_zero;
    mat3 gg, gq, qq;  // kg; of the impulse and of the moment over its arm. gq is rows of g, columns of q
} contact_slope;

// At u, which the load g(u) belongs to
contact_slope contact_response_slope(const friction_cone *cone, const load_compliance *compliance, bool rolls,
                                     contact_load u, contact_load load);
// How far a load g of the cone is from the response to u, J: phi(u) + u . g + 1/2 g . R g, which is never negative and
// 0 only for g(u) itself. As a sum of terms that are not negative, so that rounding does not drown it.
double contact_duality_gap(const friction_cone *cone, const load_compliance *compliance, bool rolls, contact_load u,
                           contact_load g);

#endif
