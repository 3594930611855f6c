// SPDX-License-Identifier: BSD-3-Clause
// Which frames of a run: "all", or "first:last:step" with any of the three left out, both ends counted.
#ifndef APP_SOURCE_FRAME_RANGE_H
#define APP_SOURCE_FRAME_RANGE_H

#include "io/trajectory/trajectory.h"

typedef struct frame_range {
    int64_t first, step, count;
} frame_range;

static inline int64_t frame_range_at(const frame_range *r, int64_t k) { return r->first + k * r->step; }

scr_status frame_range_read(const char *text, const trajectory *t, const char *directory, frame_range *range,
                            scr_error *error);

#endif
