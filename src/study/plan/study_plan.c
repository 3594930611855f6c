// SPDX-License-Identifier: BSD-3-Clause
// Study files -> plans.
#include "study/plan/study_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/text/plain_locale.h"
#include "io/json/json_document.h"
#include "io/json/json_memory.h"
#include "io/json/json_write.h"
#include "study/plan/plan_reading.h"

static const json_text_kind STUDY_TEXT = {"the study", "{\"scene\": \"scene.json\"} and what varies", ""};
static const number_range SEED_COUNT = {1.0, SEEDS_MAX, false, false};

static study_origin origin_at(const json_cursor *at, scene_location location)
{
    study_origin origin;
    char place[48];
    const char *path = at->document->path;
    size_t length = strlen(path);
    int room = (int)sizeof origin.text - snprintf(place, sizeof place, ":%d:%d", location.line, location.column) - 4;
    bool fits = length <= (size_t)room;
    snprintf(origin.text, sizeof origin.text, "%s%s%s", fits ? "" : "...", path + (fits ? 0 : length - (size_t)room),
             place);
    return origin;
}

study_origin origin_of_key(json_cursor *at) { return origin_at(at, cursor_key_location(at)); }
study_origin origin_of_value(json_cursor *at) { return origin_at(at, cursor_location(at)); }

char *path_beside(const char *study, const char *name)
{
    const char *slash = strrchr(study, '/');
    if (name[0] == '/' || slash == NULL) return strdup(name);
    size_t length = (size_t)(slash - study) + 1;
    char *path = malloc(length + strlen(name) + 1);
    if (path == NULL) return NULL;
    memcpy(path, study, length);
    strcpy(path + length, name);
    return path;
}

static void read_scene_name(json_cursor *root, study_plan *plan)
{
    const char *name = cursor_text(root, "scene", NULL);
    if (!cursor_is_ok(root)) return;
    plan->scene = path_beside(plan->path, name);
    if (plan->scene == NULL) cursor_fail_memory(root, strlen(name), "the scene's path");
}

// What is changed in all runs: PATH -> VALUE.
static void read_set(json_cursor *root, study_plan *plan)
{
    json_cursor map = cursor_map(root, "set");
    if (!cursor_is_ok(root)) return;
    size_t count = json_object_size(map.value);
    plan->set = cursor_new_array(&map, count, sizeof *plan->set, "changes of the scene");
    plan->set_origin = cursor_new_array(&map, count, sizeof *plan->set_origin, "changes of the scene");
    const char *key;
    json_t *value;
    json_object_foreach(map.value, key, value)
    {
        json_cursor member = cursor_member(&map, key);
        char *path = read_scene_path(&member);
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
        if (path != NULL && text == NULL) cursor_fail_memory(&member, 0, "changes of the scene");
        if (!cursor_is_ok(&member)) {
            free(path);
            free(text);
            return;
        }
        plan->set_origin[plan->set_count] = origin_of_key(&member);
        plan->set[plan->set_count] =
            (scene_override){.path = path, .value = text, .origin = plan->set_origin[plan->set_count].text};
        ++plan->set_count;
    }
}

// How many, from 1 on; or which.
static void read_seeds(json_cursor *root, study_plan *plan)
{
    plan->seed_count = 1;
    if (!cursor_has(root, "seeds")) return;
    json_cursor member = cursor_member(root, "seeds");
    bool is_list = json_is_array(member.value);
    int64_t count = is_list ? (int64_t)json_array_size(member.value) : cursor_whole(root, "seeds", 1, SEED_COUNT);
    if (is_list && (count == 0 || count > SEEDS_MAX))
        cursor_fail(&member, "\"seeds\" is a list of %zu: from 1 to %d are possible", json_array_size(member.value),
                    SEEDS_MAX);
    plan->seeds = cursor_new_array(&member, (size_t)count, sizeof *plan->seeds, "seeds");
    if (plan->seeds == NULL) return;
    plan->seed_count = (int)count;
    for (int64_t k = 0; k < count; ++k) {
        json_cursor entry = cursor_entry(&member, (size_t)k);
        plan->seeds[k] = is_list ? (int64_t)cursor_value_number(&entry, RANGE_COUNT) : k + 1;
        for (int64_t other = 0; is_list && cursor_is_ok(root) && other < k; ++other) {
            if (plan->seeds[other] == plan->seeds[k])
                cursor_fail(&entry, "the seed %lld is there twice: its runs would be the same",
                            (long long)plan->seeds[k]);
        }
    }
}

static void read_study(json_cursor *root, study_plan *plan)
{
    static const char *const keys[] = {"$schema", "title",       "description", "scene",   "set", "seeds", "design",
                                       "points",  "design_seed", "vary",        "collect", "fit", "soil"};
    static const char *const soils[] = {"none", "mohr_coulomb", "bekker"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) cursor_member(root, keys[k]);
    cursor_expect_object(root);
    cursor_close(root);
    read_scene_name(root, plan);
    plan->title = cursor_text(root, "title", "");
    cursor_text(root, "description", "");
    read_set(root, plan);
    read_seeds(root, plan);
    read_vary(root, plan);
    read_collect(root, plan);
    plan->soil = (study_soil)cursor_choice(root, "soil", soils, 3, SOIL_NONE);
    read_fit(root, plan);
}

scr_status study_plan_read_text(const char *text, size_t length, const char *path, study_plan *plan, scr_error *error)
{
    json_document document = {.path = path, .what = "study", .source = json_source_of(text, length), .error = error};
    plain_locale locale;
    *plan = (study_plan){.path = strdup(path)};
    if (plan->path == NULL) return scr_fail_memory(error, strlen(path), "the study's path");
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    status = json_document_parse(&document, &STUDY_TEXT, error);
    plan->root = document.root;
    if (status == SCR_OK) {
        json_cursor root = cursor_root(&document);
        read_study(&root, plan);
        status = document.status;
    }
    if (json_memory_ran_out()) status = scr_fail_memory(error, length, "the study's JSON tree");
    plain_locale_leave(&locale);
    return status;
}

scr_status study_plan_read(const char *path, study_plan *plan, scr_error *error)
{
    char *text = NULL;
    size_t length = 0;
    *plan = (study_plan){0};
    scr_status status = json_text_load(path, &STUDY_TEXT, &text, &length, error);
    if (status == SCR_OK) status = study_plan_read_text(text, length, path, plan, error);
    free(text);
    return status;
}

void study_plan_free(study_plan *plan)
{
    for (int k = 0; k < plan->set_count; ++k) {
        free((char *)plan->set[k].path);
        free((char *)plan->set[k].value);
    }
    for (int k = 0; k < plan->axis_count; ++k) free(plan->axis[k].path);
    for (int k = 0; k < plan->fit.axis_count; ++k) free(plan->fit.axis[k].path);
    for (int k = 0; k < plan->fit.target_count; ++k) free(plan->fit.target[k].curve);
    scr_free(plan->set);
    scr_free(plan->set_origin);
    scr_free(plan->seeds);
    free(plan->scene);
    free(plan->path);
    json_decref(plan->root);
    *plan = (study_plan){0};
}

scr_status study_plan_expect_sweep(const study_plan *plan, scr_error *error)
{
    if (plan->axis_count == 0 && plan->seeds == NULL)
        return scr_fail(
            error, SCR_BAD_INPUT,
            "%s: nothing varies: a sweep needs \"vary\", a map from paths in the scene to values, or \"seeds\"",
            plan->path);
    if (plan->figure_count == 0)
        return scr_fail(error, SCR_BAD_INPUT, "%s: a sweep needs \"collect\", a list of figures to put into its table",
                        plan->path);
    return SCR_OK;
}

scr_status study_plan_expect_fit(const study_plan *plan, scr_error *error)
{
    if (plan->fit.is_given) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT,
                    "%s: there is no \"fit\" in it, which says what to find and what to reproduce", plan->path);
}

double study_axis_value(const study_axis *axis, double place)
{
    double value =
        axis->is_log ? axis->from * pow(axis->to / axis->from, place) : axis->from + place * (axis->to - axis->from);
    if (place == 0.0) value = axis->from;  // the ends to the bit
    if (place == 1.0) value = axis->to;
    return axis->is_whole ? floor(value + 0.5) : value;
}
