// SPDX-License-Identifier: BSD-3-Clause
// What a run's probes.csv holds, as a table for people, with a small curve of each column.
#ifndef APP_PLOT_PROBE_LIST_H
#define APP_PLOT_PROBE_LIST_H

#include "io/run/probes_table.h"

void print_probe_list(const char *directory, const probes_table *t);

#endif
