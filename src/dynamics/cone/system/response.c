// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/cone/system/response.h"

#include <math.h>

static contact_load unconstrained(const friction_cone *cone, const load_compliance *compliance, bool rolls,
                                  contact_load u)
{
    double un = vec3_dot(u.g, cone->n);
    contact_load p = {.g = vec3_add_scaled(vec3_scale(-1.0 / compliance->t, vec3_add_scaled(u.g, -un, cone->n)),
                                           -un / compliance->n, cone->n)};
    if (rolls) p.q = vec3_scale(-1.0 / compliance->q, u.q);
    return p;
}

static contact_load nearest(const friction_cone *cone, const load_compliance *compliance, bool rolls, contact_load p)
{
    if (rolls) return cone_project_load(cone, p, compliance->t / compliance->n, compliance->q / compliance->n);
    return (contact_load){.g = cone_project(cone, p.g, compliance->t / compliance->n)};
}

// x . R y
static double compliance_dot(const friction_cone *cone, const load_compliance *compliance, contact_load x,
                             contact_load y)
{
    double xn = vec3_dot(x.g, cone->n), yn = vec3_dot(y.g, cone->n);
    return (compliance->n - compliance->t) * xn * yn + compliance->t * vec3_dot(x.g, y.g) +
           compliance->q * vec3_dot(x.q, y.q);
}

// With p = -R^-1 u the gap is 1/2 |g - p|^2 - 1/2 |g(u) - p|^2 in the metric R.
double contact_duality_gap(const friction_cone *cone, const load_compliance *compliance, bool rolls, contact_load u,
                           contact_load g)
{
    contact_load p = unconstrained(cone, compliance, rolls, u), response = nearest(cone, compliance, rolls, p);
    contact_load d = load_plus(g, -1.0, response), out = load_plus(response, -1.0, p);
    double rounded =
        LOAD_ROUNDING * sqrt(compliance_dot(cone, compliance, g, g) * compliance_dot(cone, compliance, out, out));
    return 0.5 * compliance_dot(cone, compliance, d, d) + fmax(0.0, compliance_dot(cone, compliance, d, out) - rounded);
}

static mat3 outer(scr_vec3 a, scr_vec3 b, double factor)
{
    scr_vec3 s = vec3_scale(factor, a);
    return (mat3){
        {{s.x * b.x, s.x * b.y, s.x * b.z}, {s.y * b.x, s.y * b.y, s.y * b.z}, {s.z * b.x, s.z * b.y, s.z * b.z}}};
}

static void add(mat3 *to, mat3 m)
{
    for (int k = 0; k < 9; ++k) to->m[k / 3][k % 3] += m.m[k / 3][k % 3];
}

// factor (1 - n n^T)
static void add_plane(mat3 *to, scr_vec3 n, double factor)
{
    for (int k = 0; k < 3; ++k) to->m[k][k] += factor;
    add(to, outer(n, n, -factor));
}

// A part of the load in the plane across n; e is its direction where it is cut. Returns whether it is.
static bool add_planar_part(mat3 *to, scr_vec3 n, scr_vec3 part, double limit, double x, double compliance, scr_vec3 *e)
{
    double length = vec3_norm(part);
    if (length <= limit * x) {
        add_plane(to, n, 1.0 / compliance);
        return false;
    }
    *e = vec3_scale(1.0 / length, part);
    double factor = limit * x / (length * compliance);
    add_plane(to, n, factor);
    add(to, outer(*e, *e, -factor));
    return true;
}

contact_slope contact_response_slope(const friction_cone *cone, const load_compliance *compliance, bool rolls,
                                     contact_load u, contact_load load)
{
    contact_slope slope = {0};
    double x = vec3_dot(load.g, cone->n) + cone->apex;
    if (x <= LOAD_ROUNDING * cone->apex) {  // 0 but for rounding: it pulls as much as it can, or is open
        slope.is_zero = true;
        return slope;
    }
    contact_load p = unconstrained(cone, compliance, rolls, u);
    double pn = vec3_dot(p.g, cone->n);
    scr_vec3 n = cone->n, e_t, e_q, q_g = n, q_q = {0};
    double denominator = 1.0;
    if (add_planar_part(&slope.gg, n, vec3_add_scaled(p.g, -pn, n), cone->mu, x, compliance->t, &e_t)) {
        q_g = vec3_add_scaled(q_g, cone->mu, e_t);
        denominator += cone->mu * cone->mu * compliance->t / compliance->n;
    }
    if (rolls) {
        double qn = vec3_dot(p.q, n), ratio = compliance->q / compliance->n;
        if (add_planar_part(&slope.qq, n, vec3_add_scaled(p.q, -qn, n), cone->roll, x, compliance->q, &e_q)) {
            q_q = vec3_add_scaled(q_q, cone->roll, e_q);
            denominator += cone->roll * cone->roll * ratio;
        }
        if (fabs(qn) <= cone->spin * x) {
            add(&slope.qq, outer(n, n, 1.0 / compliance->q));
        } else {
            q_q = vec3_add_scaled(q_q, qn > 0.0 ? cone->spin : -cone->spin, n);
            denominator += cone->spin * cone->spin * ratio;
        }
    }
    double factor = 1.0 / (compliance->n * denominator);
    add(&slope.gg, outer(q_g, q_g, factor));
    if (!rolls) return slope;
    slope.gq = outer(q_g, q_q, factor);
    add(&slope.qq, outer(q_q, q_q, factor));
    return slope;
}
