// SPDX-License-Identifier: BSD-3-Clause
// Files that say themselves that scree made them: those a verb may replace unasked. A table cannot say so.
#ifndef IO_FILE_MADE_BY_H
#define IO_FILE_MADE_BY_H

#include <stdbool.h>

// Stands near the beginning of such a file, or at its very end, where its format has room for a remark.
#define MADE_BY_SCREE "made by scree, which may replace it"

bool file_is_made_by_scree(const char *path);

#endif
