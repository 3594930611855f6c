// SPDX-License-Identifier: BSD-3-Clause
// scree export: the frames of a run as files of other programs.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/command/bar.h"
#include "app/command/command.h"
#include "app/command/options.h"
#include "app/command/output_path.h"
#include "app/source/frame_range.h"
#include "app/source/run_source.h"
#include "core/file/safe_file.h"
#include "core/text/human.h"
#include "core/text/nearest_name.h"
#include "core/text/text_file.h"
#include "io/export/frame_csv.h"
#include "io/export/lammps_dump.h"
#include "io/export/vtu_file.h"
#include "io/file/text_output.h"
#include "io/scene/scene_reader.h"
#include "view/render/povray.h"

typedef struct export_request {
    const char *directory, *to, *output, *frames, *into, *view;
    int segments;  // of the circles of tessellated shapes; 0: not asked for
    bool force;
} export_request;

// An export under way: the run, and whatever the format keeps between frames.
typedef struct export_job {
    run_source source;
    frame_range range;
    const export_request *request;
    bool terminal;
    bool has_begun;  // something may be written
} export_job;

static scr_status next_frame(export_job *job, int64_t k, frame *f, scr_error *error)
{
    char words[64];
    snprintf(words, sizeof words, "%3.0f%%", 100.0 * (double)k / (double)job->range.count);
    if (job->terminal) bar_draw((double)k / (double)job->range.count, 30, words, bar_shows_blocks());
    return trajectory_read(job->source.trajectory, frame_range_at(&job->range, k), f, error);
}

static scr_status export_vtu(export_job *job, scr_error *error)
{
    vtu_series *series;
    frame f = {0};
    job->has_begun = true;
    scr_status status = vtu_series_begin(job->request->output, job->request->segments, &series, error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < job->range.count && status == SCR_OK; ++k) {
        status = next_frame(job, k, &f, error);
        if (status == SCR_OK) status = vtu_series_add(series, frame_range_at(&job->range, k), &f, error);
    }
    frame_free(&f);
    return vtu_series_end(series, status, error);
}

static bool has_ellipsoids(const frame *f)
{
    for (int64_t i = 0; i < f->part_count; ++i)
        if (f->parts[i].shape == SCR_ELLIPSOID) return true;
    return false;
}

// All frames of a dump have the same columns: those of an ellipsoid if any frame has one.
static scr_status any_ellipsoids(export_job *job, bool *any, scr_error *error)
{
    frame f = {0};
    scr_status status = SCR_OK;
    *any = false;
    for (int64_t k = 0; k < job->range.count && status == SCR_OK && !*any; ++k) {
        status = trajectory_read(job->source.trajectory, frame_range_at(&job->range, k), &f, error);
        if (status == SCR_OK) *any = has_ellipsoids(&f);
    }
    frame_free(&f);
    return status;
}

static scr_status export_lammps(export_job *job, scr_error *error)
{
    FILE *out;
    frame f = {0};
    bool ellipsoids;
    scr_status status = any_ellipsoids(job, &ellipsoids, error);
    if (status != SCR_OK) return status;
    job->has_begun = true;
    status = text_output_open(job->request->output, &out, error);
    if (status != SCR_OK) return status;
    for (int64_t k = 0; k < job->range.count && status == SCR_OK; ++k) {
        status = next_frame(job, k, &f, error);
        if (status == SCR_OK) status = lammps_dump_add(out, frame_range_at(&job->range, k), &f, ellipsoids, error);
    }
    frame_free(&f);
    return text_output_close(job->request->output, out, status, error);
}

static scr_status export_csv(export_job *job, scr_error *error)
{
    FILE *out;
    frame f = {0};
    const run_names *names = &job->source.names;
    job->has_begun = true;
    scr_status status = text_output_open(job->request->output, &out, error);
    if (status != SCR_OK) return status;
    frame_csv_begin(out);
    for (int64_t k = 0; k < job->range.count && status == SCR_OK; ++k) {
        status = next_frame(job, k, &f, error);
        if (status == SCR_OK)
            frame_csv_add(out, frame_range_at(&job->range, k), &f, names->material_name, names->material_count);
    }
    frame_free(&f);
    return text_output_close(job->request->output, out, status, error);
}

// Colours, camera and ground as the scene's view says, or a view of its own.
static scr_status survey_run(export_job *job, survey *seen, render_options *o, bool *view_is_own, scr_error *error)
{
    int64_t follow = 0;
    scr_status status = SCR_OK;
    run_source_hide_bodies(&job->source);
    *o = render_default_options();
    o->names = job->source.names;
    if (job->source.scene != NULL) o->view = job->source.scene->view;
    if (job->request->view != NULL) {
        status = scene_read_view_file(job->request->view, &o->view, error);
        *view_is_own = status == SCR_OK;
    }
    o->view.chains = false;  // rods are no bodies
    if (status == SCR_OK && o->view.colour == COLOUR_FORCE)
        status = run_source_needs_contacts(&job->source, "the colour \"force\"", error);
    if (status == SCR_OK && o->view.follow[0] != '\0')
        status = run_source_body(&job->source, o->view.follow, &follow, error);
    return status == SCR_OK ? survey_init(seen, job->source.trajectory, o, follow, error) : status;
}

static scr_status export_povray(export_job *job, scr_error *error)
{
    survey seen = {0};
    render_options o;
    povray_series *series;
    frame f = {0};
    char *prepared = NULL;
    size_t length = 0;
    bool view_is_own = false;
    scr_status status = survey_run(job, &seen, &o, &view_is_own, error);
    if (status == SCR_OK && job->request->into != NULL)
        status = text_file_read(job->request->into, &prepared, &length, error);
    if (status == SCR_OK && prepared != NULL) status = povray_check_prepared(prepared, error);
    job->has_begun = status == SCR_OK;
    if (status == SCR_OK) status = povray_begin(job->request->output, prepared, &seen, &o, &series, error);
    if (status == SCR_OK) {
        for (int64_t k = 0; k < job->range.count && status == SCR_OK; ++k) {
            status = next_frame(job, k, &f, error);
            if (status == SCR_OK) status = povray_add(series, frame_range_at(&job->range, k), &f, error);
        }
        status = povray_end(series, status, error);
    }
    frame_free(&f);
    scr_free(prepared);
    survey_free(&seen);
    if (view_is_own) scene_view_free(&o.view);
    return status;
}

typedef struct format {
    const char *name;
    scr_status (*run)(export_job *job, scr_error *error);
    const char *const *members;  // of the directory that it writes; NULL: one file
} format;
static const char *const povray_members[] = {"scene.pov", "scene.ini", "surfaces.inc", "frame-*.inc", NULL};
static const char *const vtu_members[] = {"run.pvd",      "spheres-*.vtu",  "glyphs-*.vtu",
                                          "solids-*.vtu", "contacts-*.vtu", NULL};
static const format formats[] = {{"povray", export_povray, povray_members},
                                 {"vtu", export_vtu, vtu_members},
                                 {"lammps", export_lammps, NULL},
                                 {"csv", export_csv, NULL}};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

static scr_status check_segments(const export_request *r, bool vtu, scr_error *error)
{
    if (r->segments == 0) return SCR_OK;
    if (!vtu) return scr_fail(error, SCR_BAD_INPUT, "--tessellate is for --to vtu");
    if (r->segments >= SEGMENTS_MIN && r->segments <= SEGMENTS_MAX) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "--tessellate makes %d to %d segments of a circle, not %d", SEGMENTS_MIN,
                    SEGMENTS_MAX, r->segments);
}

static scr_status choose_format(const export_request *r, const format **chosen, scr_error *error)
{
    if (r->to == NULL || r->output == NULL)
        return scr_fail(error, SCR_BAD_INPUT, "export needs --to FORMAT (povray, vtu, lammps or csv) and -o NAME");
    nearest_name search = nearest_to(r->to);
    *chosen = NULL;
    for (int k = 0; k < FORMAT_COUNT; ++k) {
        if (strcmp(r->to, formats[k].name) == 0) *chosen = &formats[k];
        nearest_offer(&search, formats[k].name);
    }
    if (*chosen == NULL && search.best != NULL)
        return scr_fail(error, SCR_BAD_INPUT, "--to \"%s\" is unknown; did you mean \"%s\"?", r->to, search.best);
    if (*chosen == NULL) return scr_fail(error, SCR_BAD_INPUT, "--to is povray, vtu, lammps or csv, not \"%s\"", r->to);
    bool povray = (*chosen)->run == export_povray;
    if (!povray && (r->into != NULL || r->view != NULL))
        return scr_fail(error, SCR_BAD_INPUT, "--into and --view are for --to povray");
    return check_segments(r, (*chosen)->run == export_vtu, error);
}

static scr_status check_output(const export_request *r, const format *chosen, scr_error *error)
{
    const char *const inputs[] = {r->directory, r->into, r->view};
    const output_rule rule = {inputs, 3, r->force};
    if (chosen->members == NULL) return check_output_file(r->output, &rule, error);
    if (path_exists(r->output) && !path_is_directory(r->output))
        return scr_fail(error, SCR_BAD_INPUT, "%s is there already and is no directory: %s goes to a directory",
                        r->output, r->to);
    scr_status status = check_output_directory(r->output, error);
    return status == SCR_OK ? check_output_members(r->output, chosen->members, &rule, error) : status;
}

static int export(const export_request *r)
{
    scr_error error = {0};
    export_job job = {.request = r, .terminal = isatty(STDERR_FILENO) != 0};
    const format *chosen = NULL;
    int code = EXIT_DONE;
    scr_status status = choose_format(r, &chosen, &error);
    if (status == SCR_OK) status = check_output(r, chosen, &error);
    if (status == SCR_OK) status = run_source_open(&job.source, r->directory, &error);
    if (status == SCR_OK)
        status = frame_range_read(r->frames != NULL ? r->frames : "all", job.source.trajectory, r->directory,
                                  &job.range, &error);
    if (status == SCR_OK) {
        status = chosen->run(&job, &error);
        if (job.terminal) bar_clear();
    }
    if (status != SCR_OK) code = job.has_begun ? complain_at_work(&error) : complain(&error);
    else printf("%s: %s for %s\n", r->output, human_things(job.range.count, "frame", "frames").text, r->to);
    run_source_close(&job.source);
    return code;
}

int app_export(int argc, char **argv)
{
    export_request r = {0};
    const option options[] = {
        {"to", 0, OPTION_TEXT, &r.to, "povray|vtu|lammps|csv", "what to write"},
        {"output", 'o', OPTION_TEXT, &r.output, "NAME", "a directory for povray and vtu, a file for lammps and csv"},
        {"frames", 'f', OPTION_TEXT, &r.frames, "A:B:C", "all (default), first:last or first:last:step"},
        {"force", 0, OPTION_FLAG, &r.force, NULL,
         "replace a file that is there; in a directory scree replaces only what it made"},
        {"tessellate", 0, OPTION_COUNT, &r.segments, "N",
         "vtu: ellipsoids, capsules, cylinders and cones as triangles, N segments a circle; default: as glyphs"},
        {"into", 0, OPTION_TEXT, &r.into, "FILE.pov", "povray: a prepared scene; bodies go where a line says //SCREE"},
        {"view", 0, OPTION_TEXT, &r.view, "FILE.json", "povray: camera and colours, instead of the scene's view"},
    };
    const verb_usage usage = {
        .verb = "export",
        .arguments = "DIR",
        .argument_count = 1,
        .about = "Write the frames of the run in DIR as files of other programs: POV-Ray scenes, VTK's .vtu with a "
                 ".pvd for\n"
                 "ParaView, a LAMMPS dump for OVITO, or a table. trajectory.xdmf in DIR is for ParaView as it is.",
        .example = "scree export ball --to vtu -o paraview --frames 0:70:10",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    parse_result parsed = parse_arguments(&usage, argc, argv, &r.directory);
    return parsed == PARSE_OK ? export(&r) : exit_code_of(parsed);
}
