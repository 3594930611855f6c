// SPDX-License-Identifier: BSD-3-Clause
// The one measure of accuracy: how wrong the contact forces on bodies are, relative to them.
//
// Impulses are not always unique (a box stands on more points than it needs), but what they do to the bodies is. With g
// the impulses that were found, g* the exact ones and dv = W D g the velocities that they give,
//     error = |dv - dv*|_M / |dv*|_M         the force on a body, root mean square, in the norm of kinetic energy
// The energy f(g) of the impulses is least at the answer, and so is that of the velocities, E(dv) (newton.h); at the
// answer both are the same number with opposite signs. Their sum, the duality gap, is therefore 0 there, and above it
//     f(g) + E(dv) >= 1/2 |dv - dv*|_M^2 + 1/2 |dv - dv*|_M^2
// because both curve at least as M does. It is a sum over contacts (contact_duality_gap), each at least 0. What is
// stated is
//     force error = 1/2 sqrt(gap) / |dv|_M
// so that the true error is at most twice as large, always, and between a tenth of it and all of it in most cases.
//
// Contacts without compliance have no E. They, and those with next to none, are measured as if they had a share of
// their diagonal, so that the force error of rigid contacts is an estimate, not a bound: that of a step of the proximal
// point method from g. The share falls with the mass ratio, because heavy loads on light bodies move slowest.
// tests/dynamics/test_force_error.c holds all of this against answers to 1e-10. Coulomb friction is measured as the
// convex problem with the sliding speed added to the bias that it would have to be the answer of: an estimate too. That
// bias is as wrong as the answer, and the error of one feeds the other: in two of 25 piles with friction 0.5 the true
// error was up to 3.8 times that estimate, in 21 up to 1.7 times (in the other two, sweeps and Newton's method find
// different answers), in carts among grains up to 1.5 times. Nothing in the gap tells these from those: contacts that
// stick have most of it in all. It is raised with the friction that there is, by 2.1 from 0.5 on.
//
// In a space that repeats itself and is pressed on from all sides, forces on each body cancel: relative to what is left
// of them no answer would be good. What such a space is pressed with counts as the load on walls does elsewhere: as if
// each length were a body with the mass of all, 1/2 |dv|_M^2 is larger by the cell energy, of the impulses that
// contacts gave the lengths in the last step.
#ifndef DYNAMICS_CONE_SYSTEM_FORCE_ERROR_H
#define DYNAMICS_CONE_SYSTEM_FORCE_ERROR_H

#include <math.h>

static const double RIGID_COMPLIANCE = 1e-4;  // the share where all masses are alike

// mass_ratio: of the lightest to the heaviest body
static inline double least_compliance(double mass_ratio) { return RIGID_COMPLIANCE * mass_ratio; }

// What the estimate is multiplied by under Coulomb's law. Without friction that is the convex problem.
static inline double coulomb_doubt(double friction) { return 1.0 + 2.2 * fmin(friction, 0.5); }

static inline double stated_force_error(double gap, double kinetic)  // J; kinetic: 1/2 |dv|_M^2
{
    if (gap <= 0.0) return 0.0;
    return kinetic > 0.0 ? 0.5 * sqrt(gap / (2.0 * kinetic)) : 1.0;
}

#endif
