// SPDX-License-Identifier: BSD-3-Clause
// The columns of a plot as a table of numbers.
#include "app/plot/plot_csv.h"

#include <stdio.h>
#include <string.h>

#include "io/export/csv_text.h"

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

static void print_rows(FILE *out, const plotted_run *run, bool names_run)
{
    for (int64_t row = 0; row < run->row_count; ++row) {
        if (names_run) {
            csv_print_text(out, run->label);
            fputc(',', out);
        }
        fprintf(out, "%.12g", run->time[row]);
        for (int64_t k = first_column(run); k < run->column_count; ++k) {
            fputc(',', out);
            csv_print_number(out, run->column[k].shown[row]);
        }
        fputc('\n', out);
    }
}

typedef struct plotted_table {
    const plotted_run *runs;
    int run_count;
} plotted_table;

static void print_table(FILE *out, const void *context)
{
    const plotted_table *t = context;
    print_names(out, &t->runs[0], t->run_count > 1);
    for (int i = 0; i < t->run_count; ++i) print_rows(out, &t->runs[i], t->run_count > 1);
}

scr_status plot_csv_write(const char *path, const plotted_run *runs, int run_count, scr_error *error)
{
    return csv_write(path, print_table, &(plotted_table){runs, run_count}, error);
}
