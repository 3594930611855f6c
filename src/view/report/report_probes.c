// SPDX-License-Identifier: BSD-3-Clause
// probes.csv for a report.
#include "view/report/report_probes.h"

#include "core/base/memory.h"
#include "core/file/safe_file.h"
#include "io/run/probes_table.h"

static void choose_rows(report_probes *p, int64_t columns, int64_t budget)
{
    int64_t row_bytes = columns * (int64_t)sizeof *p->value;
    int64_t most = budget / row_bytes > 2 ? budget / row_bytes - 1 : 1;
    p->stride = p->row_total > most ? (p->row_total + most - 1) / most : 1;
    p->row_count = p->row_total == 0 ? 0 : (p->row_total - 1) / p->stride + 1 + ((p->row_total - 1) % p->stride != 0);
}

// Every stride-th row of the table, and the last one.
static scr_status take_table(const probes_table *t, const char *path, int64_t budget, report_probes *p,
                             scr_error *error)
{
    p->row_total = t->row_count;
    choose_rows(p, t->column_count, budget);
    scr_status status = scr_make_zeros(&p->value, p->row_count * t->column_count, sizeof *p->value, "probes", error);
    for (int64_t c = 0; c < t->column_count && status == SCR_OK; ++c) {
        json_t *column = json_pack("{s:s, s:s}", "name", t->column[c].name, "unit", t->column[c].unit);
        if (column == NULL) return scr_fail(error, SCR_IO, "%s:1: the names of columns are not text", path);
        if (json_array_append_new(p->column, column) != 0) return scr_fail_memory(error, 0, "the names of probes");
        double *kept = p->value + c * p->row_count;
        for (int64_t row = 0; row < p->row_total; ++row)
            if (row % p->stride == 0 || row == p->row_total - 1) *kept++ = t->column[c].value[row];
    }
    return status;
}

scr_status report_probes_read(const char *path, int64_t budget, report_probes *p, scr_error *error)
{
    *p = (report_probes){.column = json_array(), .stride = 1};
    if (p->column == NULL) return scr_fail_memory(error, 0, "the names of probes");
    if (!path_exists(path)) return SCR_OK;
    probes_table table = {0};
    scr_status status = probes_table_read_file(path, &table, error);
    if (status == SCR_OK && table.column_count > 0) status = take_table(&table, path, budget, p, error);
    probes_table_free(&table);
    return status;
}

void report_probes_free(report_probes *p)
{
    json_decref(p->column);
    scr_free(p->value);
    *p = (report_probes){0};
}
