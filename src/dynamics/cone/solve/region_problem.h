// SPDX-License-Identifier: BSD-3-Clause
// A region of a system whose problem is built, as a problem of its own.
//
// Nearly all of it lies packed in the bundles of the whole, and is copied from there, lane by lane: rows are made anew
// for what is off the centre line, or of a heavy body that is shared out, alone. What contacts at the border do to
// bodies inside comes from their lanes, too. Of a crawler on 250,000 contacts a region of 50,000 is found and built in
// 13 ms; with rows it took 24.
#ifndef DYNAMICS_CONE_SOLVE_REGION_PROBLEM_H
#define DYNAMICS_CONE_SOLVE_REGION_PROBLEM_H

#include "dynamics/cone/sweeps/problem.h"
#include "dynamics/cone/system/region.h"

// All zero before its first use.
typedef struct region_problem {
    system_region region;
    subsystem sub;
    problem problem;
    int32_t *lane_of;  // (contacts of the whole) problem_lanes
    int64_t lane_capacity;
    bool knows_lanes;      // of the whole as it is built
    wide_record *outside;  // (bodies of sub) region.outside as records have it
    int64_t outside_capacity;
} region_problem;

// The region must be closed, and the impulses of the whole be the same in its bundles and in the system.
scr_status region_problem_open(region_problem *part, const problem *p, const contact_system *whole, scr_error *error);
void region_problem_free(region_problem *part);

#endif
