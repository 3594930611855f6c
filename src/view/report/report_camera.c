// SPDX-License-Identifier: BSD-3-Clause
// The camera of a scene, frame by frame.
#include "view/report/report_camera.h"

#include <string.h>

#include "view/render/survey.h"

static bool moves(const scene_view *v) { return v->follow[0] != '\0' || v->orbit != 0.0 || v->path_count > 0; }

static int64_t body_id(const scene *s, const char *name)
{
    for (int b = 0; b < s->body_count && name[0] != '\0'; ++b)
        if (strcmp(s->bodies[b].name, name) == 0) return b + 1;
    return 0;
}

static void add_key(json_t *keys, const scene_view *v)
{
    json_array_append_new(
        keys, json_pack("[f, f, f, f, f, f]", v->eye.x, v->eye.y, v->eye.z, v->target.x, v->target.y, v->target.z));
}

static scr_status add_keys(json_t *keys, const scene *s, trajectory *t, const int64_t *frames, int64_t frame_count,
                           scr_error *error)
{
    survey seen = {0};
    frame f = {0};
    render_options o = render_default_options();
    o.view = s->view;
    o.view.has_range = true;  // of colours nothing is asked
    scr_status status = survey_init(&seen, t, &o, body_id(s, s->view.follow), error);
    for (int64_t i = 0; i < frame_count && status == SCR_OK; ++i) {
        status = trajectory_read(t, frames[i], &f, error);
        render_options now = survey_options_at(&seen, &o, &f);
        if (status == SCR_OK) add_key(keys, &now.view);
    }
    frame_free(&f);
    survey_free(&seen);
    return status;
}

scr_status report_camera_find(const scene *s, trajectory *t, const int64_t *frames, int64_t frame_count, json_t **found,
                              scr_error *error)
{
    const scene_view *v = &s->view;
    scr_status status = SCR_OK;
    if (!v->has_eye && !moves(v)) {
        *found = json_null();
        return SCR_OK;
    }
    json_t *keys = json_array();
    *found = json_pack("{s:f, s:o}", "field_of_view", v->field_of_view, "keys", keys);
    if (moves(v)) status = add_keys(keys, s, t, frames, frame_count, error);
    else add_key(keys, v);
    if (status != SCR_OK || json_array_size(keys) == 0) {
        json_decref(*found);
        *found = json_null();
    }
    return status;
}
