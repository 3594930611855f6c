// SPDX-License-Identifier: BSD-3-Clause
// Paths, and files that are read and replaced as a whole.
#ifndef CORE_FILE_SAFE_FILE_H
#define CORE_FILE_SAFE_FILE_H

#include "core/base/status.h"

enum { PATH_LENGTH_MAX = 4096 };

// directory/name into path. A result that does not fit is an error, not a shorter path.
scr_status path_join(char path[PATH_LENGTH_MAX], const char *directory, const char *name, scr_error *error);

bool path_exists(const char *path);
bool path_is_directory(const char *path);
int64_t file_size(const char *path);  // bytes; -1 if there is no such file

// Fails if the file is larger already than files may be (ulimit -f): a structure in it could be rewritten by half.
scr_status file_check_limit(const char *path, scr_error *error);

// Make the directory and those above it that are missing.
scr_status directory_create(const char *path, scr_error *error);

// Replace path by these bytes: readers see the old file or the new one, whatever happens in between.
scr_status file_replace(const char *path, const char *data, size_t size, scr_error *error);

// The whole file with a final 0 added; free() it. *size may be NULL.
scr_status file_read(const char *path, char **text, size_t *size, scr_error *error);

#endif
