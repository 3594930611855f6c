// SPDX-License-Identifier: BSD-3-Clause
// contact_law_lanes.h for one contact.
#ifndef DYNAMICS_CONE_STAGES_CONTACT_LAW_H
#define DYNAMICS_CONE_STAGES_CONTACT_LAW_H

#include "dynamics/cone/system/step_law.h"

double contact_law_inverse_stiffness(const step_law *law, double stiffness, bool has_own, double inverse_mass);
double contact_law_damping_time(const step_law *law, double own2, double ratio, double restitution, double overlap,
                                double speed);
double contact_law_spring_share(const step_law *law, double tau);
double contact_law_bias(const step_law *law, double eps, double gap, double open, double share, bool pulls);

#endif
