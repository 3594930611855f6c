// SPDX-License-Identifier: BSD-3-Clause
// How a body goes on when nothing pushes it: straight on, and turning.
//
// A grain, or whatever moves as prescribed, keeps its spin while it turns. Any other body keeps its angular momentum L,
// and its spin follows the turning axes: w = I(q)^-1 L along the way, taken at the midpoint (midpoint rule). So L is
// kept to rounding and no energy comes from turning, however fast; a gyroscopic torque added to the forces would do
// neither.
#ifndef DYNAMICS_BODIES_DRIFT_H
#define DYNAMICS_BODIES_DRIFT_H

#include "core/maths/quat.h"

typedef struct rotating {
    scr_quat q;
    scr_vec3 spin;
} rotating;  // spin in body axes

scr_quat quat_advanced(scr_quat q, scr_vec3 w, double duration);    // exp(duration w / 2) q, w in world axes
rotating rotate_steadily(scr_quat q, scr_vec3 w, double duration);  // w: rad/s, world axes
rotating rotate_freely(scr_quat q, scr_vec3 w, scr_vec3 inverse_inertia, double duration);
// The two parts of it, for those who need them apart; the spin in world axes.
scr_quat quat_advanced_freely(scr_quat q, scr_vec3 w, scr_vec3 inverse_inertia, double duration);
scr_vec3 spin_advanced_freely(scr_quat q, scr_vec3 w, scr_vec3 inverse_inertia, scr_quat end);

#endif
