// SPDX-License-Identifier: BSD-3-Clause
// Free motion of a body.
#include "dynamics/bodies/drift.h"

#include "core/maths/trig.h"

enum { MIDPOINT_STEPS = 2 };  // to solve the midpoint rule to third order in h

// sin(a)/a and cos(a) for a half angle, given its square; a series where it is exact to rounding.
static void half_angle(double angle2, double *sine_over_angle, double *cosine)
{
    if (angle2 < 0.01) {
        *sine_over_angle =
            1.0 - angle2 * (1.0 / 6.0 - angle2 * (1.0 / 120.0 - angle2 * (1.0 / 5040.0 - angle2 * (1.0 / 362880.0))));
        *cosine =
            1.0 -
            angle2 * (0.5 - angle2 * (1.0 / 24.0 -
                                      angle2 * (1.0 / 720.0 - angle2 * (1.0 / 40320.0 - angle2 * (1.0 / 3628800.0)))));
    } else {
        double angle = sqrt(angle2), sine;
        scr_sincos(angle, &sine, cosine);
        *sine_over_angle = sine / angle;
    }
}

scr_quat quat_advanced(scr_quat q, scr_vec3 w, double h)
{
    scr_vec3 half = vec3_scale(0.5 * h, w);
    double angle2 = vec3_dot(half, half), sine_over_angle, cosine;
    if (angle2 == 0.0) return q;
    half_angle(angle2, &sine_over_angle, &cosine);
    scr_vec3 axis = vec3_scale(sine_over_angle, half);
    scr_quat p = quat_mul((scr_quat){cosine, axis.x, axis.y, axis.z}, q);
    double s = 1.5 - 0.5 * quat_norm2(p);  // 1/|p| to rounding: |p| is 1 but for rounding
    return (scr_quat){s * p.w, s * p.x, s * p.y, s * p.z};
}

rotating rotate_steadily(scr_quat q, scr_vec3 w, double h)
{
    scr_quat end = quat_advanced(q, w, h);
    return (rotating){end, quat_unrotate(end, w)};
}

static bool is_round(scr_vec3 inverse_inertia)
{
    return inverse_inertia.x == inverse_inertia.y && inverse_inertia.y == inverse_inertia.z;
}

static scr_vec3 angular_momentum(scr_quat q, scr_vec3 w, scr_vec3 inverse_inertia)
{
    scr_vec3 b = quat_unrotate(q, w);
    return quat_rotate(q, vec3(b.x / inverse_inertia.x, b.y / inverse_inertia.y, b.z / inverse_inertia.z));
}

static scr_quat advanced_with(scr_quat q, scr_vec3 w, scr_vec3 momentum, scr_vec3 inverse_inertia, double h)
{
    scr_vec3 midpoint = w;
    for (int k = 0; k < MIDPOINT_STEPS; ++k) {
        scr_quat axes = quat_advanced(q, midpoint, 0.5 * h);
        midpoint = quat_rotate(axes, vec3_mul(inverse_inertia, quat_unrotate(axes, momentum)));
    }
    return quat_advanced(q, midpoint, h);
}

rotating rotate_freely(scr_quat q, scr_vec3 w, scr_vec3 inverse_inertia, double h)
{
    if (is_round(inverse_inertia)) return rotate_steadily(q, w, h);
    scr_vec3 momentum = angular_momentum(q, w, inverse_inertia);
    scr_quat end = advanced_with(q, w, momentum, inverse_inertia, h);
    return (rotating){end, vec3_mul(inverse_inertia, quat_unrotate(end, momentum))};
}

scr_quat quat_advanced_freely(scr_quat q, scr_vec3 w, scr_vec3 inverse_inertia, double h)
{
    if (is_round(inverse_inertia)) return quat_advanced(q, w, h);
    return advanced_with(q, w, angular_momentum(q, w, inverse_inertia), inverse_inertia, h);
}

scr_vec3 spin_advanced_freely(scr_quat q, scr_vec3 w, scr_vec3 inverse_inertia, scr_quat end)
{
    if (is_round(inverse_inertia)) return w;
    return quat_rotate(end, vec3_mul(inverse_inertia, quat_unrotate(end, angular_momentum(q, w, inverse_inertia))));
}
