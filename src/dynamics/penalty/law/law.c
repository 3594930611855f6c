// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/penalty/law/law.h"

#include "core/maths/trig.h"

static const double PI = 3.14159265358979323846;

double jkr_overlap_of(double work_over_modulus, double radius)
{
    double a = scr_cbrt(9.0 / 8.0 * PI * work_over_modulus * radius * radius);
    return a * a / radius;
}

double longest_neck(const materials *m, const scr_contact_def *contact, double radius)
{
    const double rounding = 1.01;
    double stickiest = 0.0;
    if (contact->adhesion != SCR_JKR || m->max_surface_energy == 0.0) return 0.0;
    for (int64_t k = 0; k < m->table.count * m->table.count; ++k)
        if (m->derived[k].modulus > 0.0)
            stickiest = fmax(stickiest, m->derived[k].surface_energy / m->derived[k].modulus);
    return radius > 0.0 ? rounding * jkr_overlap_of(stickiest, radius) / 3.0 : 0.0;
}

static void add_adhesion(law_coefficients *c, const material_pair *both, scr_adhesion_law adhesion, double radius,
                         double least_radius)
{
    double work = both->surface_energy;
    c->pull = both->cohesion * PI * least_radius * least_radius;
    if (adhesion == SCR_DMT) {
        c->pull += 2.0 * PI * work * radius;
    } else if (work > 0.0) {
        c->jkr_pull = 1.5 * PI * work * radius;
        c->jkr_overlap = jkr_overlap_of(work / both->modulus, radius);
    }
}

law_options law_options_of(const materials *m, const scr_contact_def *contact, double time_step)
{
    return (law_options){
        .hertz = contact->normal == SCR_HERTZ,
        .jkr = contact->adhesion == SCR_JKR && m->max_surface_energy > 0.0,
        .rolling = m->max_rolling_friction > 0.0,
        .spinning = m->max_spinning_friction > 0.0,
        .elastic_rolling = contact->rolling == SCR_ROLLING_ELASTIC,
        .time_step = time_step,
        .stretch_time = time_step,
    };
}

law_coefficients law_of_pair(const material_pair *both, const scr_contact_def *contact, double radius, double mass,
                             double least_radius)
{
    bool hertz = contact->normal == SCR_HERTZ;
    law_coefficients c = {.friction = both->friction, .shear = both->shear_ratio};
    c.shear_damping = sqrt(c.shear);
    if (hertz) c.stiffness = 4.0 / 3.0 * both->modulus * sqrt(radius);
    else
        c.stiffness =
            contact->stiffness > 0.0 ? contact->stiffness : contact_stiffness(both->modulus, radius, INFINITY);
    // Hertz: 2 sqrt(5/6) beta sqrt(m* S_n) with S_n = 3/2 k sqrt(d)
    c.damping = 2.0 * both->damping_ratio * sqrt((hertz ? 1.25 : 1.0) * c.stiffness * mass);
    c.rolling = both->rolling_friction * radius;
    c.spinning = both->spinning_friction * radius;
    c.inertia = 0.4 * mass * radius * radius;
    // 2 0.3 sqrt(k_r 7/2 I) with k_r = (3/2 arm)^2 S_n
    c.roll_damping = 0.9 * sqrt(3.5 * c.inertia * (hertz ? 1.5 : 1.0) * c.stiffness);
    add_adhesion(&c, both, contact->adhesion, radius, least_radius);
    return c;
}
