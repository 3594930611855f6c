#include "dynamics/cone/cone.h"

static const scr_vec3 NOTHING = {0.0, 0.0, 0.0};

static scr_vec3 apex_of(const friction_cone *cone) { return cone->apex > 0.0 ? vec3_scale(-cone->apex, cone->n) : NOTHING; }

scr_vec3 cone_nearest(const friction_cone *cone, scr_vec3 g, double kappa)
{
    double gn = vec3_dot(g, cone->n), mu = cone->mu, x = gn + cone->apex;
    scr_vec3 gt = vec3_add_scaled(g, -gn, cone->n);
    double length = vec3_norm(gt);
    if (x >= 0.0 && length <= mu * x) return g;
    double edge = (x + mu * kappa * length) / (1.0 + mu * mu * kappa);
    if (edge <= 0.0) return apex_of(cone);
    return vec3_add_scaled(vec3_scale(edge - cone->apex, cone->n), length > 0.0 ? mu * edge / length : 0.0, gt);
}

// A part of the load that x limits to limit x.
typedef struct limited {
    double length, limit, kappa;
} limited;

static double nearest_x(double x, const limited part[CONE_LIMITS])
{
    double largest = x;
    for (int some = 1; some < 1 << CONE_LIMITS; ++some) {
        double rise = x, slope = 1.0;
        for (int i = 0; i < CONE_LIMITS; ++i) {
            if (!(some >> i & 1)) continue;
            rise += part[i].kappa * part[i].limit * part[i].length;
            slope += part[i].kappa * part[i].limit * part[i].limit;
        }
        if (rise / slope > largest) largest = rise / slope;
    }
    return largest;
}

static scr_vec3 cut(scr_vec3 v, const limited *part, double x)
{
    return part->length <= part->limit * x ? v : vec3_scale(part->limit * x / part->length, v);
}

contact_load cone_nearest_load(const friction_cone *cone, contact_load p, double kappa_t, double kappa_q)
{
    double gn = vec3_dot(p.g, cone->n), qn = vec3_dot(p.q, cone->n), x = gn + cone->apex;
    scr_vec3 gt = vec3_add_scaled(p.g, -gn, cone->n), qt = vec3_add_scaled(p.q, -qn, cone->n), along = vec3_scale(qn, cone->n);
    const limited part[CONE_LIMITS] = {{vec3_norm(gt), cone->mu, kappa_t}, {vec3_norm(qt), cone->roll, kappa_q}, {fabs(qn), cone->spin, kappa_q}};
    bool inside = x >= 0.0;
    for (int i = 0; i < CONE_LIMITS; ++i) inside = inside && part[i].length <= part[i].limit * x;
    if (inside) return p;
    double at = nearest_x(x, part);
    if (at <= 0.0) return (contact_load){apex_of(cone), NOTHING};
    return (contact_load){vec3_add_scaled(cut(gt, &part[0], at), at - cone->apex, cone->n),
                          vec3_add(cut(qt, &part[1], at), cut(along, &part[2], at))};
}
