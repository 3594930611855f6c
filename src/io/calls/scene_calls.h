// SPDX-License-Identifier: BSD-3-Clause
// An opened scene from inside: for the calls of scree/scene.h alone.
#ifndef IO_CALLS_SCENE_CALLS_H
#define IO_CALLS_SCENE_CALLS_H

#include "io/calls/scene_build.h"
#include "io/run/run_directory.h"

struct scr_scene {
    built_scene built;
    char *as_run;                                    // the scene's text; NULL of a run that was resumed
    run_directory *run;                              // NULL: nothing is written
    bool end_is_unsaved;                             // the run has a new end that its files do not know yet
    bool can_save;                                   // the run's files are in step with the state
    double save_interval;                            // s of wall clock between checkpoints
    double next_save;                                // scr_now() of the next
    double next_check;                               // scr_now() when to ask next whether the files are still there
    double saved_time;                               // s, simulated, of the last checkpoint
    char reason[sizeof(((scr_error *)0)->message)];  // why the run failed
};

// Before a step: is the run's end known, are its files there? After it: write what is due.
scr_status run_before_step(scr_scene *opened, scr_error *error);
scr_status run_after_step(scr_scene *opened, scr_error *error);
scr_status run_close(scr_scene *opened, scr_error *error);

#endif
