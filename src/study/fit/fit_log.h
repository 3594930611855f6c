// SPDX-License-Identifier: BSD-3-Clause
// evaluations.csv: the parameters of every evaluation of a fit, and the numbers that its runs gave.
//
// A row for each seed is added as soon as its run has ended. A search that starts again finds its values here, and its
// runs may be gone. The name of the first column holds the fingerprint of scene, targets and measured values: those of
// another study are not mistaken for these.
#ifndef STUDY_FIT_FIT_LOG_H
#define STUDY_FIT_FIT_LOG_H

#include "study/fit/fit_data.h"

typedef struct fit_log {
    const char *path;
    FILE *file;
    const study_plan *plan;
    uint64_t fingerprint;
    int parameter_count;
    int64_t datum_count;
    // a row: number of the evaluation, seed, parameters, numbers (not a number: the run failed)
    double *row;
    int64_t row_count, capacity;
} fit_log;

// Open or begin it. Close it also after a failure.
scr_status fit_log_open(const char *path, const study_plan *plan, const fit_data *data, uint64_t fingerprint,
                        fit_log *log, scr_error *error);
scr_status fit_log_close(fit_log *log, scr_error *error);

// The numbers of these parameters and this seed; NULL if they are not there.
const double *fit_log_find(const fit_log *log, const double *parameter, int64_t seed);
scr_status fit_log_add(fit_log *log, int64_t evaluation, int64_t seed, const double *parameter, const double *number,
                       scr_error *error);

#endif
