// SPDX-License-Identifier: BSD-3-Clause
// What engines usually do with joints: their rows are unknowns beside the contacts, in the sweep or in the gradient.
// For comparison with solvers that eliminate them; one thread.
#ifndef BENCH_JOINT_ROWS_H
#define BENCH_JOINT_ROWS_H

#include "laboratory/laboratory.h"

typedef struct rows_trial {
    int iterations;  // after which the velocity error stays at or below the share asked for; 0: not within the limit
    double error;    // where the run ended: at half the share at the latest
    double seconds;  // until then, without what watching took
} rows_trial;

// Watches a run.
typedef struct rows_watch {
    rows_trial *trial;
    double share, began, watching;
    int next;
} rows_watch;

rows_watch rows_watch_begin(rows_trial *t, double share);
bool rows_watch_is_due(rows_watch *w, int iterations);
bool rows_watch_note(rows_watch *w, int iterations, double error);  // whether it is enough
void rows_watch_end(rows_watch *w);

// Gauss-Seidel in single precision with scree's own kernels and order; after the contacts each joint is solved exactly,
// one after the other, with the masses of its two bodies as if they were free. From the problem's guess, with joints
// solved for it, unless cold.
scr_status gs_with_joint_rows(laboratory *lab, bool cold, double share, int limit, rows_trial *t, scr_error *error);
// The published APGD in double precision. Rows of joints, which nothing projects, are scaled to the mean diagonal of
// the contacts: unscaled, the light shoes' rotations would dictate its steps.
scr_status apgd_with_joint_rows(laboratory *lab, bool cold, double share, int limit, rows_trial *t, scr_error *error);

#endif
