// SPDX-License-Identifier: BSD-3-Clause
// What the scene of a run calls itself.
#ifndef IO_RUN_RUN_TITLE_H
#define IO_RUN_RUN_TITLE_H

#include "core/base/status.h"

// The title in scene.json of a run directory; NULL if there is no such file, or no title in it. free() it. A file that
// is there and cannot be read is a failure; one that holds something else has no title.
scr_status run_title(const char *directory, char **title, scr_error *error);

#endif
