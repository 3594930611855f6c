// SPDX-License-Identifier: BSD-3-Clause
// The columns of a plot as a table of numbers, as they are shown: filtered, if there is a filter.
#ifndef APP_PLOT_PLOT_CSV_H
#define APP_PLOT_PLOT_CSV_H

#include "app/plot/plotted_run.h"

// Like probes.csv: time, then the columns. Of several runs, one below the other, with their names in front.
scr_status plot_csv_write(const char *path, const plotted_run *runs, int run_count, scr_error *error);

#endif
