// SPDX-License-Identifier: BSD-3-Clause
// One run of a study.
#include "study/plan/study_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/checksum.h"
#include "io/scene/scene_reader.h"

// "PATH=VALUE", of which the change is made.
static bool add_change(study_case *c, const char *path, const char *value, const char *origin)
{
    size_t path_length = strlen(path), length = path_length + 1 + strlen(value) + 1;
    char *text = malloc(length);
    if (text == NULL) return false;
    snprintf(text, length, "%s=%s", path, value);
    c->text[c->change_count] = text;
    c->change[c->change_count++] = (scene_override){.path = path, .value = text + path_length + 1, .origin = origin};
    return true;
}

static bool list_changes(const study_plan *plan, const study_axis *axes, int axis_count, const char *const *value_text,
                         study_case *c)
{
    char seed[32];
    bool is_whole = true;
    for (int k = 0; k < plan->set_count && is_whole; ++k)
        is_whole = add_change(c, plan->set[k].path, plan->set[k].value, plan->set[k].origin);
    for (int k = 0; k < axis_count && is_whole; ++k)
        is_whole = add_change(c, axes[k].path, value_text[k], axes[k].origin.text);
    snprintf(seed, sizeof seed, "%lld", (long long)c->seed);
    return is_whole && (c->seed < 0 || add_change(c, "seed", seed, plan->path));
}

// A fault in the scene that a change of the study made: with which values it is there.
static scr_status fail_with_changes(const study_plan *plan, const study_case *c, scr_status status,
                                    const scr_error *reason, scr_error *error)
{
    char changes[256] = "";
    size_t length = 0;
    bool names_study = strncmp(reason->message, plan->path, strlen(plan->path)) == 0;
    for (int k = 0; k < c->change_count && length < sizeof changes && !names_study; ++k)
        length +=
            (size_t)snprintf(changes + length, sizeof changes - length, "%s%s", k > 0 ? " " : " (with ", c->text[k]);
    return scr_fail(error, status, "%s%s%s", reason->message, changes, length > 0 ? ")" : "");
}

static scr_status find_fingerprint(const study_plan *plan, study_case *c, scr_error *error)
{
    scene *s = NULL;
    char *as_run = NULL;
    scr_error reason = {0};
    scr_status status = scene_read_file(plan->scene, c->change, c->change_count, &s, &as_run, &reason);
    if (status == SCR_OK) c->fingerprint = checksum_of(as_run, strlen(as_run));
    else fail_with_changes(plan, c, status, &reason, error);
    scene_destroy(s);
    free(as_run);
    return status;
}

scr_status study_case_make(const study_plan *plan, const study_axis *axes, int axis_count,
                           const char *const *value_text, int seed_index, study_case *c, scr_error *error)
{
    size_t most = (size_t)(plan->set_count + axis_count + 1);
    *c = (study_case){.seed = plan->seeds != NULL ? plan->seeds[seed_index] : -1};
    c->change = calloc(most, sizeof *c->change);
    c->text = calloc(most + 1, sizeof *c->text);
    if (c->change == NULL || c->text == NULL || !list_changes(plan, axes, axis_count, value_text, c))
        return scr_fail_memory(error, most * sizeof *c->change, "a run of the study");
    return find_fingerprint(plan, c, error);
}

void study_case_free(study_case *c)
{
    for (int k = 0; k < c->change_count; ++k) free(c->text[k]);
    free(c->change);
    free(c->text);
    *c = (study_case){0};
}
