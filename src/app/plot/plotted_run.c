// SPDX-License-Identifier: BSD-3-Clause
// What a plot shows of one run.
#include "app/plot/plotted_run.h"

#include <stdlib.h>
#include <string.h>

#include "app/plot/probe_choice.h"
#include "core/file/safe_file.h"
#include "io/run/run_title.h"
#include "view/plot/gaussian_filter.h"

scr_status plotted_run_read(plotted_run *run, const char *directory, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    run->directory = run->label = directory;
    if (!path_is_directory(directory))
        return scr_fail(error, SCR_BAD_INPUT, "%s is not a run directory: there is no such directory", directory);
    scr_status status = path_join(path, directory, "probes.csv", error);
    if (status == SCR_OK && !path_exists(path))
        status = scr_fail(error, SCR_BAD_INPUT, "%s holds no probes.csv: its scene has no probes, or it is no run",
                          directory);
    if (status == SCR_OK) status = run_title(directory, &run->title, error);
    return status == SCR_OK ? probes_table_read_file(path, &run->table, error) : status;
}

void plotted_run_free(plotted_run *run)
{
    probes_table_free(&run->table);
    scr_free(run->column);
    scr_free(run->filtered);
    free(run->title);
    *run = (plotted_run){0};
}

static const char *last_segment(const char *directory)
{
    const char *slash = strrchr(directory, '/');
    const char *segment = slash != NULL ? slash + 1 : directory;
    bool says_nothing = segment[0] == '\0' || strcmp(segment, ".") == 0 || strcmp(segment, "..") == 0;
    return says_nothing ? directory : segment;
}

void plotted_runs_label(plotted_run *runs, int count)
{
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < i; ++k) {
            if (strcmp(last_segment(runs[i].directory), last_segment(runs[k].directory)) == 0) return;
        }
    }
    for (int i = 0; i < count; ++i) runs[i].label = last_segment(runs[i].directory);
}

// Rows from `from` to `to`: the first, and how many.
static int64_t find_rows(const probes_table *t, const plotted_rows *rows, int64_t *first)
{
    const double *time = t->column[0].value;
    int64_t last = t->row_count;
    for (*first = 0; *first < t->row_count && time[*first] < rows->from;) ++*first;
    while (last > *first && time[last - 1] > rows->to) --last;
    return last - *first;
}

static scr_status fail_without_rows(const plotted_run *run, scr_error *error)
{
    const probes_table *t = &run->table;
    if (t->row_count == 0)
        return scr_fail(error, SCR_BAD_INPUT, "%s: there is no row in its probes.csv yet", run->directory);
    return scr_fail(error, SCR_BAD_INPUT, "%s has no row in that time: its rows go from %g to %g s", run->directory,
                    t->column[0].value[0], t->column[0].value[t->row_count - 1]);
}

static scr_status make_arrays(plotted_run *run, int64_t count, bool filters, scr_error *error)
{
    scr_status status = scr_make_zeros(&run->column, count, sizeof *run->column, "chosen probes", error);
    if (status == SCR_OK && filters)
        status = scr_make_zeros(&run->filtered, count * run->table.row_count, sizeof *run->filtered, "filtered probes",
                                error);
    return status;
}

static scr_status check_unit(const plotted_run *run, const probes_column *found, const probes_column *wanted,
                             scr_error *error)
{
    if (strcmp(found->unit, wanted->unit) == 0) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "%s has \"%s\" in another unit: [%s] and not [%s]", run->directory,
                    wanted->name, found->unit, wanted->unit);
}

scr_status plotted_run_select(plotted_run *run, const probes_column *const *wanted, int64_t count,
                              const plotted_rows *rows, scr_error *error)
{
    const probes_table *t = &run->table;
    const double *time = t->column[0].value;
    int64_t first;
    run->row_count = find_rows(t, rows, &first);
    if (run->row_count == 0) return fail_without_rows(run, error);
    scr_status status = make_arrays(run, count, rows->filter > 0.0, error);
    run->time = &time[first];
    for (int64_t k = 0; status == SCR_OK && k < count; ++k) {
        int64_t c = 0;
        status = probe_column_find(t, run->directory, wanted[k]->name, &c, error);
        if (status == SCR_OK) status = check_unit(run, &t->column[c], wanted[k], error);
        if (status != SCR_OK) return status;
        const double *raw = t->column[c].value, *shown = raw;
        if (rows->filter > 0.0 && c > 0) {  // time itself stays
            double *filtered = &run->filtered[k * t->row_count];
            gaussian_filter(time, raw, t->row_count, rows->filter, filtered);
            shown = filtered;
        }
        run->column[k] = (plotted_column){t->column[c].name, t->column[c].unit, &raw[first], &shown[first]};
        run->column_count = k + 1;
    }
    return status;
}
