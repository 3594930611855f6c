// scree render: a picture of one frame of a run.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/human.h"
#include "app/options.h"
#include "app/output_path.h"
#include "core/nearest_name.h"
#include "core/stopwatch.h"
#include "io/safe_file.h"
#include "io/scene_reader.h"
#include "io/trajectory.h"
#include "view/render.h"

static const char *const colour_names[] = {
    [COLOUR_BODY] = "body", [COLOUR_RADIUS] = "radius", [COLOUR_SPEED] = "speed", [COLOUR_MATERIAL] = "material"};
enum { COLOUR_NAME_COUNT = sizeof colour_names / sizeof colour_names[0] };

// The options as they were typed; NULL where they were not.
typedef struct render_words {
    const char *time, *frame, *output, *size, *colour, *range, *eye, *target, *field_of_view;
    int samples, threads;  // 0: not given
} render_words;

// Exactly `count` numbers with a separator between them.
static scr_status read_numbers(const char *name, const char *text, char separator, const char *form, int count,
                               double *number, scr_error *error)
{
    const char *at = text;
    for (int i = 0; i < count; ++i) {
        char *end;
        number[i] = strtod(at, &end);
        char expected = i + 1 < count ? separator : '\0';
        if (end == at || *end != expected || !isfinite(number[i]))
            return scr_fail(error, SCR_BAD_INPUT, "--%s is written as --%s %s, not \"%s\"", name, name, form, text);
        at = end + 1;
    }
    return SCR_OK;
}

static scr_status read_point(const char *name, const char *text, bool *given, scr_vec3 *point, scr_error *error)
{
    double p[3] = {0.0};
    if (text == NULL) return SCR_OK;
    scr_status status = read_numbers(name, text, ',', "x,y,z (metres)", 3, p, error);
    if (status != SCR_OK) return status;
    *given = true;
    *point = (scr_vec3){p[0], p[1], p[2]};
    return SCR_OK;
}

static scr_status read_size(const char *text, render_options *o, scr_error *error)
{
    double edge[2] = {0.0};
    if (text == NULL) return SCR_OK;
    scr_status status = read_numbers("size", text, 'x', "1600x1000", 2, edge, error);
    if (status != SCR_OK) return status;
    for (int i = 0; i < 2; ++i)
        if (edge[i] != floor(edge[i]) || edge[i] < 1.0 || edge[i] > 1e6)
            return scr_fail(error, SCR_BAD_INPUT, "--size needs whole numbers of pixels, not \"%s\"", text);
    o->width = (int)edge[0];
    o->height = (int)edge[1];
    return SCR_OK;
}

static scr_status read_colour(const char *text, render_options *o, scr_error *error)
{
    if (text == NULL) return SCR_OK;
    nearest_name search = nearest_to(text);
    for (int c = 0; c < COLOUR_NAME_COUNT; ++c) {
        if (strcmp(text, colour_names[c]) == 0) {
            if (o->colour != (colour_by)c) o->has_range = false;  // the scene's range was for another quantity
            o->colour = (colour_by)c;
            return SCR_OK;
        }
        nearest_offer(&search, colour_names[c]);
    }
    if (search.best != NULL)
        return scr_fail(error, SCR_BAD_INPUT, "--colour \"%s\" is unknown; did you mean \"%s\"?", text, search.best);
    return scr_fail(error, SCR_BAD_INPUT, "--colour is body, radius, speed or material, not \"%s\"", text);
}

static scr_status read_range(const char *text, render_options *o, scr_error *error)
{
    double end[2] = {0.0};
    if (text == NULL) return SCR_OK;
    if (o->colour != COLOUR_RADIUS && o->colour != COLOUR_SPEED)
        return scr_fail(error, SCR_BAD_INPUT, "--range belongs to --colour radius or --colour speed");
    scr_status status = read_numbers("range", text, ',', "min,max (m or m/s)", 2, end, error);
    if (status != SCR_OK) return status;
    o->has_range = true;
    o->range_min = end[0];
    o->range_max = end[1];
    return SCR_OK;
}

// What the command line says, over what the scene said.
static scr_status read_words(const render_words *words, render_options *o, scr_error *error)
{
    if (words->samples > 0) o->samples = words->samples;
    o->threads = words->threads;
    scr_status status = read_size(words->size, o, error);
    if (status == SCR_OK) status = read_colour(words->colour, o, error);
    if (status == SCR_OK) status = read_range(words->range, o, error);
    if (status == SCR_OK) status = read_point("eye", words->eye, &o->has_eye, &o->eye, error);
    if (status == SCR_OK) status = read_point("target", words->target, &o->has_target, &o->target, error);
    if (status == SCR_OK && words->field_of_view != NULL) {
        status = read_numbers("fov", words->field_of_view, ' ', "DEGREES", 1, &o->field_of_view, error);
        if (status == SCR_OK && o->field_of_view <= 0.0)
            status = scr_fail(error, SCR_BAD_INPUT, "--fov must be positive, not %s", words->field_of_view);
    }
    return status;
}

// The frame nearest to a time, which must lie within the run, give or take half the distance between frames.
static scr_status frame_at_time(const trajectory *t, const char *directory, const char *text, int64_t *index,
                                scr_error *error)
{
    double time = 0.0;
    scr_status status = read_numbers("time", text, ' ', "SECONDS", 1, &time, error);
    if (status != SCR_OK) return status;
    int64_t count = trajectory_frame_count(t), nearest = 0;
    for (int64_t i = 1; i < count; ++i)
        if (fabs(trajectory_frame_time(t, i) - time) < fabs(trajectory_frame_time(t, nearest) - time)) nearest = i;
    double first = trajectory_frame_time(t, 0), last = trajectory_frame_time(t, count - 1);
    double slack = count > 1 ? 0.5 * (last - first) / (double)(count - 1) : 1e-9;
    if (time < first - slack || time > last + slack)
        return scr_fail(error, SCR_BAD_INPUT, "%s has no frame at t = %g s: its %s frames go from %g s to %g s",
                        directory, time, human_count(count).text, first, last);
    *index = nearest;
    return SCR_OK;
}

static scr_status choose_frame(const trajectory *t, const char *directory, const render_words *words, int64_t *index,
                               scr_error *error)
{
    int64_t count = trajectory_frame_count(t);
    if (count == 0) return scr_fail(error, SCR_BAD_INPUT, "%s holds no frame yet", directory);
    if (words->time != NULL && words->frame != NULL)
        return scr_fail(error, SCR_BAD_INPUT, "give --time or --frame, not both");
    if (words->time != NULL) return frame_at_time(t, directory, words->time, index, error);
    *index = count - 1;
    if (words->frame == NULL) return SCR_OK;
    double number = 0.0;
    scr_status status = read_numbers("frame", words->frame, ' ', "NUMBER", 1, &number, error);
    if (status != SCR_OK) return status;
    if (number != floor(number) || number < 0.0 || number >= (double)count)
        return scr_fail(error, SCR_BAD_INPUT, "%s has no frame %s: its %s frames are numbered from 0 to %lld",
                        directory, words->frame, human_count(count).text, (long long)(count - 1));
    *index = (int64_t)number;
    return SCR_OK;
}

static void show_progress(void *context, double share)
{
    double *shown = context, now = scr_now();
    if (now - *shown < 0.1) return;
    *shown = now;
    fprintf(stderr, "\r  rendering %3.0f %%", 100.0 * share);
}

// Everything that is needed for a picture, and the picture.
typedef struct render_job {
    scene *scene;  // NULL if the directory has none
    const char **material_name;
    trajectory *trajectory;
    int64_t index;  // of the frame
    frame frame;
    render_options options;
    char path[PATH_LENGTH_MAX];  // of the picture
    picture picture;
    render_report report;
} render_job;

// What the scene in the run directory says about pictures. Without a scene there all is as by default.
static scr_status use_scene(render_job *job, const char *directory, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, directory, "scene.json", error);
    if (status != SCR_OK || !path_exists(path)) return status;
    status = scene_read_run_file(path, &job->scene, error);
    if (status != SCR_OK) return status;

    const scene *s = job->scene;
    size_t bytes = scr_array_bytes(s->material_count + 1, sizeof *job->material_name);
    job->material_name = scr_alloc(bytes);
    if (job->material_name == NULL) return scr_fail_memory(error, bytes, "the names of materials");
    for (int m = 0; m < s->material_count; ++m) job->material_name[m] = s->materials[m].name;
    render_use_view(&job->options, &s->view);
    job->options.title = s->title;
    job->options.material_name = job->material_name;
    job->options.material_count = s->material_count;
    return SCR_OK;
}

static scr_status open_trajectory(render_job *job, const char *directory, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, directory, "trajectory.h5", error);
    if (status == SCR_OK && !path_exists(path))
        status = scr_fail(error, SCR_IO,
                          "%s holds no trajectory.h5: is it a run directory, and did its scene ask for "
                          "frames (output.frame_interval)?",
                          directory);
    return status == SCR_OK ? trajectory_open(directory, &job->trajectory, error) : status;
}

static scr_status choose_output(render_job *job, const char *directory, const char *asked, scr_error *error)
{
    char name[48];
    snprintf(name, sizeof name, "frame-%05lld.png", (long long)job->index);
    if (asked == NULL) {
        scr_status status = path_join(job->path, directory, name, error);
        return status == SCR_OK ? check_output_path(job->path, error) : status;
    }
    if (snprintf(job->path, sizeof job->path, "%s", asked) >= (int)sizeof job->path)
        return scr_fail(error, SCR_IO, "the name %.80s... is too long for a file", asked);
    return check_output_path(job->path, error);
}

static scr_status prepare(render_job *job, const char *directory, const render_words *words, scr_error *error)
{
    job->options = render_default_options();
    if (!path_is_directory(directory))
        return scr_fail(error, SCR_IO, "%s is not a run directory: there is no such directory", directory);
    scr_status status = use_scene(job, directory, error);
    if (status == SCR_OK) status = read_words(words, &job->options, error);
    if (status == SCR_OK) status = open_trajectory(job, directory, error);
    if (status == SCR_OK) status = choose_frame(job->trajectory, directory, words, &job->index, error);
    if (status == SCR_OK) status = choose_output(job, directory, words->output, error);
    if (status == SCR_OK) status = trajectory_read(job->trajectory, job->index, &job->frame, error);
    return status;
}

static scr_status make_picture(render_job *job, scr_error *error)
{
    bool terminal = isatty(STDERR_FILENO);
    double shown = scr_now();
    if (terminal) {
        job->options.progress = show_progress;
        job->options.progress_context = &shown;
    }
    scr_status status = render_frame(&job->frame, &job->options, &job->picture, &job->report, error);
    if (terminal) fprintf(stderr, "\r                   \r");
    return status;
}

static void print_result(const render_job *job)
{
    const render_options *o = &job->options;
    const render_report *r = &job->report;
    const frame *f = &job->frame;
    printf("%s: frame %lld at t = %g s, %s, %s, %s, %d x %d pixels in %s\n", job->path, (long long)job->index, f->time,
           human_things(f->spheres.count, "sphere", "spheres").text, human_things(f->box_count, "box", "boxes").text,
           human_things(f->part_count, "other shape", "other shapes").text, o->width, o->height,
           human_duration(r->build_seconds + r->trace_seconds).text);
    if (!o->has_eye)
        printf("this view again: --eye %.6g,%.6g,%.6g --target %.6g,%.6g,%.6g --fov %g\n", r->eye.x, r->eye.y, r->eye.z,
               r->target.x, r->target.y, r->target.z, r->field_of_view);
}

static int render_run(const char *directory, const render_words *words)
{
    scr_error error = {0};
    render_job job = {0};
    int code = EXIT_DONE;
    if (prepare(&job, directory, words, &error) != SCR_OK || make_picture(&job, &error) != SCR_OK) {
        code = complain(&error);
    } else if (picture_write_png(&job.picture, job.path, &error) != SCR_OK) {
        complain(&error);
        code = EXIT_FAILED;
    } else {
        print_result(&job);
    }
    picture_free(&job.picture);
    frame_free(&job.frame);
    trajectory_close(job.trajectory, NULL);
    scr_free(job.material_name);
    scene_destroy(job.scene);
    return code;
}

int app_render(int argc, char **argv)
{
    render_words words = {0};
    const option options[] = {
        {"time", 't', OPTION_TEXT, &words.time, "S", "the frame nearest to this time, s; default: the last frame"},
        {"frame", 'n', OPTION_TEXT, &words.frame, "N", "the frame of this number, from 0"},
        {"output", 'o', OPTION_TEXT, &words.output, "FILE.png", "the picture; default: DIR/frame-N.png"},
        {"size", 's', OPTION_TEXT, &words.size, "WxH", "pixels; default 1600x1000"},
        {"colour", 'c', OPTION_TEXT, &words.colour, "WHAT",
         "body, radius, speed or material; default: as the scene says"},
        {"range", 'r', OPTION_TEXT, &words.range, "MIN,MAX",
         "of the colour bar, m or m/s; default: what the frame holds"},
        {"eye", 0, OPTION_TEXT, &words.eye, "X,Y,Z", "where the camera is, m; default: a view of everything"},
        {"target", 0, OPTION_TEXT, &words.target, "X,Y,Z", "what it looks at, m"},
        {"fov", 0, OPTION_TEXT, &words.field_of_view, "DEG", "vertical field of view, degrees; default 28"},
        {"samples", 0, OPTION_COUNT, &words.samples, "N", "rays a pixel: more is smoother and slower; default 16"},
        {"threads", 'j', OPTION_COUNT, &words.threads, "N", "default: all cores; the picture does not depend on it"},
    };
    const verb_usage usage = {
        .verb = "render",
        .arguments = "DIR",
        .argument_count = 1,
        .about =
            "Make a picture of one frame of the run in DIR. Walls in front of the grains are shown as glass. Colours\n"
            "and camera come from the scene's \"view\" unless options say otherwise; docs/pictures.md has more.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    const char *directory;
    parse_result parsed = parse_arguments(&usage, argc, argv, &directory);
    return parsed == PARSE_OK ? render_run(directory, &words) : exit_code_of(parsed);
}
