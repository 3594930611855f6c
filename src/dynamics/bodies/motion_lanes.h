// SPDX-License-Identifier: BSD-3-Clause
// Motions of bodies that follow each other, lane by lane.
#ifndef DYNAMICS_BODIES_MOTION_LANES_H
#define DYNAMICS_BODIES_MOTION_LANES_H

#include "core/maths/pose.h"
#include "core/maths/row_lanes.h"

_Static_assert(sizeof(body_motion) == 2 * sizeof(number_row), "a record is two rows");
enum { MOTION_STRIDE = sizeof(body_motion) / sizeof(double) };
// Velocities and inverse masses, or spins and inverse inertias.
static inline void load_velocities(real number[4], const body_motion *first)
{
    lanes_load(number, first->v, MOTION_STRIDE);
}
static inline void load_spins(real number[4], const body_motion *first) { lanes_load(number, first->w, MOTION_STRIDE); }

#endif
