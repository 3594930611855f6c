// SPDX-License-Identifier: BSD-3-Clause
// Number tables: rows of numbers in a text file, for heights and points.
//
//   # a comment             lines that are empty or begin with # do not count; # also ends a row
//   0.1, 0.2, 0.15          numbers stand apart by blanks, a comma or a semicolon; all rows have equally many
#ifndef SCENE_FORMULA_NUMBER_TABLE_H
#define SCENE_FORMULA_NUMBER_TABLE_H

#include "core/base/memory.h"

typedef struct number_table {
    int64_t rows, columns;
    double *value;  // row by row; finite
    int64_t capacity;
} number_table;

// Start from a table that is all zero; free it in any case. Failures are sentences like
// "hill.csv:17:9: expected a number, found 'abc'".
scr_status number_table_read_file(const char *path, number_table *t, scr_error *error);
// The same from memory: text[length] is 0, and path is used for messages.
scr_status number_table_read_text(const char *text, size_t length, const char *path, number_table *t, scr_error *error);
void number_table_free(number_table *t);

#endif
