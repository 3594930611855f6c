// SPDX-License-Identifier: BSD-3-Clause
// What is read off runs: "collect" of a sweep, "targets" of a fit; and how a fit goes about it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/plan/plan_reading.h"

static const char *const TAKES[] = {"last", "mean", "min", "max"};
static const char *const METHODS[] = {"bobyqa", "sbplx"};
static const number_range RESTARTS = {0.0, 100.0, false, false}, EVALUATIONS = {1.0, 1e6, false, false};
static const number_range TOLERANCE = {1e-9, 0.1, false, false}, STEP = {1e-6, 0.25, false, false};

// "summary" or "probe" of an object, and what goes with it.
void read_figure_words(json_cursor *at, study_figure *figure)
{
    bool is_summary = cursor_has(at, "summary"), is_probe = cursor_has(at, "probe");
    figure->origin = origin_of_value(at);
    figure->to = INFINITY;
    if (is_summary) figure->summary = cursor_text(at, "summary", NULL);
    if (is_probe) figure->probe = cursor_text(at, "probe", NULL);
    if (cursor_is_ok(at) && is_summary == is_probe)
        cursor_fail(at, "a figure is \"summary\", a path in summary.json, or \"probe\", a column of probes.csv");
    if (!cursor_is_ok(at)) return;
    figure->name = cursor_text(at, "name", is_summary ? figure->summary : figure->probe);
    figure->unit = cursor_text(at, "unit", "");
}

static void read_take(json_cursor *at, study_figure *figure)
{
    if (figure->probe == NULL) return;
    figure->take = (figure_take)cursor_choice(at, "take", TAKES, 4, TAKE_LAST);
    figure->from = cursor_number(at, "from", 0.0, RANGE_NOT_NEGATIVE);
    figure->to = cursor_number_or_null(at, "to", INFINITY, RANGE_NOT_NEGATIVE);
}

void read_figure(json_cursor *at, study_figure *figure)
{
    if (!json_is_object(at->value)) {
        figure->name = figure->summary = cursor_value_text(at);
        figure->unit = "";
        figure->origin = origin_of_value(at);
        return;
    }
    read_figure_words(at, figure);
    read_take(at, figure);
    cursor_close(at);
}

void read_collect(json_cursor *root, study_plan *plan)
{
    bool is_given = cursor_has(root, "collect");
    json_cursor list = cursor_list(root, "collect");
    if (cursor_is_ok(root) && is_given && list.count == 0)
        cursor_fail(&list, "\"collect\" is empty: name at least one figure, as in \"energy.kinetic\"");
    if (list.count > FIGURES_MAX) cursor_fail(&list, "more than %d figures", FIGURES_MAX);
    for (size_t k = 0; k < list.count && cursor_is_ok(root); ++k) {
        json_cursor entry = cursor_entry(&list, k);
        study_figure *figure = &plan->figure[plan->figure_count];
        read_figure(&entry, figure);
        for (int other = 0; cursor_is_ok(root) && other < plan->figure_count; ++other) {
            if (strcmp(plan->figure[other].name, figure->name) == 0)
                cursor_fail(&entry, "there are two figures called \"%s\": give one another \"name\"",
                            shown(figure->name).text);
        }
        ++plan->figure_count;
    }
}

static void read_curve(json_cursor *at, study_target *target, const char *study)
{
    const char *file = cursor_text(at, "curve", NULL);
    json_cursor member = cursor_member(at, "curve");
    if (cursor_is_ok(at) && target->figure.probe == NULL)
        cursor_fail(&member, "a curve is compared with a \"probe\", a column of probes.csv");
    target->measured = cursor_text(at, "column", target->figure.probe != NULL ? target->figure.probe : "");
    target->against = cursor_text(at, "against", "time");
    if (!cursor_is_ok(at)) return;
    target->curve = path_beside(study, file);
    if (target->curve == NULL) cursor_fail_memory(at, strlen(file), "the path of a curve");
}

static void read_target(json_cursor *at, study_target *target, const char *study)
{
    read_figure_words(at, &target->figure);
    if (cursor_has(at, "curve")) {
        read_curve(at, target, study);
    } else {
        read_take(at, &target->figure);
        target->value = cursor_needed_number(at, "value", RANGE_ANY);
    }
    target->error = cursor_has(at, "error") ? cursor_needed_number(at, "error", RANGE_POSITIVE) : 0.0;
    target->weight = cursor_number(at, "weight", 1.0, RANGE_POSITIVE);
    cursor_close(at);
}

static void read_targets(json_cursor *fit, study_plan *plan)
{
    study_fit *f = &plan->fit;
    json_cursor list = cursor_list(fit, "targets");
    if (cursor_is_ok(fit) && list.count == 0)
        cursor_fail_missing(fit, "targets", "a list of figures and curves to reproduce");
    if (list.count > TARGETS_MAX) cursor_fail(&list, "more than %d targets", TARGETS_MAX);
    for (size_t k = 0; k < list.count && cursor_is_ok(fit); ++k) {
        json_cursor entry = cursor_object_entry(&list, k);
        read_target(&entry, &f->target[f->target_count++], plan->path);
    }
}

void read_fit(json_cursor *root, study_plan *plan)
{
    study_fit *f = &plan->fit;
    f->is_given = cursor_has(root, "fit");
    if (!f->is_given) return;
    json_cursor fit = cursor_object(root, "fit");
    read_fit_axes(&fit, f);
    read_targets(&fit, plan);
    f->method = (fit_method)cursor_choice(&fit, "method", METHODS, 2, FIT_BOBYQA);
    f->restarts = (int)cursor_whole(&fit, "restarts", 0, RESTARTS);
    f->evaluations_max = cursor_whole(&fit, "max_evaluations", 200, EVALUATIONS);
    f->tolerance = cursor_number(&fit, "tolerance", 1e-3, TOLERANCE);
    f->step = cursor_number(&fit, "derivative_step", 0.02, STEP);
    cursor_close(&fit);
}
