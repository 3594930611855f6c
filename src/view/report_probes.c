// probes.csv for a report.
#include "view/report_probes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/plain_locale.h"
#include "io/safe_file.h"

// One line after the other, without its end.
typedef struct line_reader {
    FILE *file;
    const char *path;
    char *text;
    size_t capacity;
    int64_t number;  // of the line, from 1
} line_reader;

// False at the end of the file, and for a last line that is not whole.
static bool next_line(line_reader *r)
{
    ssize_t length = getline(&r->text, &r->capacity, r->file);
    if (length <= 0 || r->text[length - 1] != '\n') return false;
    r->text[length - 1] = '\0';
    ++r->number;
    return true;
}

// "floor.fz [N]": names have no comma in them, and no dot but the one before the column.
static json_t *column_of(char *text)
{
    char *unit = strrchr(text, '[');
    size_t length = strlen(text);
    if (unit == NULL || unit == text || unit[-1] != ' ' || text[length - 1] != ']')
        return json_pack("{s:s, s:s}", "name", text, "unit", "");
    text[length - 1] = '\0';
    unit[-1] = '\0';
    return json_pack("{s:s, s:s}", "name", text, "unit", unit + 1);
}

static scr_status read_columns(line_reader *r, report_probes *p, scr_error *error)
{
    if (!next_line(r)) return SCR_OK;
    for (char *rest = r->text, *name; (name = strsep(&rest, ",")) != NULL;) {
        json_t *column = column_of(name);
        if (column == NULL) return scr_fail(error, SCR_IO, "%s:1: the names of columns are not text", r->path);
        if (json_array_append_new(p->column, column) != 0) return scr_fail_memory(error, 0, "the names of probes");
    }
    return SCR_OK;
}

static scr_status read_row(const line_reader *r, report_probes *p, int64_t row, scr_error *error)
{
    size_t columns = json_array_size(p->column);
    const char *at = r->text;
    for (size_t c = 0; c < columns; ++c) {
        char *end;
        p->value[c * (size_t)p->row_count + (size_t)row] = strtod(at, &end);
        if (end == at || *end != (c + 1 < columns ? ',' : '\0'))
            return scr_fail(error, SCR_IO, "%s:%lld: damaged: a row should have %zu numbers", r->path,
                            (long long)r->number, columns);
        at = end + 1;
    }
    return SCR_OK;
}

// Every stride-th row of the table, and the last one.
static scr_status read_rows(line_reader *r, report_probes *p, scr_error *error)
{
    scr_status status = SCR_OK;
    int64_t kept = 0;
    for (int64_t row = 0; row < p->row_total && status == SCR_OK; ++row) {
        if (!next_line(r)) return scr_fail(error, SCR_IO, "%s: changed while it was read", r->path);
        if (row % p->stride == 0 || row == p->row_total - 1) status = read_row(r, p, kept++, error);
    }
    return status;
}

static void choose_rows(report_probes *p, int64_t budget)
{
    int64_t row_bytes = (int64_t)(json_array_size(p->column) * sizeof *p->value);
    int64_t most = budget / row_bytes > 2 ? budget / row_bytes - 1 : 1;
    p->stride = p->row_total > most ? (p->row_total + most - 1) / most : 1;
    p->row_count = p->row_total == 0 ? 0 : (p->row_total - 1) / p->stride + 1 + ((p->row_total - 1) % p->stride != 0);
}

static scr_status read_table(line_reader *r, report_probes *p, int64_t budget, scr_error *error)
{
    scr_status status = read_columns(r, p, error);
    if (status != SCR_OK || json_array_size(p->column) == 0) return status;
    long start = ftell(r->file);
    while (next_line(r)) ++p->row_total;
    choose_rows(p, budget);
    status = scr_make_zeros(&p->value, p->row_count * (int64_t)json_array_size(p->column), sizeof *p->value, "probes",
                            error);
    if (status != SCR_OK) return status;
    if (fseek(r->file, start, SEEK_SET) != 0)
        return scr_fail(error, SCR_IO, "%s: cannot read: %s", r->path, strerror(errno));
    r->number = 1;
    return read_rows(r, p, error);
}

scr_status report_probes_read(const char *path, int64_t budget, report_probes *p, scr_error *error)
{
    *p = (report_probes){.column = json_array(), .stride = 1};
    if (p->column == NULL) return scr_fail_memory(error, 0, "the names of probes");
    if (!path_exists(path)) return SCR_OK;
    line_reader r = {.file = fopen(path, "r"), .path = path};
    if (r.file == NULL) return scr_fail(error, SCR_IO, "%s: cannot read: %s", path, strerror(errno));
    plain_locale locale;
    scr_status status = plain_locale_enter(&locale, error);
    if (status == SCR_OK) {
        status = read_table(&r, p, budget, error);
        plain_locale_leave(&locale);
    }
    fclose(r.file);
    free(r.text);
    return status;
}

void report_probes_free(report_probes *p)
{
    json_decref(p->column);
    scr_free(p->value);
    *p = (report_probes){0};
}
