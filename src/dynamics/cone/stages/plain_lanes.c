// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "dynamics/bodies/hertz_lanes.h"
#include "dynamics/cone/stages/contact_law_lanes.h"
#include "dynamics/cone/stages/plain_contacts.h"
#include "dynamics/cone/system/cone_lanes.h"

_Static_assert((int)REAL_LANES == (int)PLAIN_LANES, "four doubles");
_Static_assert(sizeof(contact_body) == 3 * sizeof(real), "a record is loaded as three vectors");

// Four contacts and their sides.
typedef struct plain_four {
    int32_t body_a[4], body_b[4];
    const material_pair *pair[4];
    real3 n;
    real gap, smaller, radius;  // of the smaller side; effective
} plain_four;

#define OF_PAIRS(four, member)                                                                                         \
    ((real){(four)->pair[0]->member, (four)->pair[1]->member, (four)->pair[2]->member, (four)->pair[3]->member})

static inline plain_four load_four(const plain_view *v, const contacts *set, const int32_t *contact)
{
    plain_four f;
    real radius_a, radius_b, curve_a, curve_b;
    for (int k = 0; k < PLAIN_LANES; ++k) {
        int64_t i = contact[k];
        int32_t ca = set->a[i], cb = set->b[i];
        f.body_a[k] = v->body_of[ca], f.body_b[k] = v->body_of[cb];
        f.pair[k] = &v->pair[v->material[ca] * v->material_count + v->material[cb]];
        f.n.x[k] = set->normal[3 * i], f.n.y[k] = set->normal[3 * i + 1], f.n.z[k] = set->normal[3 * i + 2];
        f.gap[k] = set->gap[i];
        radius_a[k] = v->curve[ca].radius, radius_b[k] = v->curve[cb].radius;
        curve_a[k] = v->curve[ca].curvature, curve_b[k] = v->curve[cb].curvature;
    }
    f.smaller = real_min(radius_a, radius_b);
    f.radius = real_set(1.0) / (curve_a + curve_b);
    return f;
}

// One of the three vectors of four records: three numbers and a fourth.
static inline real3 load_part(const contact_body *body, const int32_t which[4], size_t offset, real *fourth)
{
    real row[4];
    for (int k = 0; k < 4; ++k) memcpy(&row[k], (const char *)&body[which[k]] + offset, sizeof row[k]);
    real_transpose(row);
    *fourth = row[3];
    return (real3){row[0], row[1], row[2]};
}

static inline real3 load_float3(const float *from, const int32_t *contact)
{
    real3 v;
    for (int k = 0; k < PLAIN_LANES; ++k) {
        const float *p = from + 3 * (int64_t)contact[k];
        v.x[k] = (double)p[0], v.y[k] = (double)p[1], v.z[k] = (double)p[2];
    }
    return v;
}

static inline real load_float(const float *from, const int32_t *contact)
{
    real v;
    for (int k = 0; k < PLAIN_LANES; ++k) v[k] = (double)from[contact[k]];
    return v;
}

static inline void store_float3(float *to, int64_t contact, real3 v, int lane)
{
    to[3 * contact] = (float)v.x[lane], to[3 * contact + 1] = (float)v.y[lane], to[3 * contact + 2] = (float)v.z[lane];
}

static inline real inverse_stiffness_of(const plain_view *v, const plain_four *f, real overlap, real inverse_mass)
{
    real_mask has_own;
    for (int k = 0; k < PLAIN_LANES; ++k) has_own[k] = -(int64_t)f->pair[k]->gives_modulus;
    return law_inverse_stiffness(&v->law, hertz_secant(OF_PAIRS(f, modulus), f->radius, overlap), has_own,
                                 inverse_mass);
}

static inline real allowance_of(const plain_view *v, const contacts *set, const plain_four *f, const int32_t *contact)
{
    real_mask is_new;
    for (int k = 0; k < PLAIN_LANES; ++k) is_new[k] = -(int64_t)(v->is_new[contact[k]] != 0);
    return law_allowance(&v->law, f->gap, is_new, f->smaller, load_float(set->allowance, contact));
}

static inline real share_of(const plain_view *v, const plain_four *f, real overlap)
{
    const step_law *law = &v->law;
    if (law->is_rigid) return real_set(1.0);
    if (law->damping >= 0.0) return law_spring_share(law, real_set(law->damping));
    real inv_mass_a, inv_mass_b, unused;
    load_part(v->body, f->body_a, offsetof(contact_body, v), &inv_mass_a);
    load_part(v->body, f->body_b, offsetof(contact_body, v), &inv_mass_b);
    real3 old_a = load_part(v->body, f->body_a, offsetof(contact_body, old_v), &unused),
          old_b = load_part(v->body, f->body_b, offsetof(contact_body, old_v), &unused);
    real u_n = real3_dot(real3_sub(old_b, old_a), f->n), inverse = inv_mass_a + inv_mass_b;
    real own2 = inverse_stiffness_of(v, f, overlap, inverse) / inverse;
    return law_spring_share(law, law_damping_time(law, own2, OF_PAIRS(f, damping_ratio), OF_PAIRS(f, restitution),
                                                  overlap, real_max(u_n, -u_n)));
}

static void guess(const plain_view *v, contacts *set, int64_t first, uint32_t mask)
{
    const int32_t contact[4] = {(int32_t)first, (int32_t)first + 1, (int32_t)first + 2, (int32_t)first + 3};
    plain_four f = load_four(v, set, contact);
    real allowance = real_rounded(allowance_of(v, set, &f, contact));  // as it is kept
    real share = share_of(v, &f, -(f.gap + allowance));
    law_start start =
        law_start_of(&v->law, load_float3(set->impulse, contact), load_float3(set->previous, contact), f.n);
    real3 g = cone_project_impulse(start.guess, f.n, OF_PAIRS(&f, friction), real_set(0.0), real_set(1.0));
    for (int k = 0; k < PLAIN_LANES; ++k) {
        if (!(mask >> k & 1)) continue;
        int64_t i = first + k;
        bool is_warm = v->law.is_warm && !v->is_new[i];
        set->allowance[i] = (float)allowance[k];
        set->spring_share[i] = (float)share[k];
        store_float3(set->impulse, i, is_warm ? g : (real3){0}, k);
        store_float3(set->previous, i, start.kept, k);
    }
}

// How the sides move.
typedef struct plain_motion {
    real3 u;                                    // m/s
    real a_n, a_t;                              // 1/kg
    real lever_a, lever_b, length_a, length_b;  // m
    real_mask is_moved_a, is_moved_b;
} plain_motion;

static inline plain_motion motion_of(const plain_view *v, const plain_four *f)
{
    real inv_mass_a, inv_mass_b, r_a, r_b, inv_i_a, inv_i_b, zero = real_set(0.0), half = real_set(0.5) * f->gap;
    real3 v_a = load_part(v->body, f->body_a, offsetof(contact_body, v), &inv_mass_a),
          v_b = load_part(v->body, f->body_b, offsetof(contact_body, v), &inv_mass_b);
    real3 w_a = load_part(v->body, f->body_a, offsetof(contact_body, w), &r_a),
          w_b = load_part(v->body, f->body_b, offsetof(contact_body, w), &r_b);
    load_part(v->body, f->body_a, offsetof(contact_body, old_v), &inv_i_a);
    load_part(v->body, f->body_b, offsetof(contact_body, old_v), &inv_i_b);
    real_mask is_moved_a = inv_mass_a > zero, is_moved_b = inv_mass_b > zero;
    real l_a = r_a + half, l_b = r_b + half;
    real3 spin = real3_add(real3_scale(l_a, w_a), real3_scale(l_b, w_b));
    real one = real_set(1.0);
    plain_motion m = {.u = real3_sub(real3_sub(v_b, v_a), real3_cross(spin, f->n)),
                      .a_n = inv_mass_a + inv_mass_b,
                      .lever_a = l_a,
                      .lever_b = -l_b,
                      .length_a = real_select(r_a > zero, r_a, one),
                      .length_b = real_select(r_b > zero, r_b, one),
                      .is_moved_a = is_moved_a,
                      .is_moved_b = is_moved_b};
    m.a_t = m.a_n + (l_a * l_a * inv_i_a + l_b * l_b * inv_i_b);
    return m;
}

static uint32_t hover(const plain_view *v, const contacts *set, int64_t first)
{
    const int32_t contact[4] = {(int32_t)first, (int32_t)first + 1, (int32_t)first + 2, (int32_t)first + 3};
    plain_four f = load_four(v, set, contact);
    plain_motion m = motion_of(v, &f);
    real3 slip = real3_across(m.u, f.n);
    real mu = OF_PAIRS(&f, friction), allowed = real_set(HOVER_SHARE / v->law.h) * f.smaller;
    return real_bits(mu * mu * real3_dot(slip, slip) > allowed * allowed);
}

static void rows(const plain_view *v, const contacts *set, const int32_t *contact, int lane, row_lanes *out)
{
    plain_four f = load_four(v, set, contact);
    plain_motion m = motion_of(v, &f);
    real zero = real_set(0.0), h = real_set(v->law.h), u_n = real3_dot(m.u, f.n), mu = OF_PAIRS(&f, friction);
    real open = f.gap + load_float(set->allowance, contact), share = load_float(set->spring_share, contact);
    real3 last = load_float3(set->previous, contact);
    real end = f.gap + h * u_n, eps = inverse_stiffness_of(v, &f, -open, m.a_n) / (h * h * m.a_n);
    eps = real_where(end >= -real_set(VIOLENT_SHARE) * f.smaller, eps);
    // What flies by, or bounces in a later step, has no friction yet (contact_row.c).
    real_mask is_carried = (last.x != zero) | (last.y != zero) | (last.z != zero);
    mu = real_where(~((f.gap > zero) & (end >= zero) & ~is_carried & (OF_PAIRS(&f, restitution) > zero)), mu);
    real3 r = real3_add(m.u, real3_scale(law_bias(&v->law, eps, f.gap, open, share, f.gap != f.gap), f.n));
    real soft = share * eps;
    r = real3_sub(r, real3_scale(soft * m.a_t, real3_across(last, f.n)));
    real rise;
    for (int k = 0; k < PLAIN_LANES; ++k) rise[k] = v->hover[contact[k]];
    r = real3_add(r, real3_scale(rise, f.n));
    for (int k = 0; k < PLAIN_LANES; ++k) {
        out->a[lane + k] = m.is_moved_a[k] ? f.body_a[k] : NO_BODY;
        out->b[lane + k] = m.is_moved_b[k] ? f.body_b[k] : NO_BODY;
    }
    real_store(&out->n[0][lane], f.n.x), real_store(&out->n[1][lane], f.n.y), real_store(&out->n[2][lane], f.n.z);
    real_store(&out->r[0][lane], r.x), real_store(&out->r[1][lane], r.y), real_store(&out->r[2][lane], r.z);
    real_store(&out->lever_a[lane], m.lever_a), real_store(&out->lever_b[lane], m.lever_b);
    real_store(&out->length_a[lane], m.length_a), real_store(&out->length_b[lane], m.length_b);
    real_store(&out->a_n[lane], m.a_n), real_store(&out->a_t[lane], m.a_t);
    real_store(&out->eps[lane], soft), real_store(&out->mu[lane], mu);
}

const plain_kernels KERNEL(plain_kernels) = {guess, hover, rows};
