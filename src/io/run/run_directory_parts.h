// SPDX-License-Identifier: BSD-3-Clause
// A run directory from inside: for run_directory.c and run_lost.c alone.
#ifndef IO_RUN_RUN_DIRECTORY_PARTS_H
#define IO_RUN_RUN_DIRECTORY_PARTS_H

#include "core/file/safe_file.h"
#include "io/run/probes_file.h"
#include "io/run/run_directory.h"
#include "io/run/run_files.h"
#include "io/trajectory/trajectory.h"

struct run_directory {
    char path[PATH_LENGTH_MAX];
    void *reserve;
    bool ending;       // no more than the last files are to be written: the reserve is not needed again
    int lock;          // the directory itself, held as long as the run writes to it
    bool is_homeless;  // there is another directory in its place: nothing can be saved
    run_files files;
    char *scene_text;  // as run
    bool has_begun;    // the scene is there
    int threads;
    scr_run_record record;
    scr_run_record before;   // as it was when this process began
    double began;            // scr_now()
    bool stepped;            // this process has done a step
    bool framed;             // the last frame shows the present moment
    probes_file *probes;     // NULL if the scene has none
    trajectory *trajectory;  // NULL if the scene wants none
    frame frame;
};

scr_status run_directory_lock(run_directory *run, scr_error *error);
scr_status run_directory_fail_homeless(const run_directory *run, scr_error *error);

#endif
