// SPDX-License-Identifier: BSD-3-Clause
// The cone of impulses that a contact can bear, and its nearest point.
//
// A contact pushes with g and, where rolling is resisted, turns with the moment arm q about its point. With the apex c
// of cohesion and x = g_n + c:
//     x >= 0,   |g_t| <= mu x,   |q_t| <= roll x,   |q_n| <= spin x
// The nearest point in the metric (1, kappa_t, kappa_q) of normal, tangent and q: for a given x everything else is cut
// to its limit, and x is the root of
//     x - p_x - kappa_t mu (|p_t| - mu x)+ - kappa_q roll (|q_t| - roll x)+ - kappa_q spin (|q_n| - spin x)+
// which rises, in four straight pieces at most, and ever less steeply.
#ifndef DYNAMICS_CONE_SYSTEM_CONE_H
#define DYNAMICS_CONE_SYSTEM_CONE_H

#include "core/maths/vec3.h"

enum { CONE_LIMITS = 3 };  // of g_t, q_t and q_n

typedef struct friction_cone {
    scr_vec3 n;
    double mu;
    double apex;        // N s; how much the contact can pull
    double roll, spin;  // limits of q across and along n
} friction_cone;

typedef struct contact_load {
    scr_vec3 g;  // N s, acting on b
    scr_vec3 q;  // N s; moment acting on b, over the arm of the contact
} contact_load;

static inline contact_load load_plus(contact_load a, double t, contact_load b)  // a + t b
{
    return (contact_load){vec3_add_scaled(a.g, t, b.g), vec3_add_scaled(a.q, t, b.q)};
}
static inline double load_dot(contact_load a, contact_load b) { return vec3_dot(a.g, b.g) + vec3_dot(a.q, b.q); }
// the part across n
static inline scr_vec3 across(scr_vec3 u, scr_vec3 n) { return vec3_add_scaled(u, -vec3_dot(u, n), n); }

scr_vec3 cone_project(const friction_cone *cone, scr_vec3 g, double kappa_t);  // where there is no q
contact_load cone_project_load(const friction_cone *cone, contact_load p, double kappa_t, double kappa_q);
// the normal kept from pulling, the rest cut to it
contact_load cone_coulomb_load(const friction_cone *cone, contact_load p);

// Where friction is Coulomb's, u + cone_slip n is complementary to the load, as u is under the convex law: de Saxce's
// form. u: velocities of g and of q.
double cone_slip(const friction_cone *cone, contact_load u);

// What a contact adds to the square of the residual of a contact problem, |g - P(g - d u)| / d: load is its share of g,
// u (m/s) is what must be complementary to it, rolls says whether there is a q. d is 1 over the mean diagonal of N,
// unless a measure is called after another one.
double cone_residual2(const friction_cone *cone, contact_load load, contact_load u, bool rolls, double d);

#endif
