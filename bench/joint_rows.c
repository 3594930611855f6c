// SPDX-License-Identifier: BSD-3-Clause
#include "joint_rows.h"

#include "core/base/stopwatch.h"

rows_watch rows_watch_begin(rows_trial *t, double share)
{
    *t = (rows_trial){0};
    return (rows_watch){.trial = t, .share = share, .began = scr_now(), .next = 1};
}

bool rows_watch_is_due(rows_watch *w, int iterations)
{
    if (!solve_watch_is_due(iterations, &w->next)) return false;
    w->watching -= scr_now();
    return true;
}

bool rows_watch_note(rows_watch *w, int iterations, double error)
{
    w->watching += scr_now();
    w->trial->error = error;
    if (error > w->share) w->trial->iterations = 0;
    else if (w->trial->iterations == 0) {
        w->trial->iterations = iterations;
        w->trial->seconds = scr_now() - w->began - w->watching;
    }
    return error <= 0.5 * w->share;
}

void rows_watch_end(rows_watch *w)
{
    if (w->trial->iterations == 0) w->trial->seconds = scr_now() - w->began - w->watching;
}
