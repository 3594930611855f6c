// SPDX-License-Identifier: BSD-3-Clause
// Failing with a sentence; and which version this is.
#include "core/base/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "build_info.h"
#include "core/base/printable.h"

const char *scr_version(void) { return SCREE_VERSION; }

scr_status scr_fail(scr_error *error, scr_status status, const char *format, ...)
{
    if (error == NULL) return status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);  // a sentence too long is cut short
    va_end(arguments);
    make_printable(error->message);  // names and texts in it may come from anywhere
    return status;
}

scr_status scr_fail_memory(scr_error *error, size_t bytes, const char *what)
{
    if (bytes == SIZE_MAX) return scr_fail(error, SCR_NO_MEMORY, "too many %s: their size does not fit", what);
    return scr_fail(error, SCR_NO_MEMORY, "out of memory: %.1f MiB for %s", (double)bytes / (1024.0 * 1024.0), what);
}
