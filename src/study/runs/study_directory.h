// SPDX-License-Identifier: BSD-3-Clause
// The directory of a study: a marker, runs/0001, runs/0002, ... and what was made of them.
//
// Which run is where is known by the fingerprints of their scenes alone: a run that is there is found whatever number
// it has; one that is not takes the lowest number at which no run stands. So a study that was stopped, or to which
// something was added, does again nothing that is done, and where it starts anew the numbers are those of the points.
//
// Two locks: one is held by the process that works on the study; the other one also by its runs, so that who comes
// after a process that was killed waits until its last run has saved itself and ended.
#ifndef STUDY_RUNS_STUDY_DIRECTORY_H
#define STUDY_RUNS_STUDY_DIRECTORY_H

#include "core/file/safe_file.h"

typedef struct standing_run {
    int64_t number;
    uint64_t fingerprint;  // of its scene
} standing_run;

typedef struct study_directory {
    char path[PATH_LENGTH_MAX];
    int lock, runs_lock;     // descriptors; -1: none
    standing_run *standing;  // that have a scene
    int64_t standing_count, standing_capacity;
} study_directory;

// "runs/NAME" for "somewhere/NAME.json", where the user names no other.
void study_directory_name(const char *study, char path[PATH_LENGTH_MAX]);

// May a study be written there? Not over somebody else's files, and not over what it reads (NULL is passed over).
scr_status study_directory_check(const char *path, const char *const *inputs, int64_t input_count, scr_error *error);
// Make and mark it, lock it, and find the runs that stand there. is_shared: others may work on other runs of it at the
// same time. waiting: called once if runs of an earlier process have to end first. Close it in any case.
scr_status study_directory_open(const char *path, bool is_shared, void (*waiting)(void), study_directory *d,
                                scr_error *error);
void study_directory_close(study_directory *d);

// A number for each of so many different fingerprints.
scr_status study_directory_place(study_directory *d, const uint64_t *fingerprint, int64_t count, int64_t *number,
                                 scr_error *error);
// "DIR/runs/0001", and what its process printed: "DIR/runs/0001.log".
scr_status study_run_path(const study_directory *d, int64_t number, const char *ending, char path[PATH_LENGTH_MAX],
                          scr_error *error);
// "DIR/study.csv"
scr_status study_file_path(const study_directory *d, const char *name, char path[PATH_LENGTH_MAX], scr_error *error);

// Of the scene of a run; 0 if there is none.
uint64_t run_fingerprint(const char *directory);

#endif
