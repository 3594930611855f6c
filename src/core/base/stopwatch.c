// SPDX-License-Identifier: BSD-3-Clause
// Monotonic time.
#include "core/base/stopwatch.h"

#include <time.h>

double scr_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void scr_lap(double *mark, double *total)
{
    double now = scr_now();
    *total += now - *mark;
    *mark = now;
}
