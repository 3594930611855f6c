// SPDX-License-Identifier: BSD-3-Clause
// The columns of a plot as a table of numbers.
#include "app/plot/plot_csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file/safe_file.h"
#include "core/text/memory_stream.h"
#include "core/text/plain_locale.h"
#include "io/json/json_write.h"

// The column across is in the table too, unless it is time, which is there already, or asked for anyway.
static int64_t first_column(const plotted_run *run)
{
    for (int64_t k = 1; k < run->column_count; ++k) {
        if (strcmp(run->column[k].name, run->column[0].name) == 0) return 1;
    }
    return run->column[0].raw == run->time ? 1 : 0;
}

static void print_names(FILE *out, const plotted_run *run, bool names_run)
{
    fputs(names_run ? "run,time [s]" : "time [s]", out);
    for (int64_t k = first_column(run); k < run->column_count; ++k) {
        fprintf(out, ",%s", run->column[k].name);
        if (run->column[k].unit[0] != '\0') fprintf(out, " [%s]", run->column[k].unit);
    }
    fputc('\n', out);
}

static void print_quoted(FILE *out, const char *text)
{
    bool plain = strpbrk(text, ",\"\r\n") == NULL;
    if (!plain) fputc('"', out);
    for (; *text != '\0'; ++text) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    if (!plain) fputc('"', out);
}

static void print_rows(FILE *out, const plotted_run *run, bool names_run)
{
    for (int64_t row = 0; row < run->row_count; ++row) {
        if (names_run) {
            print_quoted(out, run->label);
            fputc(',', out);
        }
        fprintf(out, "%.12g", run->time[row]);
        for (int64_t k = first_column(run); k < run->column_count; ++k) {
            double value = run->column[k].shown[row];
            if (isfinite(value)) fprintf(out, ",%s", json_number_text(value).text);
            else fprintf(out, ",%g", value);
        }
        fputc('\n', out);
    }
}

scr_status plot_csv_write(const char *path, const plotted_run *runs, int run_count, scr_error *error)
{
    char *text = NULL;
    size_t size = 0;
    plain_locale locale;
    FILE *memory = memory_stream_open(&text, &size);
    if (memory == NULL) return scr_fail_memory(error, BUFSIZ, "the table");
    scr_status status = plain_locale_enter(&locale, error);
    if (status == SCR_OK) {
        print_names(memory, &runs[0], run_count > 1);
        for (int i = 0; i < run_count; ++i) print_rows(memory, &runs[i], run_count > 1);
        plain_locale_leave(&locale);
    }
    if (fclose(memory) != 0 && status == SCR_OK) status = scr_fail_memory(error, size, "the table");
    if (status == SCR_OK) status = file_replace(path, text, size, error);
    free(text);
    return status;
}
