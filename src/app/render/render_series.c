// SPDX-License-Identifier: BSD-3-Clause
// Pictures of many frames of a run.
#include "app/render/render_series.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command/bar.h"
#include "app/command/command.h"
#include "app/command/output_path.h"
#include "app/render/movie.h"
#include "core/base/stopwatch.h"
#include "core/file/safe_file.h"
#include "core/text/human.h"
#include "core/text/text_file.h"
#include "io/export/view_file.h"
#include "io/file/made_by.h"
#include "view/render/survey.h"

static const double REDRAW_SECONDS = 0.2, LINE_SECONDS = 10.0;  // on a terminal; elsewhere
static const char VIEW_FILE[] = "view.json";
enum { BAR_WIDTH = 30 };  // characters

// ---- how far it is -------------------------------------------------------------------------------------------------

typedef struct series_progress {
    int64_t total, done;  // pictures to draw
    double began, next;   // scr_now()
    bool terminal, blocks, drawn;
} series_progress;

static void show_progress(void *context, double share)
{
    series_progress *p = context;
    double now = scr_now(), whole = ((double)p->done + share) / (double)p->total;
    if (now < p->next) return;
    p->next = now + (p->terminal ? REDRAW_SECONDS : LINE_SECONDS);
    char words[400];
    double left = whole > 0.0 ? (now - p->began) * (1.0 - whole) / whole : 0.0;
    snprintf(words, sizeof words, "%3.0f%%  %s left  picture %s of %s", 100.0 * whole,
             whole > 0.0 ? human_duration(left).text : "?", human_count(p->done + 1).text, human_count(p->total).text);
    if (p->terminal) bar_draw(whole, BAR_WIDTH, words, p->blocks);
    else fprintf(stderr, "%s\n", words);
    p->drawn = p->terminal;
}

static series_progress begin_progress(int64_t total)
{
    double now = scr_now();
    bool terminal = isatty(STDERR_FILENO) != 0;
    return (series_progress){.total = total,
                             .began = now,
                             .next = now + (terminal ? REDRAW_SECONDS : LINE_SECONDS),
                             .terminal = terminal,
                             .blocks = terminal && bar_shows_blocks()};
}

// ---- the directory -------------------------------------------------------------------------------------------------

static void picture_path(const void *context, int64_t k, char *path, size_t size)
{
    const render_series *s = context;
    snprintf(path, size, "%s/frame-%05lld.png", s->directory, (long long)frame_range_at(&s->range, k));
}

static bool is_drawn(const render_series *s, int64_t k)
{
    char path[PATH_LENGTH_MAX];
    picture_path(s, k, path, sizeof path);
    return file_size(path) > 0;
}

// A fingerprint of the scene as run: another run in the same directory is another scene, or the same pictures.
static uint64_t scene_fingerprint(const char *directory)
{
    char path[PATH_LENGTH_MAX];
    uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    FILE *file = path_join(path, directory, "scene.json", NULL) == SCR_OK ? fopen(path, "rb") : NULL;
    if (file == NULL) return 0;
    for (int c; (c = getc(file)) != EOF;) hash = (hash ^ (unsigned)c) * 0x100000001b3u;
    fclose(file);
    return hash;
}

static scr_status settings_text(const render_series *s, const survey *seen, char **text, scr_error *error)
{
    char comment[200];
    const render_options *o = s->options;
    snprintf(comment, sizeof comment, "%d x %d pixels, %d samples, %g dpi, of the scene %016" PRIx64 "; " MADE_BY_SCREE,
             o->width, o->height, o->samples, o->dpi, scene_fingerprint(s->source->directory));
    return view_text(&seen->view, comment, text, error);
}

static scr_status check_settings(const render_series *s, const char *path, const char *text, const char *there,
                                 scr_error *error)
{
    const output_rule rule = {&s->view_file, 1, s->force};
    if (strcmp(there, text) == 0) return SCR_OK;
    if (s->force) return check_output_file(path, &rule, error);
    return scr_fail(error, SCR_BAD_INPUT,
                    "the pictures in %s are of another view, size or run (see view.json there): --force draws "
                    "them again, -o names another place, --view %s goes on with the old view",
                    s->directory, path);
}

// May pictures of these settings go there? *is_settled: some did before. A view.json of ours says whose pictures are
// there; without one they are somebody else's.
static scr_status check_directory(const render_series *s, const char *text, bool *is_settled, scr_error *error)
{
    static const char *const members[] = {"view.json", "frame-*.png", NULL};
    char path[PATH_LENGTH_MAX], *there = NULL;
    size_t length = 0;
    const output_rule rule = {&s->source->directory, 1, false};
    scr_status status = path_join(path, s->directory, VIEW_FILE, error);
    *is_settled = false;
    if (status != SCR_OK) return status;
    if (!file_is_made_by_scree(path)) return check_output_members(s->directory, members, &rule, error);
    status = text_file_read(path, &there, &length, error);
    if (status == SCR_OK) status = check_settings(s, path, text, there, error);
    *is_settled = status == SCR_OK && strcmp(there, text) == 0;
    scr_free(there);
    return status;
}

static scr_status settle_directory(const render_series *s, const char *text, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = directory_create(s->directory, error);
    if (status == SCR_OK) status = path_join(path, s->directory, VIEW_FILE, error);
    return status == SCR_OK ? file_replace(path, text, strlen(text), error) : status;
}

// ---- drawing -------------------------------------------------------------------------------------------------------

static scr_status draw(const render_series *s, const survey *seen, int64_t k, frame *f, series_progress *p,
                       scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    picture drawn;
    scr_status status = trajectory_read(s->source->trajectory, frame_range_at(&s->range, k), f, error);
    if (status != SCR_OK) return status;
    render_options o = survey_options_at(seen, s->options, f);
    o.progress = show_progress;
    o.progress_context = p;
    status = render_frame(f, &o, &drawn, NULL, error);
    if (status != SCR_OK) return status;
    picture_path(s, k, path, sizeof path);
    status = picture_write_png(&drawn, path, error);
    picture_free(&drawn);
    return status;
}

static bool is_wanted(const render_series *s, int64_t k)
{
    return work_share_has(&s->share, k) && (s->force || !is_drawn(s, k));
}

static scr_status draw_all(const render_series *s, const survey *seen, int64_t *drawn, scr_error *error)
{
    int64_t total = 0;
    frame f = {0};
    scr_status status = SCR_OK;
    for (int64_t k = 0; k < s->range.count; ++k) total += is_wanted(s, k);
    series_progress p = begin_progress(total);
    for (int64_t k = 0; k < s->range.count && status == SCR_OK; ++k) {
        if (!is_wanted(s, k)) continue;
        status = draw(s, seen, k, &f, &p, error);
        p.done += status == SCR_OK;
    }
    if (p.drawn) bar_clear();
    frame_free(&f);
    *drawn = p.done;
    return status;
}

static int make_movie(const render_series *s)
{
    scr_error error = {0};
    int64_t missing = 0;
    for (int64_t k = 0; k < s->range.count; ++k) missing += !is_drawn(s, k);
    if (missing > 0) {
        printf("%s: not yet: %s missing; when all parts are done, the same command makes it\n", s->movie,
               human_things(missing, "picture is", "pictures are").text);
        return EXIT_DONE;
    }
    movie_pictures pictures = {s->range.count, picture_path, s};
    if (movie_write(s->movie, &pictures, s->frames_per_second, &error) != SCR_OK) return complain_at_work(&error);
    printf("%s: %s, %.3g s at %d a second, %s\n", s->movie, human_things(s->range.count, "picture", "pictures").text,
           (double)s->range.count / s->frames_per_second, s->frames_per_second, human_bytes(file_size(s->movie)).text);
    return EXIT_DONE;
}

int render_series_run(const render_series *s)
{
    scr_error error = {0};
    survey seen = {0};
    int64_t drawn = 0, share = 0;
    double began = scr_now();
    int code = EXIT_DONE;
    char *settings = NULL;
    bool is_settled = false;
    for (int64_t k = 0; k < s->range.count; ++k) share += work_share_has(&s->share, k);
    if (survey_init(&seen, s->source->trajectory, s->options, s->follow, &error) != SCR_OK ||
        settings_text(s, &seen, &settings, &error) != SCR_OK ||
        check_directory(s, settings, &is_settled, &error) != SCR_OK) {
        code = complain(&error);
    } else if ((!is_settled && settle_directory(s, settings, &error) != SCR_OK) ||
               draw_all(s, &seen, &drawn, &error) != SCR_OK) {
        code = complain_at_work(&error);
    } else {
        printf("%s: %s drawn in %s, %s there already\n", s->directory, human_things(drawn, "picture", "pictures").text,
               human_duration(scr_now() - began).text, human_count(share - drawn).text);
        if (s->movie != NULL) code = make_movie(s);
    }
    free(settings);
    survey_free(&seen);
    return code;
}
