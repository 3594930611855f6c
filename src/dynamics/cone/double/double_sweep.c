// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it. Lane by lane IEEE operations: the same bits from all.
#include "dynamics/cone/double/double_grains.h"
#include "dynamics/cone/system/cone.h"
#include "dynamics/cone/system/cone_lanes.h"

enum { ROLLING_STEPS = 2 };  // of a contact that resists rolling

// Velocity and spin of the bodies of one side.
static inline void bodies_load(const body_impulse *body, const int32_t at[DOUBLE_LANES], real3 *v, real3 *spin)
{
    real linear[4], angular[4];
    for (int i = 0; i < DOUBLE_LANES; ++i) {
        linear[i] = real_load(body[at[i]].linear);
        angular[i] = real_load(body[at[i]].angular);
    }
    real_transpose(linear);
    real_transpose(angular);
    *v = real3_scale(linear[3], (real3){linear[0], linear[1], linear[2]});
    *spin = real3_scale(angular[3], (real3){angular[0], angular[1], angular[2]});
}

static inline void bodies_add(body_impulse *body, const double_bundle *c, real3 linear, real3 angular)
{
    real p[4] = {linear.x, linear.y, linear.z, real_set(0.0)}, t[4] = {angular.x, angular.y, angular.z, real_set(0.0)};
    real_transpose(p);
    real_transpose(t);
    for (int i = 0; i < DOUBLE_LANES; ++i) {
        body_impulse *a = &body[c->a[i]], *b = &body[c->b[i]];
        real_store(a->linear, real_load(a->linear) - p[i]);
        real_store(a->angular, real_load(a->angular) - real_set(c->arm_a[i]) * t[i]);
        real_store(b->linear, real_load(b->linear) + p[i]);
        real_store(b->angular, real_load(b->angular) + real_set(c->arm_b[i]) * t[i]);
    }
}

static inline void bodies_add_angular_impulse(body_impulse *body, const double_bundle *c, real3 angular_impulse)
{
    real t[4] = {angular_impulse.x, angular_impulse.y, angular_impulse.z, real_set(0.0)};
    real_transpose(t);
    for (int i = 0; i < DOUBLE_LANES; ++i) {
        body_impulse *a = &body[c->a[i]], *b = &body[c->b[i]];
        real_store(a->angular, real_load(a->angular) - t[i]);
        real_store(b->angular, real_load(b->angular) + t[i]);
    }
}

typedef struct real_sums {
    real energy, change, size;
} real_sums;

static inline real3 plus(real3 a, real s, real3 b) { return real3_add(a, real3_scale(s, b)); }
static inline real3 minus(real3 a, real s, real3 b) { return real3_sub(a, real3_scale(s, b)); }

static inline real3 velocity_at(const double_bundle *c, real3 n, real3 r, real3 v, real3 wa, real3 wb)
{
    real3 s = real3_sub(real3_scale(real_load(c->arm_b), wb), real3_scale(real_load(c->arm_a), wa));
    return real3_point_velocity(real3_add(r, v), s, n);
}

// Inlined, so that one loop is made for each law.
static inline __attribute__((always_inline)) void visit(double_bundle *restrict c, body_impulse *restrict body,
                                                        real beta, real omega, bool coulomb, real_sums *sums)
{
    real3 va, wa, vb, wb, n = real3_load(c->n), r = real3_load(c->r), g = real3_load(c->g);
    bodies_load(body, c->a, &va, &wa);
    bodies_load(body, c->b, &vb, &wb);
    real3 u = velocity_at(c, n, r, real3_sub(vb, va), wa, wb);
    real3 y = real3_add(g, real3_scale(beta, real3_sub(g, real3_load(c->old))));
    real un = real3_dot(u, n), yn = real3_dot(y, n), compliance_n = real_load(c->compliance_n),
         compliance_t = real_load(c->compliance_t);
    real3 ut = real3_sub(u, real3_scale(un, n)), yt = real3_sub(y, real3_scale(yn, n));

    real step_n = real_load(c->step_n), b_n = real_load(c->b_n), b_t = real_load(c->b_t), apex = real_load(c->apex);
    real zn = yn - omega * step_n * (un + compliance_n * yn);
    real3 zt = real3_sub(yt, real3_scale(omega * real_load(c->step_t), real3_add(ut, real3_scale(compliance_t, yt))));
    const cone_limit part = {real_sqrt(real3_dot(zt, zt)), real_load(c->mu), b_t * step_n};
    real x = coulomb ? cone_height_coulomb(zn + apex) : cone_height_of_one(zn + apex, &part);
    zn = cone_normal(zn, apex, x);
    zt = real3_scale(cone_share(&part, x), zt);

    real3 z = real3_add(real3_scale(zn, n), zt), d = real3_sub(z, y), dt = real3_sub(zt, yt);
    bodies_add(body, c, d, real3_cross(n, d));
    real3_store(c->old, g);
    real3_store(c->g, z);
    real dn = zn - yn, zn2 = zn * zn, zt2 = real3_dot(zt, zt);
    sums->energy += real3_dot(r, z) + real_set(0.5) * (compliance_n * zn2 + compliance_t * zt2);
    sums->change += b_n * (dn * dn) + b_t * real3_dot(dt, dt);
    sums->size += b_n * zn2 + b_t * zt2;
}

// Where the cone ends, and the majorant: steps of normal, tangent and q.
typedef struct load_cone {
    real3 n;
    real mu, apex, roll, spin, step_n, step_t, step_q;
} load_cone;

typedef struct real_load3 {
    real n;      // of g
    real3 t, q;  // rest of g; q
} real_load3;

static inline __attribute__((always_inline)) real_load3 into_cone(const load_cone *cone, real_load3 p, bool coulomb)
{
    real qn = real3_dot(p.q, cone->n), high = p.n + cone->apex, kappa_q = cone->step_n / cone->step_q;
    real3 qt = minus(p.q, qn, cone->n);
    const cone_limit part[CONE_LIMITS] = {
        {real_sqrt(real3_dot(p.t, p.t)), cone->mu, cone->step_n / cone->step_t},
        {real_sqrt(real3_dot(qt, qt)), cone->roll, kappa_q},
        {real_max(qn, -qn), cone->spin, kappa_q},
    };
    real x = coulomb ? cone_height_coulomb(high) : cone_height(high, part);
    return (real_load3){cone_normal(p.n, cone->apex, x), real3_scale(cone_share(&part[0], x), p.t),
                        plus(real3_scale(cone_share(&part[1], x), qt), qn * cone_share(&part[2], x), cone->n)};
}

static inline real_load3 load_towards(real_load3 from, real_load3 to, real share)
{
    return (real_load3){from.n + share * (to.n - from.n), plus(from.t, share, real3_sub(to.t, from.t)),
                        plus(from.q, share, real3_sub(to.q, from.q))};
}

static inline __attribute__((always_inline)) void visit_rolling(double_bundle *restrict c, double_rolling *restrict m,
                                                                body_impulse *restrict body, const double_mode *mode,
                                                                bool coulomb, real_sums *sums)
{
    real3 va, wa, vb, wb, n = real3_load(c->n), r = real3_load(c->r), g = real3_load(c->g), q = real3_load(m->q);
    real3 free_w = real3_load(m->w);
    bodies_load(body, c->a, &va, &wa);
    bodies_load(body, c->b, &vb, &wb);
    real arm = real_load(m->arm), beta = real_set(mode->beta);
    real3 u = velocity_at(c, n, r, real3_sub(vb, va), wa, wb);
    real3 y3 = plus(g, beta, real3_sub(g, real3_load(c->old)));
    real un = real3_dot(u, n), yn = real3_dot(y3, n);
    const real_load3 y = {yn, minus(y3, yn, n), plus(q, beta, real3_sub(q, real3_load(m->old)))};

    real b_n = real_load(c->b_n), b_t = real_load(c->b_t), b_q = real_load(m->b_q), cross = real_load(m->cross);
    real compliance_n = real_load(c->compliance_n), compliance_t = real_load(c->compliance_t),
         compliance_q = real_load(m->compliance_q);
    const load_cone cone = {n,
                            real_load(c->mu),
                            real_load(c->apex),
                            real_load(m->roll),
                            real_load(m->spin),
                            real_load(c->step_n),
                            real_load(m->step_t),
                            real_load(m->step_q)};
    real3 ut = plus(minus(u, un, n), compliance_t, y.t),
          w = plus(plus(free_w, arm, real3_sub(wb, wa)), compliance_q, y.q);
    un += compliance_n * yn;
    real_load3 z = y;
    for (int k = 0; k < ROLLING_STEPS; ++k) {
        real_load3 down = {z.n - cone.step_n * un, minus(z.t, cone.step_t, ut), minus(z.q, cone.step_q, w)};
        real_load3 next = into_cone(&cone, down, coulomb);
        real3 d = real3_sub(next.t, z.t), e = real3_sub(next.q, z.q);
        un += b_n * (next.n - z.n);
        ut = plus(plus(ut, b_t, d), cross, real3_cross(e, n));
        w = plus(plus(w, b_q, e), cross, real3_cross(n, d));
        z = next;
    }
    if (mode->omega != 1.0) z = into_cone(&cone, load_towards(y, z, real_set(mode->omega)), coulomb);

    real dn = z.n - yn;
    real3 z3 = plus(z.t, z.n, n), d = real3_sub(z3, y3), dt = real3_sub(z.t, y.t), e = real3_sub(z.q, y.q);
    bodies_add(body, c, d, real3_cross(n, d));
    bodies_add_angular_impulse(body, c, real3_scale(arm, e));
    real3_store(c->old, g);
    real3_store(m->old, q);
    real3_store(c->g, z3);
    real3_store(m->q, z.q);
    real zn2 = z.n * z.n, zt2 = real3_dot(z.t, z.t), zq2 = real3_dot(z.q, z.q);
    real elastic = compliance_n * zn2 + compliance_t * zt2 + compliance_q * zq2;
    sums->energy += real3_dot(r, z3) + real3_dot(free_w, z.q) + real_set(0.5) * elastic;
    sums->change += b_n * (dn * dn) + b_t * real3_dot(dt, dt) + b_q * real3_dot(e, e);
    sums->size += b_n * zn2 + b_t * zt2 + b_q * zq2;
}

static double total(real a) { return (a[0] + a[2]) + (a[1] + a[3]); }

static void sweep_plain(double_bundle *bundle, int64_t count, body_impulse *body, const double_mode *mode,
                        real_sums *lanes)
{
    real beta = real_set(mode->beta), omega = real_set(mode->omega);
    if (mode->coulomb)
        for (int64_t k = 0; k < count; ++k) visit(&bundle[k], body, beta, omega, true, lanes);
    else
        for (int64_t k = 0; k < count; ++k) visit(&bundle[k], body, beta, omega, false, lanes);
}

static void sweep_rolling(double_bundle *bundle, double_rolling *rolling, int64_t count, body_impulse *body,
                          const double_mode *mode, real_sums *lanes)
{
    if (mode->coulomb)
        for (int64_t k = 0; k < count; ++k) visit_rolling(&bundle[k], &rolling[k], body, mode, true, lanes);
    else
        for (int64_t k = 0; k < count; ++k) visit_rolling(&bundle[k], &rolling[k], body, mode, false, lanes);
}

static void sweep(double_bundle *bundle, double_rolling *rolling, int64_t count, body_impulse *body,
                  const double_mode *mode, double_sums *sums)
{
    real_sums lanes = {0};
    if (rolling == NULL) sweep_plain(bundle, count, body, mode, &lanes);
    else sweep_rolling(bundle, rolling, count, body, mode, &lanes);
    sums->energy += total(lanes.energy);
    sums->change += total(lanes.change);
    sums->size += total(lanes.size);
}

const double_sweep KERNEL(double_sweep_of) = sweep;
