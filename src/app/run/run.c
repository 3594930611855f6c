// scree run: a scene becomes a run directory.
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command/command.h"
#include "app/command/crash.h"
#include "app/command/human.h"
#include "app/command/interrupt.h"
#include "app/command/options.h"
#include "app/command/output_path.h"
#include "app/run/session.h"
#include "app/source/built_scene.h"
#include "core/base/threads.h"
#include "core/file/safe_file.h"

typedef struct run_options {
    scene_request scene;
    const char *directory;
    bool force, quiet;
} run_options;

static parse_result parse(int argc, char **argv, run_options *o)
{
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o->directory, "DIR", "the run directory; default: runs/ and the scene's name"},
        {"threads", 'j', OPTION_COUNT, &o->scene.threads, "N",
         "threads to use; default: all cores, fewer in a small world. Results do not depend on it"},
        {"until", 0, OPTION_NUMBER, &o->scene.until, "T", "stop at T seconds of simulated time, whatever the scene says"},
        {"set", 0, OPTION_LIST, &o->scene.set, "PATH=VALUE",
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
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->scene.path);
}

// runs/silo for scenes/silo.json
static void default_directory(char directory[PATH_LENGTH_MAX], const char *scene_path)
{
    char copy[PATH_LENGTH_MAX];
    snprintf(copy, sizeof copy, "%s", scene_path);
    char *name = basename(copy), *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) *dot = '\0';
    snprintf(directory, PATH_LENGTH_MAX, "runs/%.255s", name);
}

// May a run be written there? Asked before anything expensive is done.
static scr_status check_directory(const char *directory, const run_options *o, scr_error *error)
{
    scr_status status = check_run_inputs(directory, &o->scene.path, 1, error);
    if (status == SCR_OK) status = run_directory_check(directory, o->force, error);
    return status == SCR_OK ? check_output_directory(directory, error) : status;
}

static void announce(const run_options *o, const built_scene *built, const char *directory, int threads)
{
    const scene *s = built->scene;
    const scr_world *world = simulation_world(built->simulation);
    double h = scr_world_time_step(world);
    fprintf(stderr, "%s: %s bodies, %s steps of %s, %d thread%s, into %s\n",
            s->title[0] != '\0' ? s->title : o->scene.path, human_count(scr_world_bodies(world).count).text,
            human_count((int64_t)(s->end_time / h + 0.5)).text, human_duration(h).text, threads,
            threads == 1 ? "" : "s", directory);
}

static int run_built(const run_options *o, const char *directory, const built_scene *built, const char *as_run,
                     int threads)
{
    scr_error error = {0};
    run_directory *run = NULL;
    scr_status status = run_directory_create(directory, as_run, built->simulation, threads, o->force, &run, &error);
    if (status != SCR_OK) return complain_at_work(&error);
    crash_note_run(directory);
    if (!o->quiet) announce(o, built, directory, threads);
    int code = session_run(run, built->simulation, o->quiet);
    if (run_directory_close(run, &error) != SCR_OK && code == EXIT_DONE) code = complain_at_work(&error);
    return code;
}

static int run_scene(const run_options *o, const char *directory)
{
    int code, threads = o->scene.threads > 0 ? o->scene.threads : scr_core_count();
    scr_error error = {0};
    built_scene built = {0};
    char *as_run = NULL;

    scr_status status = check_directory(directory, o, &error);
    if (status == SCR_OK) status = scene_build(&o->scene, &built, &as_run, &error);
    if (status == SCR_OK)
        status = check_run_inputs(directory, (const char *const *)built.scene->files, built.scene->file_count, &error);
    if (status != SCR_OK) {
        code = complain(&error);
    } else {
        interrupt_asks_to_stop(o->quiet);
        code = run_built(o, directory, &built, as_run, threads);
    }
    built_scene_free(&built);
    free(as_run);
    return code;
}

int app_run(int argc, char **argv)
{
    run_options o = {0};
    parse_result parsed = parse(argc, argv, &o);
    int code = exit_code_of(parsed);
    if (parsed == PARSE_OK) {
        char directory[PATH_LENGTH_MAX];
        default_directory(directory, o.scene.path);
        code = run_scene(&o, o.directory != NULL ? o.directory : directory);
    }
    option_list_free(&o.scene.set);
    return code;
}
