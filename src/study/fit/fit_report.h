// SPDX-License-Identifier: BSD-3-Clause
// What a fit found, as files: fit.json, fit.csv, fit_targets.csv, plots and fit.html.
#ifndef STUDY_FIT_FIT_REPORT_H
#define STUDY_FIT_FIT_REPORT_H

#include "study/fit/fit.h"

scr_status fit_report_write(const fit *f, const fit_result *result, scr_error *error);

// Sentences on what to mind; NULL where there is no k-th one.
const char *fit_warning(const fit *f, const fit_result *result, int k);

// The plots: measured and fitted curves, the objective in the course of the search; and against each parameter.
scr_status fit_plots_write(const fit *f, const fit_result *result, scr_error *error);

#endif
