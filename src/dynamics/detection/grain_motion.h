// SPDX-License-Identifier: BSD-3-Clause
// How far grains move and look, several at a time: what detect.c does for one collider, to the same bits.
#ifndef DYNAMICS_DETECTION_GRAIN_MOTION_H
#define DYNAMICS_DETECTION_GRAIN_MOTION_H

#include "core/base/kernels.h"
#include "dynamics/world/world.h"

typedef struct grain_measure {
    const colliders *c;
    const body_motion *motion;
    const double *inv_mass;           // 1/kg
    const float *deflection;          // m, or NULL: none
    scr_vec3 drift;                   // m/s
    double grow;                      // s: of a speed, how much of a gap it closes
    double envelope;                  // share of the radius
    double time_step;                 // s
    float *closing, *reach, *travel;  // m
    uint8_t *is_moved;
    float fastest;    // m: the longest travel
    double smallest;  // m: the least radius
} grain_measure;

// Measure colliders from `first` on, as long as they are grains whose bodies follow each other; the first one that is
// not done is returned.
typedef int64_t measure_some(grain_measure *m, int64_t first, int64_t last);
KERNELS_TO_AVX512(measure_some, measure_grains);

#endif
