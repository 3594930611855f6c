// SPDX-License-Identifier: BSD-3-Clause
// Failing with a sentence.
#ifndef CORE_BASE_STATUS_H
#define CORE_BASE_STATUS_H

#include "scree/base.h"

// Fill *error (which may be NULL) and return status, so that a failure is one line: return scr_fail(error, SCR_IO,
// ...).
scr_status scr_fail(scr_error *error, scr_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

// The same for a failed allocation of so many bytes for such a thing ("contacts").
scr_status scr_fail_memory(scr_error *error, size_t bytes, const char *what);

#endif
