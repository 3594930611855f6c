// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/cone.h"

#define LANES_SCALAR
#include "dynamics/cone/system/cone_lanes.h"

static real3 to_real3(scr_vec3 v) { return (real3){v.x, v.y, v.z}; }
static scr_vec3 to_vec3(real3 v) { return vec3(v.x, v.y, v.z); }

scr_vec3 cone_project(const friction_cone *cone, scr_vec3 g, double kappa)
{
    return to_vec3(cone_project_impulse(to_real3(g), to_real3(cone->n), cone->mu, cone->apex, kappa));
}

static contact_load into_cone(const friction_cone *cone, contact_load p, double kappa_t, double kappa_q, bool coulomb)
{
    cone_load nearest = cone_project_both((cone_load){to_real3(p.g), to_real3(p.q)}, to_real3(cone->n), cone->mu,
                                          cone->roll, cone->spin, cone->apex, kappa_t, kappa_q, coulomb);
    return (contact_load){to_vec3(nearest.g), to_vec3(nearest.q)};
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
