// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#define LANES_EIGHT
#include "collision/broad/run_boxes.h"

#include "core/maths/row_lanes.h"
#include "core/maths/wide.h"

static uint32_t boxes_met(const run_boxes *boxes, int64_t first, const outer_box *box)
{
    uint32_t met = 0;
    for (int k = 0; k < GROUP_RUNS; k += LANES) {
        int64_t at = first + k;
        wide_mask meets = (wide_load(boxes->low[0] + at) <= wide_set(box->high[0])) &
                          (wide_load(boxes->low[1] + at) <= wide_set(box->high[1])) &
                          (wide_load(boxes->low[2] + at) <= wide_set(box->high[2])) &
                          (wide_load(boxes->high[0] + at) >= wide_set(box->low[0])) &
                          (wide_load(boxes->high[1] + at) >= wide_set(box->low[1])) &
                          (wide_load(boxes->high[2] + at) >= wide_set(box->low[2]));
        met |= wide_bits(meets) << k;
    }
    return met;
}

static uint32_t balls_met(const scr_vec3 *at, const double *radius, const float *margin, int64_t first, const ball *b)
{
    const real3 centre = {real_set(b->x), real_set(b->y), real_set(b->z)};
    uint32_t met = 0;
    for (int k = 0; k < RUN_COLLIDERS; k += REAL_LANES) {
        int64_t i = first + k;
        real x[4];
        lanes_load(x, &at[i].x, sizeof *at / sizeof(double));
        real3 d = real3_sub((real3){x[0], x[1], x[2]}, centre);
        real far = real_set(b->r) + (real_load(radius + i) + real_of(narrow_load(margin + i)));
        met |= real_bits(real3_dot(d, d) < far * far) << k;
    }
    return met;
}

const run_kernels KERNEL(run_kernels) = {boxes_met, balls_met};
