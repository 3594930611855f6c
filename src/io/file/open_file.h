// SPDX-License-Identifier: BSD-3-Clause
// Where a file or directory that is open has gone.
#ifndef IO_FILE_OPEN_FILE_H
#define IO_FILE_OPEN_FILE_H

#include <stdbool.h>

#include "core/file/safe_file.h"

// Does the path still lead to the open file, or was it removed, moved or replaced?
bool is_open_as(int file, const char *path);
// Where an open directory is now; false if it is nowhere.
bool open_directory_path(int directory, char path[PATH_LENGTH_MAX]);

#endif
