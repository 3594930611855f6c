// SPDX-License-Identifier: BSD-3-Clause
// From a frame to a picture.
#include "view/render/render.h"

#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/maths/vec3.h"
#include "view/picture/overlay.h"
#include "view/render/chains.h"
#include "view/render/tracer.h"

enum { SIZE_MIN = 16, SIZE_MAX_PIXELS = 16384, SAMPLES_MAX = 4096 };
static const double FIELD_OF_VIEW_MAX = 180.0;  // degrees

render_options render_default_options(void)
{
    return (render_options){.width = 1600, .height = 1000, .samples = 16, .view = scene_default_view()};
}

static bool is_in_reach(scr_vec3 v) { return vec3_norm(v) < EXTENT_REACH; }

static scr_status check_camera(const scene_view *v, scr_error *error)
{
    if (!(v->field_of_view > 0.0 && v->field_of_view < FIELD_OF_VIEW_MAX))
        return scr_fail(error, SCR_BAD_INPUT, "the field of view must be between 0 and %g degrees, not %g",
                        FIELD_OF_VIEW_MAX, v->field_of_view);
    if ((v->has_eye && !is_in_reach(v->eye)) || (v->has_target && !is_in_reach(v->target)))
        return scr_fail(error, SCR_BAD_INPUT, "the camera's eye and target must be less than %g m from the origin",
                        (double)EXTENT_REACH);
    if (v->has_eye && v->has_target && vec3_norm(vec3_sub(v->eye, v->target)) <= 1e-6 * vec3_norm(v->eye))
        return scr_fail(error, SCR_BAD_INPUT, "the camera's eye and target must be two different points");
    return SCR_OK;
}

scr_status render_check_options(const render_options *o, scr_error *error)
{
    const scene_view *v = &o->view;
    if (o->width < SIZE_MIN || o->height < SIZE_MIN || o->width > SIZE_MAX_PIXELS || o->height > SIZE_MAX_PIXELS)
        return scr_fail(error, SCR_BAD_INPUT, "a picture has %d to %d pixels along an edge, not %d x %d", SIZE_MIN,
                        SIZE_MAX_PIXELS, o->width, o->height);
    if (o->samples < 1 || o->samples > SAMPLES_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "samples must be from 1 to %d, not %d", SAMPLES_MAX, o->samples);
    if (v->has_range && !(isfinite(v->range_min) && isfinite(v->range_max) && v->range_min < v->range_max))
        return scr_fail(error, SCR_BAD_INPUT, "the range of the colour bar must grow, but goes from %g to %g",
                        v->range_min, v->range_max);
    return check_camera(v, error);
}

static bool wants_bar(const scene_view *v) { return v->captions && (v->chains || colour_is_quantity(v->colour)); }

camera render_camera(const render_options *o, const extent *subject)
{
    const scene_view *v = &o->view;
    legend bar = {.kind = wants_bar(v) ? LEGEND_BAR : LEGEND_NONE};
    camera_request request = {.has_eye = v->has_eye,
                              .has_target = v->has_target,
                              .eye = v->eye,
                              .target = v->target,
                              .field_of_view = v->field_of_view,
                              .width = o->width,
                              .height = o->height,
                              .clear_right = legend_panel_share(&bar, o->width, o->height)};
    return camera_for(&request, subject);
}

static scr_vec3 widened(vec3f v) { return vec3(v[0], v[1], v[2]); }

// How deep the middle of the subject lies behind the picture plane, m: what the scale bar measures.
static float subject_depth(const camera *c, const extent *subject)
{
    float depth = vec3f_dot(extent_centre(subject) - c->eye, -c->back);
    return greater(depth, 1e-3f * extent_radius(subject));
}

void render_describe_camera(const render_options *o, const camera *c, const extent *subject, render_report *report)
{
    report->eye = widened(c->eye);
    report->target = o->view.has_target ? o->view.target : widened(c->eye - c->back * subject_depth(c, subject));
    report->field_of_view = o->view.field_of_view;
}

static paint_request colours_of(const render_options *o, const chains *rods)
{
    const scene_view *v = &o->view;
    return (paint_request){.colour = v->colour,
                           .map = v->map,
                           .has_range = v->has_range,
                           .range = {v->range_min, v->range_max},
                           .first = o->first,
                           .group_of_body = o->names.group_of_body,
                           .body_count = o->names.body_count,
                           .appearance = o->names.appearance,
                           .first_rod = v->chains ? rods->first_rod : -1,
                           .rod_force = rods->force};
}

static kind_names names_of(const render_options *o)
{
    const run_names *n = &o->names;
    if (o->view.colour == COLOUR_GROUP) return (kind_names){"group", n->group_name, n->group_count};
    return (kind_names){"material", n->material_name, n->material_count};
}

static scr_status write_captions(const render_options *o, const camera *c, const stage *s, const paint *p,
                                 picture *result, scr_error *error)
{
    if (!o->view.captions) return SCR_OK;
    // The middle of what the camera looks at, or of the subject where it looks at nothing in particular.
    float depth =
        o->view.has_target
            ? vec3f_dot(vec3f_of((float)o->view.target.x, (float)o->view.target.y, (float)o->view.target.z) - c->eye,
                        -c->back)
            : subject_depth(c, &s->subject);
    overlay captions = {.title = o->names.title,
                        .time = s->frame->time,
                        .first_time = o->names.first_time,
                        .last_time = o->names.last_time,
                        .pixels_per_metre = c->height / (2.0 * c->half_height * depth),
                        .legend = &p->legend,
                        .scale = &p->scale,
                        .names = names_of(o)};
    return overlay_draw(&captions, result, error);
}

// Light on the film, and the film made a picture.
static scr_status expose(const tracer *t, const render_options *o, picture *result, scr_error *error)
{
    film exposed = {0};
    size_t bytes = scr_array_bytes((int64_t)o->width * o->height, 3 * sizeof(float));
    float *smooth = NULL;
    int threads = o->threads > 0 ? o->threads : scr_core_count();
    scr_status status = film_init(&exposed, o->width, o->height, error);
    if (status == SCR_OK) status = picture_init(result, o->width, o->height, error);
    if (status == SCR_OK && (smooth = scr_alloc(bytes)) == NULL)
        status = scr_fail_memory(error, bytes, "the light of a picture");
    if (status == SCR_OK) {
        tracer_render(t, threads, (tracer_progress){o->progress, o->progress_context}, &exposed);
        film_smooth(&exposed, threads, smooth);
        picture_develop(result, smooth);
        result->dpi = o->dpi;
    }
    scr_free(smooth);
    film_free(&exposed);
    return status;
}

static scr_status add_chains(const frame *f, const render_options *o, chains *rods, const frame **shown,
                             scr_error *error)
{
    if (!o->view.chains) return SCR_OK;
    double most = o->view.has_range ? o->view.range_max : quantity_range_of_forces(f).max;
    *shown = &rods->frame;
    return chains_init(rods, f, most, error);
}

scr_status render_frame(const frame *f, const render_options *o, picture *result, render_report *report,
                        scr_error *error)
{
    *result = (picture){0};
    stage s = {0};
    paint p = {0};
    chains rods = {0};
    framing about = {0};
    ray_scene *rays = NULL;
    render_report figures = {0};
    const frame *shown = f;
    double mark = scr_now();

    scr_status status = render_check_options(o, error);
    if (status != SCR_OK) return status;
    if (o->framing != NULL) about = *o->framing;
    else status = framing_of(f, &about, error);
    if (status == SCR_OK) status = add_chains(f, o, &rods, &shown, error);
    ground_request ground = {o->view.ground, o->view.has_ground_height, o->view.ground_height};
    if (status == SCR_OK) status = stage_init(&s, shown, &about, &ground, error);
    paint_request colours = colours_of(o, &rods);
    if (status == SCR_OK) status = paint_init(&p, shown, &colours, error);
    if (status != SCR_OK) goto done;
    camera c = render_camera(o, &about.subject);
    s.appearance = o->names.appearance;
    stage_choose_glass(&s, c.eye);
    s.cut = cut_for(o->view.has_cut, o->view.cut, c.eye);
    if ((status = ray_scene_create(&s, &rays, error)) != SCR_OK) goto done;
    scr_lap(&mark, &figures.build_seconds);

    tracer t = {.stage = &s, .rays = rays, .paint = &p, .camera = &c, .light = light_for(&c), .samples = o->samples};
    if ((status = expose(&t, o, result, error)) != SCR_OK) goto done;
    scr_lap(&mark, &figures.trace_seconds);
    status = write_captions(o, &c, &s, &p, result, error);
    render_describe_camera(o, &c, &about.subject, &figures);
    if (report != NULL) *report = figures;
done:
    if (status != SCR_OK) picture_free(result);
    ray_scene_destroy(rays);
    paint_free(&p);
    stage_free(&s);
    chains_free(&rods);
    return status;
}
