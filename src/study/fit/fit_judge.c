// SPDX-License-Identifier: BSD-3-Clause
// What is known around the minimum of a fit.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "study/fit/fit.h"
#include "study/fit/least_squares.h"

static const double POLISH_MOST = 0.05;  // of a parameter's range

// The residuals of some numbers, each over its error.
static void residuals_of(const fit_data *data, const double *model, double *residual)
{
    for (int64_t k = 0; k < data->count; ++k) {
        const fit_datum *d = &data->datum[k];
        residual[k] = sqrt(d->weight) * (model[k] - d->measured) / d->error;
    }
}

// A column of the Jacobian by central differences, within the range.
static scr_status differentiate(fit *f, const double *place, int axis, double *jacobian, double *residual,
                                scr_error *error)
{
    double ends[2][AXES_MAX], objective, step = f->plan->fit.step;
    int n = f->plan->fit.axis_count;
    scr_status status = SCR_OK;
    for (int e = 0; e < 2; ++e) {
        memcpy(ends[e], place, (size_t)n * sizeof *place);
        ends[e][axis] = fmin(fmax(place[axis] + (e == 0 ? -step : step), 0.0), 1.0);
    }
    for (int e = 0; e < 2 && status == SCR_OK; ++e) {
        status = fit_evaluate(f, ends[e], &objective, error);
        if (status == SCR_OK) residuals_of(f->data, f->model, &residual[e * f->data->count]);
    }
    for (int64_t k = 0; k < f->data->count && status == SCR_OK; ++k)
        jacobian[k * n + axis] = (residual[f->data->count + k] - residual[k]) / (ends[1][axis] - ends[0][axis]);
    return status;
}

// Change of the value over that of its place.
static double slope_of(const study_axis *axis, double value)
{
    return axis->is_log ? value * log(axis->to / axis->from) : axis->to - axis->from;
}

// The scatter over the seeds of the answer that each alone would give.
static void judge_seeds(const fit *f, const double *jacobian, const double *inverse, double *residual,
                        double *deviation)
{
    int n = f->plan->fit.axis_count, count = 0;
    double step[AXES_MAX], mean[AXES_MAX] = {0.0}, squares[AXES_MAX] = {0.0};
    for (int s = 0; s < f->plan->seed_count; ++s) {
        residuals_of(f->data, &f->seed_model[s * f->data->count], residual);
        gauss_newton_step(jacobian, inverse, residual, f->data->count, n, step);
        if (!isfinite(step[0])) continue;  // a seed whose run failed
        ++count;
        for (int k = 0; k < n; ++k) {  // Welford's sums
            double off = step[k] - mean[k];
            mean[k] += off / count;
            squares[k] += off * (step[k] - mean[k]);
        }
    }
    for (int k = 0; k < n; ++k) deviation[k] = count > 1 ? sqrt(squares[k] / (count - 1) / count) : NAN;
}

static double sensitivity_of(const double *jacobian, int64_t count, int n, int axis)
{
    double sum = 0.0;
    for (int64_t k = 0; k < count; ++k) sum += jacobian[k * n + axis] * jacobian[k * n + axis];
    return sqrt(sum / (double)count);
}

static void set_uncertainties(const fit *f, const double *jacobian, const double *inverse, const double *seeds,
                              fit_result *r)
{
    int n = f->plan->fit.axis_count;
    double factor = r->mean_square > 1.0 ? r->mean_square : 1.0, tolerance = f->plan->fit.tolerance;
    bool is_determined = r->is_determined;
    for (int k = 0; k < n; ++k) {
        fit_parameter *p = &r->parameter[k];
        const study_axis *axis = &f->plan->fit.axis[k];
        double place = r->minimum.place[k];
        p->value = study_axis_value(axis, place);
        double slope = slope_of(axis, p->value);
        p->is_at_bound = place < tolerance || place > 1.0 - tolerance;
        p->from_search = tolerance * slope;
        p->sensitivity = sensitivity_of(jacobian, f->data->count, n, k);
        bool is_told = is_determined && factor * inverse[k * n + k] < 1.0;  // within its range
        r->is_determined = r->is_determined && is_told;
        p->from_measurement = is_told ? slope * sqrt(factor * inverse[k * n + k]) : NAN;
        p->from_seeds = is_told ? slope * seeds[k] : NAN;
        double from_seeds = isfinite(p->from_seeds) ? p->from_seeds : 0.0;
        p->uncertainty =
            sqrt(p->from_measurement * p->from_measurement + from_seeds * from_seeds + p->from_search * p->from_search);
        for (int j = 0; j < n; ++j)
            r->correlation[k * n + j] =
                is_determined ? inverse[k * n + j] / sqrt(inverse[k * n + k] * inverse[j * n + j]) : NAN;
    }
}

static scr_status keep_model(const fit *f, fit_result *r, scr_error *error)
{
    size_t bytes = (size_t)f->data->count * sizeof *f->model;
    scr_status status = scr_make_zeros(&r->model, f->data->count, sizeof *r->model, "a fit", error);
    if (status == SCR_OK) status = scr_make_zeros(&r->deviation, f->data->count, sizeof *r->deviation, "a fit", error);
    if (status != SCR_OK) return status;
    memcpy(r->model, f->model, bytes);
    memcpy(r->deviation, f->deviation, bytes);
    return SCR_OK;
}

// The Jacobian knows more of the bottom of a long valley than the search did: one step of Gauss and Newton, if it is
// short and leads down.
static scr_status polish(fit *f, const double *jacobian, const double *inverse, double *residual, fit_result *r,
                         scr_error *error)
{
    double step[AXES_MAX], place[AXES_MAX], objective;
    int n = f->plan->fit.axis_count;
    scr_status status = fit_evaluate(f, r->minimum.place, &objective, error);
    if (status != SCR_OK) return status;
    residuals_of(f->data, f->model, residual);
    gauss_newton_step(jacobian, inverse, residual, f->data->count, n, step);
    for (int k = 0; k < n; ++k) {
        if (!(fabs(step[k]) < POLISH_MOST)) return SCR_OK;
        place[k] = fmin(fmax(r->minimum.place[k] + step[k], 0.0), 1.0);
    }
    status = fit_evaluate(f, place, &objective, error);
    if (status != SCR_OK || !(objective < r->minimum.value)) return status;
    memcpy(r->minimum.place, place, (size_t)n * sizeof *place);
    r->minimum.value = objective;
    return SCR_OK;
}

scr_status fit_judge(fit *f, fit_result *r, scr_error *error)
{
    int n = f->plan->fit.axis_count;
    int64_t count = f->data->count;
    double *jacobian = NULL, *residual = NULL, inverse[AXES_MAX * AXES_MAX], seeds[AXES_MAX], objective;
    scr_status status = scr_make_zeros(&jacobian, count * n, sizeof *jacobian, "derivatives", error);
    if (status == SCR_OK) status = scr_make_zeros(&residual, 2 * count, sizeof *residual, "derivatives", error);
    for (int k = 0; k < n && status == SCR_OK; ++k)
        status = differentiate(f, r->minimum.place, k, jacobian, residual, error);
    r->is_determined = status == SCR_OK && normal_inverse(jacobian, count, n, inverse);
    if (r->is_determined) status = polish(f, jacobian, inverse, residual, r, error);
    if (status == SCR_OK) status = fit_evaluate(f, r->minimum.place, &objective, error);
    if (status == SCR_OK) status = keep_model(f, r, error);
    if (status == SCR_OK) {
        r->mean_square = count > n ? objective / (double)(count - n) : NAN;
        if (r->is_determined) judge_seeds(f, jacobian, inverse, residual, seeds);
        set_uncertainties(f, jacobian, inverse, seeds, r);
    }
    scr_free(jacobian);
    scr_free(residual);
    return status;
}
