// SPDX-License-Identifier: BSD-3-Clause
// The reader of probes.csv: one pass over the text.
#include "io/run/probes_table.h"

#include <math.h>
#include <string.h>

#include "core/text/decimal.h"
#include "scene/formula/row_reader.h"

enum { QUOTE_MAX = 24 };  // characters of the file that a message shows

static bool is_value_end(char c) { return c == ',' || c == '\n' || c == '\r'; }

// "floor.fz [N]" into its name and its unit.
static void split_unit(char *text, probes_column *column)
{
    size_t length = strlen(text);
    *column = (probes_column){.name = text, .unit = ""};
    if (length == 0 || text[length - 1] != ']') return;
    for (char *c = text + length - 1; c > text + 1; --c) {
        if (c[0] != '[' || c[-1] != ' ') continue;
        text[length - 1] = c[-1] = '\0';
        column->unit = c + 1;
        return;
    }
}

static scr_status check_names(const row_reader *r, const char *line_end)
{
    for (const char *c = r->at; c < line_end; ++c) {
        bool is_control = (unsigned char)*c < 0x20 || *c == 0x7f;
        if (is_control) return fail_at(r, c, "a name holds a character that no name has");
        if (*c == ',' && (c == r->at || c[1] == ',' || c + 1 == line_end))
            return fail_at(r, c, "expected a name, found nothing");
    }
    return SCR_OK;
}

static const char *find_line_end(const row_reader *r)
{
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    return end > r->at && end[-1] == '\r' ? end - 1 : end;
}

static void next_line(row_reader *r)
{
    r->at = r->line_start = (const char *)memchr(r->at, '\n', (size_t)(r->end - r->at)) + 1;
    ++r->line;
}

static scr_status read_names(row_reader *r, probes_table *t)
{
    const char *line_end = find_line_end(r);
    size_t length = (size_t)(line_end - r->at);
    scr_status status = check_names(r, line_end);
    if (status != SCR_OK) return status;
    t->names = scr_alloc(length + 1);
    if (t->names == NULL) return scr_fail_memory(r->error, length + 1, "the names of probes");
    memcpy(t->names, r->at, length);
    t->names[length] = '\0';
    for (char *name = t->names, *rest; name != NULL; name = rest) {
        rest = strchr(name, ',');
        if (rest != NULL) *rest++ = '\0';
        status = scr_grow(&t->column, &t->column_capacity, t->column_count + 1, sizeof *t->column, "probes", r->error);
        if (status != SCR_OK) return status;
        split_unit(name, &t->column[t->column_count++]);
    }
    if (!t->takes_any && strcmp(t->column[0].name, "time") != 0)
        return fail_at(r, r->at, "expected the names of columns, \"time [s]\" first");
    next_line(r);
    return SCR_OK;
}

// What a number that is none looks like in a file; NULL if this is no such thing.
static const char *read_no_number(const char *at, double *value)
{
    bool negative = *at == '-';
    const char *word = at + negative;
    if (strncmp(word, "nan", 3) == 0) *value = NAN;
    else if (strncmp(word, "inf", 3) == 0) *value = negative ? -INFINITY : INFINITY;
    else return NULL;
    return word + 3;
}

static scr_status fail_without_number(const row_reader *r)
{
    char quote[QUOTE_MAX + 1];
    int length = 0;
    for (const char *c = r->at; length < QUOTE_MAX && c < r->end && !is_value_end(*c); ++c)
        quote[length++] = (char)(*c >= ' ' && *c <= '~' ? *c : '?');
    quote[length] = '\0';
    if (length == 0) return fail_at(r, r->at, "expected a number, found nothing");
    return fail_at(r, r->at, "expected a number, found '%s'", quote);
}

static scr_status read_value(row_reader *r, double *value)
{
    const char *end = decimal_read(r->at, value);
    if (end != NULL && !isfinite(*value)) return fail_at(r, r->at, "the number is too large");
    if (end == NULL) end = read_no_number(r->at, value);
    if (end == NULL || !is_value_end(*end)) return fail_without_number(r);
    r->at = end;
    return SCR_OK;
}

static scr_status check_time(const row_reader *r, const double *time, int64_t row)
{
    if (!isfinite(time[row])) return fail_at(r, r->line_start, "the time is no number");
    if (row > 0 && time[row] < time[row - 1])
        return fail_at(r, r->line_start, "time goes back from %.12g to %.12g s", time[row - 1], time[row]);
    return SCR_OK;
}

// values has `capacity` places for each column.
static scr_status read_row(row_reader *r, probes_table *t, int64_t capacity)
{
    for (int64_t c = 0; c < t->column_count; ++c) {
        scr_status status = read_value(r, &t->values[c * capacity + t->row_count]);
        if (status == SCR_OK && c == 0 && !t->takes_any) status = check_time(r, t->values, t->row_count);
        if (status != SCR_OK) return status;
        bool is_last = c + 1 == t->column_count;
        if (is_last && *r->at == ',')
            return fail_at(r, r->at, "expected %lld numbers, found more", (long long)t->column_count);
        if (!is_last && *r->at != ',')
            return fail_at(r, r->at, "expected %lld numbers, found %lld", (long long)t->column_count, (long long)c + 1);
        if (!is_last) ++r->at;
    }
    if (r->at != find_line_end(r)) return fail_without_number(r);
    next_line(r);
    ++t->row_count;
    return SCR_OK;
}

static int64_t count_lines(const char *text, const char *end)
{
    int64_t count = 0;
    for (; text < end; ++count) text = (const char *)memchr(text, '\n', (size_t)(end - text)) + 1;
    return count;
}

// Room for every line, but a whole row takes two bytes a column at least: a short file never asks for much. One more
// than can be whole may begin.
static scr_status reserve_rows(const row_reader *r, probes_table *t, int64_t *capacity)
{
    int64_t lines = count_lines(r->at, r->end), fit = (r->end - r->at) / (2 * t->column_count) + 1;
    *capacity = lines < fit ? lines : fit;
    return scr_make_zeros(&t->values, *capacity * t->column_count, sizeof *t->values, "probes", r->error);
}

static scr_status read_rows(row_reader *r, void *table)
{
    probes_table *t = table;
    const char *end = r->end;
    while (end > r->at && end[-1] != '\n') --end;
    t->cut_short = end < r->end;
    r->end = end;
    if (r->at == r->end) return scr_fail(r->error, SCR_BAD_INPUT, "%s: there is no line of names in it yet", r->path);
    int64_t capacity = 0;
    scr_status status = read_names(r, t);
    if (status == SCR_OK) status = reserve_rows(r, t, &capacity);
    while (status == SCR_OK && r->at < r->end) status = read_row(r, t, capacity);
    for (int64_t c = 0; c < t->column_count; ++c)
        t->column[c].value = status == SCR_OK ? &t->values[c * capacity] : NULL;
    return status;
}

scr_status probes_table_read_text(const char *text, size_t length, const char *path, probes_table *t, scr_error *error)
{
    return read_rows_of_text(text, length, path, read_rows, t, error);
}

scr_status probes_table_read_file(const char *path, probes_table *t, scr_error *error)
{
    return read_rows_of_file(path, read_rows, t, error);
}

void probes_table_free(probes_table *t)
{
    scr_free(t->column);
    scr_free(t->names);
    scr_free(t->values);
    *t = (probes_table){0};
}
