// SPDX-License-Identifier: BSD-3-Clause
// Plain contacts lane by lane: what those on the centre line of grains (plain_lanes.c) and all others
// (general_lanes.c) share. Included by sources that are compiled once for every instruction set, for four lanes or,
// with LANES_EIGHT, for eight.
#ifndef DYNAMICS_CONE_STAGES_CONTACT_LANES_H
#define DYNAMICS_CONE_STAGES_CONTACT_LANES_H

#include "core/maths/row_lanes.h"
#include "dynamics/bodies/hertz_lanes.h"
#include "dynamics/cone/stages/contact_law_lanes.h"
#include "dynamics/cone/stages/plain_contacts.h"
#include "dynamics/cone/system/cone_lanes.h"

_Static_assert(PLAIN_LANES % REAL_LANES == 0, "callers hand over whole vectors of contacts");
_Static_assert(sizeof(body_motion) == 8 * sizeof(double), "a record is loaded as two vectors of four");
_Static_assert(sizeof(contact_curve) == 4 * sizeof(double), "a record is loaded as one vector of four");
_Static_assert(sizeof(ball) == 4 * sizeof(double), "a record is loaded as one vector of four");

enum { ALL_LANES = (1 << REAL_LANES) - 1 };

// Contacts are in registers only where all that handles them is one function in the end.
#define INLINE inline __attribute__((always_inline))

// A number of each lane. Written out: a vector that a loop fills lane by lane goes through memory, and waits for it.
#if defined(LANES_EIGHT_DOUBLES)
#define EACH_LANE(of) of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)
#else
#define EACH_LANE(of) of(0), of(1), of(2), of(3)
#endif

// Contacts and the bodies on their sides.
typedef struct contact_lanes {
    int32_t body_a[REAL_LANES], body_b[REAL_LANES];
    const material_pair *pair[REAL_LANES];
    bool is_one_pair;  // all of them are the same
    real3 n;
    real gap, smaller, radius, thrown;  // of the smaller side; effective; of the smaller side that hover.c counts
    real_mask is_flat;
} contact_lanes;

static INLINE real of_pairs(const contact_lanes *f, size_t member)
{
#define OF(k) (*(const double *)(const void *)((const char *)f->pair[k] + member))
    return f->is_one_pair ? real_set(OF(0)) : (real){EACH_LANE(OF)};
#undef OF
}
#define OF_PAIRS(lanes, member) of_pairs(lanes, offsetof(material_pair, member))

// One of the numbers that contacts, or bodies, have in an array of so many each.
static INLINE real of_doubles(const double *from, int64_t width, int64_t part, const int32_t *which)
{
#define OF(k) from[width * which[k] + part]
    return (real){EACH_LANE(OF)};
#undef OF
}

// Vectors of three numbers and a fourth each.
static INLINE real3 load_vectors(const char *const at[REAL_LANES], real *fourth)
{
    real row[4];
#if defined(LANES_EIGHT_DOUBLES)
    for (int k = 0; k < 4; ++k)
        row[k] = (real)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd((const double *)(const void *)at[k])),
                                          _mm256_loadu_pd((const double *)(const void *)at[k + 4]), 1);
#else
    for (int k = 0; k < 4; ++k) row[k] = real_load((const double *)(const void *)at[k]);
#endif
    real_transpose(row);
    *fourth = row[3];
    return (real3){row[0], row[1], row[2]};
}

// One of the vectors of the records of bodies.
static INLINE real3 load_vector(const void *record, size_t size, const int32_t *body, size_t offset, real *fourth)
{
    const char *from = (const char *)record + offset, *at[REAL_LANES];
    for (int k = 0; k < REAL_LANES; ++k) at[k] = from + (size_t)body[k] * size;
    return load_vectors(at, fourth);
}

static INLINE real3 load_part(const body_motion *motion, const int32_t *body, size_t offset, real *fourth)
{
    return load_vector(motion, sizeof *motion, body, offset, fourth);
}

static INLINE real load_inv_mass(const body_motion *motion, const int32_t *body)
{
#define OF(k) motion[body[k]].inv_mass
    return (real){EACH_LANE(OF)};
#undef OF
}

static INLINE real3 load_old_velocity(const plain_view *v, const int32_t *body)
{
    return (real3){of_doubles(v->old_v[0], 1, 0, body), of_doubles(v->old_v[1], 1, 0, body),
                   of_doubles(v->old_v[2], 1, 0, body)};
}

typedef float four_floats __attribute__((vector_size(16)));

static INLINE real of_floats(const float *from, int64_t width, int64_t part, const int32_t *contact)
{
#define OF(k) from[width * contact[k] + part]
    return real_of((narrow){EACH_LANE(OF)});
#undef OF
}

static INLINE void load_bodies(const plain_view *v, const contacts *set, const int32_t *contact, contact_lanes *f)
{
    const colliders *c = v->colliders;
    f->is_one_pair = v->material_count == 1;
    f->pair[0] = v->pair;
    for (int k = 0; k < REAL_LANES; ++k) {
        int32_t a = set->a[contact[k]], b = set->b[contact[k]];
        f->body_a[k] = c->body[a], f->body_b[k] = c->body[b];
        if (!f->is_one_pair) f->pair[k] = &v->pair[c->material[a] * v->material_count + c->material[b]];
    }
}

static INLINE real3 load_float3(const float *from, const int32_t *contact)
{
    return (real3){of_floats(from, 3, 0, contact), of_floats(from, 3, 1, contact), of_floats(from, 3, 2, contact)};
}

static INLINE real load_float(const float *from, const int32_t *contact) { return of_floats(from, 1, 0, contact); }

static inline void store_lanes(float *to, real v) { narrow_store(to, narrow_of(v)); }

static inline void store_vector(float (*to)[ROW_LANES], int lane, real3 v)
{
    store_lanes(&to[0][lane], v.x), store_lanes(&to[1][lane], v.y), store_lanes(&to[2][lane], v.z);
}

static INLINE real inverse_stiffness_of(const plain_view *v, const contact_lanes *f, real overlap, real inverse_mass)
{
    real_mask has_own = {0};  // counts only beside masses
    for (int k = 0; k < REAL_LANES && v->law.compliance > 0.0; ++k)
        has_own[k] = -(int64_t)f->pair[f->is_one_pair ? 0 : k]->gives_modulus;
    real modulus = OF_PAIRS(f, modulus), round = hertz_secant(modulus, f->radius, overlap),
         stiffness = real_select(f->is_flat, flat_punch(modulus, f->radius), round);
    return law_inverse_stiffness(&v->law, stiffness, has_own, inverse_mass);
}

// What the damper leaves of the spring's compliance. inverse_stiffness: m/N; old_u: m/s, u_b - u_a as the step began
static INLINE real share_of(const plain_view *v, const contact_lanes *f, real overlap, real inverse_stiffness,
                            real inverse_mass, real3 old_u)
{
    const step_law *law = &v->law;
    if (law->is_rigid) return real_set(1.0);
    if (law->damping >= 0.0) return law_spring_share(law, real_set(law->damping));
    real u_n = real3_dot(old_u, f->n), own2 = inverse_stiffness / inverse_mass;
    return law_spring_share(
        law, law_damping_time(law, own2, OF_PAIRS(f, damping_ratio), OF_PAIRS(f, restitution), overlap, real_abs(u_n)));
}

// What contacts begin the step with, rounded as contacts keep it.
typedef struct plain_start {
    real allowance, share;  // m; what the damper leaves of the spring's compliance
    real3 kept;             // N s: what the step keeps as the last one's impulse
    real3 guess;            // N s: where sweeps begin
} plain_start;

static inline real3 rounded3(real3 v) { return (real3){real_rounded(v.x), real_rounded(v.y), real_rounded(v.z)}; }

static inline real3 where3(real_mask mask, real3 v)
{
    return (real3){real_where(mask, v.x), real_where(mask, v.y), real_where(mask, v.z)};
}

static inline real_mask newness_of(const plain_view *v, const int32_t *contact)
{
#define OF(k) -(int64_t)v->is_new[contact[k]]
    return (real_mask){EACH_LANE(OF)};
#undef OF
}

// What was recalled of contacts. Loaded apart from what is made of it: these lines are far from the core, and a
// processor sees those of several groups only if little else stands between them.
typedef struct plain_recalled {
    real_mask is_new;
    real allowance;         // m
    real3 impulse, before;  // N s: of the last step, and of the one before
} plain_recalled;

static INLINE plain_recalled load_recalled(const plain_view *v, const contacts *set, const int32_t *contact)
{
    return (plain_recalled){newness_of(v, contact), load_float(set->allowance, contact),
                            load_float3(set->impulse, contact), load_float3(set->previous, contact)};
}

// From what was recalled; all but the share.
static INLINE plain_start start_of(const plain_view *v, const contact_lanes *f, const plain_recalled *recalled)
{
    real_mask is_new = recalled->is_new, is_warm = v->law.is_warm ? ~is_new : (real_mask){0};
    real allowance = law_allowance(&v->law, f->gap, is_new, f->smaller, recalled->allowance);
    law_start start = law_start_of(&v->law, recalled->impulse, recalled->before, f->n);
    real3 guess = cone_project_impulse(start.guess, f->n, OF_PAIRS(f, friction), real_set(0.0), real_set(1.0));
    return (plain_start){
        .allowance = real_rounded(allowance), .kept = rounded3(start.kept), .guess = where3(is_warm, rounded3(guess))};
}

// The same of contacts that were begun.
static INLINE plain_start known_start(const contacts *set, const int32_t *contact)
{
    return (plain_start){.allowance = load_float(set->allowance, contact),
                         .share = load_float(set->spring_share, contact),
                         .kept = load_float3(set->previous, contact),
                         .guess = load_float3(set->impulse, contact)};
}

static INLINE void put_row(float *vector, float *number, int64_t contact, four_floats row)
{
    memcpy(vector + 3 * contact, &row, 2 * sizeof *vector);
    vector[3 * contact + 2] = row[2];
    number[contact] = row[3];
}

static INLINE void scatter_four(float *vector, float *number, const int32_t *contact, four_floats x, four_floats y,
                                four_floats z, four_floats w)
{
    four_floats xy = __builtin_shufflevector(x, y, 0, 4, 1, 5), zw = __builtin_shufflevector(z, w, 0, 4, 1, 5);
    four_floats xy_high = __builtin_shufflevector(x, y, 2, 6, 3, 7),
                zw_high = __builtin_shufflevector(z, w, 2, 6, 3, 7);
    put_row(vector, number, contact[0], __builtin_shufflevector(xy, zw, 0, 1, 4, 5));
    put_row(vector, number, contact[1], __builtin_shufflevector(xy, zw, 2, 3, 6, 7));
    put_row(vector, number, contact[2], __builtin_shufflevector(xy_high, zw_high, 0, 1, 4, 5));
    put_row(vector, number, contact[3], __builtin_shufflevector(xy_high, zw_high, 2, 3, 6, 7));
}

#if defined(LANES_EIGHT_DOUBLES)
#define LOW_FOUR(v) __builtin_shufflevector(v, v, 0, 1, 2, 3)
#define HIGH_FOUR(v) __builtin_shufflevector(v, v, 4, 5, 6, 7)
#endif

// Vectors of three numbers and one more, for each contact: three into `vector`, the fourth into `number`.
static INLINE void scatter(float *vector, float *number, const int32_t *contact, real3 v, real more)
{
    narrow x = narrow_of(v.x), y = narrow_of(v.y), z = narrow_of(v.z), w = narrow_of(more);
#if defined(LANES_EIGHT_DOUBLES)
    scatter_four(vector, number, contact, LOW_FOUR(x), LOW_FOUR(y), LOW_FOUR(z), LOW_FOUR(w));
    scatter_four(vector, number, contact + 4, HIGH_FOUR(x), HIGH_FOUR(y), HIGH_FOUR(z), HIGH_FOUR(w));
#else
    scatter_four(vector, number, contact, x, y, z, w);
#endif
}

// Of those of the mask.
static __attribute__((noinline)) void keep_some(const plain_view *v, contacts *set, const int32_t *contact,
                                                uint32_t mask, const plain_start *start)
{
    float impulse[3][REAL_LANES], kept[3][REAL_LANES], scalar[2][REAL_LANES];
    store_lanes(impulse[0], start->guess.x), store_lanes(impulse[1], start->guess.y);
    store_lanes(impulse[2], start->guess.z), store_lanes(kept[0], start->kept.x);
    store_lanes(kept[1], start->kept.y), store_lanes(kept[2], start->kept.z);
    store_lanes(scalar[0], start->allowance), store_lanes(scalar[1], start->share);
    for (int k = 0; k < REAL_LANES; ++k) {
        if (!(mask >> k & 1)) continue;
        int64_t i = contact[k];
        set->allowance[i] = scalar[0][k];
        set->spring_share[i] = scalar[1][k];
        for (int axis = 0; axis < 3; ++axis) {
            set->impulse[3 * i + axis] = impulse[axis][k];
            set->previous[3 * i + axis] = kept[axis][k];
        }
        bool is_warm = v->law.is_warm && !v->is_new[i];
        for (int axis = 0; axis < 3 && set->has_angular_impulses; ++axis)
            set->angular_impulse[3 * i + axis] = is_warm ? set->last_angular_impulse[3 * i + axis] : 0.0f;
    }
}

static INLINE void keep_start(const plain_view *v, contacts *set, const int32_t *contact, uint32_t mask,
                              const plain_start *start)
{
    if ((mask & ALL_LANES) != ALL_LANES || set->has_angular_impulses) {
        plain_start copy = *start;  // so that only this path has it in memory
        keep_some(v, set, contact, mask, &copy);
        return;
    }
    scatter(set->impulse, set->allowance, contact, start->guess, start->allowance);
    scatter(set->previous, set->spring_share, contact, start->kept, start->share);
}

// Bits of those whose slip would lift them more than may be (hover.c). u: m/s
static inline uint32_t hovering(const plain_view *v, const contact_lanes *f, real3 u)
{
    real3 slip = real3_across(u, f->n);
    real zero = real_set(0.0), inverse_h = real_set(1.0 / v->law.h), mu = OF_PAIRS(f, friction);
    real allowed = real_set(HOVER_SHARE / v->law.h) * f->smaller, lift2 = mu * mu * real3_dot(slip, slip);
    real rise = real_sqrt(lift2) - real_max(zero, f->gap) * inverse_h;
    real_mask is_thrown = (rise > zero) & (rise * rise > real_set(2.0 * v->law.gravity * HOVER_SHARE) * f->thrown);
    return real_bits((lift2 > allowed * allowed) | is_thrown);
}

// What the law makes of contacts: contact_row.h.
typedef struct plain_law {
    real3 r;    // m/s
    real soft;  // eps_n, which is eps_t
    real eps;   // of the spring alone
    real mu;
} plain_law;

// inverse_stiffness: m/N
static INLINE plain_law law_of_lanes(const plain_view *v, const int32_t *contact, const contact_lanes *f,
                                     const plain_start *start, real inverse_stiffness, real3 u, real a_n, real a_t)
{
    real zero = real_set(0.0), h = real_set(v->law.h), u_n = real3_dot(u, f->n), mu = OF_PAIRS(f, friction);
    real open = f->gap + start->allowance, share = start->share;
    real3 last = start->kept;
    real end = f->gap + h * u_n, eps = inverse_stiffness / (h * h * a_n);
    eps = real_where(end >= -real_set(VIOLENT_SHARE) * f->smaller, eps);
    // What flies by, or bounces in a later step, has no friction yet (contact_row.c).
    real_mask is_carried = (last.x != zero) | (last.y != zero) | (last.z != zero);
    mu = real_where(~((f->gap > zero) & (end >= zero) & ~is_carried & (OF_PAIRS(f, restitution) > zero)), mu);
    real3 r = real3_add(u, real3_scale(law_bias(&v->law, eps, f->gap, open, share, f->gap != f->gap), f->n));
    real soft = share * eps;
    r = real3_sub(r, real3_scale(soft * a_t, real3_across(last, f->n)));
    if (v->hover == NULL) return (plain_law){r, soft, eps, mu};
    real rise = of_doubles(v->hover, 1, 0, contact);
    return (plain_law){real3_add(r, real3_scale(rise, f->n)), soft, eps, mu};
}

#endif
