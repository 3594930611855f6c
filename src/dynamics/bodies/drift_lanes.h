// SPDX-License-Identifier: BSD-3-Clause
// How a body rotates at constant spin, for the numbers that core/maths/lanes.h was asked for: exp(half) q.
#ifndef DYNAMICS_BODIES_DRIFT_LANES_H
#define DYNAMICS_BODIES_DRIFT_LANES_H

#include "core/maths/lanes.h"

enum { MIDPOINT_STEPS = 2 };  // to solve the midpoint rule of drift.h to third order in h

#define SERIES_ANGLE2 0.01  // below it the series of a half angle, given its square, are exact to rounding

static inline real sine_over_angle_series(real angle2)
{
    const real one = real_set(1.0), c3 = real_set(1.0 / 6.0), c5 = real_set(1.0 / 120.0), c7 = real_set(1.0 / 5040.0),
               c9 = real_set(1.0 / 362880.0);
    return one - angle2 * (c3 - angle2 * (c5 - angle2 * (c7 - angle2 * c9)));
}

static inline real cosine_series(real angle2)
{
    const real one = real_set(1.0), c2 = real_set(0.5), c4 = real_set(1.0 / 24.0), c6 = real_set(1.0 / 720.0),
               c8 = real_set(1.0 / 40320.0), c10 = real_set(1.0 / 3628800.0);
    return one - angle2 * (c2 - angle2 * (c4 - angle2 * (c6 - angle2 * (c8 - angle2 * c10))));
}

// half: half the rotation vector; sine_over_angle, cosine: of its length. q itself where that is nothing.
static inline real_quat rotation_advanced(real_quat q, real3 half, real sine_over_angle, real cosine)
{
    real3 axis = real3_scale(sine_over_angle, half);
    real_quat p = real_quat_mul((real_quat){cosine, axis.x, axis.y, axis.z}, q);
    // 1/|p| to rounding: |p| is 1 but for rounding
    real s = real_set(1.5) - real_set(0.5) * (p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
    return (real_quat){s * p.w, s * p.x, s * p.y, s * p.z};
}

#endif
