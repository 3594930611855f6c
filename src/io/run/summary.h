// SPDX-License-Identifier: BSD-3-Clause
// summary.json: the figures of a run, at each checkpoint and at its end.
#ifndef IO_RUN_SUMMARY_H
#define IO_RUN_SUMMARY_H

#include "io/run/run_warnings.h"

scr_run_summary summary_of(simulation *sim, const scr_run_record *record, int threads, uint64_t state_hash);
// sim: for its joints that broke.
scr_status summary_write(const char *path, const scr_run_summary *summary, const simulation *sim, scr_error *error);

// How the run ended, or last stood, according to summary.json.
typedef struct summary_brief {
    char status[16];
    char reason[1024];  // "" if there is none
    run_warnings sentences;
} summary_brief;
scr_status summary_read_brief(const char *path, summary_brief *brief, scr_error *error);
// Does the run in a directory itself say that it is done? One killed after its last checkpoint has that still to write.
bool summary_says_done(const char *directory);

#endif
