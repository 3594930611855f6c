// SPDX-License-Identifier: BSD-3-Clause
// A job array for Slurm: a task for each run of a study.
#ifndef APP_SWEEP_SLURM_SCRIPT_H
#define APP_SWEEP_SLURM_SCRIPT_H

#include "core/base/status.h"

// The script goes to path; study and directory are made absolute.
scr_status slurm_script_write(const char *path, const char *study, const char *directory, int64_t runs, int threads,
                              scr_error *error);

#endif
