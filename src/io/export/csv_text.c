// SPDX-License-Identifier: BSD-3-Clause
// Cells of CSV tables.
#include "io/export/csv_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file/safe_file.h"
#include "core/text/memory_stream.h"
#include "core/text/plain_locale.h"
#include "io/json/json_write.h"

void csv_print_text(FILE *out, const char *text)
{
    bool plain = strpbrk(text, ",\"\r\n") == NULL;
    if (!plain) fputc('"', out);
    for (; *text != '\0'; ++text) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    if (!plain) fputc('"', out);
}

void csv_print_name(FILE *out, const char *name, const char *unit)
{
    char whole[256];
    if (unit[0] != '\0') snprintf(whole, sizeof whole, "%.180s [%.64s]", name, unit);
    else snprintf(whole, sizeof whole, "%.250s", name);
    csv_print_text(out, whole);
}

void csv_print_number(FILE *out, double value)
{
    if (isfinite(value)) fputs(json_number_text(value).text, out);
    else fprintf(out, "%g", isnan(value) ? NAN : value);  // of which there is one
}

scr_status csv_write(const char *path, csv_printer *print, const void *context, scr_error *error)
{
    char *text = NULL;
    size_t size = 0;
    plain_locale locale;
    FILE *memory = memory_stream_open(&text, &size);
    if (memory == NULL) return scr_fail_memory(error, BUFSIZ, "the table");
    scr_status status = plain_locale_enter(&locale, error);
    if (status == SCR_OK) {
        print(memory, context);
        plain_locale_leave(&locale);
    }
    if (fclose(memory) != 0 && status == SCR_OK) status = scr_fail_memory(error, size, "the table");
    if (status == SCR_OK) status = file_replace(path, text, size, error);
    free(text);
    return status;
}
