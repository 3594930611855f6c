// SPDX-License-Identifier: BSD-3-Clause
// probes.csv read back: columns of numbers with their names and units.
//
//   time [s],outflow.mass [kg],outflow.rate [kg/s],pile.contacts
//   0,0,0,12
//
// A run may still be writing: a last line that does not end yet is left out, however much of it is there, because half
// a number looks like a number. "nan" and "inf" are values: a body that is gone is nowhere.
#ifndef IO_RUN_PROBES_TABLE_H
#define IO_RUN_PROBES_TABLE_H

#include "core/base/memory.h"

typedef struct probes_column {
    const char *name;     // "outflow.rate"
    const char *unit;     // "kg/s", or "" if it has none
    const double *value;  // (row_count)
} probes_column;

typedef struct probes_table {
    bool takes_any;         // set before reading: any columns will do, as those of somebody's measurement
    probes_column *column;  // the first is time, finite and never going back, unless any will do
    int64_t column_count, row_count;
    bool cut_short;  // there was the beginning of one more row
    // owned
    char *names;
    double *values;
    int64_t column_capacity;
} probes_table;

// Start from a table that is all zero but for takes_any; free it in any case. Failures are sentences like
// "out/probes.csv:17:9: expected a number, found 'abc'".
scr_status probes_table_read_file(const char *path, probes_table *t, scr_error *error);
// The same from memory: text[length] is 0, and path is used for messages.
scr_status probes_table_read_text(const char *text, size_t length, const char *path, probes_table *t, scr_error *error);
void probes_table_free(probes_table *t);

#endif
