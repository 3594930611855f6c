// SPDX-License-Identifier: BSD-3-Clause
// Plain contacts on the centre line of grains. Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/cone/stages/plain_four.h"

// Normals and gaps of four contacts, and the radii of the balls they are between.
typedef struct four_geometries {
    real3 n;
    real gap, radius_a, radius_b;
} four_geometries;

// Whether of some of four contacts the geometry is kept: all but a few are BETWEEN_GRAINS, which has all bits set.
static INLINE bool some_are_kept(const contacts *set, const int32_t *contact)
{
    const int32_t *kept = set->kept;
    return (kept[contact[0]] & kept[contact[1]] & kept[contact[2]] & kept[contact[3]]) != BETWEEN_GRAINS;
}

// With what is kept of contacts in its place. Apart, as vectors whose lanes are written by number lie in memory, and
// all but a few contacts need none of it.
static __attribute__((noinline)) four_geometries with_kept(four_geometries f, const contacts *set,
                                                           const int32_t *contact)
{
    for (int k = 0; k < PLAIN_LANES; ++k) {
        const contact_geometry *known = contact_kept_geometry(set, contact[k]);
        if (known == NULL) continue;
        f.n.x[k] = known->normal.x, f.n.y[k] = known->normal.y, f.n.z[k] = known->normal.z;
        f.gap[k] = known->gap;
    }
    return f;
}

// As geometry_between. grains: none of them is kept
static INLINE four_geometries load_geometries(const ball *balls, const contacts *set, const int32_t *contact,
                                              bool grains)
{
    const char *a[PLAIN_LANES], *b[PLAIN_LANES];
    for (int k = 0; k < PLAIN_LANES; ++k) {
        a[k] = (const char *)&balls[set->a[contact[k]]];
        b[k] = (const char *)&balls[set->b[contact[k]]];
    }
    four_geometries f;
    real3 at_a = load_vectors(a[0], a[1], a[2], a[3], &f.radius_a),
          at_b = load_vectors(b[0], b[1], b[2], b[3], &f.radius_b), d = real3_sub(at_b, at_a);
    real distance = real_sqrt(real3_dot(d, d)), one = real_set(1.0), inverse = one / distance;
    real_mask is_apart = distance > real_set(0.0);
    f.gap = distance - (f.radius_a + f.radius_b);
    f.n = (real3){real_where(is_apart, d.x * inverse), real_where(is_apart, d.y * inverse),
                  real_select(is_apart, d.z * inverse, one)};
    return grains ? f : with_kept(f, set, contact);
}

// What touches on the side of b.
typedef struct other_side {
    real radius, curvature, smaller;  // m, 1/m: 0, and its own, of what is no grain; m: of the smaller of both sides
} other_side;

// A grain may touch something that cannot be moved; a is one in any case.
static __attribute__((noinline)) other_side with_walls(other_side other, const plain_view *v, const contacts *set,
                                                       const int32_t *contact, const contact_side *const side[4])
{
    for (int k = 0; k < PLAIN_LANES; ++k) {
        if (side[k]->is_grain) continue;
        double sphere = contact_sphere_radius(set, v->colliders->kind, contact[k], 1);
        other.radius[k] = 0.0;
        other.curvature[k] = 1.0 / (sphere > 0.0 ? sphere : contact_radius(v->colliders, set->b[contact[k]]));
        other.smaller[k] = contact_smaller_size(set, v->colliders, contact[k]);
    }
    return other;
}

// Four contacts on the centre line.
typedef struct central_four {
    plain_four four;
    real radius_a, radius_b, curvature_a, curvature_b;  // m, 1/m: as in other_side
} central_four;

static INLINE void load_central(const plain_view *v, const contacts *set, const int32_t *contact, bool grains,
                                central_four *c)
{
    four_geometries at = load_geometries(v->colliders->ball, set, contact, grains);
    real one = real_set(1.0);
    other_side b = {at.radius_b, one / at.radius_b, real_min(at.radius_a, at.radius_b)};
    plain_four *f = &c->four;
    load_sides(v, set, contact, f);
    if (!grains) b = with_walls(b, v, set, contact, f->side_b);
    c->radius_a = at.radius_a, c->curvature_a = one / at.radius_a;
    c->radius_b = b.radius, c->curvature_b = b.curvature;
    f->n = at.n, f->gap = at.gap;
    f->smaller = b.smaller;
    f->radius = one / (c->curvature_a + c->curvature_b);
    f->is_flat = (real_mask){0};
    f->thrown = real_set(INFINITY);  // grains do not count, nor does what cannot be moved
}

// How four contacts begin the step, and how stiff they are then: m/N.
typedef struct central_start {
    plain_start of;
    real inverse_stiffness;
} central_start;

// What contacts begin with: how their sides moved as the step began, and what was recalled.
typedef struct central_past {
    real3 old_u;  // m/s
    plain_recalled recalled;
} central_past;

static INLINE central_past past_of(const plain_view *v, const int32_t *contact, const plain_four *f)
{
    return (central_past){real3_sub(load_old_velocity(v, f->side_b), load_old_velocity(v, f->side_a)),
                          load_recalled(v, v->unbegun, contact)};
}

static INLINE central_start begin_four(const plain_view *v, const int32_t *contact, uint32_t mask, const plain_four *f,
                                       const central_past *past, real inverse_mass)
{
    central_start start = {.of = start_of(v, f, &past->recalled)};
    real overlap = -(f->gap + start.of.allowance);
    start.inverse_stiffness = inverse_stiffness_of(v, f, overlap, inverse_mass);
    start.of.share = real_rounded(share_of(v, f, overlap, start.inverse_stiffness, inverse_mass, past->old_u));
    keep_start(v, v->unbegun, contact, mask, &start.of);
    return start;
}

static INLINE central_start known_four(const plain_view *v, const contacts *set, const int32_t *contact,
                                       const plain_four *f, real inverse_mass)
{
    plain_start known = known_start(set, contact);
    return (central_start){known, inverse_stiffness_of(v, f, -(f->gap + known.allowance), inverse_mass)};
}

static void begin(const plain_view *v, const int32_t *contact, uint32_t mask)
{
    central_four c;
    load_central(v, v->unbegun, contact, !some_are_kept(v->unbegun, contact), &c);
    real inverse_mass = load_inv_mass(v->body, c.four.side_a) + load_inv_mass(v->body, c.four.side_b);
    central_past past = past_of(v, contact, &c.four);
    begin_four(v, contact, mask, &c.four, &past, inverse_mass);
}

// How the sides move.
typedef struct plain_motion {
    real3 u, w;                                 // m/s, and 1/s: relative
    real a_n, a_t;                              // 1/kg
    real inv_inertia;                           // 1/(kg m^2), of both
    real lever_a, lever_b, length_a, length_b;  // m
    real_mask is_moved_a, is_moved_b;
} plain_motion;

static INLINE plain_motion motion_of(const plain_view *v, const central_four *c)
{
    const plain_four *f = &c->four;
    real inv_mass_a, inv_mass_b, inv_i_a, inv_i_b, zero = real_set(0.0), half = real_set(0.5) * f->gap;
    real r_a = c->radius_a, r_b = c->radius_b;
    real3 v_a = load_part(v->body, f->side_a, offsetof(body_motion, v), &inv_mass_a),
          v_b = load_part(v->body, f->side_b, offsetof(body_motion, v), &inv_mass_b);
    real3 w_a = load_part(v->body, f->side_a, offsetof(body_motion, w), &inv_i_a),
          w_b = load_part(v->body, f->side_b, offsetof(body_motion, w), &inv_i_b);
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

static uint32_t hover(const plain_view *v, const contacts *set, const int32_t *contact)
{
    central_four c;
    load_central(v, set, contact, !some_are_kept(set, contact), &c);
    const plain_four *f = &c.four;
    plain_motion m = motion_of(v, &c);
    if (!set->has_angular_impulses) return hovering(v, f, m.u);
    real3 slip = real3_across(m.u, f->n), rolls = real3_across(m.w, f->n);
    real spins = real3_dot(m.w, f->n), allowed = real_set(HOVER_SHARE / v->law.h) * f->smaller;
    real slips = OF_PAIRS(f, friction) * real_sqrt(real3_dot(slip, slip)) +  // as cone_slip
                 f->radius * (OF_PAIRS(f, rolling_friction) * real_sqrt(real3_dot(rolls, rolls)) +
                              OF_PAIRS(f, spinning_friction) * real_abs(spins));
    return real_bits(slips > allowed);
}

// Rolling and spinning friction, as set_rolling of contact_row.c.
static void rolling_rows(const contacts *set, const plain_four *f, const plain_motion *m, real eps,
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

typedef int32_t four_ints __attribute__((vector_size(16)));
_Static_assert(NO_BODY == ~0, "all bits");

// The bodies of one side of four contacts that can be moved.
static INLINE void store_bodies(int32_t *to, const contact_side *const side[4], real_mask is_moved)
{
    four_ints body = {side[0]->body, side[1]->body, side[2]->body, side[3]->body};
    body |= ~__builtin_convertvector(is_moved, four_ints);  // NO_BODY has all bits set
    memcpy(to, &body, sizeof body);
}

static INLINE void exact_rows(const contacts *set, const plain_four *f, const plain_motion *m, const plain_law *law,
                              const int32_t *contact, int lane, row_lanes *out)
{
    store_bodies(out->a + lane, f->side_a, m->is_moved_a), store_bodies(out->b + lane, f->side_b, m->is_moved_b);
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
                              const central_four *c, const central_law *of, grain_bundle *out, row_lanes *exact)
{
    const plain_four *f = &c->four;
    const plain_motion *m = &of->motion;
    plain_law law = law_of_four(v, contact, f, &of->start.of, of->start.inverse_stiffness, m->u, m->a_n, m->a_t);
    real both = m->a_n * m->a_t, inverse = real_set(1.0) / ((real_set(1.0) + law.soft) * both);  // instead of three
    store_bodies(out->a + lane, f->side_a, m->is_moved_a), store_bodies(out->b + lane, f->side_b, m->is_moved_b);
    store_vector(out->n, lane, f->n);
    store_vector(out->r, lane, law.r);
    store_four(&out->arm_a[lane], arm_of(m->is_moved_a, m->lever_a, f->n, c->curvature_a));
    store_four(&out->arm_b[lane], arm_of(m->is_moved_b, m->lever_b, f->n, c->curvature_b));
    store_four(&out->cn[lane], inverse * m->a_t), store_four(&out->ct[lane], inverse * m->a_n);
    store_four(&out->sigma[lane], inverse * both), store_four(&out->mu[lane], law.mu);
    store_vector(out->g, lane, of->start.of.guess);
    if (exact != NULL) exact_rows(set, f, m, &law, contact, lane, exact);
}

// One four, of any sides.
static __attribute__((noinline)) void rows_with_walls(const plain_view *v, const contacts *set, const int32_t *contact,
                                                      uint32_t mask, int lane, grain_bundle *out, row_lanes *exact)
{
    central_four c;
    load_central(v, set, contact, false, &c);
    central_law law = {.motion = motion_of(v, &c)};
    if (v->unbegun != NULL) {
        central_past past = past_of(v, contact, &c.four);
        law.start = begin_four(v, contact, mask, &c.four, &past, law.motion.a_n);
    } else law.start = known_four(v, set, contact, &c.four, law.motion.a_n);
    write_rows(v, set, contact, lane, &c, &law, out, exact);
}

// Stage by stage: a stage is short enough for a processor to see the next four's before this one's is done.
static void rows(const plain_view *v, const contacts *set, const int32_t *contact, uint32_t mask, int fours,
                 grain_bundle *out, row_lanes *exact)
{
    enum { FOURS_MAX = ROWS_AT_ONCE / PLAIN_LANES };
    central_four four[FOURS_MAX];
    central_law law[FOURS_MAX];
    central_past past[FOURS_MAX];
    int first[FOURS_MAX], count = 0;  // of fours of grains alone
    for (int k = 0; k < fours * PLAIN_LANES; k += PLAIN_LANES) {
        int bundle = k / ROW_LANES;
        if (exact != NULL || some_are_kept(set, contact + k))
            rows_with_walls(v, set, contact + k, mask >> k, k % ROW_LANES, &out[bundle],
                            exact != NULL ? &exact[bundle] : NULL);
        else first[count++] = k;
    }
    for (int i = 0; i < count; ++i) load_central(v, set, contact + first[i], true, &four[i]);
    for (int i = 0; i < count; ++i) law[i].motion = motion_of(v, &four[i]);
    for (int i = 0; i < count && v->unbegun != NULL; ++i) past[i] = past_of(v, contact + first[i], &four[i].four);
    for (int i = 0; i < count; ++i) {
        int k = first[i];
        if (v->unbegun != NULL)
            law[i].start = begin_four(v, contact + k, mask >> k, &four[i].four, &past[i], law[i].motion.a_n);
        else law[i].start = known_four(v, set, contact + k, &four[i].four, law[i].motion.a_n);
    }
    for (int i = 0; i < count; ++i)
        write_rows(v, set, contact + first[i], first[i] % ROW_LANES, &four[i], &law[i], &out[first[i] / ROW_LANES],
                   NULL);
}

// One side: v += inv_mass impulse, w -= inv_inertia lever (n x impulse); the fourth numbers of a record stay.
static inline void push_side(body_motion *all, const contact_side *side, real impulse, real across, double lever)
{
    body_motion *body = &all[side->body];
    if (!side->is_moved) return;  // several threads may read it
    double spin = body->inv_inertia * lever;
    real_store(body->v, real_load(body->v) + real_set(body->inv_mass) * impulse);
    real_store(body->w, real_load(body->w) - real_set(spin) * across);
}

// Impulses go one by one: contacts may have bodies in common.
static INLINE void push_four(body_motion *body, const plain_view *v, const contacts *set, const int32_t *contact,
                             int count, const four_geometries *f)
{
    real half_gap = real_set(0.5) * f->gap, lever_a = f->radius_a + half_gap, lever_b = f->radius_b + half_gap;
    for (int k = 0; k < count; ++k) {
        int64_t i = contact[k];
        const float *g = set->impulse + 3 * i;
        if (g[0] == 0.0f && g[1] == 0.0f && g[2] == 0.0f) continue;
        double x = (double)g[0], y = (double)g[1], z = (double)g[2], nx = f->n.x[k], ny = f->n.y[k], nz = f->n.z[k];
        real impulse = {x, y, z, 0.0}, across = {ny * z - nz * y, nz * x - nx * z, nx * y - ny * x, 0.0};
        push_side(body, &v->side[set->a[i]], -impulse, across, lever_a[k]);
        push_side(body, &v->side[set->b[i]], impulse, across, lever_b[k]);
    }
}

enum { PUSHED_FOURS = 8 };  // whose geometry is made in one go, as rows are

static void push_some(body_motion *body, const plain_view *v, const contacts *set, const int32_t *contact, int fours)
{
    four_geometries f[PUSHED_FOURS];
    for (int k = 0; k < fours * PLAIN_LANES; ++k) {
        __builtin_prefetch(&body[v->side[set->a[contact[k]]].body], 1);
        __builtin_prefetch(&body[v->side[set->b[contact[k]]].body], 1);
    }
    for (int k = 0; k < fours; ++k)
        f[k] = load_geometries(v->colliders->ball, set, contact + PLAIN_LANES * k,
                               !some_are_kept(set, contact + PLAIN_LANES * k));
    for (int k = 0; k < fours; ++k) push_four(body, v, set, contact + PLAIN_LANES * k, PLAIN_LANES, &f[k]);
}

static void push(body_motion *body, const plain_view *v, const contacts *set, const int32_t *contact, int64_t count)
{
    int64_t whole = count / PLAIN_LANES;
    for (int64_t k = 0; k < whole; k += PUSHED_FOURS)
        push_some(body, v, set, contact + PLAIN_LANES * k, (int)min_i64(PUSHED_FOURS, whole - k));
    if (PLAIN_LANES * whole == count) return;
    int32_t rest[PLAIN_LANES];
    for (int k = 0; k < PLAIN_LANES; ++k) rest[k] = contact[min_i64(PLAIN_LANES * whole + k, count - 1)];
    four_geometries f = load_geometries(v->colliders->ball, set, rest, !some_are_kept(set, rest));
    push_four(body, v, set, rest, (int)(count - PLAIN_LANES * whole), &f);
}

static void stretch(const ball *balls, contacts *set, int64_t first)
{
    const int32_t contact[4] = {(int32_t)first, (int32_t)first + 1, (int32_t)first + 2, (int32_t)first + 3};
    real3 n = load_geometries(balls, set, contact, !some_are_kept(set, contact)).n;
    real3 spring = load_float3(set->previous, contact), now = load_float3(set->impulse, contact);
    real3 stretched = real3_add(spring, real3_scale(load_float(set->spring_share, contact), real3_sub(now, spring)));
    real3 kept = law_joined(spring, stretched, n);
    float lanes[3][PLAIN_LANES];
    store_four(lanes[0], kept.x), store_four(lanes[1], kept.y), store_four(lanes[2], kept.z);
    for (int k = 0; k < PLAIN_LANES; ++k)
        for (int axis = 0; axis < 3; ++axis) set->previous[3 * (first + k) + axis] = lanes[axis][k];
}

const plain_kernels KERNEL(plain_kernels) = {begin, hover, push, stretch, rows};
