// SPDX-License-Identifier: BSD-3-Clause
// One contact off the centre line that resists rolling, in double precision, while all others stand still: beside
// double_contacts.h.
//
// Its load (g, q) of cone.h is found by projected steps on the contact alone, in a diagonal metric that majorises its
// block:
//     convex    all of the load is brought back to the nearest point of the cone
//     Coulomb   the normal first; then g_t, q_t and q_n into the limits that it sets
// They end when they have become short beside the way since the last sweep: the sweeps go on, to the same fixed point.
#ifndef DYNAMICS_CONE_DOUBLE_DOUBLE_LOAD_H
#define DYNAMICS_CONE_DOUBLE_DOUBLE_LOAD_H

#include "dynamics/cone/double/double_contacts.h"

typedef struct double_load {
    int32_t a, b;
    friction_cone cone;
    contact_load r, load, old;
    scr_vec3 lever_a, lever_b;
    double arm;                                       // m
    mat3 block, mix, block_q;                         // 1/kg, world axes: A, X and B of rolling.h, R included
    double compliance_n, compliance_t, compliance_q;  // 1/kg, of R
    double step_n, step_t, step_q;                    // kg; inverses of the metric
    double mass_a, mass_b;                            // 1/kg, inverse
    mat3 inertia_a, inertia_b;                        // 1/(kg m^2), inverse
    int64_t contact;
} double_load;

double_load double_load_of(const contact_row *row, const system_body *mass, const mat3 *block, int32_t still,
                           int64_t contact, contact_load load);
void double_load_push(const double_load *c, contact_load load, body_impulse *body);
void double_loads_sweep(double_load *c, int64_t count, body_impulse *body, const double_mode *mode, double_sums *sums);

#endif
