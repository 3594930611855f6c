// SPDX-License-Identifier: BSD-3-Clause
// A contact off the centre line in double precision. Its block B is full: projected steps, with a majorant of B for the
// convex law, and normal first, then the disc, for Coulomb's, until they end. The problem is that of double_grains.h.
#ifndef DYNAMICS_CONE_DOUBLE_DOUBLE_CONTACTS_H
#define DYNAMICS_CONE_DOUBLE_DOUBLE_CONTACTS_H

#include "dynamics/cone/double/double_grains.h"

typedef struct double_contact {
    int32_t a, b;
    scr_vec3 axis[3];  // n and two tangents
    scr_vec3 lever_a, lever_b, r, g, old;
    mat3 block;   // B in these axes
    double apex;  // N s
    double mu, compliance[3], step_n, step_t,
        step_disc;              // kg: steps that never overshoot, alone and of the tangents alone
    mat3 inertia_a, inertia_b;  // 1/(kg m^2), inverse
    double mass_a, mass_b;
    int64_t contact;
} double_contact;

// still: the body entry of what cannot be moved
double_contact double_contact_of(const contact_row *row, const system_body *mass, const mat3 *block, int32_t still,
                                 int64_t contact, scr_vec3 g);
void double_contact_push(const double_contact *c, scr_vec3 impulse, body_impulse *body);
void double_contacts_sweep(double_contact *c, int64_t count, body_impulse *body, const double_mode *mode,
                           double_sums *sums);

#endif
