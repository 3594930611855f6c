// SPDX-License-Identifier: BSD-3-Clause
// Frames as a table of comma-separated values, one line a shape.
#ifndef IO_EXPORT_FRAME_CSV_H
#define IO_EXPORT_FRAME_CSV_H

#include <stdio.h>

#include "io/trajectory/frame.h"

void frame_csv_begin(FILE *out);
// material_name may be NULL: numbers, from 0.
void frame_csv_add(FILE *out, int64_t number, const frame *f, const char *const *material_name, int material_count);

#endif
