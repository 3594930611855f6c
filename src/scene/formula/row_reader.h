// SPDX-License-Identifier: BSD-3-Clause
// Tables in text files, read row by row: what the readers of number tables and particle tables share.
//
// A row is a line; lines that are empty or begin with # do not count, and # also ends a row. The text ends with a NUL,
// and no scan passes over one, so none leaves the text.
#ifndef SCENE_FORMULA_ROW_READER_H
#define SCENE_FORMULA_ROW_READER_H

#include "core/base/status.h"

typedef struct row_reader {
    const char *path;      // for messages
    const char *at, *end;  // of the text
    const char *line_start;
    int64_t line;  // from 1
    scr_error *error;
} row_reader;

// Reads all rows of a text into a table, whose kind it knows.
typedef scr_status row_reading(row_reader *r, void *table);

// Read a file, or a text with text[length] = 0; numbers have a decimal point whatever the user's language is.
scr_status read_rows_of_file(const char *path, row_reading *read, void *table, scr_error *error);
scr_status read_rows_of_text(const char *text, size_t length, const char *path, row_reading *read, void *table,
                             scr_error *error);

static inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static inline bool is_row_end(const row_reader *r, const char *where)
{
    return where == r->end || *where == '\n' || *where == '#';
}

static inline void pass_blanks(row_reader *r)
{
    while (r->at < r->end && is_blank(*r->at)) ++r->at;
}

// Go to the next line that says something; false at the end of the text.
bool next_row(row_reader *r);

// A sentence about a place in the present row: "bed.csv:17:9: ...".
__attribute__((format(printf, 3, 4))) scr_status fail_at(const row_reader *r, const char *where, const char *format,
                                                         ...);

#endif
