// SPDX-License-Identifier: BSD-3-Clause
// Where a run, or anything else in a directory, may be written: asked before the work is done, so that what cannot be
// written is bad input, and that nothing is lost which was only to be read.
#ifndef IO_RUN_OUTPUT_CHECKS_H
#define IO_RUN_OUTPUT_CHECKS_H

#include "core/base/status.h"

bool is_same_file(const char *a, const char *b);  // by whatever link or path
// Is a file the same as an input, or if that is a run directory, one of the run's?
bool is_file_of(const char *path, const char *input);
// A directory that is there or can be made, and in which one can write.
scr_status check_output_directory(const char *path, scr_error *error);
// A run will have its files there: none of these may be one of them.
scr_status check_run_inputs(const char *directory, const char *const *inputs, int64_t count, scr_error *error);
// "you may not write to the directory".
scr_status fail_unwritable(const char *path, const char *directory, scr_error *error);

#endif
