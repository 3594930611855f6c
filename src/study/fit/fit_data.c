// SPDX-License-Identifier: BSD-3-Clause
// What a fit is to reproduce.
#include "study/fit/fit_data.h"

#include <math.h>
#include <stdio.h>

#include "core/base/memory.h"

static const double USUAL_ERROR = 0.05;  // of the value, or of the root mean square of a curve, where none is given

static scr_status add(fit_data *data, fit_datum datum, scr_error *error)
{
    scr_status status =
        scr_grow(&data->datum, &data->capacity, data->count + 1, sizeof *data->datum, "measured values", error);
    if (status == SCR_OK) data->datum[data->count++] = datum;
    return status;
}

static scr_status add_figure(fit_data *data, const study_target *t, int target, scr_error *error)
{
    if (t->error == 0.0 && t->value == 0.0)
        return scr_fail(error, SCR_BAD_INPUT, "%s: the value is 0: \"error\" must say how well it is known",
                        t->figure.origin.text);
    double spread = t->error > 0.0 ? t->error : USUAL_ERROR * fabs(t->value);
    return add(data, (fit_datum){target, 0.0, t->value, spread, t->weight}, error);
}

static double root_mean_square(const double *value, int64_t count)
{
    double sum = 0.0;
    for (int64_t k = 0; k < count; ++k) sum += value[k] * value[k];
    return sqrt(sum / (double)count);
}

static scr_status check_curve(const study_target *t, const probes_table *table, const probes_column *x,
                              const probes_column *y, scr_error *error)
{
    if (table->row_count == 0) return scr_fail(error, SCR_BAD_INPUT, "%s: there is no row in it", t->curve);
    for (int64_t k = 0; k < table->row_count; ++k) {
        if (!isfinite(x->value[k]) || !isfinite(y->value[k]))
            return scr_fail(error, SCR_BAD_INPUT, "%s:%lld: a measured value is no number", t->curve, (long long)k + 2);
    }
    if (t->error == 0.0 && root_mean_square(y->value, table->row_count) == 0.0)
        return scr_fail(error, SCR_BAD_INPUT, "%s: all values are 0: \"error\" must say how well they are known",
                        t->figure.origin.text);
    return SCR_OK;
}

static scr_status add_curve(fit_data *data, const study_target *t, int target, scr_error *error)
{
    probes_table table = {.takes_any = true};
    const probes_column *x, *y;
    scr_status status = probes_table_read_file(t->curve, &table, error);
    if (status == SCR_OK) status = find_column(&table, t->curve, t->against, t->figure.origin.text, &x, error);
    if (status == SCR_OK) status = find_column(&table, t->curve, t->measured, t->figure.origin.text, &y, error);
    if (status == SCR_OK) status = check_curve(t, &table, x, y, error);
    if (status == SCR_OK) {
        double spread = t->error > 0.0 ? t->error : USUAL_ERROR * root_mean_square(y->value, table.row_count);
        snprintf(data->unit[target], sizeof data->unit[target], "%s", y->unit);
        for (int64_t k = 0; k < table.row_count && status == SCR_OK; ++k)
            status = add(data, (fit_datum){target, x->value[k], y->value[k], spread, t->weight}, error);
    }
    probes_table_free(&table);
    return status;
}

scr_status fit_data_make(const study_plan *plan, fit_data *data, scr_error *error)
{
    *data = (fit_data){0};
    scr_status status = SCR_OK;
    for (int k = 0; k < plan->fit.target_count && status == SCR_OK; ++k) {
        const study_target *t = &plan->fit.target[k];
        status = t->curve != NULL ? add_curve(data, t, k, error) : add_figure(data, t, k, error);
    }
    if (status == SCR_OK && data->count < plan->fit.axis_count)
        status = scr_fail(error, SCR_BAD_INPUT, "%s: %d parameters cannot be found from %lld measured value%s",
                          plan->path, plan->fit.axis_count, (long long)data->count, data->count == 1 ? "" : "s");
    return status;
}

void fit_data_free(fit_data *data)
{
    scr_free(data->datum);
    *data = (fit_data){0};
}

double curve_at(const double *x, const double *y, int64_t count, double at)
{
    int64_t nearest = -1;
    double distance = INFINITY;
    for (int64_t k = 0; k < count; ++k) {
        if (!isfinite(x[k]) || !isfinite(y[k])) continue;
        if (fabs(x[k] - at) < distance) {
            nearest = k;
            distance = fabs(x[k] - at);
        }
        bool is_between = k + 1 < count && isfinite(y[k + 1]) && (x[k] - at) * (x[k + 1] - at) <= 0.0;
        if (is_between && x[k + 1] != x[k]) return y[k] + (y[k + 1] - y[k]) * ((at - x[k]) / (x[k + 1] - x[k]));
    }
    return nearest >= 0 ? y[nearest] : NAN;
}

scr_status fit_data_model(const fit_data *data, const study_plan *plan, const run_output *output, double *model,
                          scr_error *error)
{
    scr_status status = SCR_OK;
    const probes_column *x = NULL, *y = NULL;
    int looked_up = -1;
    for (int64_t k = 0; k < data->count && status == SCR_OK; ++k) {
        const fit_datum *datum = &data->datum[k];
        const study_target *t = &plan->fit.target[datum->target];
        const char *origin = t->figure.origin.text;
        if (t->curve == NULL) {
            status = run_figure(output, &t->figure, &model[k], error);
            continue;
        }
        if (looked_up != datum->target) {
            status = run_column(output, t->against, origin, &x, error);
            if (status == SCR_OK) status = run_column(output, t->figure.probe, origin, &y, error);
            looked_up = datum->target;
        }
        if (status == SCR_OK) model[k] = curve_at(x->value, y->value, output->probes.row_count, datum->across);
    }
    return status;
}
