// SPDX-License-Identifier: BSD-3-Clause
// Whether somebody asked to stop.
#include "core/base/interruption.h"

#include <stdatomic.h>

#include "core/base/stopwatch.h"

// Most steps are done sooner, and a finished step shows all of its contacts.
static const double PATIENCE = 0.4;  // s

// Written by a signal handler and read by any thread: lock-free.
static atomic_bool is_requested;
static _Atomic double requested_at;  // s, scr_now()

void interruption_request(void)
{
    if (atomic_load(&is_requested)) return;
    atomic_store(&requested_at, scr_now());
    atomic_store(&is_requested, true);
}

bool interruption_is_requested(void) { return atomic_load_explicit(&is_requested, memory_order_relaxed); }

bool interruption_is_overdue(void)
{
    return interruption_is_requested() && scr_now() > atomic_load(&requested_at) + PATIENCE;
}

scr_status interruption_fail(scr_error *error) { return scr_fail(error, SCR_INTERRUPTED, "interrupted"); }
