// SPDX-License-Identifier: BSD-3-Clause
// The penalty law: from how two bodies overlap and move at a contact to the force between them.
//
// n points from a to b, overlap d > 0 in touch, u and w are velocity and spin of b's surface less a's. The force acts
// on b, its opposite on a. R*, m*, E*, G* are the pair's effective radius, mass and moduli.
//   Hertz   S_n = 2 E* sqrt(R* d)    F_el = 2/3 S_n d = k d^(3/2), k = 4/3 E* sqrt(R*)
//   Hooke   S_n = k                  F_el = k d
//   JKR     adhesion.h
//   damping c_n = 2 beta sqrt(m* S_n), times sqrt(5/6) for Hertz; beta from the restitution: damping.h
//   normal  F_n = max(F_el - c_n u_n, 0) - pull       the pair pulls by its cohesion alone, never by its damping
//   tangent S_t = 4 G*/E* S_n, c_t likewise           Mindlin without slip
//           xi' = (xi across n) + h u_t               the spring's stretch, kept with the pair from step to step
//           F_t = -(S_t xi' + c_t u_t), no larger than mu (F_n + pull); where it slips xi' is what that limit stretches
// Every operation treats the two bodies alike: when they change places n, u, w, xi and all forces change sign, bit by
// bit. Out of touch the force is 0 and the history is 0.
#ifndef DYNAMICS_PENALTY_LAW_LAW_H
#define DYNAMICS_PENALTY_LAW_LAW_H

#include "core/maths/lanes.h"
#include "dynamics/bodies/materials.h"
#include "scree/world.h"

// What the law needs to know of a pair, computed once.
typedef struct law_coefficients {
    double stiffness;      // k: Hertz N/m^(3/2), Hooke N/m
    double damping;        // c_n over d^(1/4) for Hertz, c_n for Hooke
    double shear;          // S_t / S_n
    double shear_damping;  // c_t / c_n
    double friction;
    double pull;               // N: what holds the pair together while it is in touch, F_c of JKR not included
    double jkr_pull;           // N: F_c; 0 for a pair without it
    double jkr_overlap;        // m: a_c^2 / R*, a_c the contact's radius when JKR's law lets go
    double rolling, spinning;  // m: the limit of the torque over the load
    double inertia;            // kg m^2: of a sphere with R* and m*
    double roll_damping;       // c_r of rolling.h over the torque's arm and over c_n's share that grows with overlap
} law_coefficients;

// The same for the pairs of a pack.
typedef struct law_lanes {
    real stiffness, damping, shear, shear_damping, friction, pull, jkr_pull, jkr_overlap, rolling, spinning, inertia,
        roll_damping;
} law_lanes;

// Which terms of the law a world's contacts need.
typedef struct law_options {
    bool hertz, jkr;
    bool rolling, spinning;  // rolling: a torque of either kind; spinning: one about the normal among them
    bool elastic_rolling;
    double time_step;     // s
    double stretch_time;  // s: how long springs are stretched for, a step; or 0: forces of springs as they are
} law_options;

law_options law_options_of(const materials *m, const scr_contact_def *contact, double time_step);

// radius and mass are R* and m*; least_radius is the smaller one of the two bodies, for cohesion.
law_coefficients law_of_pair(const material_pair *both, const scr_contact_def *contact, double radius, double mass,
                             double least_radius);
// d_c = a_c^2/R* of adhesion.h, m, given w/E* (m) and R*: a JKR contact lets go at an overlap of -d_c/3.
double jkr_overlap_of(double work_over_modulus, double radius);
// m: the widest gap over which adhesion may hold anything of an R* up to this; 0 if nothing needs JKR.
double longest_neck(const materials *m, const scr_contact_def *contact, double radius);

static inline void law_lanes_set(law_lanes *k, int lane, const law_coefficients *c)
{
    k->stiffness[lane] = (real_number)c->stiffness;
    k->damping[lane] = (real_number)c->damping;
    k->shear[lane] = (real_number)c->shear;
    k->shear_damping[lane] = (real_number)c->shear_damping;
    k->friction[lane] = (real_number)c->friction;
    k->pull[lane] = (real_number)c->pull;
    k->jkr_pull[lane] = (real_number)c->jkr_pull;
    k->jkr_overlap[lane] = (real_number)c->jkr_overlap;
    k->rolling[lane] = (real_number)c->rolling;
    k->spinning[lane] = (real_number)c->spinning;
    k->inertia[lane] = (real_number)c->inertia;
    k->roll_damping[lane] = (real_number)c->roll_damping;
}

// The normal part of a contact, and what the other parts build on.
typedef struct normal_response {
    real_mask touch;
    real force;      // N, F_n; positive pushes apart
    real load;       // N, F_n without the pull: what friction and rolling resistance go by; never negative
    real stiffness;  // N/m, S_n
    real damping;    // N s/m, c_n
    real energy;     // J, stored in the normal direction
    real rise;       // c_n over its coefficient: how dampers grow with overlap
} normal_response;

static inline normal_response hertz_response(const law_lanes *k, real overlap, real un)
{
    real_mask touch = overlap > (real){0};
    real d = real_where(touch, overlap), root = real_sqrt(d), elastic = k->stiffness * d * root;
    real rise = real_sqrt(root), damping = k->damping * rise;
    real load = real_where(touch, real_max(elastic - damping * un, (real){0}));
    return (normal_response){.touch = touch,
                             .force = load - real_where(touch, k->pull),
                             .load = load,
                             .stiffness = real_set(1.5) * k->stiffness * root,
                             .damping = damping,
                             .energy = (real_set(0.4) * elastic - k->pull) * d,
                             .rise = rise};
}

static inline normal_response hooke_response(const law_lanes *k, real overlap, real un)
{
    real_mask touch = overlap > (real){0};
    real d = real_where(touch, overlap), elastic = k->stiffness * d;
    real load = real_where(touch, real_max(elastic - k->damping * un, (real){0}));
    return (normal_response){.touch = touch,
                             .force = load - real_where(touch, k->pull),
                             .load = load,
                             .stiffness = k->stiffness,
                             .damping = k->damping,
                             .energy = (real_set(0.5) * elastic - k->pull) * d,
                             .rise = real_set(1.0)};
}

static inline normal_response normal_response_of(bool hertz, const law_lanes *k, real overlap, real un)
{
    return hertz ? hertz_response(k, overlap, un) : hooke_response(k, overlap, un);
}

// A spring and a damper in parallel whose force goes no further than a limit, given how far the spring is stretched
// already. Where it gives way the spring keeps what the limit stretches.
typedef struct limited_spring {
    real3 force;             // N: against the rate, 0 out of touch; until held to the limit, what it would be without
    real3 stretch;           // m: of this step, likewise
    real stiffness;          // N/m
    real limit, size2;       // N; N^2: the force without a limit, squared
    real_mask beyond_limit;  // where the force must be held
} limited_spring;

static inline limited_spring spring_stretched(real stiffness, real damping, real limit, real h, real3 rate,
                                              real_mask touch, real3 stretch)
{
    real3 stretched = real3_add(stretch, real3_scale(h, rate));
    real3 force = real3_add(real3_scale(stiffness, stretched), real3_scale(damping, rate));
    real size2 = real3_dot(force, force);
    return (limited_spring){
        real3_where(touch, real3_neg(force)), real3_where(touch, stretched), stiffness, limit, size2,
        touch & (size2 > limit * limit)};
}

static inline void spring_hold_to_limit(limited_spring *s)
{
    s->force = real3_scale(real_select(s->beyond_limit, s->limit / real_sqrt(s->size2), real_set(1.0)), s->force);
    s->stretch =
        real3_select(s->beyond_limit, real3_neg(real3_scale(real_set(1.0) / s->stiffness, s->force)), s->stretch);
}

// The spring across n, before its force is held to the limit of friction.
static inline limited_spring tangential_spring(const law_lanes *k, const normal_response *normal, real h, real3 n,
                                               real3 u, real3 spring)
{
    return spring_stretched(k->shear * normal->stiffness, k->shear_damping * normal->damping,
                            k->friction * normal->load, h, real3_across(u, n), normal->touch, real3_across(spring, n));
}

// F_t on b; *spring goes from the last step's stretch to this one's.
static inline real3 tangential_force(const law_lanes *k, const normal_response *normal, real h, real3 n, real3 u,
                                     real3 *spring)
{
    limited_spring s = tangential_spring(k, normal, h, n, u, *spring);
    spring_hold_to_limit(&s);
    *spring = s.stretch;
    return s.force;
}

static inline real tangential_energy(const law_lanes *k, const normal_response *normal, real3 spring)
{
    return real_where(normal->touch, real_set(0.5) * k->shear * normal->stiffness * real3_dot(spring, spring));
}

#endif
