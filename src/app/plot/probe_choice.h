// SPDX-License-Identifier: BSD-3-Clause
// Columns of probes.csv chosen by name: a probe ("floor": all it has), a column ("floor.fz") or a pattern ("*.fz").
#ifndef APP_PLOT_PROBE_CHOICE_H
#define APP_PLOT_PROBE_CHOICE_H

#include "io/run/probes_table.h"

typedef struct probe_choice {
    int64_t *column;  // of the table; in the order in which they were asked for, each once
    int64_t count, capacity;
} probe_choice;

// What the names mean in the table of a run. A name that means nothing gets a sentence with the nearest one that does.
scr_status probe_choice_add(probe_choice *choice, const probes_table *t, const char *directory, const char *name,
                            scr_error *error);
void probe_choice_free(probe_choice *choice);

// One column by its full name, "time" as well.
scr_status probe_column_find(const probes_table *t, const char *directory, const char *name, int64_t *column,
                             scr_error *error);

#endif
