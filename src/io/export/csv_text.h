// SPDX-License-Identifier: BSD-3-Clause
// Cells of CSV tables. Inside core/text/plain_locale.h.
#ifndef IO_EXPORT_CSV_TEXT_H
#define IO_EXPORT_CSV_TEXT_H

#include <stdio.h>

#include "core/base/status.h"

void csv_print_text(FILE *out, const char *text);                    // in quotes where it needs them
void csv_print_name(FILE *out, const char *name, const char *unit);  // "rate [kg/s]"
void csv_print_number(FILE *out, double value);  // the shortest that reads back to the same bits; nan, inf

// A whole table, printed by a function, into a file: readers see the old one or the new one.
typedef void csv_printer(FILE *out, const void *context);
scr_status csv_write(const char *path, csv_printer *print, const void *context, scr_error *error);

#endif
