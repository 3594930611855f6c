// Compiled once for every instruction set: SCREE_ISA names it. Lane by lane IEEE operations: the same bits from all.
#include <math.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "dynamics/cone/fine_grains.h"

#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)

typedef double quad __attribute__((vector_size(32)));
typedef int64_t quad_mask __attribute__((vector_size(32)));
typedef struct quad3 { quad x, y, z; } quad3;

static const double TINY = 1e-300;  // keeps 0/0 away where there is no tangential impulse

static inline quad quad_set(double v) { return (quad){v, v, v, v}; }
static inline quad quad_load(const double *p) { quad v; memcpy(&v, p, sizeof v); return v; }
static inline void quad_store(double *p, quad v) { memcpy(p, &v, sizeof v); }
static inline quad quad_select(quad_mask mask, quad a, quad b) { return (quad)(((quad_mask)a & mask) | ((quad_mask)b & ~mask)); }
static inline quad quad_max(quad a, quad b) { return quad_select(a > b, a, b); }

static inline quad quad_sqrt(quad a)
{
#if defined(__AVX2__)
    return (quad)_mm256_sqrt_pd((__m256d)a);
#else
    for (int i = 0; i < FINE_LANES; ++i) a[i] = sqrt(a[i]);
    return a;
#endif
}

static inline quad3 quad3_load(const double p[3][FINE_LANES]) { return (quad3){quad_load(p[0]), quad_load(p[1]), quad_load(p[2])}; }
static inline void quad3_store(double p[3][FINE_LANES], quad3 v) { quad_store(p[0], v.x), quad_store(p[1], v.y), quad_store(p[2], v.z); }
static inline quad3 quad3_add(quad3 a, quad3 b) { return (quad3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline quad3 quad3_sub(quad3 a, quad3 b) { return (quad3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline quad3 quad3_scale(quad s, quad3 a) { return (quad3){s * a.x, s * a.y, s * a.z}; }
static inline quad quad3_dot(quad3 a, quad3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
static inline quad3 quad3_cross(quad3 a, quad3 b)
{
    return (quad3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline void transpose(quad r[4])
{
    quad a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    quad c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Velocity, and spin times arm, of the bodies of one side.
static inline void bodies_load(const body_impulse *body, const int32_t at[FINE_LANES], quad arm, quad3 *v, quad3 *s)
{
    quad push[4], turn[4];
    for (int i = 0; i < FINE_LANES; ++i) {
        push[i] = quad_load(body[at[i]].push);
        turn[i] = quad_load(body[at[i]].turn);
    }
    transpose(push);
    transpose(turn);
    *v = quad3_scale(push[3], (quad3){push[0], push[1], push[2]});
    *s = quad3_scale(arm * turn[3], (quad3){turn[0], turn[1], turn[2]});
}

static inline void bodies_add(body_impulse *body, const fine_bundle *c, quad3 push, quad3 turn)
{
    quad p[4] = {push.x, push.y, push.z, quad_set(0.0)}, t[4] = {turn.x, turn.y, turn.z, quad_set(0.0)};
    transpose(p);
    transpose(t);
    for (int i = 0; i < FINE_LANES; ++i) {
        body_impulse *a = &body[c->a[i]], *b = &body[c->b[i]];
        quad_store(a->push, quad_load(a->push) - p[i]);
        quad_store(a->turn, quad_load(a->turn) - quad_set(c->arm_a[i]) * t[i]);
        quad_store(b->push, quad_load(b->push) + p[i]);
        quad_store(b->turn, quad_load(b->turn) + quad_set(c->arm_b[i]) * t[i]);
    }
}

typedef struct quad_sums { quad energy, change, size; } quad_sums;

// Inlined, so that one loop is made for each law.
static inline __attribute__((always_inline)) void visit(fine_bundle *restrict c, body_impulse *restrict body, quad beta, quad omega, bool coulomb, quad_sums *sums)
{
    quad3 va, sa, vb, sb, n = quad3_load(c->n), r = quad3_load(c->r), g = quad3_load(c->g);
    bodies_load(body, c->a, quad_load(c->arm_a), &va, &sa);
    bodies_load(body, c->b, quad_load(c->arm_b), &vb, &sb);
    quad3 u = quad3_add(quad3_add(r, quad3_sub(vb, va)), quad3_cross(quad3_sub(sb, sa), n));
    quad3 y = quad3_add(g, quad3_scale(beta, quad3_sub(g, quad3_load(c->old))));
    quad un = quad3_dot(u, n), yn = quad3_dot(y, n), soft_n = quad_load(c->soft_n), soft_t = quad_load(c->soft_t);
    quad3 ut = quad3_sub(u, quad3_scale(un, n)), yt = quad3_sub(y, quad3_scale(yn, n));

    quad zero = quad_set(0.0), one = quad_set(1.0), mu = quad_load(c->mu), apex = quad_load(c->apex);
    quad step_n = quad_load(c->step_n), b_n = quad_load(c->b_n), b_t = quad_load(c->b_t);
    quad zn = yn - omega * step_n * (un + soft_n * yn), x = zn + apex;
    quad3 zt = quad3_sub(yt, quad3_scale(omega * quad_load(c->step_t), quad3_add(ut, quad3_scale(soft_t, yt))));
    quad length = quad_sqrt(quad3_dot(zt, zt));
    quad_mask inside = length <= mu * x;
    if (coulomb) {
        x = quad_max(x, zero);
    } else {
        quad slope = mu * b_t * step_n;
        x = quad_select(inside, x, quad_max((x + slope * length) / (one + mu * slope), zero));
    }
    zn = quad_select(inside, zn, x - apex);
    zt = quad3_scale(quad_select(inside, one, mu * x / quad_max(length, quad_set(TINY))), zt);

    quad3 z = quad3_add(quad3_scale(zn, n), zt), d = quad3_sub(z, y), dt = quad3_sub(zt, yt);
    bodies_add(body, c, d, quad3_cross(n, d));
    quad3_store(c->old, g);
    quad3_store(c->g, z);
    quad dn = zn - yn, zn2 = zn * zn, zt2 = quad3_dot(zt, zt);
    sums->energy += quad3_dot(r, z) + quad_set(0.5) * (soft_n * zn2 + soft_t * zt2);
    sums->change += b_n * (dn * dn) + b_t * quad3_dot(dt, dt);
    sums->size += b_n * zn2 + b_t * zt2;
}

static double total(quad a) { return (a[0] + a[2]) + (a[1] + a[3]); }

static void sweep(fine_bundle *bundle, int64_t count, body_impulse *body, const fine_mode *mode, fine_sums *sums)
{
    quad_sums lanes = {0};
    quad beta = quad_set(mode->beta), omega = quad_set(mode->omega);
    if (mode->coulomb)
        for (int64_t k = 0; k < count; ++k) visit(&bundle[k], body, beta, omega, true, &lanes);
    else
        for (int64_t k = 0; k < count; ++k) visit(&bundle[k], body, beta, omega, false, &lanes);
    sums->energy += total(lanes.energy);
    sums->change += total(lanes.change);
    sums->size += total(lanes.size);
}

const fine_sweep NAME(fine_sweep_, SCREE_ISA) = sweep;
