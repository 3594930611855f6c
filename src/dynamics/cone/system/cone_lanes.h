// SPDX-License-Identifier: BSD-3-Clause
// What a contact can bear, for the numbers that core/maths/lanes.h was asked for: the one place that decides what lies
// in the cone.
//
// Parts of the load (g_t, q_t, q_n of cone.h) are limited by x = g_n + apex, each to limit x. cone_height gives the x
// of the nearest point of the cone, cone_share what it leaves of a part. Under Coulomb's law the normal goes first, and
// x is just kept from pulling. What lies inside keeps its bits: x itself, and a share of 1.
#ifndef DYNAMICS_CONE_SYSTEM_CONE_LANES_H
#define DYNAMICS_CONE_SYSTEM_CONE_LANES_H

#include <stdbool.h>

#include "core/maths/lanes.h"
#include "dynamics/cone/system/cone.h"

#if defined(LANES_SINGLE)
#define CONE_TINY 1e-30  // keeps 0/0 away where a part is nothing; far below any real one
#else
#define CONE_TINY 1e-300
#endif

typedef struct cone_limit {
    real length, limit, kappa;  // of the part, of it over x, and its metric over that of the normal
} cone_limit;

// The root in cone.h where there is one limit, not below 0.
static inline real cone_height_of_one(real x, const cone_limit *part)
{
    real zero = real_set(0.0), one = real_set(1.0), at = real_max(x, zero), pull = part->limit * part->kappa;
    // x alone: where the limit is 0, 0 <= 0 x holds for what pulls as well
    real_mask inside = (x >= zero) & (part->length <= part->limit * x);
    real rise = x + pull * part->length, slope = one + part->limit * pull;
    // the slope is known early: nothing waits for the division
    return real_select(inside, x, real_max(rise * (one / slope), at));
}

// The same with all limits. A part is cut where the root lies below x_i = length / limit, from which on it fits: where
// the function in cone.h is positive at x_i. That is asked of the function times the limit: one division is all.
static inline real cone_height(real x, const cone_limit part[CONE_LIMITS])
{
    real zero = real_set(0.0), rise = x, slope = real_set(1.0);
    for (int i = 0; i < CONE_LIMITS; ++i) {
        real limit = part[i].limit, length = part[i].length, lack = length - limit * x;
        for (int j = 0; j < CONE_LIMITS; ++j) {
            if (j == i) continue;
            real over = real_max(part[j].length * limit - part[j].limit * length, zero);
            lack -= part[j].limit * part[j].kappa * over;
        }
        real pull = real_where(lack > zero, limit * part[i].kappa);
        rise += pull * length;
        slope += limit * pull;
    }
    return real_max(rise / slope, real_max(x, zero));
}

static inline real cone_height_coulomb(real x) { return real_max(x, real_set(0.0)); }

// Nothing is left where nothing is allowed, also of a part so small that its length is 0.
static inline real cone_share(const cone_limit *part, real x)
{
    real limit = part->limit * x;
    return real_select(part->length < limit, real_set(1.0), limit / real_max(part->length, real_set(CONE_TINY)));
}

// g_n of that height. What did not move keeps its bits, however far away the apex is.
static inline real cone_normal(real n, real apex, real x) { return real_select(x == n + apex, n, x - apex); }

// The nearest impulse of the cone where there is no moment. kappa: the metric of the tangent over that of the normal
static inline real3 cone_project_impulse(real3 g, real3 n, real mu, real apex, real kappa)
{
    real gn = real3_dot(g, n);
    real3 gt = real3_sub(g, real3_scale(gn, n));
    const cone_limit part = {real_sqrt(real3_dot(gt, gt)), mu, kappa};
    real x = cone_height_of_one(gn + apex, &part), share = cone_share(&part, x);
    real3 moved = real3_add(real3_scale(share, gt), real3_scale(cone_normal(gn, apex, x), n));
    return real3_select((x == gn + apex) & (share == real_set(1.0)), g, moved);
}

typedef struct cone_load {
    real3 g, q;
} cone_load;

// The same of a load with a moment. Under Coulomb's law the metric does not count.
static inline cone_load cone_project_both(cone_load p, real3 n, real mu, real roll, real spin, real apex, real kappa_t,
                                          real kappa_q, bool coulomb)
{
    real gn = real3_dot(p.g, n), qn = real3_dot(p.q, n), high = gn + apex;
    real3 gt = real3_sub(p.g, real3_scale(gn, n)), qt = real3_sub(p.q, real3_scale(qn, n));
    const cone_limit part[CONE_LIMITS] = {{real_sqrt(real3_dot(gt, gt)), mu, kappa_t},
                                          {real_sqrt(real3_dot(qt, qt)), roll, kappa_q},
                                          {real_abs(qn), spin, kappa_q}};
    real x = coulomb ? cone_height_coulomb(high) : cone_height(high, part), share[CONE_LIMITS];
    real_mask stays = x == high;
    for (int i = 0; i < CONE_LIMITS; ++i) {
        share[i] = cone_share(&part[i], x);
        stays &= share[i] == real_set(1.0);
    }
    real3 g = real3_add(real3_scale(share[0], gt), real3_scale(cone_normal(gn, apex, x), n));
    real3 q = real3_add(real3_scale(share[1], qt), real3_scale(share[2] * qn, n));
    return (cone_load){real3_select(stays, p.g, g), real3_select(stays, p.q, q)};
}

#endif
