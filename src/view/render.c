// From a frame to a picture.
#include "view/render.h"

#include "core/stopwatch.h"
#include "core/threads.h"
#include "core/vec3.h"
#include "view/overlay.h"
#include "view/tracer.h"

enum { SIZE_MIN = 16, SIZE_MAX_PIXELS = 16384, SAMPLES_MAX = 4096 };
static const double FIELD_OF_VIEW_MAX = 180.0;  // degrees

render_options render_default_options(void)
{
    return (render_options){.width = 1600, .height = 1000, .samples = 16, .colour = COLOUR_BODY, .ground = true};
}

void render_use_view(render_options *o, const scene_view *view)
{
    o->has_eye = o->has_target = view->has_camera;
    o->eye = view->eye;
    o->target = view->target;
    o->field_of_view = view->field_of_view;
    o->colour = view->colour;
    o->has_range = view->has_range;
    o->range_min = view->range_min;
    o->range_max = view->range_max;
    o->ground = view->ground;
    o->has_ground_height = view->has_ground_height;
    o->ground_height = view->ground_height;
}

static bool is_in_reach(scr_vec3 v) { return vec3_norm(v) < EXTENT_REACH; }

static scr_status check_options(const render_options *o, scr_error *error)
{
    if (o->width < SIZE_MIN || o->height < SIZE_MIN || o->width > SIZE_MAX_PIXELS || o->height > SIZE_MAX_PIXELS)
        return scr_fail(error, SCR_BAD_INPUT, "a picture has %d to %d pixels along an edge, not %d x %d", SIZE_MIN,
                        SIZE_MAX_PIXELS, o->width, o->height);
    if (o->samples < 1 || o->samples > SAMPLES_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "samples must be from 1 to %d, not %d", SAMPLES_MAX, o->samples);
    if (o->has_range && !(isfinite(o->range_min) && isfinite(o->range_max) && o->range_min < o->range_max))
        return scr_fail(error, SCR_BAD_INPUT, "the range of the colour bar must grow, but goes from %g to %g",
                        o->range_min, o->range_max);
    if (!(o->field_of_view >= 0.0 && o->field_of_view < FIELD_OF_VIEW_MAX))
        return scr_fail(error, SCR_BAD_INPUT, "the field of view must be between 0 and %g degrees, not %g",
                        FIELD_OF_VIEW_MAX, o->field_of_view);
    if ((o->has_eye && !is_in_reach(o->eye)) || (o->has_target && !is_in_reach(o->target)))
        return scr_fail(error, SCR_BAD_INPUT, "the camera's eye and target must be less than %g m from the origin",
                        (double)EXTENT_REACH);
    if (o->has_eye && o->has_target && vec3_norm(vec3_sub(o->eye, o->target)) <= 1e-6 * vec3_norm(o->eye))
        return scr_fail(error, SCR_BAD_INPUT, "the camera's eye and target must be two different points");
    return SCR_OK;
}

static camera aim(const render_options *o, const stage *s, const legend *l)
{
    camera_request request = {.has_eye = o->has_eye,
                              .has_target = o->has_target,
                              .eye = o->eye,
                              .target = o->target,
                              .field_of_view = o->field_of_view,
                              .width = o->width,
                              .height = o->height,
                              .clear_right = overlay_legend_share(l, o->width, o->height)};
    return camera_for(&request, &s->subject);
}

static scr_vec3 widened(vec3f v) { return vec3(v[0], v[1], v[2]); }

static void describe_camera(const camera *c, const render_options *o, const stage *s, render_report *report)
{
    // The point of the line of sight next to the subject's middle.
    float depth = vec3f_dot(extent_centre(&s->subject) - c->eye, -c->back);
    report->eye = widened(c->eye);
    report->target = widened(c->eye - c->back * greater(depth, 1e-3f * extent_radius(&s->subject)));
    report->field_of_view = o->field_of_view > 0.0 ? o->field_of_view : CAMERA_FIELD_OF_VIEW;
}

scr_status render_frame(const frame *f, const render_options *o, picture *result, render_report *report,
                        scr_error *error)
{
    *result = (picture){0};
    stage s = {0};
    paint p = {0};
    ray_scene *rays = NULL;
    film exposed = {0};
    float *smooth = NULL;
    render_report figures = {0};
    double mark = scr_now();

    scr_status status = check_options(o, error);
    if (status != SCR_OK) goto done;
    ground_request ground = {o->ground, o->has_ground_height, o->ground_height};
    if ((status = stage_init(&s, f, &ground, error)) != SCR_OK) goto done;
    paint_request colours = {o->colour, o->has_range, o->range_min, o->range_max};
    if ((status = paint_init(&p, f, &colours, error)) != SCR_OK) goto done;
    camera c = aim(o, &s, &p.legend);
    stage_look_from(&s, c.eye);
    if ((status = ray_scene_create(&s, &rays, error)) != SCR_OK) goto done;
    scr_lap(&mark, &figures.build_seconds);

    size_t bytes = scr_array_bytes((int64_t)o->width * o->height, 3 * sizeof *smooth);
    if ((status = film_init(&exposed, o->width, o->height, error)) != SCR_OK) goto done;
    if ((status = picture_init(result, o->width, o->height, error)) != SCR_OK) goto done;
    if ((smooth = scr_alloc(bytes)) == NULL) {
        status = scr_fail_memory(error, bytes, "the light of a picture");
        goto done;
    }
    int threads = o->threads > 0 ? o->threads : scr_core_count();
    tracer t = {.stage = &s, .rays = rays, .paint = &p, .camera = &c, .light = light_for(&c), .samples = o->samples};
    tracer_render(&t, threads, (tracer_progress){o->progress, o->progress_context}, &exposed);
    film_smooth(&exposed, threads, smooth);
    picture_develop(result, smooth);
    scr_lap(&mark, &figures.trace_seconds);

    overlay captions = {o->title, f->time, &p.legend, &p.scale, o->material_name, o->material_count};
    status = overlay_draw(&captions, result, error);
    describe_camera(&c, o, &s, &figures);
    if (report != NULL) *report = figures;
done:
    if (status != SCR_OK) picture_free(result);
    scr_free(smooth);
    film_free(&exposed);
    ray_scene_destroy(rays);
    paint_free(&p);
    stage_free(&s);
    return status;
}
