// SPDX-License-Identifier: BSD-3-Clause
// One contact as a row block of the cone complementarity problem, in double precision.
//
//   minimise  1/2 g^T (N + R) g + r^T g   over g_i in the Coulomb cone of contact i,   N = D^T M^-1 D
//   D^T v = v_b + w_b x l_b - v_a - w_a x l_a       relative velocity at the contact, as a world vector
//   r     = D^T v_free + u_s + bias                  v_free: velocities without contacts; u_s: of surfaces
//                                                    that convey (bodies/surface_velocity.h)
//   R     = diag(eps_n a_n, eps_t a_t, eps_t a_t)    compliance; eps = s/(h^2 k_n a_n), 0 for rigid contacts
//   bias  = s (gap + allowance)/h n - eps_t a_t q'_t   compliant: q' is the impulse of the tangential spring in the
//                                                    last step, so that it remembers how far it was stretched
//         = max(gap/h, -recovery speed) n            rigid
//                                                    what bounces has done so before (impacts.c)
//         + c n                                      convex friction, where it slides fast: hover.c
//
// A damper of tau k beside the spring k makes the force -k x - tau k u at the end of the step, x = gap + h u: with
// s = h/(h + tau) that is u + s gap/h + s/(h^2 k) g = 0 for the normal. While a gap is open neither acts: its bias
// stays gap/h. For the tangent, where x is known by the spring's impulse q' = -h k x' alone, it is
// u + s/(h^2 k) (g - q') = 0, and the spring's new impulse is q = q' + s (g - q'), which is g itself without damping.
//
// k is Hertz' secant at the overlap d with which the step begins, but no less than at 1e-3 of the effective radius. A
// secant taken there and a force at the end of the step lose energy, loading and unloading: with x = d_new/d, unloading
// gives back x (1 - x) of k d^2, and 2/5 (1 - x^(5/2)) was stored. Flat faces have a flat punch's stiffness
// (materials.h).
//
// Unless it is given, tau follows from the restitution: the damping ratio z that gives e (at most 1, critical) for the
// mass m* of the pair. Where e is 0 nothing is given back, nor by what rests on the contact: damping is critical for
// the pair and that, N/|g| = k d/|g| with the overlap d,
//   tau = 2 z sqrt(m*/k)        e > 0
//   tau = 2 sqrt(m*/k + d/|g|)  e = 0
// A heavy load on L layers of light grains then has the damping ratio 1/sqrt(L), whatever its mass; the pair's own
// damping alone would let it bounce for thousands of periods. The load's damper never pushes harder
// than its spring, tau |u_n| <= d: where grains move past each other, a contact that opens would lose its grip.
//
// Cohesion lets a contact that touches pull with up to its pull-off force: the apex of its cone lies at -c n, c = h
// force.
//
// Rolling and spinning friction add a second unknown q: the moment of the contact over its arm, the effective radius.
// It works on the relative spin times the arm,
//   r_q  = arm (w_b - w_a)_free - eps_q a_q q'         q' that of the last step: a spring with a memory, as the
//                                                      tangential one
//   a_q  = mean diagonal of arm^2 (I_a^-1 + I_b^-1)
#ifndef DYNAMICS_CONE_SYSTEM_CONTACT_ROW_H
#define DYNAMICS_CONE_SYSTEM_CONTACT_ROW_H

#include "core/maths/mat3.h"
#include "core/maths/pose.h"
#include "dynamics/cone/system/cone.h"

typedef struct contact_row {
    int32_t a, b;               // bodies, NO_BODY where it cannot be moved
    bool centre_line;           // levers are along the normal and inertias isotropic
    scr_vec3 n;                 // from a to b
    scr_vec3 lever_a, lever_b;  // m, from the centres of mass
    scr_vec3 r;                 // m/s
    double mu, eps_n, eps_t;
    double apex;                // N s; how much it can pull
    double arm;                 // m; 0 where no contact resists rolling: the rest does not count then
    double roll, spin;          // as in friction_cone
    scr_vec3 r_q;               // m/s
    double a_q, eps_q;          // a_q: 1/kg
    double a_n, a_t;            // 1/kg; the diagonal block of N: along the normal, and the mean across it
    double length_a, length_b;  // m; as in system_body
} contact_row;

// Friction beyond this holds whatever there is, and squares would overflow.
static const double LARGEST_FRICTION = 1e8;

static inline friction_cone contact_row_cone(const contact_row *row)
{
    return (friction_cone){.n = row->n,
                           .mu = fmin(row->mu, LARGEST_FRICTION),
                           .apex = row->apex,
                           .roll = fmin(row->roll, LARGEST_FRICTION),
                           .spin = fmin(row->spin, LARGEST_FRICTION)};
}

// Orthonormal axes of a contact, n first.
static inline void contact_frame(scr_vec3 n, scr_vec3 axis[3])
{
    scr_vec3 helper = fabs(n.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    axis[0] = n;
    axis[1] = vec3_unit(vec3_cross(n, helper));
    axis[2] = vec3_cross(n, axis[1]);
}

#endif
