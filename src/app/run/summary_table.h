// The figures of a run as a table for people.
#ifndef APP_RUN_SUMMARY_TABLE_H
#define APP_RUN_SUMMARY_TABLE_H

#include <stdio.h>

#include "io/run/summary.h"

void print_summary(FILE *out, const run_summary *summary);
// What is in the run directory, and what one could do with it next.
void print_written(FILE *out, const char *directory, const run_summary *summary);

#endif
