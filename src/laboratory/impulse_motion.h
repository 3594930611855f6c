// SPDX-License-Identifier: BSD-3-Clause
// What impulses do to the bodies of a saved system, in double precision: the measure by which answers are compared.
//
// Impulses are not always unique (a box stands on more points than it needs), velocities are. The distance between two
// answers g and g' is that of the velocities they make, in the norm of kinetic energy:
//     |M^-1 D (g - g')|_M   over   |M^-1 D g'|_M = |v' - v_free|_M
// which is the root mean square error of the force on a body, relative to that force.
#ifndef LABORATORY_IMPULSE_MOTION_H
#define LABORATORY_IMPULSE_MOTION_H

#include "laboratory/saved_system.h"

// change (6 a body: m/s, rad/s) = M^-1 D g, with g loads as in saved_system, 6 a contact. Joints do not act:
// saved_joints_hold.
void impulse_motion(const saved_system *s, const double *g, double *change);
// sqrt(c^T M c); inertia holds the bodies' inertias, 9 a body (inertias_of).
double motion_norm(const saved_system *s, const double *inertia, const double *change);
void inertias_of(const saved_system *s, double *inertia);  // kg m^2, world axes; 0 for what cannot be moved

#endif
