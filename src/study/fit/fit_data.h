// SPDX-License-Identifier: BSD-3-Clause
// What a fit is to reproduce, as one list of measured numbers, and the same numbers off a run.
//
// A curve is a CSV file with named columns. Each of its rows is a number to reproduce: the column of the probe, read
// between two rows of probes.csv where the column across has the measured value, the first time it has; before its
// beginning and beyond its end, that at the end.
#ifndef STUDY_FIT_FIT_DATA_H
#define STUDY_FIT_FIT_DATA_H

#include "study/runs/run_figures.h"

typedef struct fit_datum {
    int target;
    double across;  // of a curve
    double measured, error, weight;
} fit_datum;

typedef struct fit_data {
    fit_datum *datum;
    int64_t count, capacity;
    char unit[TARGETS_MAX][48];  // of curves, as their files say
} fit_data;

// Free it also after a failure.
scr_status fit_data_make(const study_plan *plan, fit_data *data, scr_error *error);
void fit_data_free(fit_data *data);

// The run's numbers, one for each datum; not a number where it has none.
scr_status fit_data_model(const fit_data *data, const study_plan *plan, const run_output *output, double *model,
                          scr_error *error);

// y at x, between the points of a curve, for the first time that it is there.
double curve_at(const double *x, const double *y, int64_t count, double at);

#endif
