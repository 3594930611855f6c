// SPDX-License-Identifier: BSD-3-Clause
// probes.csv: one row of numbers every so often. The first line names the columns, "outflow.rate [kg/s]".
#ifndef IO_RUN_PROBES_FILE_H
#define IO_RUN_PROBES_FILE_H

#include "scene/run/simulation.h"

typedef struct probes_file probes_file;

scr_status probes_file_create(const char *path, const simulation *sim, probes_file **result, scr_error *error);
// Go on with an existing file, keeping its first bytes. One that was not written for these probes is refused.
scr_status probes_file_continue(const char *path, const simulation *sim, int64_t bytes, probes_file **result,
                                scr_error *error);
// Ask all probes now and add a row. In the file when this returns.
scr_status probes_file_append(probes_file *file, simulation *sim, scr_error *error);
bool probes_file_is_in_place(const probes_file *file);  // or did somebody remove or replace it?
int64_t probes_file_bytes(const probes_file *file);
scr_status probes_file_sync(probes_file *file, scr_error *error);  // bring it to the disk
void probes_file_close(probes_file *file);                         // NULL is fine

#endif
