// SPDX-License-Identifier: BSD-3-Clause
// What a run would take, guessed from what is in the scene: time, memory, disk.
#ifndef APP_CHECK_COST_ESTIMATE_H
#define APP_CHECK_COST_ESTIMATE_H

#include "app/check/moving_shapes.h"
#include "scene/populate/emission_estimate.h"

typedef struct run_cost {
    double bodies;  // at the end, if nothing leaves
    double steps;
    double step_seconds;  // s of wall clock a step
    double iterations;    // a step; 0 where nothing is iterated
    double memory;        // bytes
    double frames, frame_bytes;
    double rows;  // of probes
    int columns;  // of these
    double disk;  // bytes, all files
} run_cost;

run_cost estimate_cost(const scene *s, const census *c, const moving_shapes *moving, emission_estimate emitted,
                       int probe_columns, int threads);

#endif
