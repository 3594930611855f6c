// SPDX-License-Identifier: BSD-3-Clause
// The points of a sweep.
#include "study/plan/study_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/text/plain_locale.h"
#include "io/json/json_write.h"

static int64_t point_count(const study_plan *plan)
{
    if (plan->sample_count > 0) return plan->sample_count;
    if (plan->axis_count == 0) return 1;  // only seeds vary
    if (plan->design == DESIGN_LIST) return plan->axis[0].count;
    int64_t count = 1;
    for (int k = 0; k < plan->axis_count; ++k) count *= plan->axis[k].count;
    return count;
}

// The decimal number that was meant: a third of the way from 0.2 to 0.5 is 0.3, not 0.30000000000000004.
static double without_rounding(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.12g", value);
    return strtod(text, NULL);
}

// One of the values of a list, or of the places of a range.
static json_t *value_of_place(const study_axis *axis, int64_t place)
{
    if (axis->values != NULL) return json_incref(json_array_get(axis->values, (size_t)place));
    double value = study_axis_value(axis, axis->count > 1 ? (double)place / (double)(axis->count - 1) : 0.0);
    return axis->is_whole ? json_integer((json_int_t)value) : json_real(without_rounding(value));
}

// The same anywhere from 0 to 1. Every value of a list, and every whole number, has an equal share.
static json_t *value_of_share(const study_axis *axis, double u)
{
    if (axis->values != NULL) return value_of_place(axis, (int64_t)(u * (double)axis->count));
    if (!axis->is_whole || axis->is_log)
        return axis->is_whole ? json_integer((json_int_t)study_axis_value(axis, u))
                              : json_real(study_axis_value(axis, u));
    return json_integer((json_int_t)(axis->from + floor(u * (axis->to - axis->from + 1.0))));
}

static bool set_value(study_value *v, json_t *json)
{
    v->json = json;
    if (json == NULL) return false;
    v->number = json_is_number(json) ? json_number_value(json) : NAN;
    if (json_is_real(json)) v->text = strdup(json_number_text(json_real_value(json)).text);
    else v->text = json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17));
    v->shown = json_is_string(json) ? json_string_value(json) : v->text;
    return v->text != NULL;
}

static scr_status sample(const study_plan *plan, int64_t count, double **u, scr_error *error)
{
    scr_status status = scr_make_zeros(u, count * plan->axis_count, sizeof **u, "points", error);
    if (status != SCR_OK || plan->sample_count == 0) return status;
    if (plan->design == DESIGN_SOBOL) sobol_points(plan->design_seed, count, plan->axis_count, *u);
    else latin_hypercube(plan->design_seed, count, plan->axis_count, *u);
    return SCR_OK;
}

static json_t *value_at(const study_plan *plan, const double *u, int64_t point, int axis)
{
    int64_t counts[AXES_MAX], place[AXES_MAX];
    if (plan->sample_count > 0) return value_of_share(&plan->axis[axis], u[point * plan->axis_count + axis]);
    if (plan->design == DESIGN_LIST) return value_of_place(&plan->axis[axis], point);
    for (int k = 0; k < plan->axis_count; ++k) counts[k] = plan->axis[k].count;
    grid_place(point, counts, plan->axis_count, place);
    return value_of_place(&plan->axis[axis], place[axis]);
}

scr_status study_points_make(const study_plan *plan, study_points *points, scr_error *error)
{
    *points = (study_points){.axis_count = plan->axis_count};
    int64_t count = point_count(plan);
    double *u = NULL;
    plain_locale locale;
    scr_status status =
        scr_make_zeros(&points->value, count * plan->axis_count, sizeof *points->value, "points", error);
    if (status == SCR_OK) status = sample(plan, count, &u, error);
    if (status == SCR_OK) points->count = count;
    if (status == SCR_OK) status = plain_locale_enter(&locale, error);
    if (status == SCR_OK) {
        for (int64_t k = 0; k < count * plan->axis_count && status == SCR_OK; ++k) {
            json_t *json = value_at(plan, u, k / plan->axis_count, (int)(k % plan->axis_count));
            if (!set_value(&points->value[k], json)) status = scr_fail_memory(error, 0, "points");
        }
        plain_locale_leave(&locale);
    }
    scr_free(u);
    return status;
}

void study_points_free(study_points *points)
{
    for (int64_t k = 0; k < points->count * points->axis_count; ++k) {
        json_decref(points->value[k].json);
        free(points->value[k].text);
    }
    scr_free(points->value);
    *points = (study_points){0};
}
