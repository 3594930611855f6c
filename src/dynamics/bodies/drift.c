// SPDX-License-Identifier: BSD-3-Clause
// Free motion of a body.
#include "dynamics/bodies/drift.h"

#include "core/maths/trig.h"
#define LANES_SCALAR
#include "dynamics/bodies/drift_lanes.h"

// sin(a)/a and cos(a) for a half angle, given its square.
static void half_angle(double angle2, double *sine_over_angle, double *cosine)
{
    if (angle2 < SERIES_ANGLE2) {
        *sine_over_angle = sine_over_angle_series(angle2);
        *cosine = cosine_series(angle2);
    } else {
        double angle = sqrt(angle2), sine;
        scr_sincos(angle, &sine, cosine);
        *sine_over_angle = sine / angle;
    }
}

scr_quat quat_advanced(scr_quat q, scr_vec3 w, double h)
{
    real3 half = real3_scale(0.5 * h, (real3){w.x, w.y, w.z});
    double angle2 = real3_dot(half, half), sine_over_angle, cosine;
    if (angle2 == 0.0) return q;
    half_angle(angle2, &sine_over_angle, &cosine);
    real_quat end = rotation_advanced((real_quat){q.w, q.x, q.y, q.z}, half, sine_over_angle, cosine);
    return (scr_quat){end.w, end.x, end.y, end.z};
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
