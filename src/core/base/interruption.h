// SPDX-License-Identifier: BSD-3-Clause
// Whether somebody asked to stop: Ctrl-C and the like. The program's signal handler says so; long loops ask.
//
// A request is one for the whole process. Whoever runs step by step stops at the next step. A step that goes on for
// long after the request gives up: it returns SCR_INTERRUPTED, and as after any failure it did not happen.
#ifndef CORE_BASE_INTERRUPTION_H
#define CORE_BASE_INTERRUPTION_H

#include "core/base/status.h"

void interruption_request(void);  // safe in a signal handler
bool interruption_is_requested(void);
bool interruption_is_overdue(void);              // requested, and long enough ago: cheap unless requested
scr_status interruption_fail(scr_error *error);  // SCR_INTERRUPTED and a sentence

#endif
