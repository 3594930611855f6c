// SPDX-License-Identifier: BSD-3-Clause
// One HTML file that tells a run, or compares several: figures, settings, plots of all probes and a player of the
// frames.
//
// The page itself, its program and its style, comes from web/ and is bundled when scree is built. What is written here
// is the data: for run number N the elements probes-N, instances-N, surface-N-*, frame-N-* (report_frames.h) and run-N,
// and for all of them the element "page".
#ifndef VIEW_REPORT_REPORT_H
#define VIEW_REPORT_REPORT_H

#include "core/base/status.h"

typedef struct report_options {
    const char *page;                               // the bundled page; data goes where it says REPORT_DATA_MARK
    int64_t budget;                                 // bytes that the file should not exceed
    void (*progress)(void *context, double share);  // now and then; NULL: silent
    void *progress_context;
} report_options;

#define REPORT_DATA_MARK "<!--scree:data-->"

typedef struct report_result {
    int64_t bytes;              // of the file
    bool could_not_be_written;  // after a failure: the disk is to blame, not the input
} report_result;

// The file is whole or not there: it is written under a temporary name.
scr_status report_write(const char *path, const char *const *directory, int directory_count,
                        const report_options *options, report_result *result, scr_error *error);

#endif
