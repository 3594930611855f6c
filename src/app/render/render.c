// SPDX-License-Identifier: BSD-3-Clause
// scree render: pictures of a run, one or many, and movies.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/command/command.h"
#include "app/command/output_path.h"
#include "app/render/movie.h"
#include "app/render/output_name.h"
#include "app/render/render_arguments.h"
#include "app/render/render_series.h"
#include "core/base/stopwatch.h"
#include "core/file/safe_file.h"
#include "core/text/human.h"
#include "view/render/survey.h"

enum { FRAMES_PER_SECOND = 25 };

// Which frames, and where the pictures go.
typedef struct render_request {
    const char *directory;
    const char *time, *frame, *frames, *output, *part;
    bool force;
    int frames_per_second;  // 0: not given
    render_arguments arguments;
} render_request;

// The frame nearest to a time, which must lie within the run, give or take half the distance between frames.
static scr_status frame_at_time(const run_source *source, const char *text, int64_t *index, scr_error *error)
{
    const trajectory *t = source->trajectory;
    double time = 0.0;
    scr_status status = read_numbers("time", text, ' ', "SECONDS", 1, &time, error);
    if (status != SCR_OK) return status;
    int64_t count = trajectory_frame_count(t), nearest = 0;
    for (int64_t i = 1; i < count; ++i)
        if (fabs(trajectory_frame_time(t, i) - time) < fabs(trajectory_frame_time(t, nearest) - time)) nearest = i;
    double first = trajectory_frame_time(t, 0), last = trajectory_frame_time(t, count - 1);
    double slack = count > 1 ? 0.5 * (last - first) / (double)(count - 1) : 1e-9;
    if (time < first - slack || time > last + slack)
        return scr_fail(error, SCR_BAD_INPUT, "%s has no frame at t = %g s: there are %s from %g s to %g s",
                        source->directory, time, human_things(count, "frame", "frames").text, first, last);
    *index = nearest;
    return SCR_OK;
}

static scr_status choose_frame(const run_source *source, const render_request *r, int64_t *index, scr_error *error)
{
    int64_t count = trajectory_frame_count(source->trajectory);
    if (r->time != NULL) return frame_at_time(source, r->time, index, error);
    *index = count - 1;
    if (r->frame == NULL) return SCR_OK;
    double number = 0.0;
    scr_status status = read_numbers("frame", r->frame, ' ', "NUMBER", 1, &number, error);
    if (status != SCR_OK) return status;
    if (number != floor(number) || number < 0.0 || number >= (double)count)
        return scr_fail(error, SCR_BAD_INPUT, "%s has no frame %s: its %s numbered from 0 to %lld", source->directory,
                        r->frame, human_things(count, "frame is", "frames are").text, (long long)(count - 1));
    *index = (int64_t)number;
    return SCR_OK;
}

static scr_status check_output(const char *path, const render_request *r, scr_error *error)
{
    const char *const inputs[] = {r->directory, r->arguments.view};
    const output_rule rule = {inputs, 2, r->force};
    return check_output_file(path, &rule, error);
}

static bool wants_movie(const render_request *r) { return r->output != NULL && output_name_is_movie(r->output); }
static bool wants_series(const render_request *r) { return r->frames != NULL || wants_movie(r); }

static scr_status check_request(const render_request *r, scr_error *error)
{
    int said = (r->time != NULL) + (r->frame != NULL) + (wants_series(r) ? 1 : 0);
    if (said > 1)
        return scr_fail(error, SCR_BAD_INPUT,
                        r->time != NULL && r->frame != NULL
                            ? "give --time or --frame, not both"
                            : "--time and --frame are for one picture; --frames and movies are of many");
    if (!wants_series(r) && r->part != NULL)
        return scr_fail(error, SCR_BAD_INPUT, "--part is for many pictures: say which by --frames");
    if (!wants_movie(r) && r->frames_per_second > 0)
        return scr_fail(error, SCR_BAD_INPUT, "--fps is for movies: -o FILE.mp4 or FILE.webm");
    scr_status status = r->output != NULL ? output_name_check(r->output, wants_series(r), error) : SCR_OK;
    return status == SCR_OK && wants_movie(r) ? movie_check(r->output, error) : status;
}

static void show_progress(void *context, double share)
{
    double *shown = context, now = scr_now();
    if (now - *shown < 0.1) return;
    *shown = now;
    fprintf(stderr, "\r  rendering %3.0f %%", 100.0 * share);
}

// Everything that is needed for pictures.
typedef struct render_job {
    run_source source;
    render_options options;
    bool view_is_own;
    int64_t follow;
} render_job;

static scr_status prepare(render_job *job, const render_request *r, scr_error *error)
{
    job->options = render_default_options();
    scr_status status = check_request(r, error);
    if (status == SCR_OK) status = run_source_open(&job->source, r->directory, error);
    if (status != SCR_OK) return status;
    run_source_hide_bodies(&job->source);
    render_options *o = &job->options;
    const trajectory *t = job->source.trajectory;
    if (job->source.scene != NULL) o->view = job->source.scene->view;
    o->names = job->source.names;
    o->names.first_time = trajectory_frame_time(t, 0);
    o->names.last_time = trajectory_frame_time(t, trajectory_frame_count(t) - 1);
    status = render_arguments_read(&r->arguments, o, &job->view_is_own, error);
    if (status == SCR_OK) status = render_check_options(o, error);
    if (status == SCR_OK && o->view.follow[0] != '\0')
        status = run_source_body(&job->source, o->view.follow, &job->follow, error);
    if (status == SCR_OK && o->view.chains) status = run_source_needs_contacts(&job->source, "--chains", error);
    if (status == SCR_OK && o->view.colour == COLOUR_FORCE)
        status = run_source_needs_contacts(&job->source, "--colour force", error);
    return status;
}

static void free_job(render_job *job)
{
    if (job->view_is_own) scene_view_free(&job->options.view);
    run_source_close(&job->source);
}

// ---- one picture ---------------------------------------------------------------------------------------------------

typedef struct single {
    int64_t index;  // of the frame
    frame frame, first;
    survey survey;
    bool is_surveyed;            // the camera moves, so that the whole run was surveyed
    char path[PATH_LENGTH_MAX];  // of the picture
    picture picture;
    render_report report;
} single;

static scr_status choose_output(single *s, const render_request *r, scr_error *error)
{
    char name[48];
    scr_status status = SCR_OK;
    snprintf(name, sizeof name, "frame-%05lld.png", (long long)s->index);
    if (r->output == NULL) status = path_join(s->path, r->directory, name, error);
    else if (snprintf(s->path, sizeof s->path, "%s", r->output) >= (int)sizeof s->path)
        status = scr_fail(error, SCR_BAD_INPUT, "the name %.80s... is too long for a file", r->output);
    return status == SCR_OK ? check_output(s->path, r, error) : status;
}

static scr_status read_frames(single *s, render_job *job, scr_error *error)
{
    trajectory *t = job->source.trajectory;
    render_options *o = &job->options;
    scr_status status = trajectory_read(t, s->index, &s->frame, error);
    s->is_surveyed = job->follow != 0 || o->view.orbit != 0.0 || o->view.path_count > 0;
    if (status == SCR_OK && s->is_surveyed) {
        status = survey_init(&s->survey, t, o, job->follow, error);
        if (status == SCR_OK) *o = survey_options_at(&s->survey, o, &s->frame);
    } else if (status == SCR_OK && o->view.colour == COLOUR_DISPLACEMENT) {
        status = trajectory_read(t, 0, &s->first, error);
        o->first = &s->first;
    }
    return status;
}

static scr_status make_picture(single *s, render_job *job, scr_error *error)
{
    bool terminal = isatty(STDERR_FILENO);
    double shown = scr_now();
    if (terminal) {
        job->options.progress = show_progress;
        job->options.progress_context = &shown;
    }
    scr_status status = render_frame(&s->frame, &job->options, &s->picture, &s->report, error);
    if (terminal) fprintf(stderr, "\r                   \r");
    return status;
}

static void print_result(const single *s, const render_job *job)
{
    const render_options *o = &job->options;
    const render_report *r = &s->report;
    const frame *f = &s->frame;
    printf("%s: frame %lld at t = %g s, %s, %s, %s, %d x %d pixels in %s\n", s->path, (long long)s->index, f->time,
           human_things(f->spheres.count, "sphere", "spheres").text, human_things(f->box_count, "box", "boxes").text,
           human_things(f->part_count, "other shape", "other shapes").text, o->width, o->height,
           human_duration(r->build_seconds + r->trace_seconds).text);
    if (!o->view.has_eye)
        printf("this view again: --eye %.6g,%.6g,%.6g --target %.6g,%.6g,%.6g --fov %g\n", r->eye.x, r->eye.y, r->eye.z,
               r->target.x, r->target.y, r->target.z, r->field_of_view);
}

static int draw_one(render_job *job, const render_request *r)
{
    scr_error error = {0};
    single s = {0};
    int code = EXIT_DONE;
    if (choose_frame(&job->source, r, &s.index, &error) != SCR_OK || choose_output(&s, r, &error) != SCR_OK ||
        read_frames(&s, job, &error) != SCR_OK || make_picture(&s, job, &error) != SCR_OK) {
        code = complain(&error);
    } else if (picture_write_png(&s.picture, s.path, &error) != SCR_OK) {
        code = complain_at_work(&error);
    } else {
        print_result(&s, job);
    }
    picture_free(&s.picture);
    survey_free(&s.survey);
    frame_free(&s.first);
    frame_free(&s.frame);
    return code;
}

// ---- many ----------------------------------------------------------------------------------------------------------

// Pictures go to the directory that -o names, to one beside the movie, or to DIR/frames.
static scr_status choose_directory(const render_request *r, char directory[PATH_LENGTH_MAX], scr_error *error)
{
    if (r->output == NULL) return path_join(directory, r->directory, "frames", error);
    int stem = wants_movie(r) ? (int)(strrchr(r->output, '.') - r->output) : (int)strlen(r->output);
    if (snprintf(directory, PATH_LENGTH_MAX, "%.*s%s", stem, r->output, wants_movie(r) ? "-frames" : "") >=
        PATH_LENGTH_MAX)
        return scr_fail(error, SCR_BAD_INPUT, "the name %.80s... is too long", r->output);
    if (path_exists(directory) && !path_is_directory(directory))
        return scr_fail(error, SCR_BAD_INPUT,
                        "%s is there already and is no directory: many pictures go to a directory", directory);
    return check_output_directory(directory, error);
}

static int draw_many(render_job *job, const render_request *r)
{
    scr_error error = {0};
    char directory[PATH_LENGTH_MAX];
    render_series series = {.source = &job->source,
                            .options = &job->options,
                            .follow = job->follow,
                            .share = {0, 1},
                            .force = r->force,
                            .view_file = r->arguments.view,
                            .directory = directory,
                            .movie = wants_movie(r) ? r->output : NULL,
                            .frames_per_second = r->frames_per_second > 0 ? r->frames_per_second : FRAMES_PER_SECOND};
    scr_status status = frame_range_read(r->frames != NULL ? r->frames : "all", job->source.trajectory, r->directory,
                                         &series.range, &error);
    if (status == SCR_OK && r->part != NULL) status = work_share_read(r->part, &series.share, &error);
    if (status == SCR_OK) status = choose_directory(r, directory, &error);
    if (status == SCR_OK && wants_movie(r)) status = check_output(r->output, r, &error);
    return status == SCR_OK ? render_series_run(&series) : complain(&error);
}

static int render(const render_request *r)
{
    scr_error error = {0};
    render_job job = {0};
    int code;
    if (prepare(&job, r, &error) != SCR_OK) code = complain(&error);
    else code = wants_series(r) ? draw_many(&job, r) : draw_one(&job, r);
    free_job(&job);
    return code;
}

int app_render(int argc, char **argv)
{
    render_request r = {0};
    render_arguments *w = &r.arguments;
    const option options[] = {
        {"time", 't', OPTION_TEXT, &r.time, "S", "the frame nearest to this time, s; default: the last frame"},
        {"frame", 'n', OPTION_TEXT, &r.frame, "N", "the frame of this number, from 0"},
        {"frames", 'f', OPTION_TEXT, &r.frames, "A:B:C", "many: all, first:last or first:last:step"},
        {"output", 'o', OPTION_TEXT, &r.output, "NAME",
         "FILE.png; a directory for many; FILE.mp4 or FILE.webm: a movie"},
        {"fps", 0, OPTION_COUNT, &r.frames_per_second, "N", "pictures a second of a movie; default 25"},
        {"part", 0, OPTION_TEXT, &r.part, "I/N", "draw the Ith of N shares of many; auto: as Slurm or MPI says"},
        {"force", 0, OPTION_FLAG, &r.force, NULL,
         "replace a file that scree did not make; of many pictures, draw again those that are there"},
        {"view", 0, OPTION_TEXT, &w->view, "FILE.json",
         "how it looks, in the words of a scene's view, instead of that one"},
        {"size", 's', OPTION_TEXT, &w->size, "WxH", "pixels; default 1600x1000"},
        {"dpi", 0, OPTION_NUMBER, &w->dpi, "N", "pixels an inch, written into the file for print"},
        {"colour", 'c', OPTION_TEXT, &w->colour, "body|radius|speed|material|force|displacement|group",
         "what colours show"},
        {"map", 0, OPTION_TEXT, &w->map, "scree|viridis|cividis|inferno|magma|earth", "the colours of quantities"},
        {"range", 'r', OPTION_TEXT, &w->range, "MIN,MAX", "of the colour bar, m, m/s or N; default: what there is"},
        {"chains", 0, OPTION_FLAG, &w->chains, NULL, "contact forces as rods, grains as beads"},
        {"cut", 0, OPTION_LIST, &w->cut, "X=M", "take away what is before the plane x, y or z = M metres"},
        {"eye", 0, OPTION_TEXT, &w->eye, "X,Y,Z", "where the camera is, m; default: a view of everything"},
        {"target", 0, OPTION_TEXT, &w->target, "X,Y,Z", "what it looks at, m"},
        {"fov", 0, OPTION_TEXT, &w->field_of_view, "DEG", "vertical field of view, degrees; default 28"},
        {"follow", 0, OPTION_TEXT, &w->follow, "BODY", "move along with a body"},
        {"orbit", 0, OPTION_ANY, &w->orbit, "DEG", "go round the target by so much in the course of the run"},
        {"bare", 0, OPTION_FLAG, &w->bare, NULL, "without title, time, scale and legend"},
        {"samples", 0, OPTION_COUNT, &w->samples, "N", "rays a pixel: more is smoother and slower; default 16"},
        {"threads", 'j', OPTION_COUNT, &w->threads, "N", "default: all cores; the picture does not depend on it"},
    };
    const verb_usage usage = {
        .verb = "render",
        .arguments = "DIR",
        .argument_count = 1,
        .about = "Make a picture of one frame of the run in DIR (default: DIR/frame-N.png), of many (DIR/frames) or a "
                 "movie.\n"
                 "Walls in front of the grains are shown as glass. Colours and camera come from the scene's \"view\" "
                 "unless\n"
                 "options say otherwise; docs/pictures.md has more.",
        .example = "scree render ball --colour speed -o ball.png\n"
                   "scree render ball -o ball.mp4 --size 960x600 --samples 4",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    parse_result parsed = parse_arguments(&usage, argc, argv, &r.directory);
    int code = parsed == PARSE_OK ? render(&r) : exit_code_of(parsed);
    option_list_free(&w->cut);
    return code;
}
