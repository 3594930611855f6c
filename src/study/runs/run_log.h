// SPDX-License-Identifier: BSD-3-Clause
// What the process of a run has printed: how far it is, and why it failed.
#ifndef STUDY_RUNS_RUN_LOG_H
#define STUDY_RUNS_RUN_LOG_H

#include <stdbool.h>
#include <stddef.h>

// The share that the last line of progress tells (" 42%  3 s left ..."); `otherwise` if there is none.
double run_log_share(const char *path, double otherwise);
// The first sentence of complaint, "scree: ...", without that word; false if there is none.
bool run_log_reason(const char *path, char *reason, size_t size);

#endif
