// SPDX-License-Identifier: BSD-3-Clause
// The points of a sweep: a value for each axis.
#ifndef STUDY_PLAN_STUDY_POINTS_H
#define STUDY_PLAN_STUDY_POINTS_H

#include "study/plan/study_plan.h"

typedef struct study_value {
    json_t *json;
    char *text;         // as JSON
    const char *shown;  // for people: words without quotes
    double number;      // not a number if it is none
} study_value;

typedef struct study_points {
    study_value *value;  // (count, axis_count)
    int64_t count;
    int axis_count;
} study_points;

// Free them also after a failure.
scr_status study_points_make(const study_plan *plan, study_points *points, scr_error *error);
void study_points_free(study_points *points);

#endif
