// SPDX-License-Identifier: BSD-3-Clause
// What a plot shows of one run: columns of its probes.csv between two times, as they are and filtered.
#ifndef APP_PLOT_PLOTTED_RUN_H
#define APP_PLOT_PLOTTED_RUN_H

#include "io/run/probes_table.h"

typedef struct plotted_column {
    const char *name, *unit;
    const double *raw, *shown;  // (row_count) the same unless there is a filter
} plotted_column;

typedef struct plotted_run {
    const char *directory, *label;  // as it was typed; its last part, if that is enough to tell runs apart
    char *title;                    // of its scene; NULL: none
    probes_table table;
    const double *time;      // s
    plotted_column *column;  // the one across first, then those that are asked for
    int64_t column_count, row_count;
    double *filtered;  // owned
} plotted_run;

scr_status plotted_run_read(plotted_run *run, const char *directory, scr_error *error);
void plotted_run_free(plotted_run *run);
void plotted_runs_label(plotted_run *runs, int count);

typedef struct plotted_rows {
    double from, to;  // s
    double filter;    // s; 0: none
} plotted_rows;

// The columns of these names. The filter sees the whole run, so that a picture of a part of it shows the same values.
scr_status plotted_run_select(plotted_run *run, const probes_column *const *wanted, int64_t count,
                              const plotted_rows *rows, scr_error *error);

#endif
