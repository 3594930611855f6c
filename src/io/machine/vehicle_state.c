// SPDX-License-Identifier: BSD-3-Clause
#include "io/machine/vehicle_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/file/safe_file.h"
#include "core/maths/quat.h"
#include "core/maths/trig.h"
#include "core/text/plain_locale.h"
#include "io/file/made_by.h"
#include "io/json/json_document.h"
#include "io/json/json_memory.h"
#include "io/json/json_write.h"
#include "io/value/scene_values.h"

static const json_text_kind STATE_TEXT = {"the state of a vehicle", "{\"parts\": {}}", ""};
static const char CHASSIS[] = "chassis";

void vehicle_state_free(vehicle_state *state) { scr_free(state->part); }

scr_status vehicle_state_add(vehicle_state *state, const char *name, const scr_body_state *at, scr_error *error)
{
    scr_status status =
        scr_grow(&state->part, &state->capacity, state->count + 1, sizeof *state->part, "parts of a vehicle", error);
    if (status != SCR_OK) return status;
    part_state *part = &state->part[state->count++];
    *part = (part_state){.at = *at};
    snprintf(part->name, sizeof part->name, "%s", name);
    return SCR_OK;
}

const part_state *vehicle_state_find(const vehicle_state *state, const char *name)
{
    for (int64_t k = 0; k < state->count; ++k)
        if (strcmp(state->part[k].name, name) == 0) return &state->part[k];
    return NULL;
}

// ---- frames ----

static scr_body_state seen_from(pose frame, scr_body_state s)
{
    pose at = pose_relative(frame, (pose){s.position, s.rotation});
    return (scr_body_state){at.position, at.rotation, quat_unrotate(frame.rotation, s.velocity),
                            quat_unrotate(frame.rotation, s.spin)};
}

// How far a rotation turns what points forward to the left.
static scr_quat heading_of(scr_quat rotation)
{
    scr_vec3 forward = quat_rotate(rotation, vec3(1.0, 0.0, 0.0));
    double sine, cosine;
    scr_sincos(0.5 * scr_atan2(forward.y, forward.x), &sine, &cosine);
    return (scr_quat){cosine, 0.0, 0.0, sine};
}

bool vehicle_state_bring_home(vehicle_state *state, pose drawn)
{
    const part_state *chassis = vehicle_state_find(state, CHASSIS);
    if (chassis == NULL) return false;
    scr_body_state now = seen_from(drawn, chassis->at);
    pose gone = {{now.position.x, now.position.y, 0.0}, heading_of(now.rotation)}, from = pose_compose(drawn, gone);
    for (int64_t k = 0; k < state->count; ++k) state->part[k].at = seen_from(from, state->part[k].at);
    return true;
}

scr_body_state part_state_in_world(const part_state *part, pose drawn)
{
    const scr_body_state *s = &part->at;
    pose at = pose_compose(drawn, (pose){s->position, s->rotation});
    return (scr_body_state){at.position, at.rotation, quat_rotate(drawn.rotation, s->velocity),
                            quat_rotate(drawn.rotation, s->spin)};
}

// ---- the file ----

static void read_part(json_cursor *parts, const char *name, vehicle_state *state)
{
    static const scr_vec3 rest = {0.0, 0.0, 0.0};
    json_cursor at = cursor_object(parts, name);
    scr_body_state s = {.position = cursor_vector(&at, "position", NULL, RANGE_COORDINATE),
                        .rotation = read_rotation(&at, "rotation"),
                        .velocity = cursor_vector(&at, "velocity", &rest, RANGE_SPEED),
                        .spin = cursor_vector(&at, "spin", &rest, RANGE_SPEED)};
    cursor_close(&at);
    json_document *document = parts->document;
    if (cursor_is_ok(parts) && strlen(name) >= PART_NAME_LENGTH)
        cursor_fail_at_key(&at, "a name has less than %d letters", PART_NAME_LENGTH);
    if (cursor_is_ok(parts)) document->status = vehicle_state_add(state, name, &s, document->error);
}

static void read_state(json_cursor *root, vehicle_state *state)
{
    const char *name;
    json_t *part;
    cursor_expect_object(root);
    cursor_text(root, "title", "a vehicle");
    json_cursor parts = cursor_map(root, "parts");
    cursor_close(root);
    json_object_foreach(parts.value, name, part)
    {
        if (cursor_is_ok(root)) read_part(&parts, name, state);
    }
    if (cursor_is_ok(root) && vehicle_state_find(state, CHASSIS) == NULL)
        cursor_fail_missing(root, "parts", "the chassis and whatever else the vehicle has");
}

scr_status vehicle_state_read_text(const char *text, size_t length, const char *path, vehicle_state *state,
                                   scr_error *error)
{
    json_document document = {.path = path, .what = "state", .source = json_source_of(text, length), .error = error};
    plain_locale locale;
    *state = (vehicle_state){0};
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    status = json_document_parse(&document, &STATE_TEXT, error);
    if (status == SCR_OK) {
        json_cursor root = cursor_root(&document);
        read_state(&root, state);
        status = document.status;
    }
    if (status == SCR_OK && json_memory_ran_out()) status = scr_fail_memory(error, length, "the state of a vehicle");
    json_decref(document.root);
    plain_locale_leave(&locale);
    return status;
}

scr_status vehicle_state_read(const char *path, vehicle_state *state, scr_error *error)
{
    char *text = NULL;
    size_t length = 0;
    *state = (vehicle_state){0};
    scr_status status = json_text_load(path, &STATE_TEXT, &text, &length, error);
    if (status == SCR_OK) status = vehicle_state_read_text(text, length, path, state, error);
    free(text);
    return status;
}

static json_t *part_json(const scr_body_state *s)
{
    return json_pack("{s:[f,f,f], s:[f,f,f,f], s:[f,f,f], s:[f,f,f]}", "position", s->position.x, s->position.y,
                     s->position.z, "rotation", s->rotation.w, s->rotation.x, s->rotation.y, s->rotation.z, "velocity",
                     s->velocity.x, s->velocity.y, s->velocity.z, "spin", s->spin.x, s->spin.y, s->spin.z);
}

scr_status vehicle_state_write(const char *path, const char *title, const vehicle_state *state, scr_error *error)
{
    plain_locale locale;
    char *text = NULL;
    scr_status status = plain_locale_enter(&locale, error);
    if (status != SCR_OK) return status;
    json_memory_watch();
    json_t *parts = json_object(),
           *root = json_pack("{s:s, s:s, s:O}", "comment", MADE_BY_SCREE, "title", title, "parts", parts);
    for (int64_t k = 0; k < state->count; ++k)
        json_object_set_new(parts, state->part[k].name, part_json(&state->part[k].at));
    if (json_memory_ran_out()) status = scr_fail_memory(error, 0, "the state of a vehicle");
    if (status == SCR_OK) status = json_write_text(root, &text, error);
    if (status == SCR_OK) status = file_replace(path, text, strlen(text), error);
    json_decref(parts);
    json_decref(root);
    free(text);
    plain_locale_leave(&locale);
    return status;
}
