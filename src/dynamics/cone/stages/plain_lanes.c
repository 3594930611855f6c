// SPDX-License-Identifier: BSD-3-Clause
// Plain contacts on the centre line of grains. Compiled once for every instruction set: SCREE_ISA names it.
#define LANES_EIGHT
#include "dynamics/cone/stages/contact_lanes.h"

// Normals and gaps of contacts, and the radii of the balls they are between.
typedef struct geometry_lanes {
    real3 n;
    real gap, radius_a, radius_b;
} geometry_lanes;

// Whether of some contacts the geometry is kept: all but a few are BETWEEN_GRAINS, which has all bits set.
static INLINE bool some_are_kept(const contacts *set, const int32_t *contact)
{
    int32_t all = BETWEEN_GRAINS;
    for (int k = 0; k < REAL_LANES; ++k) all &= set->kept[contact[k]];
    return all != BETWEEN_GRAINS;
}

// What is kept of contacts in its place. Apart, as vectors whose lanes are written by number lie in memory, and all
// but a few contacts need none of it.
static __attribute__((noinline)) void put_kept(geometry_lanes *g, const contacts *set, const int32_t *contact)
{
    for (int k = 0; k < REAL_LANES; ++k) {
        const contact_geometry *known = contact_kept_geometry(set, contact[k]);
        if (known == NULL) continue;
        g->n.x[k] = known->normal.x, g->n.y[k] = known->normal.y, g->n.z[k] = known->normal.z;
        g->gap[k] = known->gap;
    }
}

// As geometry_between: of two balls.
static INLINE geometry_lanes geometry_of_balls(const ball *balls, const contacts *set, const int32_t *contact)
{
    const char *a[REAL_LANES], *b[REAL_LANES];
    for (int k = 0; k < REAL_LANES; ++k) {
        a[k] = (const char *)&balls[set->a[contact[k]]];
        b[k] = (const char *)&balls[set->b[contact[k]]];
    }
    geometry_lanes g;
    real3 at_a = load_vectors(a, &g.radius_a), at_b = load_vectors(b, &g.radius_b), d = real3_sub(at_b, at_a);
    real distance = real_sqrt(real3_dot(d, d)), one = real_set(1.0), inverse = one / distance;
    real_mask is_apart = distance > real_set(0.0);
    g.gap = distance - (g.radius_a + g.radius_b);
    g.n = (real3){real_where(is_apart, d.x * inverse), real_where(is_apart, d.y * inverse),
                  real_select(is_apart, d.z * inverse, one)};
    return g;
}

static INLINE geometry_lanes geometry_of(const ball *balls, const contacts *set, const int32_t *contact)
{
    geometry_lanes g = geometry_of_balls(balls, set, contact);
    if (!some_are_kept(set, contact)) return g;
    geometry_lanes known = g;  // so that only this path has it in memory
    put_kept(&known, set, contact);
    return known;
}

// Contacts on the centre line.
typedef struct central_lanes {
    contact_lanes of;
    real radius_a, radius_b, curvature_a, curvature_b;  // m, 1/m: 0, and its own, of what is no grain
} central_lanes;

static INLINE real effective_radius_of(const central_lanes *c)
{
    return real_set(1.0) / (c->curvature_a + c->curvature_b);
}

// As contacts of grains.
static INLINE void load_grains(const plain_view *v, const contacts *set, const int32_t *contact, central_lanes *c)
{
    geometry_lanes at = geometry_of_balls(v->colliders->ball, set, contact);
    real one = real_set(1.0);
    contact_lanes *f = &c->of;
    load_bodies(v, set, contact, f);
    c->radius_a = at.radius_a, c->curvature_a = one / at.radius_a;
    c->radius_b = at.radius_b, c->curvature_b = one / at.radius_b;
    f->n = at.n, f->gap = at.gap;
    f->smaller = real_min(at.radius_a, at.radius_b);
    f->radius = effective_radius_of(c);
    f->is_flat = (real_mask){0};
    f->thrown = real_set(INFINITY);  // grains do not count, nor does what cannot be moved
}

// What is known otherwise: kept geometry, and sides that are no grains. Those cannot be moved; a is a grain in any
// case.
static __attribute__((noinline)) void put_walls(const plain_view *v, const contacts *set, const int32_t *contact,
                                                central_lanes *c)
{
    geometry_lanes known = {.n = c->of.n, .gap = c->of.gap};
    put_kept(&known, set, contact);
    c->of.n = known.n, c->of.gap = known.gap;
    for (int k = 0; k < REAL_LANES; ++k) {
        int32_t wall = set->b[contact[k]];
        if (collider_is_grain(v->colliders, wall)) continue;
        double sphere = contact_sphere_radius(set, v->colliders->kind, contact[k], 1);
        c->radius_b[k] = 0.0;
        c->curvature_b[k] = 1.0 / (sphere > 0.0 ? sphere : contact_radius(v->colliders, wall));
        c->of.smaller[k] = contact_smaller_size(set, v->colliders, contact[k]);
    }
    c->of.radius = effective_radius_of(c);
}

static INLINE void load_central(const plain_view *v, const contacts *set, const int32_t *contact, central_lanes *c)
{
    load_grains(v, set, contact, c);
    if (some_are_kept(set, contact)) put_walls(v, set, contact, c);
}

// How contacts begin the step, and how stiff they are then: m/N.
typedef struct central_start {
    plain_start of;
    real inverse_stiffness;
} central_start;

// What contacts begin with: how their sides moved as the step began, and what was recalled.
typedef struct central_past {
    real3 old_u;  // m/s
    plain_recalled recalled;
} central_past;

static INLINE central_past past_of(const plain_view *v, const int32_t *contact, const contact_lanes *f)
{
    return (central_past){real3_sub(load_old_velocity(v, f->body_b), load_old_velocity(v, f->body_a)),
                          load_recalled(v, v->unbegun, contact)};
}

static INLINE central_start begin_lanes(const plain_view *v, const int32_t *contact, uint32_t mask,
                                        const contact_lanes *f, const central_past *past, real inverse_mass)
{
    central_start start = {.of = start_of(v, f, &past->recalled)};
    real overlap = -(f->gap + start.of.allowance);
    start.inverse_stiffness = inverse_stiffness_of(v, f, overlap, inverse_mass);
    start.of.share = real_rounded(share_of(v, f, overlap, start.inverse_stiffness, inverse_mass, past->old_u));
    keep_start(v, v->unbegun, contact, mask, &start.of);
    return start;
}

static INLINE central_start known_lanes(const plain_view *v, const contacts *set, const int32_t *contact,
                                        const contact_lanes *f, real inverse_mass)
{
    plain_start known = known_start(set, contact);
    return (central_start){known, inverse_stiffness_of(v, f, -(f->gap + known.allowance), inverse_mass)};
}

static void begin(const plain_view *v, const int32_t *contact, uint32_t mask)
{
    for (int k = 0; k < PLAIN_LANES; k += REAL_LANES) {
        central_lanes c;
        load_central(v, v->unbegun, contact + k, &c);
        real inverse_mass = load_inv_mass(v->body, c.of.body_a) + load_inv_mass(v->body, c.of.body_b);
        central_past past = past_of(v, contact + k, &c.of);
        begin_lanes(v, contact + k, mask >> k, &c.of, &past, inverse_mass);
    }
}

// How the sides move.
typedef struct plain_motion {
    real3 u, w;                                 // m/s, and 1/s: relative
    real a_n, a_t;                              // 1/kg
    real inv_inertia;                           // 1/(kg m^2), of both
    real lever_a, lever_b, length_a, length_b;  // m
    real_mask is_moved_a, is_moved_b;
} plain_motion;

static INLINE plain_motion motion_of(const plain_view *v, const central_lanes *c)
{
    const contact_lanes *f = &c->of;
    real inv_mass_a, inv_mass_b, inv_i_a, inv_i_b, zero = real_set(0.0), half = real_set(0.5) * f->gap;
    real r_a = c->radius_a, r_b = c->radius_b;
    real3 v_a = load_part(v->body, f->body_a, offsetof(body_motion, v), &inv_mass_a),
          v_b = load_part(v->body, f->body_b, offsetof(body_motion, v), &inv_mass_b);
    real3 w_a = load_part(v->body, f->body_a, offsetof(body_motion, w), &inv_i_a),
          w_b = load_part(v->body, f->body_b, offsetof(body_motion, w), &inv_i_b);
    real_mask is_moved_a = inv_mass_a > zero, is_moved_b = inv_mass_b > zero;
    real l_a = r_a + half, l_b = r_b + half;
    real3 spin = real3_add(real3_scale(l_a, w_a), real3_scale(l_b, w_b));
    real one = real_set(1.0), a_n = inv_mass_a + inv_mass_b;
    return (plain_motion){.u = real3_sub(real3_sub(v_b, v_a), real3_cross(spin, f->n)),
                          .w = real3_sub(w_b, w_a),
                          .a_n = a_n,
                          .a_t = a_n + (l_a * l_a * inv_i_a + l_b * l_b * inv_i_b),
                          .inv_inertia = inv_i_a + inv_i_b,
                          .lever_a = l_a,
                          .lever_b = -l_b,
                          .length_a = real_select(r_a > zero, r_a, one),
                          .length_b = real_select(r_b > zero, r_b, one),
                          .is_moved_a = is_moved_a,
                          .is_moved_b = is_moved_b};
}

static INLINE uint32_t hover_lanes(const plain_view *v, const contacts *set, const int32_t *contact)
{
    central_lanes c;
    load_central(v, set, contact, &c);
    const contact_lanes *f = &c.of;
    plain_motion m = motion_of(v, &c);
    if (!set->has_angular_impulses) return hovering(v, f, m.u);
    real3 slip = real3_across(m.u, f->n), rolls = real3_across(m.w, f->n);
    real spins = real3_dot(m.w, f->n), allowed = real_set(HOVER_SHARE / v->law.h) * f->smaller;
    real slips = OF_PAIRS(f, friction) * real_sqrt(real3_dot(slip, slip)) +  // as cone_slip
                 f->radius * (OF_PAIRS(f, rolling_friction) * real_sqrt(real3_dot(rolls, rolls)) +
                              OF_PAIRS(f, spinning_friction) * real_abs(spins));
    return real_bits(slips > allowed);
}

static uint32_t hover(const plain_view *v, const contacts *set, const int32_t *contact)
{
    uint32_t bits = 0;
    for (int k = 0; k < PLAIN_LANES; k += REAL_LANES) bits |= hover_lanes(v, set, contact + k) << k;
    return bits;
}

// Rolling and spinning friction, as set_rolling of contact_row.c.
static void rolling_rows(const contacts *set, const contact_lanes *f, const plain_motion *m, real eps,
                         const int32_t *contact, int lane, row_lanes *out)
{
    real a_q = f->radius * f->radius * m->inv_inertia;
    real3 last = load_float3(set->last_angular_impulse, contact);
    real3 r = real3_sub(real3_scale(f->radius, m->w), real3_scale(eps * a_q / f->radius, last));
    real_store(&out->r_q[0][lane], r.x), real_store(&out->r_q[1][lane], r.y), real_store(&out->r_q[2][lane], r.z);
    real_store(&out->arm[lane], f->radius), real_store(&out->a_q[lane], a_q), real_store(&out->eps_q[lane], eps);
    real_store(&out->roll[lane], OF_PAIRS(f, rolling_friction));
    real_store(&out->spin[lane], OF_PAIRS(f, spinning_friction));
}

// The bodies of one side that can be moved.
static INLINE void store_bodies(int32_t *to, const int32_t *body, real_mask is_moved)
{
    uint32_t moved = real_bits(is_moved);
    for (int k = 0; k < REAL_LANES; ++k) to[k] = moved >> k & 1 ? body[k] : NO_BODY;
}

static INLINE void exact_rows(const contacts *set, const contact_lanes *f, const plain_motion *m, const plain_law *law,
                              const int32_t *contact, int lane, row_lanes *out)
{
    store_bodies(out->a + lane, f->body_a, m->is_moved_a), store_bodies(out->b + lane, f->body_b, m->is_moved_b);
    real3 n = f->n, r = law->r;
    real_store(&out->n[0][lane], n.x), real_store(&out->n[1][lane], n.y), real_store(&out->n[2][lane], n.z);
    real_store(&out->r[0][lane], r.x), real_store(&out->r[1][lane], r.y), real_store(&out->r[2][lane], r.z);
    real_store(&out->lever_a[lane], m->lever_a), real_store(&out->lever_b[lane], m->lever_b);
    real_store(&out->length_a[lane], m->length_a), real_store(&out->length_b[lane], m->length_b);
    real_store(&out->a_n[lane], m->a_n), real_store(&out->a_t[lane], m->a_t);
    real_store(&out->eps[lane], law->soft), real_store(&out->mu[lane], law->mu);
    if (set->has_angular_impulses) rolling_rows(set, f, m, law->eps, contact, lane, out);
}

// Where a side is moved at all it is a grain: its lever over its radius.
static inline real arm_of(real_mask is_moved, real lever, real3 n, real curvature)
{
    return real_where(is_moved, real3_dot(real3_scale(lever, n), n) * curvature);
}

// What the step begins with, and how the sides move.
typedef struct central_law {
    plain_motion motion;
    central_start start;
} central_law;

static INLINE void write_rows(const plain_view *v, const contacts *set, const int32_t *contact, int lane,
                              const central_lanes *c, const central_law *of, grain_bundle *out, row_lanes *exact)
{
    const contact_lanes *f = &c->of;
    const plain_motion *m = &of->motion;
    plain_law law = law_of_lanes(v, contact, f, &of->start.of, of->start.inverse_stiffness, m->u, m->a_n, m->a_t);
    real both = m->a_n * m->a_t, inverse = real_set(1.0) / ((real_set(1.0) + law.soft) * both);  // instead of three
    store_bodies(out->a + lane, f->body_a, m->is_moved_a), store_bodies(out->b + lane, f->body_b, m->is_moved_b);
    store_vector(out->n, lane, f->n);
    store_vector(out->r, lane, law.r);
    store_lanes(&out->arm_a[lane], arm_of(m->is_moved_a, m->lever_a, f->n, c->curvature_a));
    store_lanes(&out->arm_b[lane], arm_of(m->is_moved_b, m->lever_b, f->n, c->curvature_b));
    store_lanes(&out->cn[lane], inverse * m->a_t), store_lanes(&out->ct[lane], inverse * m->a_n);
    store_lanes(&out->sigma[lane], inverse * both), store_lanes(&out->mu[lane], law.mu);
    store_vector(out->g, lane, of->start.of.guess);
    if (exact != NULL) exact_rows(set, f, m, &law, contact, lane, exact);
}

// Stage by stage: a stage is short enough for a processor to see the next lanes' before these are done.
static void rows(const plain_view *v, const contacts *set, const int32_t *contact, uint32_t mask, int bundles,
                 grain_bundle *out, row_lanes *exact)
{
    enum { STAGED = ROWS_AT_ONCE / REAL_LANES };
    central_lanes lanes[STAGED];
    central_law law[STAGED];
    central_past past[STAGED];
    int count = bundles * ROW_LANES / REAL_LANES;
    for (int i = 0; i < count; ++i) load_central(v, set, contact + i * REAL_LANES, &lanes[i]);
    for (int i = 0; i < count; ++i) law[i].motion = motion_of(v, &lanes[i]);
    for (int i = 0; i < count && v->unbegun != NULL; ++i) past[i] = past_of(v, contact + i * REAL_LANES, &lanes[i].of);
    for (int i = 0; i < count; ++i) {
        int k = i * REAL_LANES;
        if (v->unbegun != NULL)
            law[i].start = begin_lanes(v, contact + k, mask >> k, &lanes[i].of, &past[i], law[i].motion.a_n);
        else law[i].start = known_lanes(v, set, contact + k, &lanes[i].of, law[i].motion.a_n);
    }
    for (int i = 0; i < count; ++i) {
        int k = i * REAL_LANES, bundle = k / ROW_LANES;
        write_rows(v, set, contact + k, k % ROW_LANES, &lanes[i], &law[i], &out[bundle],
                   exact != NULL ? &exact[bundle] : NULL);
    }
}

static INLINE void add_scaled(double *to, double scale, number_row what)
{
    const number_row by = {scale, scale, scale, scale};
    row_store(to, row_load(to) + by * what);
}

// One side: v += inv_mass impulse, w -= inv_inertia lever (n x impulse); the fourth numbers of a record stay.
static INLINE void push_side(body_motion *body, double sign, number_row impulse, number_row across, double lever)
{
    if (body->inv_mass == 0.0) return;  // several threads may read it
    double spin = body->inv_inertia * lever;
    add_scaled(body->v, sign * body->inv_mass, impulse);
    add_scaled(body->w, -spin, across);
}

// Impulses go one by one: contacts may have bodies in common.
static INLINE void push_lanes(body_motion *body, const plain_view *v, const contacts *set, const int32_t *contact,
                              int count, const geometry_lanes *g)
{
    const int32_t *body_of = v->colliders->body;
    real half_gap = real_set(0.5) * g->gap, lever_a = g->radius_a + half_gap, lever_b = g->radius_b + half_gap;
    for (int k = 0; k < count; ++k) {
        int64_t i = contact[k];
        const float *impulse = set->impulse + 3 * i;
        if (impulse[0] == 0.0f && impulse[1] == 0.0f && impulse[2] == 0.0f) continue;
        double x = (double)impulse[0], y = (double)impulse[1], z = (double)impulse[2];
        double nx = g->n.x[k], ny = g->n.y[k], nz = g->n.z[k];
        number_row push = {x, y, z, 0.0}, across = {ny * z - nz * y, nz * x - nx * z, nx * y - ny * x, 0.0};
        push_side(&body[body_of[set->a[i]]], -1.0, push, across, lever_a[k]);
        push_side(&body[body_of[set->b[i]]], 1.0, push, across, lever_b[k]);
    }
}

enum { PUSHED_AT_ONCE = 32 / REAL_LANES };  // groups of lanes whose geometry is made in one go, as rows are

// What contacts that come after the next ones need.
static INLINE void fetch_pushed(const body_motion *body, const plain_view *v, const contacts *set,
                                const int32_t *contact, int64_t count)
{
    const ball *balls = v->colliders->ball;
    const int32_t *body_of = v->colliders->body;
    for (int64_t k = 0; k < count; ++k) {
        int32_t a = set->a[contact[k]], b = set->b[contact[k]];
        __builtin_prefetch(&body[body_of[a]], 1);
        __builtin_prefetch(&body[body_of[b]], 1);
        __builtin_prefetch(&balls[a]);
        __builtin_prefetch(&balls[b]);
        __builtin_prefetch(&set->impulse[3 * contact[k]]);
    }
}

static void push_some(body_motion *body, const plain_view *v, const contacts *set, const int32_t *contact, int count)
{
    geometry_lanes g[PUSHED_AT_ONCE];
    for (int i = 0; i < count; ++i) g[i] = geometry_of(v->colliders->ball, set, contact + REAL_LANES * i);
    for (int i = 0; i < count; ++i) push_lanes(body, v, set, contact + REAL_LANES * i, REAL_LANES, &g[i]);
}

static void push(body_motion *body, const plain_view *v, const contacts *set, const int32_t *contact, int64_t count)
{
    int64_t whole = count / REAL_LANES;
    fetch_pushed(body, v, set, contact, min_i64(count, PUSHED_AT_ONCE * REAL_LANES));
    for (int64_t k = 0; k < whole; k += PUSHED_AT_ONCE) {
        int64_t next = REAL_LANES * (k + PUSHED_AT_ONCE);
        if (next < count)
            fetch_pushed(body, v, set, contact + next, min_i64(count - next, PUSHED_AT_ONCE * REAL_LANES));
        push_some(body, v, set, contact + REAL_LANES * k, (int)min_i64(PUSHED_AT_ONCE, whole - k));
    }
    if (REAL_LANES * whole == count) return;
    int32_t rest[REAL_LANES];
    for (int k = 0; k < REAL_LANES; ++k) rest[k] = contact[min_i64(REAL_LANES * whole + k, count - 1)];
    geometry_lanes g = geometry_of(v->colliders->ball, set, rest);
    push_lanes(body, v, set, rest, (int)(count - REAL_LANES * whole), &g);
}

static INLINE void stretch_lanes(const ball *balls, contacts *set, const int32_t *contact)
{
    real3 n = geometry_of(balls, set, contact).n;
    real3 spring = load_float3(set->previous, contact), now = load_float3(set->impulse, contact);
    real3 stretched = real3_add(spring, real3_scale(load_float(set->spring_share, contact), real3_sub(now, spring)));
    real3 kept = law_joined(spring, stretched, n);
    float lanes[3][REAL_LANES];
    store_lanes(lanes[0], kept.x), store_lanes(lanes[1], kept.y), store_lanes(lanes[2], kept.z);
    for (int k = 0; k < REAL_LANES; ++k)
        for (int axis = 0; axis < 3; ++axis) set->previous[3 * contact[k] + axis] = lanes[axis][k];
}

enum { STRETCHED_AHEAD = 64 };  // contacts: their balls are asked for so early

static void stretch(const ball *balls, contacts *set, int64_t first)
{
    int32_t contact[PLAIN_LANES];
    int64_t ahead = first + STRETCHED_AHEAD;
    for (int64_t k = ahead; k < min_i64(ahead + PLAIN_LANES, set->count); ++k) __builtin_prefetch(&balls[set->b[k]]);
    for (int k = 0; k < PLAIN_LANES; ++k) contact[k] = (int32_t)(first + k);
    for (int k = 0; k < PLAIN_LANES; k += REAL_LANES) stretch_lanes(balls, set, contact + k);
}

const plain_kernels KERNEL(plain_kernels) = {begin, hover, push, stretch, rows};
