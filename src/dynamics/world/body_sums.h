// SPDX-License-Identifier: BSD-3-Clause
// Sums over all bodies, with grains where a bed has them: the body table need not be brought up to date for them.
//
// Bodies are added up in blocks of slots, those that a bed takes by themselves, and blocks in their order: the same
// bits for any number of threads, whether there is a bed or not, and if the bed has added up its blocks in the step.
#ifndef DYNAMICS_WORLD_BODY_SUMS_H
#define DYNAMICS_WORLD_BODY_SUMS_H

#include "dynamics/world/world.h"

typedef struct body_course {
    scr_vec3 x, v;  // m, m/s
} body_course;
body_course body_course_of(const scr_world *world, int64_t i);

// Of all that move; velocities are beside a mean flow that stands still in the middle of the cell.
typedef struct body_totals {
    double mass;
    scr_vec3 centre, velocity;  // m, m/s: their mean
    double square[3][3];        // kg m^2/s^2: of m c c, c beside that mean
} body_totals;
body_totals total_of_bodies(const scr_world *world);

#endif
