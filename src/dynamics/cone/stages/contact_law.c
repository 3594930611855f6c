// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/stages/contact_law.h"

#define LANES_SCALAR
#include "dynamics/cone/stages/contact_law_lanes.h"

double contact_law_inverse_stiffness(const step_law *law, double stiffness, bool has_own, double inverse_mass)
{
    return law_inverse_stiffness(law, stiffness, has_own, inverse_mass);
}

double contact_law_damping_time(const step_law *law, double own2, double ratio, double restitution, double overlap,
                                double speed)
{
    return law_damping_time(law, own2, ratio, restitution, overlap, speed);
}

double contact_law_spring_share(const step_law *law, double tau) { return law_spring_share(law, tau); }

double contact_law_bias(const step_law *law, double eps, double gap, double open, double share, bool pulls)
{
    return law_bias(law, eps, gap, open, share, pulls);
}
