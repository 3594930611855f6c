// SPDX-License-Identifier: BSD-3-Clause
#include "scene/formula/row_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text/plain_locale.h"
#include "core/text/text_file.h"

static const char BYTE_ORDER_MARK[] = "\xEF\xBB\xBF";  // some programs begin UTF-8 text with it

scr_status read_rows_of_text(const char *text, size_t length, const char *path, row_reading *read, void *table,
                             scr_error *error)
{
    row_reader r = {.path = path, .at = text, .end = text + length, .line_start = text, .line = 1, .error = error};
    size_t mark_length = sizeof BYTE_ORDER_MARK - 1;
    if (length >= mark_length && memcmp(text, BYTE_ORDER_MARK, mark_length) == 0) r.at = r.line_start += mark_length;
    plain_locale locale;
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    status = read(&r, table);
    plain_locale_leave(&locale);
    return status;
}

scr_status read_rows_of_file(const char *path, row_reading *read, void *table, scr_error *error)
{
    char *text = NULL;
    size_t length = 0;
    scr_status status = text_file_read(path, &text, &length, error);
    if (status == SCR_OK) status = read_rows_of_text(text, length, path, read, table, error);
    scr_free(text);
    return status;
}

bool next_row(row_reader *r)
{
    for (;;) {
        pass_blanks(r);
        if (!is_row_end(r, r->at)) return true;
        const char *line_feed = memchr(r->at, '\n', (size_t)(r->end - r->at));
        if (line_feed == NULL) return false;
        r->at = r->line_start = line_feed + 1;
        ++r->line;
    }
}

scr_status fail_at(const row_reader *r, const char *where, const char *format, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return scr_fail(r->error, SCR_BAD_INPUT, "%s:%lld:%lld: %s", r->path, (long long)r->line,
                    (long long)(where - r->line_start) + 1, sentence);
}
