// SPDX-License-Identifier: BSD-3-Clause
// A survey of a whole run before its frames are drawn.
#include "view/render/survey.h"

#include "core/maths/vec3.h"
#include "view/colour/quantity.h"

enum { FRAMED = 9 };                     // frames that the camera's framing is found from, at most
static const float SURROUNDINGS = 1.6f;  // radii of a body to follow, around it, that a view of it shows
static const float GROUND_SINK = 1e-4f;  // of the subject's radius, by which the ground lies lower than all on it

static void add_point(scr_vec3 *sum, int64_t *count, const float p[3])
{
    *sum = vec3_add(*sum, vec3(p[0], p[1], p[2]));
    ++*count;
}

bool survey_body_position(const frame *f, int64_t id, scr_vec3 *position)
{
    scr_vec3 sum = {0.0, 0.0, 0.0};
    int64_t count = 0;
    for (int64_t i = 0; i < f->spheres.count; ++i)
        if (f->spheres.id[i] == id) add_point(&sum, &count, &f->spheres.position[3 * i]);
    for (int64_t i = 0; i < f->box_count; ++i)
        if (f->boxes[i].id == id) add_point(&sum, &count, f->boxes[i].position);
    for (int64_t i = 0; i < f->part_count; ++i)
        if (f->parts[i].id == id) add_point(&sum, &count, f->parts[i].position);
    if (count > 0) *position = vec3_scale(1.0 / (double)count, sum);
    return count > 0;
}

// The frame with only the shapes of one body in it, to ask for its extent. Shares nothing.
static scr_status only_body(const frame *f, int64_t id, frame *body, scr_error *error)
{
    frame_size size = {.spheres = f->spheres.count, .boxes = f->box_count, .parts = f->part_count};
    scr_status status = frame_reserve(body, size, error);
    if (status != SCR_OK) return status;
    body->surfaces = f->surfaces;
    for (int64_t i = 0; i < f->spheres.count; ++i) {
        if (f->spheres.id[i] != id) continue;
        int64_t k = body->spheres.count++;
        for (int axis = 0; axis < 3; ++axis) body->spheres.position[3 * k + axis] = f->spheres.position[3 * i + axis];
        body->spheres.radius[k] = f->spheres.radius[i];
    }
    for (int64_t i = 0; i < f->box_count; ++i)
        if (f->boxes[i].id == id) body->boxes[body->box_count++] = f->boxes[i];
    for (int64_t i = 0; i < f->part_count; ++i)
        if (f->parts[i].id == id) body->parts[body->part_count++] = f->parts[i];
    return SCR_OK;
}

// What a camera that chooses its own pose should see of a body to follow, as the run begins.
static scr_status extent_to_follow(const survey *s, extent *around, scr_error *error)
{
    frame body = {0};
    framing close;
    scr_status status = only_body(&s->first, s->follow, &body, error);
    if (status == SCR_OK) status = framing_of(&body, &close, error);
    if (status == SCR_OK) *around = extent_grown(&close.grains, SURROUNDINGS * extent_radius(&close.grains));
    frame_free(&body);
    return status;
}

static scr_status widen_range(survey *s, const frame *f, bool is_first, scr_error *error)
{
    scene_view *v = &s->view;
    quantity_range r = {0.0, 0.0};
    scr_status status = SCR_OK;
    if (v->chains) {
        r = quantity_range_of_forces(f);
    } else {
        quantity q = {0};
        status = quantity_init(&q, f, v->colour, &s->first, error);
        if (status == SCR_OK) status = quantity_range_of(&q, f, v->colour, &r, error);
        quantity_free(&q);
    }
    v->range_min = is_first ? r.min : fmin(v->range_min, r.min);
    v->range_max = is_first ? r.max : fmax(v->range_max, r.max);
    return status;
}

static bool has_level_plane(const frame *f)
{
    for (int64_t i = 0; i < f->plane_count; ++i)
        if (extent_plane_normal(&f->planes[i])[2] > 0.999f) return true;
    return false;
}

static scr_status find_framing(survey *s, trajectory *t, frame *f, scr_error *error)
{
    int64_t count = trajectory_frame_count(t), framed = count < FRAMED ? count : FRAMED;
    scr_status status = SCR_OK;
    for (int64_t k = 0; k < framed && status == SCR_OK; ++k) {
        framing about;
        status = trajectory_read(t, framed > 1 ? k * (count - 1) / (framed - 1) : 0, f, error);
        if (status == SCR_OK) status = framing_of(f, &about, error);
        if (status != SCR_OK) break;
        s->framing.grains = k > 0 ? extent_united(&s->framing.grains, &about.grains) : about.grains;
        s->framing.subject = k > 0 ? extent_united(&s->framing.subject, &about.subject) : about.subject;
    }
    return status;
}

// Over all frames: a fast instant between those of a sample would be saturated.
static scr_status find_range(survey *s, trajectory *t, frame *f, scr_error *error)
{
    if (s->view.has_range || !(s->view.chains || colour_is_quantity(s->view.colour))) return SCR_OK;
    scr_status status = SCR_OK;
    for (int64_t i = 0; i < trajectory_frame_count(t) && status == SCR_OK; ++i) {
        status = trajectory_read(t, i, f, error);
        if (status == SCR_OK) status = widen_range(s, f, i == 0, error);
    }
    s->view.has_range = true;
    return status;
}

static void settle_ground(survey *s)
{
    scene_view *v = &s->view;
    if (!v->ground || v->has_ground_height || has_level_plane(&s->first)) return;
    v->has_ground_height = true;
    v->ground_height = s->framing.subject.low[2] - GROUND_SINK * extent_radius(&s->framing.subject);
}

static scr_status settle_camera(survey *s, const render_options *o, scr_error *error)
{
    scene_view *v = &s->view;
    extent seen = s->framing.subject;
    if (v->path_count > 0 || (v->has_eye && v->has_target)) return SCR_OK;
    scr_status status = s->follow != 0 ? extent_to_follow(s, &seen, error) : SCR_OK;
    if (status != SCR_OK) return status;
    render_options with = *o;
    render_report found;
    with.view = *v;
    camera c = render_camera(&with, &seen);
    render_describe_camera(&with, &c, &seen, &found);
    v->eye = found.eye;
    v->target = found.target;
    v->has_eye = v->has_target = true;
    return SCR_OK;
}

scr_status survey_init(survey *s, trajectory *t, const render_options *o, int64_t follow, scr_error *error)
{
    *s = (survey){.view = o->view, .follow = follow};
    int64_t count = trajectory_frame_count(t);
    s->first_time = trajectory_frame_time(t, 0);
    s->last_time = trajectory_frame_time(t, count - 1);
    scr_status status = trajectory_read(t, 0, &s->first, error);
    if (status == SCR_OK && follow != 0 && !survey_body_position(&s->first, follow, &s->follow_start))
        status = scr_fail(error, SCR_BAD_INPUT,
                          "the camera cannot follow \"%s\": it has no shape, but for planes, in the first frame",
                          o->view.follow);
    frame f = {0};
    if (status == SCR_OK) status = find_framing(s, t, &f, error);
    if (status == SCR_OK) status = find_range(s, t, &f, error);
    frame_free(&f);
    if (status == SCR_OK) settle_ground(s);
    if (status == SCR_OK) status = settle_camera(s, o, error);
    if (status != SCR_OK) survey_free(s);
    return status;
}

void survey_free(survey *s) { frame_free(&s->first); }

render_options survey_options_at(const survey *s, const render_options *o, const frame *f)
{
    render_options with = *o;
    scr_vec3 shift = {0.0, 0.0, 0.0}, now;
    // A body that is gone is not followed any more: the camera goes back to where it began.
    if (s->follow != 0 && survey_body_position(f, s->follow, &now)) shift = vec3_sub(now, s->follow_start);
    double span = s->last_time - s->first_time;
    track_instant instant = {f->time, span > 0.0 ? (f->time - s->first_time) / span : 0.0, shift};
    camera_key key = camera_track_at(&s->view, &instant);
    with.view = s->view;
    with.view.has_eye = with.view.has_target = true;
    with.view.eye = key.eye;
    with.view.target = key.target;
    with.framing = &s->framing;
    with.first = &s->first;
    with.names.first_time = s->first_time;
    with.names.last_time = s->last_time;
    return with;
}
