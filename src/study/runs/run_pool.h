// SPDX-License-Identifier: BSD-3-Clause
// Runs as child processes, several at a time: `scree run`, or `scree resume` where a run has been begun.
//
// One that fails does not stop the others. Who asks to stop (core/base/interruption.h) stops them all: each saves
// itself and can be resumed. Children have process groups of their own, so that a Ctrl-C reaches them once, from here;
// if this process is killed, the kernel asks them to stop.
#ifndef STUDY_RUNS_RUN_POOL_H
#define STUDY_RUNS_RUN_POOL_H

#include <sys/types.h>

#include "study/plan/study_case.h"
#include "study/runs/study_directory.h"

typedef enum run_state { STUDY_WAITING, STUDY_AT_WORK, STUDY_DONE, STUDY_FAILED, STUDY_STOPPED } run_state;

typedef struct study_run {
    const study_case *of;
    int64_t number;  // of its directory
    run_state state;
    char reason[512];  // why it failed
    pid_t process;     // of one at work
    double share;      // 0 to 1: how far it is, as far as it has said
} study_run;

typedef struct pool_count {
    int64_t done, failed, at_work, waiting;
    double share;  // of all the work, 0 to 1, if all runs take as long
} pool_count;

typedef struct run_pool {
    const char *command;  // the program scree
    const char *scene;    // path
    int jobs;             // runs at a time
    int threads;          // of each, at most
    // Called whenever a run has ended, and now and then. May be NULL.
    void (*progress)(void *context, const pool_count *count);
    // Called when a run is done; a failure stops all. May be NULL.
    scr_status (*on_done)(void *context, const study_run *run, scr_error *error);
    void *context;
} run_pool;

// What stands in the directory already: done, or waiting.
void study_runs_look(const study_directory *d, study_run *runs, int64_t count);
// All that wait, to their ends. SCR_INTERRUPTED if it was asked for; runs that fail are no failure of this.
scr_status run_pool_work(const run_pool *pool, const study_directory *d, study_run *runs, int64_t count,
                         scr_error *error);
pool_count study_runs_count(const study_run *runs, int64_t count);

#endif
