// SPDX-License-Identifier: BSD-3-Clause
// What varies: "vary" of a sweep, "parameters" of a fit.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/plan/plan_reading.h"

static const char *const DESIGNS[] = {"grid", "list", "latin_hypercube", "sobol"};
static const char *const SCALES[] = {"linear", "log"};
static const number_range END = {-1e300, 1e300, false, false};  // the difference of two is a number
static const number_range GRID_COUNT = {1.0, 10000.0, false, false};
static const number_range SAMPLES = {1.0, POINTS_MAX, false, false};

char *read_scene_path(json_cursor *member)
{
    if (!cursor_is_ok(member)) return NULL;
    char *path = strdup(member->key);
    if (path == NULL) {
        cursor_fail_memory(member, strlen(member->key), "a path in the scene");
        return NULL;
    }
    if (path[0] != '\0' && json_path_spell(path)) return path;
    cursor_fail_at_key(member,
                       "\"%s\" is no path in a scene: write it as in materials.stone.friction or fills[0].count",
                       shown(member->key).text);
    free(path);
    return NULL;
}

static void read_ends(json_cursor *at, study_axis *axis)
{
    axis->from = cursor_needed_number(at, "from", END);
    axis->to = cursor_needed_number(at, "to", END);
    axis->is_log = cursor_choice(at, "scale", SCALES, 2, 0) == 1;
    axis->is_whole = cursor_flag(at, "whole", false);
    json_cursor to = cursor_member(at, "to");
    if (cursor_is_ok(at) && !(axis->to > axis->from))
        cursor_fail(&to, "\"to\" must be above \"from\", which is %g", axis->from);
    json_cursor from = cursor_member(at, "from");
    if (cursor_is_ok(at) && axis->is_log && !(axis->from > 0.0))
        cursor_fail(&from, "\"from\" must be above 0 where the scale is logarithmic");
}

static void read_values(json_cursor *list, study_axis *axis)
{
    if (!cursor_is_ok(list)) return;
    if (!json_is_array(list->value)) {
        cursor_fail(list, "\"%s\" must be a list of values, not %s", cursor_shown_name(list).text,
                    json_type_name(list->value));
        return;
    }
    axis->values = list->value;
    axis->count = (int64_t)json_array_size(list->value);
    if (axis->count == 0) cursor_fail(list, "the list of \"%s\" is empty: there is no value to run", axis->path);
}

static void read_axis_words(json_cursor *at, study_axis *axis)
{
    axis->name = cursor_text(at, "name", axis->path);
    axis->unit = cursor_text(at, "unit", "");
}

// Whole numbers that would be the same are one.
static int64_t most_values(const study_axis *axis)
{
    double span = axis->to - axis->from + 1.0;
    return axis->is_whole && span < 1e9 ? (int64_t)span : INT64_MAX;
}

static void read_axis(json_cursor *at, study_axis *axis, bool is_sampled)
{
    if (!json_is_object(at->value)) {
        if (cursor_is_ok(at) && !json_is_array(at->value))
            cursor_fail(at, "\"%s\" must be a list of values or a range {\"from\": ..., \"to\": ...}, not %s",
                        axis->path, json_type_name(at->value));
        read_values(at, axis);
        return;
    }
    read_axis_words(at, axis);
    if (cursor_has(at, "values")) {
        json_cursor list = cursor_member(at, "values");
        read_values(&list, axis);
    } else {
        read_ends(at, axis);
        if (!is_sampled) {
            axis->count = cursor_has(at, "count") ? cursor_whole(at, "count", 1, GRID_COUNT) : 0;
            if (cursor_is_ok(at) && axis->count == 0)
                cursor_fail_missing(at, "count", "how many values from \"from\" to \"to\"");
            if (axis->count > most_values(axis)) {
                json_cursor count = cursor_member(at, "count");
                cursor_fail(&count, "there are only %lld whole numbers from %g to %g", (long long)most_values(axis),
                            axis->from, axis->to);
            }
        }
    }
    cursor_close(at);
}

static bool is_taken(const study_axis *axes, int count, const char *path)
{
    for (int k = 0; k < count; ++k) {
        if (strcmp(axes[k].path, path) == 0) return true;
    }
    return false;
}

// The next axis of a map; NULL after a failure.
static study_axis *begin_axis(json_cursor *member, study_axis *axes, int *count)
{
    if (*count == AXES_MAX) {
        cursor_fail_at_key(member, "more than %d things vary", AXES_MAX);
        return NULL;
    }
    char *path = read_scene_path(member);
    if (path == NULL) return NULL;
    if (is_taken(axes, *count, path)) {
        cursor_fail_at_key(member, "\"%s\" is given twice", path);
        free(path);
        return NULL;
    }
    study_axis *axis = &axes[(*count)++];
    *axis = (study_axis){.path = path, .name = path, .unit = "", .origin = origin_of_key(member)};
    return axis;
}

static void check_list_lengths(json_cursor *map, const study_plan *plan)
{
    for (int k = 1; k < plan->axis_count && plan->design == DESIGN_LIST; ++k) {
        if (plan->axis[k].count != plan->axis[0].count)
            cursor_fail(map, "in a list all have as many values: %s has %lld, %s has %lld", plan->axis[0].path,
                        (long long)plan->axis[0].count, plan->axis[k].path, (long long)plan->axis[k].count);
    }
}

static void check_grid_size(json_cursor *map, const study_plan *plan)
{
    double points = 1.0;
    for (int k = 0; k < plan->axis_count && plan->design == DESIGN_GRID; ++k) points *= (double)plan->axis[k].count;
    if (points > POINTS_MAX) cursor_fail(map, "the grid has %.3g points; %d are the most", points, POINTS_MAX);
}

void read_vary(json_cursor *root, study_plan *plan)
{
    plan->design = (study_design)cursor_choice(root, "design", DESIGNS, 4, DESIGN_GRID);
    bool is_sampled = plan->design == DESIGN_LATIN_HYPERCUBE || plan->design == DESIGN_SOBOL;
    plan->design_seed = (uint64_t)cursor_whole(root, "design_seed", 1, RANGE_COUNT);
    if (cursor_is_ok(root) && cursor_has(root, "points") != is_sampled) {
        json_cursor points = cursor_member(root, "points");
        if (is_sampled) cursor_fail_missing(root, "points", "how many points the design has");
        else
            cursor_fail_at_key(&points,
                               "\"points\" is for latin_hypercube and sobol; a grid has a \"count\" on each axis");
    }
    if (is_sampled) plan->sample_count = cursor_whole(root, "points", 1, SAMPLES);
    json_cursor map = cursor_map(root, "vary");
    const char *key;
    json_t *value;
    if (!cursor_is_ok(root)) return;
    json_object_foreach(map.value, key, value)
    {
        json_cursor member = cursor_member(&map, key);
        study_axis *axis = begin_axis(&member, plan->axis, &plan->axis_count);
        if (axis == NULL) return;
        read_axis(&member, axis, is_sampled);
        if (!cursor_is_ok(root)) return;
    }
    check_list_lengths(&map, plan);
    check_grid_size(&map, plan);
}

static void read_start(json_cursor *at, study_axis *axis)
{
    double middle = study_axis_value(axis, 0.5);
    axis->start = cursor_number(at, "start", middle, RANGE_ANY);
    json_cursor start = cursor_member(at, "start");
    if (cursor_is_ok(at) && !(axis->start >= axis->from && axis->start <= axis->to))
        cursor_fail(&start, "\"start\" must be from %g to %g, as the parameter itself", axis->from, axis->to);
}

void read_fit_axes(json_cursor *fit, study_fit *f)
{
    json_cursor map = cursor_map(fit, "parameters");
    const char *key;
    json_t *value;
    if (!cursor_is_ok(fit)) return;
    if (json_object_size(map.value) == 0)
        cursor_fail_missing(fit, "parameters",
                            "a map from paths in the scene to {\"from\": ..., \"to\": ..., \"start\": ...}");
    json_object_foreach(map.value, key, value)
    {
        json_cursor member = cursor_member(&map, key);
        study_axis *axis = begin_axis(&member, f->axis, &f->axis_count);
        if (axis == NULL) return;
        cursor_expect_object(&member);
        read_axis_words(&member, axis);
        read_ends(&member, axis);
        if (cursor_is_ok(fit) && axis->is_whole)
            cursor_fail(&member, "a fit finds numbers, not whole numbers: sweep over \"%s\" instead", axis->path);
        read_start(&member, axis);
        cursor_close(&member);
    }
}
