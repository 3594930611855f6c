// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it. Lane by lane IEEE operations: the same bits from all.
#include "dynamics/cone/newton/newton_lanes.h"

#include "dynamics/cone/system/cone_lanes.h"
#include "dynamics/kkt/lanes4.h"

_Static_assert((int)REAL_LANES == (int)NEWTON_LANES, "a lane for each contact");

static inline cone_load load_of(const load_lanes *l, bool rolls)
{
    cone_load load = {.g = real3_load(l->g)};
    if (rolls) load.q = real3_load(l->q);
    return load;
}

typedef struct body_lanes {
    real3 v, w;
} body_lanes;

// v and the first number of w, then the last of v and w: two overlapping loads of each
static inline __attribute__((always_inline)) body_lanes bodies_at(const double *v, const int32_t at[NEWTON_LANES])
{
    real first[4], last[4];
    for (int l = 0; l < NEWTON_LANES; ++l) {
        first[l] = real_load(v + at[l]);
        last[l] = real_load(v + at[l] + 2);
    }
    real_transpose(first);
    real_transpose(last);
    return (body_lanes){{first[0], first[1], first[2]}, {last[1], last[2], last[3]}};
}

// D^T v
static inline __attribute__((always_inline)) cone_load seen_by(const newton_lanes *c, const double *v, bool rolls)
{
    body_lanes a = bodies_at(v, c->a), b = bodies_at(v, c->b);
    cone_load u = {.g = real3_sub(real3_point_velocity(b.v, b.w, real3_load(c->lever_b)),
                                  real3_point_velocity(a.v, a.w, real3_load(c->lever_a)))};
    real arm = real_load(c->arm);
    if (rolls) u.q = real3_sub(real3_scale(arm, b.w), real3_scale(arm, a.w));
    return u;
}

static inline __attribute__((always_inline)) void see_four(newton_lanes *c, const double *v, bool rolls)
{
    cone_load u = seen_by(c, v, rolls);
    real3_store(c->u.g, real3_add(u.g, real3_load(c->r.g)));
    if (rolls) real3_store(c->u.q, real3_add(u.q, real3_load(c->r.q)));
}

static void see(newton_lanes *lanes, int64_t count, bool rolls, const double *v)
{
    if (rolls)
        for (int64_t k = 0; k < count; ++k) see_four(&lanes[k], v, true);
    else
        for (int64_t k = 0; k < count; ++k) see_four(&lanes[k], v, false);
}

static inline __attribute__((always_inline)) void see_four_along(newton_lanes *c, const double *v, bool rolls)
{
    cone_load u = seen_by(c, v, rolls);
    real3_store(c->along.g, u.g);
    if (rolls) real3_store(c->along.q, u.q);
}

static void see_along(newton_lanes *lanes, int64_t count, bool rolls, const double *v)
{
    if (rolls)
        for (int64_t k = 0; k < count; ++k) see_four_along(&lanes[k], v, true);
    else
        for (int64_t k = 0; k < count; ++k) see_four_along(&lanes[k], v, false);
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

// As contact_response_slope: with e the direction in which a load slides, the part of it across n being cut,
//     G = q q^T / (R_n (1 + mu^2 kappa)) + f (1 - n n^T - e e^T),   q = n + mu e,   f = mu x / (length R_t)
// and where it sticks the same with e = 0, mu = 0 and f = 1 / R_t.
static inline __attribute__((always_inline)) void slope_of_four(newton_lanes *c)
{
    real3 n = real3_load(c->n), u = real3_load(c->u.g), load = real3_load(c->load.g);
    real zero = real_set(0.0), one = real_set(1.0), un = real3_dot(u, n), apex = real_load(c->apex);
    real inverse_n = real_load(c->inverse_n), inverse_t = real_load(c->inverse_t), mu = real_load(c->mu);
    real x = real3_dot(load, n) + apex;
    real3 across = real3_scale(-inverse_t, real3_sub(u, real3_scale(un, n)));
    real length = real_sqrt(real3_dot(across, across)), most = mu * x;
    real_mask bears = x > LOAD_ROUNDING * apex, slides = length > most;
    real share = one / real_max(length, real_set(CONE_TINY));
    real3 e = real3_where(slides, real3_scale(share, across));
    real held = real_where(slides, mu);
    real planar = real_where(bears, inverse_t * real_select(slides, most * share, one));
    real along = real_where(bears, inverse_n / (one + held * held * real_load(c->kappa_t)));
    real3 q = real3_add(n, real3_scale(held, e)), aq = real3_scale(along, q);
    real3 pn = real3_scale(planar, n), pe = real3_scale(planar, e);
    real_store(c->slope[0], aq.x * q.x + (planar - pn.x * n.x - pe.x * e.x));
    real_store(c->slope[1], aq.x * q.y + (zero - pn.x * n.y - pe.x * e.y));
    real_store(c->slope[2], aq.x * q.z + (zero - pn.x * n.z - pe.x * e.z));
    real_store(c->slope[3], aq.y * q.y + (planar - pn.y * n.y - pe.y * e.y));
    real_store(c->slope[4], aq.y * q.z + (zero - pn.y * n.z - pe.y * e.z));
    real_store(c->slope[5], aq.z * q.z + (planar - pn.z * n.z - pe.z * e.z));
}

static void slopes(newton_lanes *lanes, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) slope_of_four(&lanes[k]);
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

// Force and torque of each of four bodies: the first four numbers of each, and the last two
typedef struct wrench_rows {
    real first[NEWTON_LANES];
    two last[NEWTON_LANES];
} wrench_rows;

static inline __attribute__((always_inline)) wrench_rows wrenches_at(const newton_lanes *c, real3 lever,
                                                                     const cone_load *load, bool rolls)
{
    real3 torque = real3_cross(lever, load->g);
    if (rolls) torque = real3_add(torque, real3_scale(real_load(c->arm), load->q));
    wrench_rows w = {.first = {load->g.x, load->g.y, load->g.z, torque.x}};
    real_transpose(w.first);
    lanes_last(w.last, torque.y, torque.z, 0);
    lanes_last(w.last + 2, torque.y, torque.z, 1);
    return w;
}

// Contact after contact: they may have bodies in common.
static inline __attribute__((always_inline)) void push_four(const newton_lanes *c, bool rolls, double *momentum)
{
    cone_load load = load_of(&c->load, rolls);
    real_mask some = (load.g.x != 0.0) | (load.g.y != 0.0) | (load.g.z != 0.0);
    if (!rolls && !lanes_any(some)) return;  // all are open
    wrench_rows of_a = wrenches_at(c, real3_load(c->lever_a), &load, rolls);
    wrench_rows of_b = wrenches_at(c, real3_load(c->lever_b), &load, rolls);
    for (int l = 0; l < NEWTON_LANES; ++l) {
        double *a = momentum + c->a[l], *b = momentum + c->b[l];
        two last = two_load(a + 4) - of_a.last[l];
        real_store(a, real_load(a) - of_a.first[l]);
        memcpy(a + 4, &last, sizeof last);
        last = two_load(b + 4) + of_b.last[l];
        real_store(b, real_load(b) + of_b.first[l]);
        memcpy(b + 4, &last, sizeof last);
    }
}

static void push(const newton_lanes *lanes, int64_t count, bool rolls, double *momentum)
{
    if (rolls)
        for (int64_t k = 0; k < count; ++k) push_four(&lanes[k], true, momentum);
    else
        for (int64_t k = 0; k < count; ++k) push_four(&lanes[k], false, momentum);
}

// Loads at a = 0 are known.
static double pull_now(const newton_lanes *lanes, int64_t count, bool rolls)
{
    real sum = real_set(0.0);
    for (int64_t k = 0; k < count; ++k) {
        cone_load load = load_of(&lanes[k].load, rolls), along = load_of(&lanes[k].along, rolls);
        real one = real3_dot(load.g, along.g);
        sum += rolls ? one + real3_dot(load.q, along.q) : one;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

const newton_kernels KERNEL(newton_kernels) = {see, see_along, respond, slopes, push, pull, pull_now};
