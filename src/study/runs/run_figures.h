// SPDX-License-Identifier: BSD-3-Clause
// Figures read off a finished run: out of summary.json, and out of the columns of probes.csv.
#ifndef STUDY_RUNS_RUN_FIGURES_H
#define STUDY_RUNS_RUN_FIGURES_H

#include <jansson.h>

#include "io/run/probes_table.h"
#include "study/plan/study_plan.h"

typedef struct run_output {
    char directory[PATH_LENGTH_MAX];
    json_t *summary;
    probes_table probes;  // without rows if the run has none
} run_output;

// Close it also after a failure.
scr_status run_output_open(const char *directory, bool with_probes, run_output *output, scr_error *error);
void run_output_close(run_output *output);

// A figure; not a number where the run has none. A name that does not exist is an error that says where it was asked
// for, and the nearest there is.
scr_status run_figure(const run_output *output, const study_figure *figure, double *value, scr_error *error);
// A column by its name, of a table that was read from a file; origin: of who asks for it.
scr_status find_column(const probes_table *t, const char *file, const char *name, const char *origin,
                       const probes_column **column, scr_error *error);
// The same of a run's probes.csv.
scr_status run_column(const run_output *output, const char *name, const char *origin, const probes_column **column,
                      scr_error *error);
// A number of the summary by its path, "seconds.wall"; not a number if there is none.
double run_summary_number(const run_output *output, const char *path);

#endif
