// SPDX-License-Identifier: BSD-3-Clause
// The reader of number tables: one pass over the text.
#include "scene/formula/number_table.h"

#include <math.h>

#include "core/text/decimal.h"
#include "scene/formula/row_reader.h"

enum { QUOTE_MAX = 24 };  // characters of the user's text that a message shows

static bool is_separator(char c) { return c == ',' || c == ';'; }

static scr_status fail_without_number(const row_reader *r)
{
    char quote[QUOTE_MAX + 1];
    int length = 0;
    for (const char *c = r->at; length < QUOTE_MAX && c < r->end && *c != '\n' && !is_separator(*c) && !is_blank(*c);
         ++c)
        quote[length++] = (char)(*c >= ' ' && *c <= '~' ? *c : '?');
    quote[length] = '\0';
    if (length == 0) return fail_at(r, r->at, "expected a number, found nothing");
    return fail_at(r, r->at, "expected a number, found '%s'", quote);
}

static scr_status read_number(row_reader *r, number_table *t, int64_t column)
{
    double value;
    const char *end = decimal_read(r->at, &value);
    if (end == NULL || end > r->end || !(is_row_end(r, end) || is_blank(*end) || is_separator(*end)))
        return fail_without_number(r);
    if (!isfinite(value)) return fail_at(r, r->at, "the number is too large");
    if (t->rows > 0 && column == t->columns)
        return fail_at(r, r->at, "expected %lld numbers, found more", (long long)t->columns);
    int64_t index = t->rows * t->columns + column;
    scr_status status = scr_grow(&t->value, &t->capacity, index + 1, sizeof *t->value, "numbers of a file", r->error);
    if (status != SCR_OK) return status;
    t->value[index] = value;
    r->at = end;
    return SCR_OK;
}

// The first row says how many numbers a row has.
static scr_status read_row(row_reader *r, number_table *t)
{
    int64_t count = 0;
    for (;; ++count) {
        pass_blanks(r);
        if (is_row_end(r, r->at)) break;
        if (count > 0 && is_separator(*r->at)) ++r->at, pass_blanks(r);
        scr_status status = read_number(r, t, count);
        if (status != SCR_OK) return status;
    }
    if (t->rows > 0 && count < t->columns)
        return fail_at(r, r->at, "expected %lld numbers, found %lld", (long long)t->columns, (long long)count);
    t->columns = count;
    ++t->rows;
    return SCR_OK;
}

static scr_status read_rows(row_reader *r, void *table)
{
    number_table *t = table;
    scr_status status = SCR_OK;
    while (status == SCR_OK && next_row(r)) status = read_row(r, t);
    if (status == SCR_OK && t->rows == 0)
        status = scr_fail(r->error, SCR_BAD_INPUT, "%s: there are no numbers in it", r->path);
    return status;
}

scr_status number_table_read_text(const char *text, size_t length, const char *path, number_table *t, scr_error *error)
{
    return read_rows_of_text(text, length, path, read_rows, t, error);
}

scr_status number_table_read_file(const char *path, number_table *t, scr_error *error)
{
    return read_rows_of_file(path, read_rows, t, error);
}

void number_table_free(number_table *t)
{
    scr_free(t->value);
    *t = (number_table){0};
}
