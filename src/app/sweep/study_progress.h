// SPDX-License-Identifier: BSD-3-Clause
// How far the runs of a study are, all together: a bar on a terminal, a line now and then elsewhere.
#ifndef APP_SWEEP_STUDY_PROGRESS_H
#define APP_SWEEP_STUDY_PROGRESS_H

#include "study/runs/run_pool.h"

typedef struct study_progress {
    bool quiet, terminal, blocks;
    bool drawn;          // there is a bar on the screen
    double began, next;  // clock_now(); when to show it again
    double share_began;  // of the work that was done before
} study_progress;

study_progress study_progress_begin(bool quiet, const pool_count *count);
void study_progress_show(study_progress *p, const pool_count *count);
void study_progress_clear(study_progress *p);

#endif
