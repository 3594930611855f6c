// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "collision/broad/run_boxes.h"

#include "core/maths/wide.h"

uint32_t KERNEL(boxes_met)(const run_boxes *boxes, int64_t first, const outer_box *box)
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
