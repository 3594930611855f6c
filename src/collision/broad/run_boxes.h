// SPDX-License-Identifier: BSD-3-Clause
// Boxes about runs of colliders, to find those that are near a place.
//
// Colliders follow each other in memory as they do in space, more or less: a run of them fits into a small box, and so
// do runs that follow each other. Where they do not, boxes are large and meet everything, and who asks looks at more
// than he must.
#ifndef COLLISION_BROAD_RUN_BOXES_H
#define COLLISION_BROAD_RUN_BOXES_H

#include "collision/broad/colliders.h"
#include "core/base/kernels.h"

enum { RUN_COLLIDERS = 32, GROUP_RUNS = 32 };  // colliders of a run, runs of a group

// m: in single precision, rounded outward. An empty one meets nothing.
typedef struct outer_box {
    float low[3], high[3];
} outer_box;

typedef struct run_boxes {
    float *low[3], *high[3];  // m (count, and empty ones up to a whole number of groups)
    int64_t count;
} run_boxes;

// Which of the GROUP_RUNS boxes from `first` on meet this one, a bit each.
typedef uint32_t boxes_that_meet(const run_boxes *boxes, int64_t first, const outer_box *box);
// Which of the RUN_COLLIDERS balls from `first` on meet this one. Each has its margin on top of its
// radius (m). One more place, of any value, follows the last.
typedef uint32_t balls_that_meet(const scr_vec3 *at, const double *radius, const float *margin, int64_t first,
                                 const ball *b);
typedef struct run_kernels {
    boxes_that_meet *boxes;
    balls_that_meet *balls;
} run_kernels;
KERNELS_TO_AVX512(extern const run_kernels, run_kernels);

#endif
