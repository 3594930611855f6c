// SPDX-License-Identifier: BSD-3-Clause
// What a fit found, as files.
#include "study/fit/fit_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/csv_text.h"
#include "io/json/json_memory.h"
#include "io/json/json_write.h"
#include "study/table/result_page.h"

typedef struct fit_found {
    const fit *f;
    const fit_result *r;
} fit_found;

// ---- what to mind --------------------------------------------------------------------------------------------------

static bool is_any_at_bound(const fit *f, const fit_result *r)
{
    for (int k = 0; k < f->plan->fit.axis_count; ++k) {
        if (r->parameter[k].is_at_bound) return true;
    }
    return false;
}

const char *fit_warning(const fit *f, const fit_result *r, int k)
{
    const struct {
        bool is_so;
        const char *sentence;
    } all[] = {
        {!r->minimum.is_converged, "the search ended at max_evaluations, before its steps were as small as tolerance"},
        {is_any_at_bound(f, r), "a parameter is at the end of its range: the best value may lie beyond"},
        {!r->is_determined,
         "the targets tell nothing of some parameter, or do not tell it from another: other answers fit as well"},
        {r->mean_square > 4.0,
         "the fit misses the targets by more than twice their errors: the scene may lack something"},
        {f->plan->seed_count == 1, "there is one seed: what chance does to the answer is not in its uncertainty"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        if (all[i].is_so && k-- == 0) return all[i].sentence;
    }
    return NULL;
}

// ---- fit.json ------------------------------------------------------------------------------------------------------

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *parameter_object(const study_axis *axis, const fit_parameter *p)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:[o, o], s:b}", "name", axis->name, "unit", axis->unit,
                     "value", number(p->value), "uncertainty", number(p->uncertainty), "from_measurement",
                     number(p->from_measurement), "from_seeds", number(p->from_seeds), "from_search",
                     number(p->from_search), "sensitivity", number(p->sensitivity), "range", number(axis->from),
                     number(axis->to), "at_bound", p->is_at_bound);
}

static json_t *correlation_list(const fit_result *r, int n)
{
    json_t *rows = json_array();
    for (int i = 0; i < n; ++i) {
        json_t *row = json_array();
        for (int j = 0; j < n; ++j) json_array_append_new(row, number(r->correlation[i * n + j]));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *fit_object(const fit *f, const fit_result *r)
{
    int n = f->plan->fit.axis_count;
    json_t *o = json_object(), *parameters = json_object(), *warnings = json_array();
    for (int k = 0; k < n; ++k)
        json_object_set_new(parameters, f->plan->fit.axis[k].path,
                            parameter_object(&f->plan->fit.axis[k], &r->parameter[k]));
    for (int k = 0; fit_warning(f, r, k) != NULL; ++k)
        json_array_append_new(warnings, json_string(fit_warning(f, r, k)));
    json_object_set_new(o, "title", json_string(f->plan->title));
    json_object_set_new(o, "scene", json_string(f->plan->scene));
    json_object_set_new(o, "warnings", warnings);
    json_object_set_new(o, "parameters", parameters);
    json_object_set_new(o, "correlation", correlation_list(r, n));
    json_object_set_new(o, "objective", number(r->minimum.value));
    json_object_set_new(o, "mean_square", number(r->mean_square));
    json_object_set_new(o, "values", json_integer((json_int_t)f->data->count));
    json_object_set_new(o, "evaluations", json_integer((json_int_t)f->evaluation_count));
    json_object_set_new(o, "seeds", json_integer(f->plan->seed_count));
    json_object_set_new(o, "converged", json_boolean(r->minimum.is_converged));
    return o;
}

static scr_status write_json(const fit *f, const fit_result *r, scr_error *error)
{
    char path[PATH_LENGTH_MAX], *text = NULL;
    scr_status status = study_file_path(f->directory, "fit.json", path, error);
    if (status != SCR_OK) return status;
    json_memory_watch();
    json_t *object = fit_object(f, r);
    status = json_write_text(object, &text, error);
    json_decref(object);
    if (status == SCR_OK) status = file_replace(path, text, strlen(text), error);
    free(text);
    return status;
}

// ---- tables --------------------------------------------------------------------------------------------------------

static void print_numbers(FILE *out, const double *number_list, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        fputc(',', out);
        csv_print_number(out, number_list[k]);
    }
    fputc('\n', out);
}

static void print_parameters(FILE *out, const void *context)
{
    const fit_found *found = context;
    const study_fit *plan = &found->f->plan->fit;
    fputs("parameter,value,uncertainty,from measurement,from seeds,from search,sensitivity\n", out);
    for (int k = 0; k < plan->axis_count; ++k) {
        const fit_parameter *p = &found->r->parameter[k];
        csv_print_name(out, plan->axis[k].name, plan->axis[k].unit);
        print_numbers(
            out,
            (double[]){p->value, p->uncertainty, p->from_measurement, p->from_seeds, p->from_search, p->sensitivity},
            6);
    }
}

static void print_targets(FILE *out, const void *context)
{
    const fit_found *found = context;
    fputs("target,across,measured,error,fitted,deviation\n", out);
    for (int64_t k = 0; k < found->f->data->count; ++k) {
        const fit_datum *d = &found->f->data->datum[k];
        const study_target *t = &found->f->plan->fit.target[d->target];
        csv_print_text(out, t->figure.name);
        print_numbers(out,
                      (double[]){t->curve != NULL ? d->across : NAN, d->measured, d->error, found->r->model[k],
                                 found->r->deviation[k]},
                      5);
    }
}

static scr_status write_tables(const fit *f, const fit_result *r, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    const fit_found found = {f, r};
    scr_status status = study_file_path(f->directory, "fit.csv", path, error);
    if (status == SCR_OK) status = csv_write(path, print_parameters, &found, error);
    if (status == SCR_OK) status = study_file_path(f->directory, "fit_targets.csv", path, error);
    return status == SCR_OK ? csv_write(path, print_targets, &found, error) : status;
}

// ---- fit.html ------------------------------------------------------------------------------------------------------

// Uncertainties are themselves known to a digit or two.
static void show_roughly(result_page *page, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.2g", value);
    if (isfinite(value) && fabs(value) < 100.0) result_table_cell(page, text);
    else result_table_number(page, isfinite(value) ? round(value) : value);
}

static void show_parameters(result_page *page, const fit *f, const fit_result *r)
{
    static const char *const heads[] = {"parameter",   "value",       "from measurement", "from seeds",
                                        "from search", "sensitivity", "searched from",    "to"};
    char name[300];
    result_table_begin(page);
    for (size_t k = 0; k < sizeof heads / sizeof *heads; ++k) result_table_cell(page, heads[k]);
    for (int k = 0; k < f->plan->fit.axis_count; ++k) {
        const study_axis *axis = &f->plan->fit.axis[k];
        const fit_parameter *p = &r->parameter[k];
        result_table_row(page);
        snprintf(name, sizeof name, axis->unit[0] != '\0' ? "%.200s (%.64s)" : "%.200s", axis->name, axis->unit);
        result_table_cell(page, name);
        result_table_spread(page, p->value, p->uncertainty);
        const double rough[] = {p->from_measurement, p->from_seeds, p->from_search, p->sensitivity};
        for (size_t i = 0; i < sizeof rough / sizeof *rough; ++i) show_roughly(page, rough[i]);
        result_table_number(page, axis->from);
        result_table_number(page, axis->to);
    }
    result_table_end(page);
}

static void show_figures(result_page *page, const fit *f, const fit_result *r)
{
    result_table_begin(page);
    result_table_cell(page, "target");
    result_table_cell(page, "measured");
    result_table_cell(page, "fitted");
    for (int64_t k = 0; k < f->data->count; ++k) {
        const fit_datum *d = &f->data->datum[k];
        const study_target *t = &f->plan->fit.target[d->target];
        if (t->curve != NULL) continue;
        result_table_row(page);
        result_table_cell(page, t->figure.name);
        result_table_spread(page, d->measured, d->error);
        result_table_spread(page, r->model[k], r->deviation[k]);
    }
    result_table_end(page);
}

static bool has_figures(const fit *f)
{
    for (int k = 0; k < f->plan->fit.target_count; ++k) {
        if (f->plan->fit.target[k].curve == NULL) return true;
    }
    return false;
}

static scr_status write_html(const fit *f, const fit_result *r, scr_error *error)
{
    char path[PATH_LENGTH_MAX], svg[PATH_LENGTH_MAX], other[PATH_LENGTH_MAX];
    result_page page;
    scr_status status = study_file_path(f->directory, "fit.html", path, error);
    if (status == SCR_OK) status = study_file_path(f->directory, "fit.svg", svg, error);
    if (status == SCR_OK) status = study_file_path(f->directory, "fit_parameters.svg", other, error);
    if (status == SCR_OK)
        status = result_page_begin(&page, path, f->plan->title[0] != '\0' ? f->plan->title : "A fit", error);
    if (status != SCR_OK) return status;
    result_page_paragraph(&page, "Scene %s; %lld measured values, %d seed%s, %lld evaluations; objective %.6g.",
                          f->plan->scene, (long long)f->data->count, f->plan->seed_count,
                          f->plan->seed_count == 1 ? "" : "s", (long long)f->evaluation_count, r->minimum.value);
    for (int k = 0; fit_warning(f, r, k) != NULL; ++k) result_page_paragraph(&page, "Mind: %s.", fit_warning(f, r, k));
    show_parameters(&page, f, r);
    result_page_paragraph(&page,
                          "Uncertainties are standard deviations. Sensitivity: by how many of their errors the targets "
                          "move (root mean square) as the parameter goes through its range.");
    result_page_heading(&page, "Measured and fitted");
    if (has_figures(f)) show_figures(&page, f, r);
    status = result_page_picture(&page, svg, "measured and fitted curves, and the objective", error);
    if (status == SCR_OK) result_page_heading(&page, "The objective around the answer");
    if (status == SCR_OK) status = result_page_picture(&page, other, "the objective against each parameter", error);
    return result_page_end(&page, status, error);
}

scr_status fit_report_write(const fit *f, const fit_result *r, scr_error *error)
{
    scr_status status = write_tables(f, r, error);
    if (status == SCR_OK) status = fit_plots_write(f, r, error);
    if (status == SCR_OK) status = write_html(f, r, error);
    return status == SCR_OK ? write_json(f, r, error) : status;  // last: it says that all is there
}
