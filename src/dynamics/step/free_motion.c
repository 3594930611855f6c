// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#define LANES_EIGHT
#include "dynamics/step/free_motion.h"

#include "dynamics/bodies/motion_lanes.h"

static inline real_mask within(real3 v, real3 w, const speed_limits *limits)
{
    return (real3_dot(v, v) <= real_set(limits->speed2)) & (real3_dot(w, w) <= real_set(limits->spin2));
}

int64_t KERNEL(set_free_motion)(const bodies *b, body_motion *to, int64_t first, int64_t last, scr_vec3 dv,
                                const speed_limits *limits, velocity_sums *sums, bool *is_physical)
{
    const real3 more = {real_set(dv.x), real_set(dv.y), real_set(dv.z)};
    const real none = real_set(0.0);
    number_row sum = {sums->v.x, sums->v.y, sums->v.z, sums->v2}, row[REAL_LANES];
    bool all_are_physical = true;
    for (; first + REAL_LANES <= last; first += REAL_LANES) {
        real3 v = load3(b->vx, b->vy, b->vz, first);
        real_quat q = {real_load(b->qw + first), real_load(b->qx + first), real_load(b->qy + first),
                       real_load(b->qz + first)};
        real3 w = real_quat_rotate(q, load3(b->wx, b->wy, b->wz, first));
        real inv_mass = real_load(b->inv_mass + first);
        real_mask is_dynamic = inv_mass > none;
        v = real3_select(is_dynamic, real3_add(v, more), v);
        all_are_physical = all_are_physical && all_lanes(within(v, w, limits));
        lanes_to_rows(row, (real[4]){v.x, v.y, v.z, inv_mass});
        for (int k = 0; k < REAL_LANES; ++k) row_store(to[first + k].v, row[k]);
        lanes_to_rows(row, (real[4]){w.x, w.y, w.z, real_load(b->inv_ix + first)});
        for (int k = 0; k < REAL_LANES; ++k) row_store(to[first + k].w, row[k]);
        // One after the other, as a loop over bodies adds them; zeros of those that are not dynamic change no sum.
        real3 counted = real3_where(is_dynamic, v);
        lanes_to_rows(row, (real[4]){counted.x, counted.y, counted.z, real3_dot(counted, counted)});
        for (int k = 0; k < REAL_LANES; ++k) sum += row[k];
        sums->count += __builtin_popcount(real_bits(is_dynamic));
    }
    sums->v = vec3(sum[0], sum[1], sum[2]);
    sums->v2 = sum[3];
    *is_physical = *is_physical && all_are_physical;
    return first;
}

int64_t KERNEL(sum_flight)(const bodies *b, const body_motion *now, int64_t first, int64_t last, double fall,
                           const speed_limits *limits, flight_sums *sums)
{
    const real half = real_set(0.5);
    number_row sum = {sums->mass, sums->old_kinetic, sums->new_kinetic, 0.0}, row[REAL_LANES];
    real fastest = real_set(sums->new_speed2);
    for (; first + REAL_LANES <= last; first += REAL_LANES) {
        real v[4], w[4];
        load_velocities(v, now + first);
        load_spins(w, now + first);
        real3 new_v = {v[0], v[1], v[2]}, old_v = load3(b->vx, b->vy, b->vz, first);
        if (!all_lanes((v[3] > real_set(0.0)) & within(new_v, (real3){w[0], w[1], w[2]}, limits))) break;
        real mass = real_set(1.0) / v[3], new_v2 = real3_dot(new_v, new_v);
        real old_speed = real_sqrt(real3_dot(old_v, old_v)) + real_set(fall);
        lanes_to_rows(row, (real[4]){mass, half * mass * old_speed * old_speed, half * mass * new_v2, real_set(0.0)});
        for (int k = 0; k < REAL_LANES; ++k) sum += row[k];
        fastest = real_max(new_v2, fastest);
    }
    sums->mass = sum[0], sums->old_kinetic = sum[1], sums->new_kinetic = sum[2];
    for (int k = 0; k < REAL_LANES; ++k)
        sums->new_speed2 = fastest[k] > sums->new_speed2 ? fastest[k] : sums->new_speed2;
    return first;
}
