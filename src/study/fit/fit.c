// SPDX-License-Identifier: BSD-3-Clause
// Evaluations of a fit, and the search.
#include "study/fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/text/checksum.h"
#include "core/text/plain_locale.h"
#include "io/json/json_write.h"
#include "study/table/study_table.h"

static const double DISCOURAGING = 10.0;  // times the worst objective so far, where no run gave a number

static void add_text(checksum *sum, const char *text)
{
    if (text != NULL) checksum_add(sum, text, strlen(text));
    checksum_add(sum, "", 1);
}

typedef struct value_texts {
    number_text number[AXES_MAX];
    const char *text[AXES_MAX];
} value_texts;

static scr_status write_values(const double *parameter, int count, value_texts *v, scr_error *error)
{
    plain_locale locale;
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    for (int k = 0; k < count; ++k) {
        v->number[k] = json_number_text(parameter[k]);
        v->text[k] = v->number[k].text;
    }
    plain_locale_leave(&locale);
    return SCR_OK;
}

scr_status fit_fingerprint(const study_plan *plan, const fit_data *data, uint64_t *fingerprint, scr_error *error)
{
    const study_fit *f = &plan->fit;
    double start[AXES_MAX];
    value_texts values;
    study_case c = {0};
    for (int k = 0; k < f->axis_count; ++k) start[k] = f->axis[k].start;
    scr_status status = write_values(start, f->axis_count, &values, error);
    if (status == SCR_OK) status = study_case_make(plan, f->axis, f->axis_count, values.text, 0, &c, error);
    checksum sum = checksum_begin();
    checksum_add(&sum, &c.fingerprint, sizeof c.fingerprint);
    for (int k = 0; k < f->axis_count; ++k) add_text(&sum, f->axis[k].path);
    for (int k = 0; k < f->target_count; ++k) {
        const study_figure *figure = &f->target[k].figure;
        const double numbers[] = {figure->take, figure->from, figure->to};
        add_text(&sum, figure->summary);
        add_text(&sum, figure->probe);
        add_text(&sum, f->target[k].against);
        checksum_add(&sum, numbers, sizeof numbers);
    }
    for (int64_t k = 0; k < data->count; ++k) checksum_add(&sum, &data->datum[k].across, sizeof(double));
    *fingerprint = checksum_value(&sum);
    study_case_free(&c);
    return status;
}

scr_status fit_begin(fit *f, scr_error *error)
{
    int64_t numbers = f->data->count;
    scr_status status =
        scr_make_zeros(&f->seed_model, numbers * f->plan->seed_count, sizeof *f->seed_model, "a fit", error);
    if (status == SCR_OK) status = scr_make_zeros(&f->model, numbers, sizeof *f->model, "a fit", error);
    if (status == SCR_OK) status = scr_make_zeros(&f->deviation, numbers, sizeof *f->deviation, "a fit", error);
    return status;
}

void fit_free(fit *f)
{
    scr_free(f->seed_model);
    scr_free(f->model);
    scr_free(f->deviation);
    scr_free(f->evaluation);
    f->seed_model = f->model = f->deviation = NULL;
    f->evaluation = NULL;
}

void fit_result_free(fit_result *result)
{
    scr_free(result->model);
    scr_free(result->deviation);
    *result = (fit_result){0};
}

// ---- one evaluation ------------------------------------------------------------------------------------------------

static int64_t seed_of(const fit *f, int index) { return f->plan->seeds != NULL ? f->plan->seeds[index] : -1; }

// The numbers of a run that has ended; none if it failed.
static scr_status read_run(fit *f, const study_run *run, double *model, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    run_output output = {0};
    for (int64_t k = 0; k < f->data->count; ++k) model[k] = NAN;
    if (run->state == STUDY_FAILED) snprintf(f->reason, sizeof f->reason, "%s", run->reason);
    if (run->state != STUDY_DONE) return SCR_OK;
    scr_status status = study_run_path(f->directory, run->number, "", path, error);
    if (status == SCR_OK) status = run_output_open(path, true, &output, error);
    if (status == SCR_OK) status = fit_data_model(f->data, f->plan, &output, model, error);
    run_output_close(&output);
    return status;
}

// Those seeds whose numbers are not known: run, read, written down.
static scr_status run_seeds(fit *f, const double *parameter, const int *seed, int count, scr_error *error)
{
    study_list list = {0};
    value_texts values;
    int n = f->plan->fit.axis_count;
    scr_status status = write_values(parameter, n, &values, error);
    if (status == SCR_OK) status = study_list_reserve(&list, count, error);
    for (int k = 0; k < count && status == SCR_OK; ++k)
        status = study_list_add(&list, f->plan, f->plan->fit.axis, n, values.text, seed[k], error);
    if (status == SCR_OK) status = study_list_place(&list, f->directory, error);
    if (status == SCR_OK) status = run_pool_work(&f->pool, f->directory, list.runs, list.run_count, error);
    for (int k = 0; k < count && status == SCR_OK; ++k) {
        double *model = &f->seed_model[seed[k] * f->data->count];
        status = read_run(f, &list.runs[list.run_of[k]], model, error);
        if (status == SCR_OK)
            status = fit_log_add(f->log, f->evaluation_count + 1, seed_of(f, seed[k]), parameter, model, error);
    }
    study_list_free(&list);
    return status;
}

static scr_status find_models(fit *f, fit_evaluation *e, scr_error *error)
{
    int missing[SEEDS_MAX], count = 0;
    for (int s = 0; s < f->plan->seed_count; ++s) {
        const double *known = fit_log_find(f->log, e->parameter, seed_of(f, s));
        if (known == NULL) missing[count++] = s;
        else memcpy(&f->seed_model[s * f->data->count], known, (size_t)f->data->count * sizeof *known);
    }
    e->is_new = count > 0;
    return count > 0 ? run_seeds(f, e->parameter, missing, count, error) : SCR_OK;
}

// Means over the seeds, and the sum of squares; false if there is a number that no run gave.
static bool compare(fit *f, double *objective)
{
    bool is_whole = true;
    *objective = 0.0;
    for (int64_t k = 0; k < f->data->count; ++k) {
        const fit_datum *datum = &f->data->datum[k];
        figure_statistics s = statistics_of(&f->seed_model[k], f->plan->seed_count, f->data->count);
        f->model[k] = s.mean;
        f->deviation[k] = s.deviation;
        if (s.count == 0) is_whole = false;
        double off = (s.mean - datum->measured) / datum->error;
        *objective += datum->weight * off * off;
    }
    return is_whole;
}

scr_status fit_evaluate(fit *f, const double *place, double *objective, scr_error *error)
{
    fit_evaluation e = {.number = f->evaluation_count + 1};
    for (int k = 0; k < f->plan->fit.axis_count; ++k)
        e.parameter[k] = study_axis_value(&f->plan->fit.axis[k], place[k]);
    scr_status status = find_models(f, &e, error);
    if (status == SCR_OK)
        status = scr_grow(&f->evaluation, &f->evaluation_capacity, f->evaluation_count + 1, sizeof *f->evaluation,
                          "evaluations", error);
    if (status != SCR_OK) return status;
    e.is_failed = !compare(f, &e.objective);
    if (e.is_failed && f->evaluation_count == 0)
        return scr_fail(error, SCR_DIVERGED, "no run gives the numbers of the targets at the start of the fit%s%s",
                        f->reason[0] != '\0' ? ": " : "", f->reason);
    if (e.is_failed) e.objective = DISCOURAGING * (1.0 + f->worst);
    else f->worst = fmax(f->worst, e.objective);
    f->evaluation[f->evaluation_count++] = e;
    *objective = e.objective;
    if (f->tell != NULL) f->tell(f->context, &e);
    return SCR_OK;
}

static scr_status evaluate_for_search(void *context, const double *place, double *value, scr_error *error)
{
    return fit_evaluate(context, place, value, error);
}

// Where in its range a value lies.
static double place_of(const study_axis *axis, double value)
{
    if (axis->is_log) return log(value / axis->from) / log(axis->to / axis->from);
    return (value - axis->from) / (axis->to - axis->from);
}

scr_status fit_run(fit *f, fit_result *result, scr_error *error)
{
    const study_fit *plan = &f->plan->fit;
    double start[AXES_MAX];
    const fit_search search = {.n = plan->axis_count,
                               .method = plan->method,
                               .restarts = plan->restarts,
                               .evaluations_max = plan->evaluations_max,
                               .tolerance = plan->tolerance,
                               .seed = f->plan->design_seed};
    *result = (fit_result){0};
    for (int k = 0; k < plan->axis_count; ++k) start[k] = place_of(&plan->axis[k], plan->axis[k].start);
    scr_status status = fit_search_run(&search, start, evaluate_for_search, f, &result->minimum, error);
    return status == SCR_OK ? fit_judge(f, result, error) : status;
}
