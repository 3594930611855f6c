// SPDX-License-Identifier: BSD-3-Clause
// Rests of grains: a report's player shows a grain that stays where it is from one record, not from one a frame.
//
// A grain is at rest in a frame if its speed is 0 there and it is at the same place in the frame before and in the one
// after, as far as it is in those. So a frame still lists a grain that is about to move and one that has just stopped,
// and what a player sees between two frames is between two places that frames list, or in a rest. Parked grains, those
// that sleep and those of a fixed bed rest; their bytes do not grow with the number of frames.
#ifndef VIEW_REPORT_REPORT_RESTS_H
#define VIEW_REPORT_REPORT_RESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/memory.h"

enum { REST_FRAMES_MOST = UINT16_MAX + 1 };  // a rest has the numbers of its frames in 16 bits

// From one frame to another, both included. Frames count as the page shows them.
typedef struct report_rest {
    int64_t before;  // the same grain's last rest before this, or -1
    int32_t first, last;
    float position[3];  // m
} report_rest;

typedef struct report_rests {
    report_rest *rest;
    int64_t count, capacity;
} report_rests;

// What is known of a grain while frames are read one after the other.
typedef struct rest_watch {
    int64_t rest;            // the last one, or -1
    int32_t frame;           // that it was last seen in, or -1
    uint32_t rests, listed;  // frames in which it does not rest are listed
    float position[3];
    bool can_rest;  // there: its speed is 0
    bool as_before;
} rest_watch;

static inline rest_watch rest_watch_begin(void) { return (rest_watch){.rest = -1, .frame = -1}; }

// The grain is in this frame. can_rest: its speed is 0 there.
scr_status rest_watch_see(rest_watch *watch, report_rests *rests, int32_t frame, const float position[3], bool can_rest,
                          scr_error *error);
scr_status rest_watch_end(rest_watch *watch, report_rests *rests, scr_error *error);
bool rest_watch_rests(const rest_watch *watch, const report_rests *rests, int64_t frame);

#endif
