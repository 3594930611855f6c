// SPDX-License-Identifier: BSD-3-Clause
// Monotonic time.
#ifndef CORE_BASE_STOPWATCH_H
#define CORE_BASE_STOPWATCH_H

double scr_now(void);  // s since an arbitrary moment, never going back

// Add the time since *mark to *total and move the mark to now: stages of a step laid end to end.
void scr_lap(double *mark, double *total);

#endif
