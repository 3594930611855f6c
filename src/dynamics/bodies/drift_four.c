// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/bodies/drift_four.h"

#include "dynamics/bodies/drift_lanes.h"

_Static_assert((int)REAL_LANES == (int)DRIFT_FOUR, "four doubles");

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

// The midpoint rule of drift.c, which those with one moment of inertia do without
static inline real_quat advanced_freely(real_quat q, real3 w, real3 inverse_inertia, double duration, bool *is_slow)
{
    real3 i = inverse_inertia, midpoint = w;
    real_mask is_round = (i.x == i.y) & (i.y == i.z);
    if (is_all(is_round)) return advanced(q, w, duration, is_slow);
    real3 b = real_quat_rotate(real_quat_conj(q), w);
    real3 momentum = real_quat_rotate(q, (real3){b.x / i.x, b.y / i.y, b.z / i.z});
    for (int k = 0; k < MIDPOINT_STEPS; ++k) {
        real_quat axes = advanced(q, midpoint, 0.5 * duration, is_slow);
        midpoint = real_quat_rotate(axes, times_each(i, real_quat_rotate(real_quat_conj(axes), momentum)));
    }
    return advanced(q, real3_select(is_round, w, midpoint), duration, is_slow);
}

// Of four, the numbers first to first + 3 of each
static inline void gather(real v[4], const double *from, int width, int first)
{
    for (int l = 0; l < REAL_LANES; ++l) v[l] = real_load(from + width * l + first);
    real_transpose(v);
}

bool KERNEL(drift_four)(const pose *from, const double *motion, const double *inverse_inertia, double duration,
                        pose *to)
{
    const double *start = (const double *)from;
    double *end = (double *)to;
    const double *i = inverse_inertia;
    real x[4], q[4], v[4], w[4];
    bool is_slow = true;
    gather(x, start, POSE_WIDTH, 0);  // with the first number of the rotation
    gather(q, start, POSE_WIDTH, 3);
    gather(v, motion, 6, 0);
    gather(w, motion, 6, 2);  // with the last number of the velocity
    real3 inertia = {{i[0], i[3], i[6], i[9]}, {i[1], i[4], i[7], i[10]}, {i[2], i[5], i[8], i[11]}};
    real_quat turned =
        advanced_freely((real_quat){q[0], q[1], q[2], q[3]}, (real3){w[1], w[2], w[3]}, inertia, duration, &is_slow);
    if (!is_slow) return false;
    real3 place = real3_add((real3){x[0], x[1], x[2]}, real3_scale(real_set(duration), (real3){v[0], v[1], v[2]}));
    real first[4] = {place.x, place.y, place.z, turned.w}, last[4] = {turned.w, turned.x, turned.y, turned.z};
    real_transpose(first);
    real_transpose(last);
    for (int l = 0; l < REAL_LANES; ++l) {
        real_store(end + POSE_WIDTH * l, first[l]);
        real_store(end + POSE_WIDTH * l + 3, last[l]);
    }
    return true;
}
