// SPDX-License-Identifier: BSD-3-Clause
// Passes over all bodies of a step: what forces.c and integrate.c do for one, for several at a time, to the same bits.
#ifndef DYNAMICS_STEP_FREE_MOTION_H
#define DYNAMICS_STEP_FREE_MOTION_H

#include "core/base/kernels.h"
#include "dynamics/world/world.h"

typedef struct speed_limits {
    double speed2, spin2;  // (m/s)^2, (rad/s)^2
} speed_limits;
speed_limits world_speed_limits(const scr_world *world);  // integrate.c

// Bodies from `first` on get the motion that they would have without contacts: dv (m/s) more if they are dynamic. What
// all that are have together is added to *sums, body by body; *is_physical becomes false if one exceeds the limits.
// Returned is the first body that is not done: fewer than a vector are left to `last`.
typedef int64_t free_motion(const bodies *b, body_motion *to, int64_t first, int64_t last, scr_vec3 dv,
                            const speed_limits *limits, velocity_sums *sums, bool *is_physical);
KERNELS_TO_AVX512(free_motion, set_free_motion);

// Of dynamic bodies, while all are physical: the first one that is not done is returned. fall: m/s in a step
typedef int64_t flight_energy(const bodies *b, const body_motion *now, int64_t first, int64_t last, double fall,
                              const speed_limits *limits, flight_sums *sums);
KERNELS_TO_AVX512(flight_energy, sum_flight);

#endif
