// SPDX-License-Identifier: BSD-3-Clause
// Files of text, whole.
#ifndef CORE_TEXT_TEXT_FILE_H
#define CORE_TEXT_TEXT_FILE_H

#include "core/base/memory.h"

// All of a file, with a NUL behind it; scr_free() it after a failure too. A failure names the path.
scr_status text_file_read(const char *path, char **text, size_t *length, scr_error *error);

#endif
