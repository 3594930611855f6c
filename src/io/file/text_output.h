// SPDX-License-Identifier: BSD-3-Clause
// A long text file, written piece by piece under a temporary name: it is whole or not there.
#ifndef IO_FILE_TEXT_OUTPUT_H
#define IO_FILE_TEXT_OUTPUT_H

#include <stdio.h>

#include "core/base/status.h"

scr_status text_output_open(const char *path, FILE **out, scr_error *error);
// Bring the file to its place; or, with an earlier failure (`status`), remove it. Returns the first of the failures.
scr_status text_output_close(const char *path, FILE *out, scr_status status, scr_error *error);

#endif
