// SPDX-License-Identifier: BSD-3-Clause
// The next version of a file: written under a temporary name beside it, brought to the disk, then renamed.
//
// The name is PATH.PID.tmp: two processes that write the same file do not meet. The file is made anew (O_EXCL, and no
// link is followed), so that it is ours alone; what a killed process left is removed by the next that writes the same
// file. Names of files in the making are listed, for a signal handler to remove them.
#ifndef CORE_FILE_TEMPORARY_FILE_H
#define CORE_FILE_TEMPORARY_FILE_H

#include <stdio.h>

#include "core/file/safe_file.h"

scr_status path_temporary(char temporary[PATH_LENGTH_MAX], const char *path, scr_error *error);

// Make the empty file, for somebody who writes it by its name.
scr_status file_begin(const char *path, char temporary[PATH_LENGTH_MAX], scr_error *error);
// The same, open.
scr_status file_open(const char *path, FILE **out, scr_error *error);

// When it is written and closed: readers see the old file or the new one, whatever happens in between.
scr_status file_commit(const char *path, scr_error *error);
// The same if there is no file of that name yet; else it fails, and what is there stays. Also of a file still open.
scr_status file_commit_new(const char *path, scr_error *error);
// Or when it cannot be: it is removed.
void file_abandon(const char *path);
// All of this process. Safe in a signal handler.
void files_abandon(void);

#endif
