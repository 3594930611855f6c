// The reader of number tables: one pass over the text. It ends with a NUL, and no scan passes over one.
#include "scene/number_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"
#include "core/plain_locale.h"
#include "core/text_file.h"

enum { QUOTE_MAX = 24 };  // characters of the user's text that a message shows
static const char BYTE_ORDER_MARK[] = "\xEF\xBB\xBF";

typedef struct reader {
    const char *path;
    const char *at, *end;
    const char *line_start;
    int64_t line;  // from 1
    number_table *table;
    scr_error *error;
} reader;

__attribute__((format(printf, 2, 3))) static scr_status fail_here(const reader *r, const char *format, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return scr_fail(r->error, SCR_BAD_INPUT, "%s:%lld:%lld: %s", r->path, (long long)r->line,
                    (long long)(r->at - r->line_start) + 1, sentence);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_separator(char c) { return c == ',' || c == ';'; }
static bool is_row_end(const reader *r) { return r->at == r->end || *r->at == '\n' || *r->at == '#'; }

static void skip_blanks(reader *r)
{
    while (r->at < r->end && is_blank(*r->at)) ++r->at;
}

// Go to the next line that says something; false at the end of the text.
static bool next_row(reader *r)
{
    for (;;) {
        skip_blanks(r);
        if (!is_row_end(r)) return true;
        const char *line_feed = memchr(r->at, '\n', (size_t)(r->end - r->at));
        if (line_feed == NULL) return false;
        r->at = r->line_start = line_feed + 1;
        ++r->line;
    }
}

static scr_status fail_without_number(const reader *r)
{
    char quote[QUOTE_MAX + 1];
    int length = 0;
    for (const char *c = r->at; length < QUOTE_MAX && c < r->end && *c != '\n' && !is_separator(*c) && !is_blank(*c); ++c)
        quote[length++] = (char)(*c >= ' ' && *c <= '~' ? *c : '?');
    quote[length] = '\0';
    if (length == 0) return fail_here(r, "expected a number, found nothing");
    return fail_here(r, "expected a number, found '%s'", quote);
}

static scr_status read_number(reader *r, int64_t column)
{
    number_table *t = r->table;
    double value;
    const char *end = decimal_read(r->at, &value);
    if (end == NULL || end > r->end || !(end == r->end || is_blank(*end) || is_separator(*end) || *end == '\n' || *end == '#'))
        return fail_without_number(r);
    if (!isfinite(value)) return fail_here(r, "the number is too large");
    if (t->rows > 0 && column == t->columns) return fail_here(r, "expected %lld numbers, found more", (long long)t->columns);
    int64_t place = t->rows * t->columns + column;
    scr_status status = scr_grow(&t->value, &t->capacity, place + 1, sizeof *t->value, "numbers of a file", r->error);
    if (status != SCR_OK) return status;
    t->value[place] = value;
    r->at = end;
    return SCR_OK;
}

// The first row says how many numbers a row has.
static scr_status read_row(reader *r)
{
    number_table *t = r->table;
    int64_t count = 0;
    for (;; ++count) {
        skip_blanks(r);
        if (is_row_end(r)) break;
        if (count > 0 && is_separator(*r->at)) ++r->at, skip_blanks(r);
        scr_status status = read_number(r, count);
        if (status != SCR_OK) return status;
    }
    if (t->rows > 0 && count < t->columns)
        return fail_here(r, "expected %lld numbers, found %lld", (long long)t->columns, (long long)count);
    t->columns = count;
    ++t->rows;
    return SCR_OK;
}

static scr_status read_rows(const char *text, size_t length, const char *path, number_table *t, scr_error *error)
{
    reader r = {.path = path, .at = text, .end = text + length, .line_start = text, .line = 1, .table = t, .error = error};
    size_t mark_length = sizeof BYTE_ORDER_MARK - 1;
    if (length >= mark_length && memcmp(text, BYTE_ORDER_MARK, mark_length) == 0) r.at = r.line_start += mark_length;
    scr_status status = SCR_OK;
    while (status == SCR_OK && next_row(&r)) status = read_row(&r);
    if (status == SCR_OK && t->rows == 0) status = scr_fail(error, SCR_BAD_INPUT, "%s: there are no numbers in it", path);
    return status;
}

scr_status number_table_read_text(const char *text, size_t length, const char *path, number_table *t, scr_error *error)
{
    plain_locale locale;
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    status = read_rows(text, length, path, t, error);
    plain_locale_leave(&locale);
    return status;
}

scr_status number_table_read_file(const char *path, number_table *t, scr_error *error)
{
    char *text = NULL;
    size_t length = 0;
    scr_status status = text_file_read(path, &text, &length, error);
    if (status == SCR_OK) status = number_table_read_text(text, length, path, t, error);
    scr_free(text);
    return status;
}

void number_table_free(number_table *t)
{
    scr_free(t->value);
    *t = (number_table){0};
}
