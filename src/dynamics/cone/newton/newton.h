// SPDX-License-Identifier: BSD-3-Clause
// Newton's method on velocities: exact at any mass ratio, for islands.
//
// The compliant contact problem has a convex twin in the velocity dv that contacts give the bodies, without constraints
// and once differentiable. With u_i = D_i^T dv + r_i and phi, g, G of response.h:
//     E(dv) = 1/2 dv^T M dv + sum phi_i(u_i)        least where M dv = D g(u): the answer of all other solvers
//     (M + S) d = D g - M dv,   S = D G D^T          Newton's step; dv moves on by a d, where E is least along d
// Joints hold dv to J dv + C l = 0, with 1/2 l^T C l added to E: rows of the same equations (kkt.h).
// Within a finite number of regions E is a parabola: from a start near the answer one or two steps are all there is.
// Where loads are known better than velocities, the regions of a first step are taken from loads.
//
// Contacts without compliance, and very stiff ones, are solved as a sequence of softer ones: with a compliance R'
// instead of R and r' = r - (R' - R) g' the answer g is a step of the proximal point method from g'; a few of them end
// at g = g', where R' has no effect. Coulomb friction likewise: r' = r + mu |u_t| n with the
// slip (cone_slip) of the round before.
#ifndef DYNAMICS_CONE_NEWTON_NEWTON_H
#define DYNAMICS_CONE_NEWTON_NEWTON_H

#include "dynamics/cone/newton/newton_equations.h"

size_t newton_bytes(const contact_system *system);
rows_solution solve_by_newton(rows *s);  // setting->memory must not be NULL

#endif
