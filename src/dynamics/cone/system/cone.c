// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/cone.h"

#define LANES_SCALAR
#include "dynamics/cone/system/cone_lanes.h"

static scr_vec3 load_g(const friction_cone *cone, double gn, scr_vec3 gt, double x, double share)
{
    return vec3_add_scaled(vec3_scale(share, gt), cone_normal(gn, cone->apex, x), cone->n);
}

scr_vec3 cone_project(const friction_cone *cone, scr_vec3 g, double kappa)
{
    real3 nearest = cone_project_impulse((real3){g.x, g.y, g.z}, (real3){cone->n.x, cone->n.y, cone->n.z}, cone->mu,
                                         cone->apex, kappa);
    return vec3(nearest.x, nearest.y, nearest.z);
}

// Either law's; coulomb: the metric does not count.
static contact_load into_cone(const friction_cone *cone, contact_load p, double kappa_t, double kappa_q, bool coulomb)
{
    double gn = vec3_dot(p.g, cone->n), qn = vec3_dot(p.q, cone->n), high = gn + cone->apex;
    scr_vec3 gt = vec3_add_scaled(p.g, -gn, cone->n), qt = vec3_add_scaled(p.q, -qn, cone->n);
    const cone_limit part[CONE_LIMITS] = {
        {vec3_norm(gt), cone->mu, kappa_t}, {vec3_norm(qt), cone->roll, kappa_q}, {fabs(qn), cone->spin, kappa_q}};
    double x = coulomb ? cone_height_coulomb(high) : cone_height(high, part), share[CONE_LIMITS];
    bool stays = x == high;
    for (int i = 0; i < CONE_LIMITS; ++i) {
        share[i] = cone_share(&part[i], x);
        stays = stays && share[i] == 1.0;
    }
    if (stays) return p;
    return (contact_load){load_g(cone, gn, gt, x, share[0]),
                          vec3_add_scaled(vec3_scale(share[1], qt), share[2] * qn, cone->n)};
}

contact_load cone_project_load(const friction_cone *cone, contact_load p, double kappa_t, double kappa_q)
{
    return into_cone(cone, p, kappa_t, kappa_q, false);
}

contact_load cone_coulomb_load(const friction_cone *cone, contact_load p) { return into_cone(cone, p, 0.0, 0.0, true); }

double cone_slip(const friction_cone *cone, contact_load u)
{
    double un = vec3_dot(u.g, cone->n), wn = vec3_dot(u.q, cone->n);
    double slides = vec3_norm(vec3_add_scaled(u.g, -un, cone->n));
    double rolls = vec3_norm(vec3_add_scaled(u.q, -wn, cone->n));
    return cone->mu * slides + cone->roll * rolls + cone->spin * fabs(wn);
}

double cone_residual2(const friction_cone *cone, contact_load load, contact_load u, bool rolls, double d)
{
    contact_load moved = load_plus(load, -d, u);
    contact_load nearest =
        rolls ? cone_project_load(cone, moved, 1.0, 1.0) : (contact_load){.g = cone_project(cone, moved.g, 1.0)};
    contact_load f = load_plus(load, -1.0, nearest);
    return load_dot(f, f) / (d * d);
}
