// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/penalty/bed/grain_rotation.h"

#include "dynamics/bodies/drift_lanes.h"

_Static_assert((int)REAL_LANES == (int)ROTATION_LANES, "four doubles");

static inline real3 half_rotation(const real spin[4], double duration)
{
    return real3_scale(real_set(0.5 * duration), (real3){spin[0], spin[1], spin[2]});
}

static inline bool suits_series(real angle2)
{
    return real_bits(angle2 < real_set(SERIES_ANGLE2)) == (1u << REAL_LANES) - 1;
}

static inline real_quat advanced(real_quat q, real3 half, real angle2)
{
    real_quat end = rotation_advanced(q, half, sine_over_angle_series(angle2), cosine_series(angle2));
    real_mask rests = angle2 == real_set(0.0);
    return (real_quat){real_select(rests, q.w, end.w), real_select(rests, q.x, end.x), real_select(rests, q.y, end.y),
                       real_select(rests, q.z, end.z)};
}

bool KERNEL(rotate_four_grains)(const grain_record *from, grain_record *to, rotating *r, double half_step)
{
    real old[4], new[4], axes[4];
    for (int k = 0; k < 4; ++k)
        old[k] = real_load(from[k].w), new[k] = real_load(to[k].w), axes[k] = real_load(&r[k].q.w);
    real_transpose(old), real_transpose(new), real_transpose(axes);
    real3 first = half_rotation(old, half_step), second = half_rotation(new, half_step);
    real first2 = real3_dot(first, first), second2 = real3_dot(second, second);
    if (!suits_series(first2) || !suits_series(second2)) return false;
    real_quat midway = advanced((real_quat){axes[0], axes[1], axes[2], axes[3]}, first, first2);
    real_quat end = advanced(midway, second, second2);
    real3 spin = real_quat_rotate(real_quat_conj(end), (real3){new[0], new[1], new[2]}),
          back = real_quat_rotate(end, spin);
    const real zero = {0};
    real_mask is_straight = (end.x == zero) & (end.y == zero) & (end.z == zero);
    real3 left = real3_select(is_straight, spin, back);
    real spins[4] = {spin.x, spin.y, spin.z, zero}, lefts[4] = {left.x, left.y, left.z, new[3]},
         ends[4] = {end.w, end.x, end.y, end.z};
    real_transpose(spins), real_transpose(lefts), real_transpose(ends);
    for (int k = 0; k < 4; ++k) {
        real_store(to[k].w, lefts[k]);
        real_store(&r[k].q.w, ends[k]);
        memcpy(&r[k].spin, &spins[k], sizeof r[k].spin);
    }
    return true;
}
