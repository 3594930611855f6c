// SPDX-License-Identifier: BSD-3-Clause
// The figures of a run as a table for people.
#ifndef APP_RUN_SUMMARY_TABLE_H
#define APP_RUN_SUMMARY_TABLE_H

#include <stdio.h>

#include "scree/scene.h"

void print_summary(FILE *out, const scr_run_summary *summary, const scr_scene *scene);
// What is in the run directory, and what one could do with it next.
void print_written(FILE *out, const char *directory, const scr_run_summary *summary);

#endif
