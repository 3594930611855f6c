// SPDX-License-Identifier: BSD-3-Clause
// Figures read off a finished run.
#include "study/runs/run_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/nearest_name.h"
#include "io/json/json_cursor.h"
#include "io/json/json_memory.h"
#include "io/run/run_files.h"

enum { KEY_BYTES = 256 };

static scr_status load_summary(run_output *output, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    json_error_t where;
    scr_status status = path_join(path, output->directory, RUN_FILE_NAMES[RUN_SUMMARY], error);
    if (status != SCR_OK) return status;
    json_memory_watch();
    output->summary = json_load_file(path, 0, &where);
    if (json_memory_ran_out()) return scr_fail_memory(error, 0, path);
    if (output->summary == NULL)
        return scr_fail(error, SCR_IO, "%s:%d:%d: %s", path, where.line, where.column, where.text);
    return SCR_OK;
}

scr_status run_output_open(const char *directory, bool with_probes, run_output *output, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    *output = (run_output){0};
    snprintf(output->directory, sizeof output->directory, "%s", directory);
    scr_status status = load_summary(output, error);
    if (status == SCR_OK && with_probes) status = path_join(path, directory, RUN_FILE_NAMES[RUN_PROBES], error);
    if (status == SCR_OK && with_probes && path_exists(path))
        status = probes_table_read_file(path, &output->probes, error);
    return status;
}

void run_output_close(run_output *output)
{
    json_decref(output->summary);
    probes_table_free(&output->probes);
    *output = (run_output){0};
}

// ---- the summary ---------------------------------------------------------------------------------------------------

static json_t *member_of(json_t *value, const char *key)
{
    char *end;
    if (json_is_object(value)) return json_object_get(value, key);
    unsigned long index = strtoul(key, &end, 10);
    return json_is_array(value) && end != key && *end == '\0' ? json_array_get(value, index) : NULL;
}

// Goes down a path as far as there is something: *key is what was looked for last, *in where.
static json_t *walk(json_t *root, const char *path, char key[KEY_BYTES], json_t **in)
{
    json_t *at = root;
    char spelt[KEY_BYTES], *rest = spelt;
    snprintf(spelt, sizeof spelt, "%s", path);
    json_path_spell(spelt);
    while (at != NULL && rest != NULL) {
        char *dot = strchr(rest, '.');
        if (dot != NULL) *dot++ = '\0';
        snprintf(key, KEY_BYTES, "%s", rest);
        *in = at;
        at = member_of(at, key);
        rest = dot;
    }
    return at;
}

static scr_status fail_unknown(const run_output *output, const study_figure *figure, const char *key, json_t *in,
                               scr_error *error)
{
    nearest_name nearest = nearest_to(key);
    const char *name;
    json_t *value;
    char hint[KEY_BYTES] = "";
    json_object_foreach(in, name, value) nearest_offer(&nearest, name);
    if (nearest.best != NULL) snprintf(hint, sizeof hint, "; did you mean \"%s\"?", shown(nearest.best).text);
    return scr_fail(error, SCR_BAD_INPUT, "%s: the summary of %s has no \"%s\" for \"%s\"%s", figure->origin.text,
                    output->directory, shown(key).text, shown(figure->summary).text, hint);
}

static scr_status summary_figure(const run_output *output, const study_figure *figure, double *value, scr_error *error)
{
    char key[KEY_BYTES] = "";
    json_t *in = NULL, *found = walk(output->summary, figure->summary, key, &in);
    *value = NAN;
    if (found == NULL) return fail_unknown(output, figure, key, in, error);
    if (json_is_number(found)) *value = json_number_value(found);
    else if (!json_is_null(found))
        return scr_fail(error, SCR_BAD_INPUT, "%s: \"%s\" of the summary is %s, not a number", figure->origin.text,
                        shown(figure->summary).text, json_type_name(found));
    return SCR_OK;
}

double run_summary_number(const run_output *output, const char *path)
{
    char key[KEY_BYTES];
    json_t *in, *found = walk(output->summary, path, key, &in);
    return json_is_number(found) ? json_number_value(found) : NAN;
}

// ---- probes --------------------------------------------------------------------------------------------------------

scr_status find_column(const probes_table *t, const char *file, const char *name, const char *origin,
                       const probes_column **column, scr_error *error)
{
    nearest_name nearest = nearest_to(name);
    char hint[KEY_BYTES] = "";
    for (int64_t k = 0; k < t->column_count; ++k) {
        *column = &t->column[k];
        if (strcmp(t->column[k].name, name) == 0) return SCR_OK;
        nearest_offer(&nearest, t->column[k].name);
    }
    if (nearest.best != NULL) snprintf(hint, sizeof hint, "; did you mean \"%s\"?", shown(nearest.best).text);
    return scr_fail(error, SCR_BAD_INPUT, "%s: %s has no column \"%s\"%s", origin, file, shown(name).text, hint);
}

scr_status run_column(const run_output *output, const char *name, const char *origin, const probes_column **column,
                      scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, output->directory, RUN_FILE_NAMES[RUN_PROBES], error);
    return status == SCR_OK ? find_column(&output->probes, path, name, origin, column, error) : status;
}

static scr_status probe_figure(const run_output *output, const study_figure *figure, double *value, scr_error *error)
{
    const probes_column *column;
    scr_status status = run_column(output, figure->probe, figure->origin.text, &column, error);
    *value = NAN;
    if (status != SCR_OK) return status;
    const double *time = output->probes.column[0].value;
    double last = NAN, sum = 0.0, least = INFINITY, most = -INFINITY;
    int64_t count = 0;
    for (int64_t k = 0; k < output->probes.row_count; ++k) {
        double v = column->value[k];
        if (time[k] < figure->from || time[k] > figure->to || !isfinite(v)) continue;
        last = v;
        sum += v;
        least = fmin(least, v);
        most = fmax(most, v);
        ++count;
    }
    const double taken[] = {
        [TAKE_LAST] = last, [TAKE_MEAN] = sum / (double)count, [TAKE_MIN] = least, [TAKE_MAX] = most};
    if (count > 0) *value = taken[figure->take];
    return SCR_OK;
}

scr_status run_figure(const run_output *output, const study_figure *figure, double *value, scr_error *error)
{
    return figure->probe != NULL ? probe_figure(output, figure, value, error)
                                 : summary_figure(output, figure, value, error);
}
