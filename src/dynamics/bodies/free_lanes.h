// SPDX-License-Identifier: BSD-3-Clause
// Bodies that turn by themselves (drift.h), several at once: to the bit what each would do alone.
#ifndef DYNAMICS_BODIES_FREE_LANES_H
#define DYNAMICS_BODIES_FREE_LANES_H

#include <stdbool.h>

#include "dynamics/bodies/drift_lanes.h"

static inline real_quat quat_select(real_mask mask, real_quat a, real_quat b)
{
    return (real_quat){real_select(mask, a.w, b.w), real_select(mask, a.x, b.x), real_select(mask, a.y, b.y),
                       real_select(mask, a.z, b.z)};
}

static inline bool is_all(real_mask mask) { return real_bits(mask) == (1u << REAL_LANES) - 1; }

// As quat_advanced; *is_slow becomes false where its series would not do.
static inline real_quat advanced(real_quat q, real3 w, double duration, bool *is_slow)
{
    real3 half = real3_scale(real_set(0.5 * duration), w);
    real angle2 = real3_dot(half, half);
    *is_slow = *is_slow && is_all(angle2 < real_set(SERIES_ANGLE2));
    return quat_select(angle2 == real_set(0.0), q,
                       rotation_advanced(q, half, sine_over_angle_series(angle2), cosine_series(angle2)));
}

static inline real3 times_each(real3 a, real3 b) { return (real3){a.x * b.x, a.y * b.y, a.z * b.z}; }

typedef struct real_rotating {
    real_quat q;
    real3 spin;
} real_rotating;  // spin in body axes

// As rotate_freely.
static inline real_rotating turn_freely(real_quat q, real3 w, real3 inverse_inertia, double duration, bool *is_slow)
{
    real3 i = inverse_inertia, midpoint = w, momentum = w;
    real_mask is_round = (i.x == i.y) & (i.y == i.z);
    bool all_are_round = is_all(is_round);
    if (!all_are_round) {
        real3 b = real_quat_rotate(real_quat_conj(q), w);
        momentum = real_quat_rotate(q, (real3){b.x / i.x, b.y / i.y, b.z / i.z});
        for (int k = 0; k < MIDPOINT_STEPS; ++k) {
            real_quat axes = advanced(q, midpoint, 0.5 * duration, is_slow);
            midpoint = real_quat_rotate(axes, times_each(i, real_quat_rotate(real_quat_conj(axes), momentum)));
        }
        midpoint = real3_select(is_round, w, midpoint);
    }
    real_quat end = advanced(q, midpoint, duration, is_slow), back = real_quat_conj(end);
    real3 steady = real_quat_rotate(back, w);
    if (all_are_round) return (real_rotating){end, steady};
    return (real_rotating){end, real3_select(is_round, steady, times_each(i, real_quat_rotate(back, momentum)))};
}

#endif
