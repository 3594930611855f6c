// SPDX-License-Identifier: BSD-3-Clause
// Plain contacts on the centre line of grains. Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/cone/stages/plain_four.h"

static void guess(const plain_view *v, contacts *set, int64_t first, uint32_t mask)
{
    const int32_t contact[4] = {(int32_t)first, (int32_t)first + 1, (int32_t)first + 2, (int32_t)first + 3};
    plain_four f;
    load_four(v, set, contact, &f);
    real inverse_mass = load_inv_mass(v->body, f.side_a) + load_inv_mass(v->body, f.side_b);
    real3 old_u = real3_sub(load_old_velocity(v, f.side_b), load_old_velocity(v, f.side_a));
    guess_four(v, set, first, mask, &f, inverse_mass, old_u);
}

// How the sides move.
typedef struct plain_motion {
    real3 u, w;                                 // m/s, and 1/s: relative
    real a_n, a_t;                              // 1/kg
    real inv_inertia;                           // 1/(kg m^2), of both
    real lever_a, lever_b, length_a, length_b;  // m
    real_mask is_moved_a, is_moved_b;
} plain_motion;

// m: 0 of what is no grain
static inline real grain_radius(const contact_curve *const side[4])
{
    return (real){side[0]->is_grain ? side[0]->radius : 0.0, side[1]->is_grain ? side[1]->radius : 0.0,
                  side[2]->is_grain ? side[2]->radius : 0.0, side[3]->is_grain ? side[3]->radius : 0.0};
}

static inline __attribute__((always_inline)) void motion_of(const plain_view *v, const plain_four *f, plain_motion *m)
{
    real inv_mass_a, inv_mass_b, inv_i_a, inv_i_b, zero = real_set(0.0), half = real_set(0.5) * f->gap;
    real r_a = grain_radius(f->side_a), r_b = grain_radius(f->side_b);
    real3 v_a = load_part(v->body, f->side_a, offsetof(contact_body, v), &inv_mass_a),
          v_b = load_part(v->body, f->side_b, offsetof(contact_body, v), &inv_mass_b);
    real3 w_a = load_part(v->body, f->side_a, offsetof(contact_body, w), &inv_i_a),
          w_b = load_part(v->body, f->side_b, offsetof(contact_body, w), &inv_i_b);
    real_mask is_moved_a = inv_mass_a > zero, is_moved_b = inv_mass_b > zero;
    real l_a = r_a + half, l_b = r_b + half;
    real3 spin = real3_add(real3_scale(l_a, w_a), real3_scale(l_b, w_b));
    real one = real_set(1.0);
    *m = (plain_motion){.u = real3_sub(real3_sub(v_b, v_a), real3_cross(spin, f->n)),
                        .w = real3_sub(w_b, w_a),
                        .a_n = inv_mass_a + inv_mass_b,
                        .inv_inertia = inv_i_a + inv_i_b,
                        .lever_a = l_a,
                        .lever_b = -l_b,
                        .length_a = real_select(r_a > zero, r_a, one),
                        .length_b = real_select(r_b > zero, r_b, one),
                        .is_moved_a = is_moved_a,
                        .is_moved_b = is_moved_b};
    m->a_t = m->a_n + (l_a * l_a * inv_i_a + l_b * l_b * inv_i_b);
}

static uint32_t hover(const plain_view *v, const contacts *set, int64_t first)
{
    const int32_t contact[4] = {(int32_t)first, (int32_t)first + 1, (int32_t)first + 2, (int32_t)first + 3};
    plain_four f;
    load_four(v, set, contact, &f);
    plain_motion m;
    motion_of(v, &f, &m);
    if (!set->has_angular_impulses) return hovering(v, &f, m.u);
    real3 slip = real3_across(m.u, f.n), rolls = real3_across(m.w, f.n);
    real spins = real3_dot(m.w, f.n), allowed = real_set(HOVER_SHARE / v->law.h) * f.smaller;
    real slips = OF_PAIRS(&f, friction) * real_sqrt(real3_dot(slip, slip)) +  // as cone_slip
                 f.radius * (OF_PAIRS(&f, rolling_friction) * real_sqrt(real3_dot(rolls, rolls)) +
                             OF_PAIRS(&f, spinning_friction) * real_abs(spins));
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

static inline void exact_rows(const contacts *set, const plain_four *f, const plain_motion *m, const plain_law *law,
                              const int32_t *contact, int lane, row_lanes *out)
{
    for (int k = 0; k < PLAIN_LANES; ++k) {
        out->a[lane + k] = m->is_moved_a[k] ? f->side_a[k]->body : NO_BODY;
        out->b[lane + k] = m->is_moved_b[k] ? f->side_b[k]->body : NO_BODY;
    }
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

static void rows(const plain_view *v, const contacts *set, const int32_t *contact, int lane, grain_lanes *out,
                 row_lanes *exact)
{
    plain_four f;
    load_four(v, set, contact, &f);
    plain_motion m;
    motion_of(v, &f, &m);
    plain_law law = law_of_four(v, set, contact, &f, m.u, m.a_n, m.a_t);
    real both = m.a_n * m.a_t, inverse = real_set(1.0) / ((real_set(1.0) + law.soft) * both);  // one division for three
    for (int k = 0; k < PLAIN_LANES; ++k) {
        out->a[lane + k] = m.is_moved_a[k] ? f.side_a[k]->body : NO_BODY;
        out->b[lane + k] = m.is_moved_b[k] ? f.side_b[k]->body : NO_BODY;
    }
    store_vector(out->n, lane, f.n);
    store_vector(out->r, lane, law.r);
    store_four(&out->arm_a[lane], arm_of(m.is_moved_a, m.lever_a, f.n, f.curvature_a));
    store_four(&out->arm_b[lane], arm_of(m.is_moved_b, m.lever_b, f.n, f.curvature_b));
    store_four(&out->cn[lane], inverse * m.a_t), store_four(&out->ct[lane], inverse * m.a_n);
    store_four(&out->sigma[lane], inverse * both), store_four(&out->mu[lane], law.mu);
    if (exact != NULL) exact_rows(set, &f, &m, &law, contact, lane, exact);
}

// One side: v += inv_mass impulse, w -= inv_inertia lever (n x impulse); the fourth numbers of a record stay.
static inline void push_side(contact_body *all, const contact_curve *side, real impulse, real across, double half_gap)
{
    contact_body *body = &all[side->body];
    if (!side->is_moved) return;  // several threads may read it
    double spin = body->inv_inertia * (side->radius + half_gap);
    real_store(body->v, real_load(body->v) + real_set(body->inv_mass) * impulse);
    real_store(body->w, real_load(body->w) - real_set(spin) * across);
}

static void push(contact_body *body, const contact_curve *curve, const contacts *set, const int32_t *contact,
                 int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        int64_t i = contact[k];
        const float *g = set->impulse + 3 * i;
        if (g[0] == 0.0f && g[1] == 0.0f && g[2] == 0.0f) continue;
        const double *n = set->normal + 3 * i, x = (double)g[0], y = (double)g[1], z = (double)g[2];
        real impulse = {x, y, z, 0.0};
        real across = {n[1] * z - n[2] * y, n[2] * x - n[0] * z, n[0] * y - n[1] * x, 0.0};
        double half_gap = 0.5 * set->gap[i];
        push_side(body, &curve[set->a[i]], -impulse, across, half_gap);
        push_side(body, &curve[set->b[i]], impulse, across, half_gap);
    }
}

static void stretch(contacts *set, int64_t first)
{
    const int32_t contact[4] = {(int32_t)first, (int32_t)first + 1, (int32_t)first + 2, (int32_t)first + 3};
    const double *at = set->normal + 3 * first;
    const real3 n = {{at[0], at[3], at[6], at[9]}, {at[1], at[4], at[7], at[10]}, {at[2], at[5], at[8], at[11]}};
    real3 spring = load_float3(set->previous, contact), now = load_float3(set->impulse, contact);
    real3 stretched = real3_add(spring, real3_scale(load_float(set->spring_share, contact), real3_sub(now, spring)));
    real3 kept = law_joined(spring, stretched, n);
    float lanes[3][PLAIN_LANES];
    store_four(lanes[0], kept.x), store_four(lanes[1], kept.y), store_four(lanes[2], kept.z);
    for (int k = 0; k < PLAIN_LANES; ++k)
        for (int axis = 0; axis < 3; ++axis) set->previous[3 * (first + k) + axis] = lanes[axis][k];
}

const plain_kernels KERNEL(plain_kernels) = {guess, hover, push, stretch, rows};
