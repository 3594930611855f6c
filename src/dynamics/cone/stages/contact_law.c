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

double contact_law_allowance(const step_law *law, double gap, bool is_new, double smaller, double kept)
{
    return law_allowance(law, gap, is_new, smaller, kept);
}

static real3 to_real3(scr_vec3 v) { return (real3){v.x, v.y, v.z}; }
static scr_vec3 to_vec3(real3 v) { return vec3(v.x, v.y, v.z); }

scr_vec3 contact_law_joined(scr_vec3 normal, scr_vec3 tangent, scr_vec3 n)
{
    return to_vec3(law_joined(to_real3(normal), to_real3(tangent), to_real3(n)));
}

contact_start contact_law_start(const step_law *law, scr_vec3 last, scr_vec3 before, scr_vec3 n)
{
    law_start start = law_start_of(law, to_real3(last), to_real3(before), to_real3(n));
    return (contact_start){to_vec3(start.guess), to_vec3(start.kept)};
}

double contact_law_bias(const step_law *law, double eps, double gap, double open, double share, bool pulls)
{
    return law_bias(law, eps, gap, open, share, pulls);
}
