// SPDX-License-Identifier: BSD-3-Clause
// Any bytes at all as a study file: the reader either fails with a sentence that names the file, or gives a plan whose
// points have a value for each axis, within its range.
#include <math.h>

#include "fuzz/fuzz.h"
#include "study/plan/study_points.h"

enum { POINTS_MOST = 300 };  // making more takes its time

static bool is_small(const study_plan *plan)
{
    double points = plan->sample_count > 0 ? (double)plan->sample_count : 1.0;
    for (int k = 0; k < plan->axis_count && plan->sample_count == 0; ++k) points *= (double)plan->axis[k].count;
    return points <= POINTS_MOST;
}

static void check_points(const study_plan *plan)
{
    study_points points;
    scr_error error = {0};
    scr_status status = study_points_make(plan, &points, &error);
    promise(status == SCR_OK || error.message[0] != '\0');
    for (int64_t k = 0; status == SCR_OK && k < points.count * points.axis_count; ++k) {
        const study_axis *axis = &plan->axis[k % points.axis_count];
        const study_value *value = &points.value[k];
        promise(value->text != NULL && value->shown != NULL);
        if (axis->values != NULL) continue;
        double margin = 1e-9 * fmax(fabs(axis->from), fabs(axis->to)) + (axis->is_whole ? 1.0 : 0.0);
        promise(value->number >= axis->from - margin && value->number <= axis->to + margin);
    }
    study_points_free(&points);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char name[] = "fuzz.json";
    char *text = text_of(data, size);
    study_plan plan;
    scr_error error = {0};
    scr_status status = study_plan_read_text(text, size, name, &plan, &error);
    if (status == SCR_OK) {
        promise(plan.scene != NULL && plan.seed_count >= 1);
        for (int k = 0; k < plan.axis_count; ++k) promise(plan.axis[k].path != NULL && plan.axis[k].name != NULL);
        for (int k = 0; k < plan.figure_count; ++k)
            promise((plan.figure[k].summary == NULL) != (plan.figure[k].probe == NULL));
        for (int k = 0; k < plan.fit.target_count; ++k)
            promise(plan.fit.target[k].weight > 0.0 && plan.fit.target[k].error >= 0.0);
        if (is_small(&plan)) check_points(&plan);
    } else {
        promise(strncmp(error.message, name, strlen(name)) == 0 || status == SCR_NO_MEMORY);
    }
    study_plan_free(&plan);
    free(text);
    return 0;
}
