// Where a verb writes what it makes.
#ifndef APP_OUTPUT_PATH_H
#define APP_OUTPUT_PATH_H

#include "core/status.h"

// Says now that a file cannot be written, not after the work was done.
scr_status check_output_path(const char *path, scr_error *error);

#endif
