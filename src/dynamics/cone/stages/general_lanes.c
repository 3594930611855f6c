// SPDX-License-Identifier: BSD-3-Clause
// Plain contacts off the centre line: levers have any direction, inertias are matrices.
// Compiled once for every instruction set: SCREE_ISA names it.
//
// With T = root [lever]x, I^-1 = factor root^T root (contact_inertia), a side's part of the diagonal block of N is
//     1/m + [l] I^-1 [l]^T = 1/m + factor T^T T
#include "dynamics/cone/stages/contact_lanes.h"

_Static_assert(sizeof(contact_inertia) == 16 * sizeof(double), "a record is loaded as four vectors");

// What touches of a collider at contact i: all of it, or a sphere of a set, which is put into *sphere.
static inline const contact_curve *curve_of(const plain_view *v, const contacts *set, int64_t i, int side,
                                            contact_curve *sphere)
{
    const contact_curve *whole = &v->curve[side == 0 ? set->a[i] : set->b[i]];
    double radius = contact_sphere_radius(set, v->colliders->kind, i, side);
    if (!(radius > 0.0)) return whole;
    *sphere = (contact_curve){radius, 1.0 / radius, isfinite(whole->thrown) ? radius : whole->thrown, 0.0};
    return sphere;
}

static inline real3 load_curves(const plain_view *v, const contacts *set, const int32_t *contact, int side)
{
    contact_curve sphere[REAL_LANES];
    const char *curve[REAL_LANES];
    real unused;
    for (int k = 0; k < REAL_LANES; ++k) curve[k] = (const char *)curve_of(v, set, contact[k], side, &sphere[k]);
    return load_vectors(curve, &unused);
}

// Lanes of contacts on the centre line hold nothing of use.
static inline void load_geometries(const contacts *set, const int32_t *contact, contact_lanes *f)
{
    double n[3][REAL_LANES], gap[REAL_LANES];
    for (int k = 0; k < REAL_LANES; ++k) {
        const contact_geometry *kept = contact_kept_geometry(set, contact[k]);
        scr_vec3 normal = kept != NULL ? kept->normal : vec3(0.0, 0.0, 1.0);
        n[0][k] = normal.x, n[1][k] = normal.y, n[2][k] = normal.z;
        gap[k] = kept != NULL ? kept->gap : 0.0;
    }
    f->n = real3_load(n), f->gap = real_load(gap);
}

static inline void load_general(const plain_view *v, const contacts *set, const int32_t *contact, contact_lanes *f)
{
    load_bodies(v, set, contact, f);
    load_geometries(set, contact, f);
    real3 a = load_curves(v, set, contact, 0), b = load_curves(v, set, contact, 1);
    real curvature = a.y + b.y;
    f->smaller = real_min(a.x, b.x);
    f->is_flat = curvature == real_set(0.0);
    f->radius = real_select(f->is_flat, f->smaller, real_set(1.0) / curvature);
    f->thrown = real_min(a.z, b.z);
}

// m, from the centres of mass. Lanes of contacts on the centre line hold nothing of use.
typedef struct lever_lanes {
    real3 a, b;
} lever_lanes;

static inline real3 load_inertia(const plain_view *v, const int32_t *body, size_t offset, real *fourth)
{
    return load_vector(v->inertia, sizeof *v->inertia, body, offset, fourth);
}

static inline lever_lanes levers_of(const plain_view *v, const contacts *set, const int32_t *contact,
                                    const contact_lanes *f)
{
    real unused;
    double point[3][REAL_LANES];
    for (int k = 0; k < REAL_LANES; ++k) {
        scr_vec3 at = contact_is_central(set, contact[k]) ? (scr_vec3){0} : set->geometry[set->kept[contact[k]]].point;
        point[0][k] = at.x, point[1][k] = at.y, point[2][k] = at.z;
    }
    return (lever_lanes){
        real3_sub(real3_load(point), load_inertia(v, f->body_a, offsetof(contact_inertia, at), &unused)),
        real3_sub(real3_load(point), load_inertia(v, f->body_b, offsetof(contact_inertia, at), &unused))};
}

static inline plain_start begin_lanes(const plain_view *v, const int32_t *contact, uint32_t mask,
                                      const contact_lanes *f, const lever_lanes *levers)
{
    real inverse_mass = load_inv_mass(v->body, f->body_a) + load_inv_mass(v->body, f->body_b), unused;
    real3 v_a = load_old_velocity(v, f->body_a), v_b = load_old_velocity(v, f->body_b),
          w_a = load_inertia(v, f->body_a, offsetof(contact_inertia, old_w), &unused),
          w_b = load_inertia(v, f->body_b, offsetof(contact_inertia, old_w), &unused);
    real3 old_u = real3_sub(real3_point_velocity(v_b, w_b, levers->b), real3_point_velocity(v_a, w_a, levers->a));
    plain_recalled recalled = load_recalled(v, v->unbegun, contact);
    plain_start start = start_of(v, f, &recalled);
    real overlap = -(f->gap + start.allowance), inverse_stiffness = inverse_stiffness_of(v, f, overlap, inverse_mass);
    start.share = real_rounded(share_of(v, f, overlap, inverse_stiffness, inverse_mass, old_u));
    keep_start(v, v->unbegun, contact, mask, &start);
    return start;
}

static void begin(const plain_view *v, const int32_t *contact, uint32_t mask)
{
    for (int k = 0; k < PLAIN_LANES; k += REAL_LANES) {
        contact_lanes f;
        load_general(v, v->unbegun, contact + k, &f);
        lever_lanes levers = levers_of(v, v->unbegun, contact + k, &f);
        begin_lanes(v, contact + k, mask >> k, &f, &levers);
    }
}

// u_b - u_a, and the inverse masses.
static inline real3 velocity_of(const plain_view *v, const contact_lanes *f, const lever_lanes *levers,
                                real *inv_mass_a, real *inv_mass_b)
{
    real unused;
    real3 v_a = load_part(v->body, f->body_a, offsetof(body_motion, v), inv_mass_a),
          v_b = load_part(v->body, f->body_b, offsetof(body_motion, v), inv_mass_b),
          w_a = load_part(v->body, f->body_a, offsetof(body_motion, w), &unused),
          w_b = load_part(v->body, f->body_b, offsetof(body_motion, w), &unused);
    return real3_sub(real3_point_velocity(v_b, w_b, levers->b), real3_point_velocity(v_a, w_a, levers->a));
}

static uint32_t hover(const plain_view *v, const contacts *set, const int32_t *contact)
{
    uint32_t bits = 0;
    for (int k = 0; k < PLAIN_LANES; k += REAL_LANES) {
        contact_lanes f;
        load_general(v, set, contact + k, &f);
        lever_lanes levers = levers_of(v, set, contact + k, &f);
        real inv_mass_a, inv_mass_b;
        bits |= hovering(v, &f, velocity_of(v, &f, &levers, &inv_mass_a, &inv_mass_b)) << k;
    }
    return bits;
}

// A symmetric matrix: xx yy zz xy xz yz.
typedef struct block_lanes {
    real m[6];
} block_lanes;

// T row by row; and the side's part of the block, added to it.
static inline void add_side(const plain_view *v, const int32_t *body, real3 l, real inv_mass, real t[9],
                            block_lanes *block)
{
    real factor, yy, none;
    load_inertia(v, body, offsetof(contact_inertia, at), &factor);
    real3 first = load_inertia(v, body, offsetof(contact_inertia, root), &yy),
          rest = load_inertia(v, body, offsetof(contact_inertia, root) + sizeof(real), &none);
    real xx = first.x, xy = first.y, xz = first.z, yz = rest.x, zz = rest.y;
    t[0] = xy * l.z - xz * l.y, t[1] = xz * l.x - xx * l.z, t[2] = xx * l.y - xy * l.x;
    t[3] = yy * l.z - yz * l.y, t[4] = yz * l.x, t[5] = -(yy * l.x);
    t[6] = -(zz * l.y), t[7] = zz * l.x, t[8] = real_set(0.0);
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; ++k) {
        const real *p = t + row[k], *q = t + column[k];
        block->m[k] += factor * ((p[0] * q[0] + p[3] * q[3]) + p[6] * q[6]);
        if (k < 3) block->m[k] += inv_mass;
    }
}

static inline real3 block_times(const block_lanes *b, real3 v)
{
    const real *m = b->m;
    return (real3){(m[0] * v.x + m[3] * v.y) + m[4] * v.z, (m[3] * v.x + m[1] * v.y) + m[5] * v.z,
                   (m[4] * v.x + m[5] * v.y) + m[2] * v.z};
}

// block_majorant of sweeps/pack.c
static inline real majorant_of(const block_lanes *block, real3 n, real a_n, real a_t)
{
    real zero = real_set(0.0), one = real_set(1.0);
    real_mask by_x = real_abs(n.x) < real_set(0.6);
    real3 helper = {real_where(by_x, one), real_select(by_x, zero, one), zero}, t = real3_cross(n, helper);
    t = real3_scale(one / real_sqrt(real3_dot(t, t)), t);
    real3 s = real3_cross(n, t), of_t = block_times(block, t), of_s = block_times(block, s);
    real tangent = one / a_t, mixed = one / real_sqrt(a_n * a_t);
    real nt = real_abs(real3_dot(n, of_t)) * mixed, ns = real_abs(real3_dot(n, of_s)) * mixed;
    real tt = real_abs(real3_dot(t, of_t)) * tangent, ts = real_abs(real3_dot(s, of_t)) * tangent;
    real ss = real_abs(real3_dot(s, of_s)) * tangent;
    return real_max(one + (nt + ns), real_max((nt + tt) + ts, (ns + ts) + ss));
}

static INLINE void write_rows(const plain_view *v, const contacts *set, const int32_t *contact, uint32_t mask, int lane,
                              general_lanes *out)
{
    contact_lanes f;
    load_general(v, set, contact, &f);
    lever_lanes levers = levers_of(v, set, contact, &f);
    real inv_mass_a, inv_mass_b, angular_a[9], angular_b[9], zero = real_set(0.0), one = real_set(1.0);
    block_lanes block = {0};
    real3 u = velocity_of(v, &f, &levers, &inv_mass_a, &inv_mass_b);
    add_side(v, f.body_a, levers.a, inv_mass_a, angular_a, &block);
    add_side(v, f.body_b, levers.b, inv_mass_b, angular_b, &block);
    real a_n = real3_dot(f.n, block_times(&block, f.n));
    real a_t = real_set(0.5) * (block.m[0] + block.m[1] + block.m[2] - a_n);
    plain_start start = v->unbegun != NULL ? begin_lanes(v, contact, mask, &f, &levers) : known_start(set, contact);
    // Not as a contact began: what a compliance that is given relative to masses refers to is another here.
    real inverse_stiffness = inverse_stiffness_of(v, &f, -(f.gap + start.allowance), a_n);
    plain_law law = law_of_lanes(v, contact, &f, &start, inverse_stiffness, u, a_n, a_t);
    real whole = majorant_of(&block, f.n, a_n, a_t) + law.soft;
    real_mask is_moved_a = inv_mass_a > zero, is_moved_b = inv_mass_b > zero;
    for (int k = 0; k < REAL_LANES; ++k) {
        out->a[lane + k] = is_moved_a[k] ? f.body_a[k] : NO_BODY;
        out->b[lane + k] = is_moved_b[k] ? f.body_b[k] : NO_BODY;
    }
    store_vector(out->n, lane, f.n);
    store_vector(out->r, lane, law.r);
    for (int k = 0; k < 9; ++k) {
        store_lanes(&out->angular_a[k][lane], angular_a[k]);
        store_lanes(&out->angular_b[k][lane], angular_b[k]);
    }
    for (int k = 0; k < 6; ++k) store_lanes(&out->block[k][lane], block.m[k]);
    store_lanes(&out->cn[lane], one / (whole * a_n)), store_lanes(&out->ct[lane], one / (whole * a_t));
    store_lanes(&out->compliance_n[lane], law.soft * a_n), store_lanes(&out->compliance_t[lane], law.soft * a_t);
    store_lanes(&out->kappa[lane], a_t / a_n), store_lanes(&out->mu[lane], law.mu);
    store_vector(out->g, lane, start.guess);
}

static void rows(const plain_view *v, const contacts *set, const int32_t *contact, uint32_t mask, general_lanes *out)
{
    for (int lane = 0; lane < ROW_LANES; lane += REAL_LANES)
        write_rows(v, set, contact + lane, mask >> lane, lane, out);
}

const general_kernels KERNEL(general_kernels) = {begin, hover, rows};
