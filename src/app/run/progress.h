// SPDX-License-Identifier: BSD-3-Clause
// How far a run is: one line redrawn in place on a terminal, a line now and then elsewhere, nothing if told so.
#ifndef APP_RUN_PROGRESS_H
#define APP_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/scene.h"

typedef struct progress {
    bool quiet, terminal, blocks;  // blocks: the terminal can show the bar in eighths of a character
    bool drawn;                    // there is a bar on the screen
    double began;                  // clock_now()
    double next;                   // when to show it again
    double seen_at;                // when the pace was last measured
    int64_t seen_step;
    double pace;  // s of wall clock a step, of late
} progress;

progress progress_begin(bool quiet, int64_t step);
// Call it after every step: it looks at the clock and seldom does more. steps: how many the run will have.
void progress_show(progress *p, const scr_run_record *record, int64_t body_count, int64_t steps);
void progress_clear(progress *p);  // take the bar off the screen, before something else is printed

#endif
