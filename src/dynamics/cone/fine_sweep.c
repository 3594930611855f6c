// Compiled once for every instruction set: SCREE_ISA names it. Lane by lane IEEE operations: the same bits from all.
#include "dynamics/cone/cone_lanes.h"
#include "dynamics/cone/fine_grains.h"

#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)

// Velocity, and spin times arm, of the bodies of one side.
static inline void bodies_load(const body_impulse *body, const int32_t at[FINE_LANES], real arm, real3 *v, real3 *s)
{
    real push[4], turn[4];
    for (int i = 0; i < FINE_LANES; ++i) {
        push[i] = real_load(body[at[i]].push);
        turn[i] = real_load(body[at[i]].turn);
    }
    real_transpose(push);
    real_transpose(turn);
    *v = real3_scale(push[3], (real3){push[0], push[1], push[2]});
    *s = real3_scale(arm * turn[3], (real3){turn[0], turn[1], turn[2]});
}

static inline void bodies_add(body_impulse *body, const fine_bundle *c, real3 push, real3 turn)
{
    real p[4] = {push.x, push.y, push.z, real_set(0.0)}, t[4] = {turn.x, turn.y, turn.z, real_set(0.0)};
    real_transpose(p);
    real_transpose(t);
    for (int i = 0; i < FINE_LANES; ++i) {
        body_impulse *a = &body[c->a[i]], *b = &body[c->b[i]];
        real_store(a->push, real_load(a->push) - p[i]);
        real_store(a->turn, real_load(a->turn) - real_set(c->arm_a[i]) * t[i]);
        real_store(b->push, real_load(b->push) + p[i]);
        real_store(b->turn, real_load(b->turn) + real_set(c->arm_b[i]) * t[i]);
    }
}

typedef struct real_sums { real energy, change, size; } real_sums;

// Inlined, so that one loop is made for each law.
static inline __attribute__((always_inline)) void visit(fine_bundle *restrict c, body_impulse *restrict body, real beta, real omega, bool coulomb, real_sums *sums)
{
    real3 va, sa, vb, sb, n = real3_load(c->n), r = real3_load(c->r), g = real3_load(c->g);
    bodies_load(body, c->a, real_load(c->arm_a), &va, &sa);
    bodies_load(body, c->b, real_load(c->arm_b), &vb, &sb);
    real3 u = real3_add(real3_add(r, real3_sub(vb, va)), real3_cross(real3_sub(sb, sa), n));
    real3 y = real3_add(g, real3_scale(beta, real3_sub(g, real3_load(c->old))));
    real un = real3_dot(u, n), yn = real3_dot(y, n), soft_n = real_load(c->soft_n), soft_t = real_load(c->soft_t);
    real3 ut = real3_sub(u, real3_scale(un, n)), yt = real3_sub(y, real3_scale(yn, n));

    real step_n = real_load(c->step_n), b_n = real_load(c->b_n), b_t = real_load(c->b_t), apex = real_load(c->apex);
    real zn = yn - omega * step_n * (un + soft_n * yn);
    real3 zt = real3_sub(yt, real3_scale(omega * real_load(c->step_t), real3_add(ut, real3_scale(soft_t, yt))));
    const cone_limit part = {real_sqrt(real3_dot(zt, zt)), real_load(c->mu), b_t * step_n};
    real x = coulomb ? cone_height_coulomb(zn + apex) : cone_height(zn + apex, &part, 1);
    zn = cone_normal(zn, apex, x);
    zt = real3_scale(cone_share(&part, x), zt);

    real3 z = real3_add(real3_scale(zn, n), zt), d = real3_sub(z, y), dt = real3_sub(zt, yt);
    bodies_add(body, c, d, real3_cross(n, d));
    real3_store(c->old, g);
    real3_store(c->g, z);
    real dn = zn - yn, zn2 = zn * zn, zt2 = real3_dot(zt, zt);
    sums->energy += real3_dot(r, z) + real_set(0.5) * (soft_n * zn2 + soft_t * zt2);
    sums->change += b_n * (dn * dn) + b_t * real3_dot(dt, dt);
    sums->size += b_n * zn2 + b_t * zt2;
}

static double total(real a) { return (a[0] + a[2]) + (a[1] + a[3]); }

static void sweep(fine_bundle *bundle, int64_t count, body_impulse *body, const fine_mode *mode, fine_sums *sums)
{
    real_sums lanes = {0};
    real beta = real_set(mode->beta), omega = real_set(mode->omega);
    if (mode->coulomb)
        for (int64_t k = 0; k < count; ++k) visit(&bundle[k], body, beta, omega, true, &lanes);
    else
        for (int64_t k = 0; k < count; ++k) visit(&bundle[k], body, beta, omega, false, &lanes);
    sums->energy += total(lanes.energy);
    sums->change += total(lanes.change);
    sums->size += total(lanes.size);
}

const fine_sweep NAME(fine_sweep_, SCREE_ISA) = sweep;
