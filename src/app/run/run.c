// SPDX-License-Identifier: BSD-3-Clause
// scree run: a scene becomes a run directory.
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/crash.h"
#include "app/command/interrupt.h"
#include "app/command/options.h"
#include "app/run/session.h"
#include "core/text/human.h"

typedef struct run_options {
    scr_scene_def scene;
    option_list set;
    const char *directory;
    bool force, quiet;
} run_options;

static parse_result parse(int argc, char **argv, run_options *o)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o->directory, "DIR", "the run directory; default: runs/ and the scene's name"},
        {"threads", 'j', OPTION_COUNT, &o->scene.thread_count, "N",
         "threads to use; default: all cores, fewer in a small world. Results do not depend on it"},
        {"until", 0, OPTION_NUMBER, &o->scene.end_time, "T",
         "stop at T seconds of simulated time, whatever the scene says"},
        {"set", 0, OPTION_LIST, &o->set, "PATH=VALUE",
         "change the scene: --set solver.max_iterations=50; may be repeated"},
        {"force", 0, OPTION_FLAG, &o->force, NULL, "replace a run that is in the directory"},
        {"quiet", 'q', OPTION_FLAG, &o->quiet, NULL, "print errors only"},
    };
    const verb_usage usage = {
        .verb = "run",
        .arguments = "SCENE",
        .argument_count = 1,
        .about = "Runs a scene (JSON; docs/scene.md) and writes a run directory: the scene as run, a summary,\n"
                 "probes.csv, a trajectory and a checkpoint. Ctrl-C saves and stops; `scree resume` goes on.",
        .example = "scree run ball.json -o ball\n"
                   "scree run ball.json -o rough --set materials.stone.friction=0.9 --until 0.5",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->scene.path);
}

// runs/silo for scenes/silo.json
static void default_directory(char directory[PATH_MAX], const char *scene_path)
{
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", scene_path);
    char *name = basename(copy), *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) *dot = '\0';
    snprintf(directory, PATH_MAX, "runs/%.255s", name);
}

static void announce(const run_options *o, scr_scene *scene)
{
    const scr_world *world = scr_scene_world(scene);
    const char *title = scr_scene_title(scene);
    double h = scr_world_time_step(world);
    fprintf(stderr, "%s: %s, %s of %s, %s, into %s\n", title[0] != '\0' ? title : o->scene.path,
            human_things(scr_world_bodies(world).count, "body", "bodies").text,
            human_things((int64_t)(scr_scene_end_time(scene) / h + 0.5), "step", "steps").text, human_duration(h).text,
            human_things(scr_scene_thread_count(scene), "thread", "threads").text, scr_scene_run_directory(scene));
}

static int run_opened(const run_options *o, scr_scene *scene, const char *directory)
{
    scr_error error = {0};
    scr_status status = scr_scene_begin_run(scene, directory, o->force, &error);
    if (status != SCR_OK) return complain_at_work(&error);
    crash_note_run(directory);
    if (!o->quiet) announce(o, scene);
    return session_run(scene, o->quiet);
}

static int run_scene(const run_options *o, const char *directory)
{
    scr_error error = {0};
    scr_scene *scene = NULL;
    scr_scene_def def = o->scene;
    def.overrides = o->set.item;
    def.override_count = o->set.count;
    scr_status status = scr_run_check(directory, def.path, o->force, &error);
    if (status == SCR_OK) status = scr_scene_open(&def, &scene, &error);
    if (status != SCR_OK) return complain(&error);
    interrupt_asks_to_stop(o->quiet);
    int code = run_opened(o, scene, directory);
    if (scr_scene_close(scene, &error) != SCR_OK && code == EXIT_DONE) code = complain_at_work(&error);
    return code;
}

int app_run(int argc, char **argv)
{
    run_options o = {.scene = scr_default_scene_def()};
    parse_result parsed = parse(argc, argv, &o);
    int code = exit_code_of(parsed);
    if (parsed == PARSE_OK) {
        char directory[PATH_MAX];
        default_directory(directory, o.scene.path);
        code = run_scene(&o, o.directory != NULL ? o.directory : directory);
    }
    option_list_free(&o.set);
    return code;
}
