// SPDX-License-Identifier: BSD-3-Clause
// A run directory: everything that comes out of a run, and all that is needed to go on with it.
//
//   scree-run.txt                    says that this is a run directory, and which files are the run's (run_files.h)
//   scene.json                       the scene as run, every default filled in
//   checkpoint.h5                    the state, at the start, every few minutes and at the end
//   summary.json                     the figures, whenever there is a checkpoint
//   probes.csv                       if the scene has probes
//   trajectory.h5, trajectory.xdmf   if the scene asks for frames
//
// A directory is locked while a run writes to it. What is written when depends on the step number alone, and a
// checkpoint says how far the other files went, so that a run that was killed and resumed leaves the same rows and
// frames as one that was not.
#ifndef IO_RUN_RUN_DIRECTORY_H
#define IO_RUN_RUN_DIRECTORY_H

#include "io/run/summary.h"

typedef struct run_directory run_directory;

bool run_directory_holds_run(const char *path);                           // if only half of one
scr_status run_directory_expect_run(const char *path, scr_error *error);  // one that can be looked at and resumed

// May a run be written there? Not over somebody else's files; over a run only to `replace` it.
scr_status run_directory_check(const char *path, bool replace, scr_error *error);

// Begin a run: ask that again, make the directory, remove what an earlier run left there, and save the start. The
// scene's end time is the one to run to.
scr_status run_directory_create(const char *path, const char *scene_text, simulation *sim, int threads, bool replace,
                                run_directory **result, scr_error *error);

// Go on with a run in two steps. First lock the directory and read how far the run came ...
scr_status run_directory_open(const char *path, run_directory **result, scr_run_record *record, scr_error *error);
// ... then load the state into a simulation without bodies, and cut the other files back to where they were then. A
// file that was lost since is an error; without_lost: a new one begins instead.
scr_status run_directory_continue(run_directory *run, simulation *sim, int threads, bool without_lost,
                                  scr_error *error);

const char *run_directory_path(const run_directory *run);
const scr_run_record *run_directory_record(const run_directory *run);

// After each step: a row of probes, a frame, as the scene wants them.
scr_status run_directory_step(run_directory *run, simulation *sim, scr_error *error);

// Save the state and the figures; *summary (may be NULL) receives them. When the run stops here (any status but
// SCR_RUN_RUNNING), a last frame shows the moment where it stopped; it is not counted by the checkpoint, so that a run
// that goes on replaces it.
scr_status run_directory_save(run_directory *run, simulation *sim, scr_run_status status, const char *reason,
                              scr_run_summary *summary, scr_error *error);
// Only the figures: when the state cannot be saved, and the last checkpoint stays.
scr_status run_directory_summarise(run_directory *run, simulation *sim, scr_run_status status, const char *reason,
                                   scr_run_summary *summary, scr_error *error);

// Are the directory and the files that grow still where the run writes them? Asked now and then, and before a run is
// called done. If not: says what happened to them, once, and from then on only the state is saved, where the directory
// is now (run_directory_path).
scr_status run_directory_look(run_directory *run, scr_error *error);

scr_status run_directory_close(run_directory *run, scr_error *error);  // NULL is fine

#endif
