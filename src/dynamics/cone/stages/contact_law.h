// SPDX-License-Identifier: BSD-3-Clause
// contact_law_lanes.h for one contact.
#ifndef DYNAMICS_CONE_STAGES_CONTACT_LAW_H
#define DYNAMICS_CONE_STAGES_CONTACT_LAW_H

#include "core/maths/vec3.h"
#include "dynamics/cone/system/step_law.h"

typedef struct contact_start {
    scr_vec3 guess, kept;  // as in law_start
} contact_start;

double contact_law_inverse_stiffness(const step_law *law, double stiffness, bool has_own, double inverse_mass);
double contact_law_damping_time(const step_law *law, double own2, double ratio, double restitution, double overlap,
                                double speed);
double contact_law_spring_share(const step_law *law, double tau);
double contact_law_allowance(const step_law *law, double gap, bool is_new, double smaller, double kept);
scr_vec3 contact_law_joined(scr_vec3 normal, scr_vec3 tangent, scr_vec3 n);
contact_start contact_law_start(const step_law *law, scr_vec3 last, scr_vec3 before, scr_vec3 n);
double contact_law_bias(const step_law *law, double eps, double gap, double open, double share, bool pulls);

#endif
