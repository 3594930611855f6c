// SPDX-License-Identifier: BSD-3-Clause
// Contacts between grains, or of a grain with something that cannot be moved, lane by lane: what sweeps work on
// (sweeps/sweep.h has the letters), and what whoever makes rows writes at once.
#ifndef DYNAMICS_CONE_SYSTEM_GRAIN_BUNDLE_H
#define DYNAMICS_CONE_SYSTEM_GRAIN_BUNDLE_H

#include <stdint.h>

enum { ROW_LANES = 8 };

typedef struct grain_bundle {
    int32_t a[ROW_LANES], b[ROW_LANES];  // records; as rows are made bodies, NO_BODY where it cannot be moved
    float n[3][ROW_LANES];
    float arm_a[ROW_LANES], arm_b[ROW_LANES];
    float r[3][ROW_LANES];               // m/s
    float cn[ROW_LANES], ct[ROW_LANES];  // kg; 1 / ((1 + eps) a)
    float sigma[ROW_LANES];              // 1 / (1 + eps)
    float mu[ROW_LANES];
    float g[3][ROW_LANES];  // N s
} grain_bundle;

// Impulses of a bundle in the sweep before. Apart: only accelerated sweeps ask for them, and only while they run.
typedef struct old_impulses {
    float g[3][ROW_LANES];  // N s
} old_impulses;

#endif
