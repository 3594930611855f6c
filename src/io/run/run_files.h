// SPDX-License-Identifier: BSD-3-Clause
// Which files of a directory are a run's own.
//
// A directory with a run has a marker, scree-run.txt, which lists them. What the marker does not list was put there by
// somebody else and is neither removed nor overwritten, whatever it is called.
#ifndef IO_RUN_RUN_FILES_H
#define IO_RUN_RUN_FILES_H

#include "core/base/status.h"

typedef enum run_file {
    RUN_SCENE,  // in the order in which they may vanish: without its scene a directory holds no run
    RUN_CHECKPOINT,
    RUN_SUMMARY,
    RUN_PROBES,
    RUN_TRAJECTORY,
    RUN_XDMF,
    RUN_FILE_COUNT
} run_file;
extern const char *const RUN_FILE_NAMES[RUN_FILE_COUNT];
extern const char RUN_MARKER[];

typedef unsigned run_files;  // a set of them: bit k is file k

// What the marker lists. No marker: *is_marked is false. A file of that name that is no marker is an error.
scr_status run_files_read(const char *directory, bool *is_marked, run_files *files, scr_error *error);
scr_status run_files_write(const char *directory, run_files files, scr_error *error);

bool run_files_are_marked(const char *directory);  // has a marker
bool run_files_have_name(const char *name);        // what a run calls a file of its own, the marker included

// None of them may be there yet but those listed: false, with a sentence, if somebody else's would be in the way.
scr_status run_files_find_room(const char *directory, run_files listed, scr_error *error);
void run_files_remove(const char *directory, run_files listed);

#endif
