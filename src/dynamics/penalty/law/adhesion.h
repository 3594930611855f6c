// SPDX-License-Identifier: BSD-3-Clause
// Adhesion after Johnson, Kendall and Roberts: a neck that holds on to negative overlaps.
//
// With the work of adhesion w, the contact's radius a follows from the overlap d, and the force from a:
//     d = a^2/R* - sqrt(2 pi w a/E*)        F = 4/3 E* a^3/R* - sqrt(8 pi w E* a^3)
// In units of pull-off, y^2 = a/a_c with a_c^3 = 9 pi w R*^2 / (8 E*), F_c = 3/2 pi w R*, d_c = a_c^2/R*:
//     d/d_c = y^4 - 4/3 y                   F/F_c = y^6 - 2 y^3
//     energy/(F_c d_c) = 2/5 y^10 - 4/3 y^7 + 2/3 y^4
// A contact begins at d = 0, where it jumps in with 8/9 F_c, and ends at y = 1, d = -d_c/3, where it is pulled with
// F_c. S_n = 2 E* a = 3/2 k sqrt(d_c) y^2, with Hertz' k: sqrt(d_c) y^2 stands for Hertz' sqrt(d) in springs and
// dampers. Sliding begins at mu (F + 2 F_c) (Thornton 1991). w = 0 is Hertz' law.
#ifndef DYNAMICS_PENALTY_LAW_ADHESION_H
#define DYNAMICS_PENALTY_LAW_ADHESION_H

#include "dynamics/penalty/law/law.h"

enum { JKR_STEPS = 8 };  // of Newton's method: enough for rounding at any overlap

// y >= 1 with y^4 - 4/3 y = x >= -1/3. The first guess, x^(1/4) + (4/3)^(1/3), lies above the root and the curve is
// convex: the steps descend to it.
static inline real jkr_root(real x)
{
    const real slope = real_set(4.0 / 3.0);
    real y = real_sqrt(real_sqrt(real_max(x, (real){0}))) + real_set(1.1006424163);
    for (int step = 0; step < JKR_STEPS; ++step) {
        real cube = y * y * y;
        y = y - ((cube - slope) * y - x) / (real_set(4.0) * cube - slope);
    }
    return y;
}

static inline normal_response jkr_response(const law_lanes *k, real overlap, real un, real_mask was_in_touch)
{
    real_mask sticks = k->jkr_pull > (real){0};
    real unit = real_select(sticks, k->jkr_overlap, real_set(1.0)), x = overlap / unit;
    real_mask touch = (overlap > (real){0}) | (sticks & was_in_touch & (x > real_set(-1.0 / 3.0)));
    x = real_where(touch, x);
    real d = real_where(touch, overlap), y = jkr_root(x), y2 = y * y, y3 = y2 * y;
    real root = real_where(touch, real_select(sticks, real_sqrt(unit) * y2, real_sqrt(d)));
    real hertz = k->stiffness * d * root;
    real elastic = real_select(sticks, k->jkr_pull * (y3 - real_set(2.0)) * y3, hertz);
    real stored = real_select(sticks,
                              k->jkr_pull * unit * (y2 * y2) *
                                  ((real_set(0.4) * y3 - real_set(4.0 / 3.0)) * y3 + real_set(2.0 / 3.0)),
                              real_set(0.4) * hertz * d);
    real rise = real_sqrt(root), damping = k->damping * rise;
    real force = real_where(touch, real_max(elastic - damping * un, -k->jkr_pull));
    real load = real_where(touch, force + real_set(2.0) * k->jkr_pull);
    return (normal_response){.touch = touch,
                             .force = force - real_where(touch, k->pull),
                             .load = load,
                             .stiffness = real_set(1.5) * k->stiffness * root,
                             .damping = damping,
                             .energy = real_where(touch, stored - k->pull * d),
                             .rise = rise};
}

typedef enum normal_law { NORMAL_HOOKE, NORMAL_HERTZ, NORMAL_JKR } normal_law;

static inline normal_law normal_law_of(const law_options *options)
{
    return options->jkr ? NORMAL_JKR : options->hertz ? NORMAL_HERTZ : NORMAL_HOOKE;
}

static inline normal_response response_of(normal_law law, const law_lanes *k, real overlap, real un,
                                          real_mask was_in_touch)
{
    return law == NORMAL_JKR ? jkr_response(k, overlap, un, was_in_touch)
                             : normal_response_of(law == NORMAL_HERTZ, k, overlap, un);
}

// The whole force on b. was_in_touch: the pair was so in the last step, which JKR alone asks for. normal receives what
// rolling resistance goes by (rolling.h).
static inline real3 law_force(normal_law law, const law_lanes *k, real h, real overlap, real3 n, real3 u,
                              real_mask was_in_touch, real3 *spring, normal_response *normal)
{
    *normal = response_of(law, k, overlap, real3_dot(u, n), was_in_touch);
    return real3_add(real3_scale(normal->force, n), tangential_force(k, normal, h, n, u, spring));
}

#endif
