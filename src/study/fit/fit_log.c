// SPDX-License-Identifier: BSD-3-Clause
// evaluations.csv.
#include "study/fit/fit_log.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/text/plain_locale.h"
#include "io/export/csv_text.h"

enum { FIRST_NAME = 64, BEFORE_PARAMETERS = 2 };

static int64_t width_of(const fit_log *log) { return BEFORE_PARAMETERS + log->parameter_count + log->datum_count; }

static void first_name(const fit_log *log, char name[FIRST_NAME])
{
    snprintf(name, FIRST_NAME, "evaluation of %016" PRIx64, log->fingerprint);
}

static void print_row(FILE *out, const fit_log *log, const double *row)
{
    for (int64_t k = 0; k < width_of(log); ++k) {
        if (k > 0) fputc(',', out);
        csv_print_number(out, row[k]);
    }
    fputc('\n', out);
}

static void print_log(FILE *out, const void *context)
{
    const fit_log *log = context;
    char name[FIRST_NAME];
    first_name(log, name);
    fprintf(out, "%s,seed", name);
    for (int k = 0; k < log->parameter_count; ++k) {
        fputc(',', out);
        csv_print_text(out, log->plan->fit.axis[k].path);
    }
    for (int64_t k = 0; k < log->datum_count; ++k) fprintf(out, ",value %lld", (long long)k + 1);
    fputc('\n', out);
    for (int64_t k = 0; k < log->row_count; ++k) print_row(out, log, &log->row[k * width_of(log)]);
}

static scr_status append(fit_log *log, int64_t count, scr_error *error)
{
    int64_t need = (log->row_count + count) * width_of(log);
    return scr_grow(&log->row, &log->capacity, need, sizeof *log->row, "evaluations", error);
}

// What an earlier process wrote; that of another study, or what is no such table, counts for nothing.
static scr_status read_rows(fit_log *log, scr_error *error)
{
    probes_table table = {.takes_any = true};
    char name[FIRST_NAME];
    scr_status status = SCR_OK;
    first_name(log, name);
    if (path_exists(log->path) && probes_table_read_file(log->path, &table, NULL) == SCR_OK &&
        table.column_count == width_of(log) && strcmp(table.column[0].name, name) == 0) {
        status = append(log, table.row_count, error);
        for (int64_t r = 0; r < table.row_count && status == SCR_OK; ++r, ++log->row_count) {
            for (int64_t k = 0; k < width_of(log); ++k) log->row[r * width_of(log) + k] = table.column[k].value[r];
        }
    }
    probes_table_free(&table);
    return status;
}

scr_status fit_log_open(const char *path, const study_plan *plan, const fit_data *data, uint64_t fingerprint,
                        fit_log *log, scr_error *error)
{
    *log = (fit_log){.path = path,
                     .plan = plan,
                     .fingerprint = fingerprint,
                     .parameter_count = plan->fit.axis_count,
                     .datum_count = data->count};
    scr_status status = read_rows(log, error);
    if (status == SCR_OK) status = csv_write(path, print_log, log, error);  // without half a row at its end
    if (status != SCR_OK) return status;
    log->file = fopen(path, "ab");
    return log->file != NULL ? SCR_OK : scr_fail(error, SCR_IO, "%s: cannot write: %s", path, strerror(errno));
}

scr_status fit_log_close(fit_log *log, scr_error *error)
{
    bool is_whole = log->file == NULL || fclose(log->file) == 0;
    const char *path = log->path;
    scr_free(log->row);
    *log = (fit_log){0};
    return is_whole ? SCR_OK : scr_fail(error, SCR_IO, "%s: cannot write: %s", path, strerror(errno));
}

const double *fit_log_find(const fit_log *log, const double *parameter, int64_t seed)
{
    for (int64_t r = 0; r < log->row_count; ++r) {
        const double *row = &log->row[r * width_of(log)], *there = row + BEFORE_PARAMETERS;
        if (row[1] == (double)seed && memcmp(there, parameter, (size_t)log->parameter_count * sizeof *there) == 0)
            return there + log->parameter_count;
    }
    return NULL;
}

scr_status fit_log_add(fit_log *log, int64_t evaluation, int64_t seed, const double *parameter, const double *number,
                       scr_error *error)
{
    plain_locale locale;
    scr_status status = append(log, 1, error);
    if (status == SCR_OK) status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    double *row = &log->row[log->row_count * width_of(log)];
    row[0] = (double)evaluation;
    row[1] = (double)seed;
    memcpy(row + BEFORE_PARAMETERS, parameter, (size_t)log->parameter_count * sizeof *row);
    memcpy(row + BEFORE_PARAMETERS + log->parameter_count, number, (size_t)log->datum_count * sizeof *row);
    ++log->row_count;
    print_row(log->file, log, row);
    plain_locale_leave(&locale);
    if (fflush(log->file) == 0 && fsync(fileno(log->file)) == 0) return SCR_OK;
    return scr_fail(error, SCR_IO, "%s: cannot write: %s", log->path, strerror(errno));
}
