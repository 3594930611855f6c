// SPDX-License-Identifier: BSD-3-Clause
// The page of a plot: a panel for each unit of a run's columns, or, of several runs, one for each column.
#ifndef APP_PLOT_PLOT_PANELS_H
#define APP_PLOT_PLOT_PANELS_H

#include "app/plot/plotted_run.h"
#include "view/plot/plot.h"

typedef struct plot_settings {
    bool x_is_log, y_is_log;
    double filter;         // s; 0: none
    double width, height;  // points; 0: as the panels ask for
} plot_settings;

// Returns how many panels there are in *panel_count. All runs have the same columns.
scr_status plot_runs(const char *path, const plotted_run *runs, int run_count, const plot_settings *settings,
                     int *panel_count, scr_error *error);

#endif
