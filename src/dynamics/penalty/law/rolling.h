// SPDX-License-Identifier: BSD-3-Clause
// Resistance to rolling and spinning: torques that depend on the relative spin w of b less a.
//
//   limits     mu_r R* F about axes across n, mu_s R* F about n; F the load
//   constant   M = -limit w/|w|: type A of Ai et al. (2011), and no more than would stop a sphere of R*, m* in one
//              step: what has come to rest stays so
//   elastic    M = -(k_r phi + c_r w), no larger than the limit, phi the angle turned since the limit was last left:
//              type C, with k_r = 9/4 (mu_r R*)^2 S_n and c_r = 0.3 of the critical damping of a sphere rolling on a
//              wall. One vector per pair keeps phi: across n the rolling, along n the spinning
#ifndef DYNAMICS_PENALTY_LAW_ROLLING_H
#define DYNAMICS_PENALTY_LAW_ROLLING_H

#include "dynamics/penalty/law/law.h"

static inline __attribute__((always_inline)) real3 elastic_torque(const law_lanes *k, const normal_response *normal,
                                                                  real arm, real h, real3 w, real3 *angle)
{
    limited_spring s =
        spring_stretched(real_set(2.25) * arm * arm * normal->stiffness, arm * k->roll_damping * normal->rise,
                         arm * normal->load, h, w, normal->touch & (arm > (real){0}), *angle);
    if (real_bits(s.beyond_limit) != 0) spring_hold_to_limit(&s);  // most contacts roll less than that
    *angle = s.stretch;
    return s.force;
}

// size: |w|; stop: inertia over the time step
static inline __attribute__((always_inline)) real3 constant_torque(const normal_response *normal, real arm, real stop,
                                                                   real3 w, real size)
{
    real limit = arm * normal->load, share = real_select(stop * size > limit, limit / size, stop);
    return real3_scale(real_where(arm > (real){0}, -share), w);
}

// The torque on b; its opposite acts on a. *roll goes from the last step's angle to this one's; 0 for a constant
// torque.
static inline __attribute__((always_inline)) real3 rolling_torque(const law_options *options, const law_lanes *k,
                                                                  const normal_response *normal, real3 n, real3 w,
                                                                  real3 *roll)
{
    real about = real3_dot(w, n);
    real3 spin = real3_scale(about, n), roll_rate = real3_sub(w, spin), torque;
    if (options->elastic_rolling) {
        real h = real_set(options->stretch_time);
        real3 spin_part = real3_scale(real3_dot(*roll, n), n), roll_part = real3_sub(*roll, spin_part);
        torque = elastic_torque(k, normal, k->rolling, h, roll_rate, &roll_part);
        *roll = roll_part;
        if (options->spinning) {
            torque = real3_add(torque, elastic_torque(k, normal, k->spinning, h, spin, &spin_part));
            *roll = real3_add(roll_part, spin_part);
        }
    } else {
        real stop = k->inertia / real_set(options->time_step), rate = real_sqrt(real3_dot(roll_rate, roll_rate));
        torque = constant_torque(normal, k->rolling, stop, roll_rate, rate);
        if (options->spinning)
            torque = real3_add(torque, constant_torque(normal, k->spinning, stop, spin, real_abs(about)));
        *roll = (real3){0};
    }
    return real3_where(normal->touch, torque);
}

#endif
