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

static inline real3 along(real3 a, real3 n) { return real3_scale(real3_dot(a, n), n); }

static inline real3 elastic_torque(const law_lanes *k, const normal_response *normal, real arm, real h, real3 w,
                                   real3 *angle)
{
    real stiffness = real_set(2.25) * arm * arm * normal->stiffness, inertia = real_set(3.5) * k->inertia;
    limited_spring s = spring_stretched(stiffness, real_set(2.0 * 0.3) * real_sqrt(inertia * stiffness),
                                        arm * normal->load, h, w, normal->touch & (arm > (real){0}), *angle);
    spring_hold_to_limit(&s);
    *angle = s.stretch;
    return s.force;
}

static inline real3 constant_torque(const law_lanes *k, const normal_response *normal, real arm, real h, real3 w)
{
    real size = real_sqrt(real3_dot(w, w)), limit = arm * normal->load, most = k->inertia / h * size;
    real share = real_select(most > limit, limit / size, k->inertia / h);
    return real3_scale(real_where(arm > (real){0}, -share), w);
}

// The torque on b; its opposite acts on a. *roll goes from the last step's angle to this one's; 0 for a constant
// torque.
static inline real3 rolling_torque(bool elastic, const law_lanes *k, const normal_response *normal, real h, real3 n,
                                   real3 w, real3 *roll)
{
    real3 spin = along(w, n), roll_rate = real3_sub(w, spin), spin_part = along(*roll, n),
          roll_part = real3_sub(*roll, spin_part), torque;
    if (elastic) {
        torque = real3_add(elastic_torque(k, normal, k->rolling, h, roll_rate, &roll_part),
                           elastic_torque(k, normal, k->spinning, h, spin, &spin_part));
        *roll = real3_add(roll_part, spin_part);
    } else {
        torque = real3_add(constant_torque(k, normal, k->rolling, h, roll_rate),
                           constant_torque(k, normal, k->spinning, h, spin));
        *roll = (real3){0};
    }
    return real3_where(normal->touch, torque);
}

#endif
