// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it. Lane by lane IEEE operations: the same bits from all.
#include "dynamics/cone/newton/newton_lanes.h"

#include "dynamics/cone/system/cone_lanes.h"

_Static_assert((int)REAL_LANES == (int)NEWTON_LANES, "a lane for each contact");

static inline cone_load load_of(const load_lanes *l, bool rolls)
{
    cone_load load = {.g = real3_load(l->g)};
    if (rolls) load.q = real3_load(l->q);
    return load;
}

// P(-R'^-1 u)
static inline __attribute__((always_inline)) cone_load response(const newton_lanes *c, cone_load u, bool rolls)
{
    real3 n = real3_load(c->n);
    real un = real3_dot(u.g, n), mu = real_load(c->mu), apex = real_load(c->apex), kappa_t = real_load(c->kappa_t);
    real3 ut = real3_sub(u.g, real3_scale(un, n));
    cone_load p = {
        .g = real3_add(real3_scale(-real_load(c->inverse_t), ut), real3_scale(-un * real_load(c->inverse_n), n))};
    if (!rolls) return (cone_load){.g = cone_project_impulse(p.g, n, mu, apex, kappa_t)};
    p.q = real3_scale(-real_load(c->inverse_q), u.q);
    return cone_project_both(p, n, mu, real_load(c->roll), real_load(c->spin), apex, kappa_t, real_load(c->kappa_q),
                             false);
}

static inline __attribute__((always_inline)) void respond_four(newton_lanes *c, bool rolls)
{
    cone_load load = response(c, load_of(&c->u, rolls), rolls);
    real3_store(c->load.g, load.g);
    if (rolls) real3_store(c->load.q, load.q);
}

static void respond(newton_lanes *lanes, int64_t count, bool rolls)
{
    if (rolls)
        for (int64_t k = 0; k < count; ++k) respond_four(&lanes[k], true);
    else
        for (int64_t k = 0; k < count; ++k) respond_four(&lanes[k], false);
}

static inline __attribute__((always_inline)) real pull_of_four(const newton_lanes *c, bool rolls, real a)
{
    cone_load u = load_of(&c->u, rolls), along = load_of(&c->along, rolls);
    u.g = real3_add(u.g, real3_scale(a, along.g));
    if (rolls) u.q = real3_add(u.q, real3_scale(a, along.q));
    cone_load load = response(c, u, rolls);
    real pull = real3_dot(load.g, along.g);
    return rolls ? pull + real3_dot(load.q, along.q) : pull;
}

static double pull(const newton_lanes *lanes, int64_t count, bool rolls, double a)
{
    real sum = real_set(0.0), at = real_set(a);
    if (rolls)
        for (int64_t k = 0; k < count; ++k) sum += pull_of_four(&lanes[k], true, at);
    else
        for (int64_t k = 0; k < count; ++k) sum += pull_of_four(&lanes[k], false, at);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

const newton_kernels KERNEL(newton_kernels) = {respond, pull};
