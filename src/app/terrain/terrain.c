// SPDX-License-Identifier: BSD-3-Clause
// scree terrain: a scene that settles grains becomes a bed, in one go.
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/crash.h"
#include "app/command/interrupt.h"
#include "app/command/options.h"
#include "app/command/output_path.h"
#include "app/run/session.h"
#include "app/source/bed_report.h"
#include "app/source/taken_bed.h"
#include "core/text/human.h"
#include "io/bed/bed_file.h"

typedef struct terrain_options {
    scr_scene_def scene;
    option_list set;
    const char *output, *directory;
    bool force, quiet;
} terrain_options;

static parse_result parse(int argc, char **argv, terrain_options *o)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o->output, "FILE.h5", "the bed to write; default: the scene's name"},
        {"run", 0, OPTION_TEXT, &o->directory, "DIR", "the run directory; default: runs/ and the scene's name"},
        {"threads", 'j', OPTION_COUNT, &o->scene.thread_count, "N",
         "threads to use; default: all cores, fewer in a small world. Results do not depend on it"},
        {"until", 0, OPTION_NUMBER, &o->scene.end_time, "T",
         "stop at T seconds of simulated time, whatever the scene says"},
        {"set", 0, OPTION_LIST, &o->set, "PATH=VALUE", "change the scene: --set grounds.0.seed=2; may be repeated"},
        {"force", 0, OPTION_FLAG, &o->force, NULL, "replace a run that is in the directory, and the bed"},
        {"quiet", 'q', OPTION_FLAG, &o->quiet, NULL, "print errors only"},
    };
    const verb_usage usage = {
        .verb = "terrain",
        .arguments = "SCENE",
        .argument_count = 1,
        .about =
            "Makes a bed from the description of a terrain: runs a scene of grounds and fills until its grains are\n"
            "at rest (time.rest) or as dense as asked (time.packing; docs/beds.md), writes them with the history of\n"
            "their contacts, and prints packing, coordination and sizes. Ctrl-C saves: `scree resume` goes on with\n"
            "the run, and `scree bed` writes the bed.",
        .example = "scree terrain scenes/terrain/road.json -o road.h5",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->scene.path);
}

typedef struct terrain_paths {
    char bed[PATH_MAX], run[PATH_MAX];
} terrain_paths;

// road.h5 and runs/road for scenes/road.json
static terrain_paths paths_of(const terrain_options *o)
{
    terrain_paths p;
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", o->scene.path);
    char *name = basename(copy), *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) *dot = '\0';
    if (o->output != NULL) snprintf(p.bed, sizeof p.bed, "%s", o->output);
    else snprintf(p.bed, sizeof p.bed, "%.255s.h5", name);
    if (o->directory != NULL) snprintf(p.run, sizeof p.run, "%s", o->directory);
    else snprintf(p.run, sizeof p.run, "runs/%.255s", name);
    return p;
}

static int settle(const terrain_options *o, scr_scene *scene, const char *directory)
{
    scr_error error = {0};
    scr_status status = scr_scene_begin_run(scene, directory, o->force, &error);
    if (status != SCR_OK) return complain_at_work(&error);
    crash_note_run(directory);
    if (!o->quiet)
        fprintf(stderr, "%s: %s, into %s\n", o->scene.path,
                human_things(scr_world_bodies(scr_scene_world(scene)).count, "body", "bodies").text, directory);
    int code = session_run(scene, o->quiet);
    if (scr_scene_close(scene, &error) != SCR_OK && code == EXIT_DONE) code = complain_at_work(&error);
    return code;
}

static int write_bed(const terrain_options *o, const terrain_paths *p)
{
    scr_error error = {0};
    bed b;
    bed_init(&b);
    scr_status status = bed_take_run(p->run, NULL, &b, &error);
    if (status == SCR_OK && b.grains.count == 0)
        status = scr_fail(&error, SCR_BAD_INPUT, "%s: there is no grain in it, and so no bed", o->scene.path);
    if (status == SCR_OK) status = bed_file_write(p->bed, &b, &error);
    if (status == SCR_OK && !o->quiet) status = print_bed(p->bed, &b, &error);
    bed_free(&b);
    if (status == SCR_OK) return EXIT_DONE;
    complain_at_work(&error);
    return EXIT_FAILED;  // whatever it is: the run has been written
}

// What it says of -o is of another verb.
static scr_status check_run(const terrain_paths *p, const terrain_options *o, scr_error *error)
{
    scr_error reason;
    scr_status status = scr_run_check(p->run, o->scene.path, o->force, &reason);
    return status == SCR_OK ? SCR_OK : scr_fail(error, status, "%s (here the directory is --run)", reason.message);
}

static int make_terrain(const terrain_options *o)
{
    scr_error error = {0};
    scr_scene *scene = NULL;
    terrain_paths p = paths_of(o);
    scr_scene_def def = o->scene;
    def.overrides = o->set.item;
    def.override_count = o->set.count;
    const output_rule rule = {&o->scene.path, 1, o->force};
    scr_status status = check_output_file(p.bed, &rule, &error);
    if (status == SCR_OK) status = check_run(&p, o, &error);
    if (status == SCR_OK) status = scr_scene_open(&def, &scene, &error);
    if (status != SCR_OK) return complain(&error);
    interrupt_asks_to_stop(o->quiet);
    int code = settle(o, scene, p.run);
    if (code == EXIT_DONE) return write_bed(o, &p);
    if (!o->quiet)
        fprintf(stderr, "scree: no bed yet; when the run is done, `scree bed %s -o %s` writes it\n", p.run, p.bed);
    return code;
}

int app_terrain(int argc, char **argv)
{
    terrain_options o = {.scene = scr_default_scene_def()};
    parse_result parsed = parse(argc, argv, &o);
    int code = parsed == PARSE_OK ? make_terrain(&o) : exit_code_of(parsed);
    option_list_free(&o.set);
    return code;
}
