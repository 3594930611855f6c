// SPDX-License-Identifier: BSD-3-Clause
// scree problem: the contact problem of one step of a scene or a stopped run, in a file for `scree solve`.
#include <math.h>
#include <stdio.h>

#include "app/command/command.h"
#include "app/command/interrupt.h"
#include "app/command/output_path.h"
#include "app/source/built_scene.h"
#include "app/source/saved_run.h"
#include "core/base/interruption.h"
#include "core/file/safe_file.h"
#include "core/text/human.h"
#include "dynamics/world/world_state.h"
#include "io/problem/problem_file.h"

typedef struct problem_options {
    scene_request source;  // its path may be that of a run
    const char *output;
    double at;  // s; 0: the first step
    bool force;
} problem_options;

static parse_result parse(int argc, char **argv, problem_options *o)
{
    const option options[] = {
        {"at", 0, OPTION_NUMBER, &o->at, "T",
         "of the step that begins at T seconds; default: the first, or a run's next"},
        {"output", 'o', OPTION_TEXT, &o->output, "FILE.h5", "the file; default: problem.h5"},
        {"force", 0, OPTION_FLAG, &o->force, NULL, FORCE_HELP},
        {"threads", 'j', OPTION_COUNT, &o->source.threads, "N",
         "threads to use; default: all cores. Results do not depend on it"},
        {"set", 0, OPTION_LIST, &o->source.set, "PATH=VALUE", "change the scene, as for scree run; may be repeated"},
    };
    const verb_usage usage = {
        .verb = "problem",
        .arguments = "SCENE|DIR",
        .argument_count = 1,
        .about = "Runs a scene until T, or goes on from the last checkpoint of the run in DIR, and writes the contact\n"
                 "problem of the step that begins there: HDF5, in FCLIB's layout and scree's own (docs/solvers.md).\n"
                 "Nothing else is written; the run stays as it is.",
        .example = "scree problem ball.json --at 0.3 -o ball.h5",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->source.path);
}

static scr_status open_run(built_scene *built, const scene_request *source, scr_error *error)
{
    if (source->set.count > 0)
        return scr_fail(error, SCR_BAD_INPUT, "--set changes a scene; %s is a run, which has its own", source->path);
    return open_saved_run(source->path, source->threads, built, error);
}

static scr_status check_time(const built_scene *built, double at, scr_error *error)
{
    const scr_world *world = simulation_world(built->simulation);
    double now = scr_world_time(world);
    if (at == 0.0 || now <= at + 0.5 * scr_world_time_step(world)) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "the run is at t = %g s already, after the %g s asked for", now, at);
}

// Steps until the world is at the time asked for.
static scr_status advance(simulation *sim, double at, scr_error *error)
{
    scr_world *world = simulation_world(sim);
    double h = scr_world_time_step(world);
    scr_status status = SCR_OK;
    while (status == SCR_OK && scr_world_time(world) < at - 0.5 * h) {
        if (interruption_is_requested())
            return scr_fail(error, SCR_INTERRUPTED, "interrupted at t = %g s; nothing is written",
                            scr_world_time(world));
        status = simulation_step(sim, error);
    }
    return status;
}

static scr_status save_step(const built_scene *built, const problem_options *o, saved_system *kept, scr_error *error)
{
    scr_status status = advance(built->simulation, o->at, error);
    if (status == SCR_OK) status = simulation_step(built->simulation, error);
    saved_system_set_title(kept, built->scene->title[0] != '\0' ? built->scene->title : o->source.path);
    if (status == SCR_OK) status = problem_file_write(o->output, kept, error);
    if (status == SCR_OK)
        printf("%s: the step at t = %g s, %s, %s\n", o->output, kept->time,
               human_things(kept->bodies.count, "body", "bodies").text,
               human_things(kept->contacts.count, "contact", "contacts").text);
    return status;
}

static scr_status build(const problem_options *o, built_scene *built, scr_error *error)
{
    if (!path_is_directory(o->source.path)) return build_for_output(&o->source, o->output, o->force, built, error);
    const output_rule rule = {&o->source.path, 1, o->force};
    scr_status status = check_output_file(o->output, &rule, error);
    return status == SCR_OK ? open_run(built, &o->source, error) : status;
}

static int write_problem(const problem_options *o)
{
    scr_error error = {0};
    built_scene built = {0};
    saved_system kept;
    saved_system_init(&kept);
    int code = EXIT_DONE;
    scr_status status = build(o, &built, &error);
    if (status == SCR_OK) status = check_time(&built, o->at, &error);
    // Asked first: not every law has problems to keep.
    if (status == SCR_OK) status = world_keep_problem(simulation_world(built.simulation), &kept, &error);
    if (status != SCR_OK) {
        code = complain(&error);
    } else {
        interrupt_asks_to_stop(false);
        if (save_step(&built, o, &kept, &error) != SCR_OK) code = complain_at_work(&error);
    }
    built_scene_free(&built);
    saved_system_free(&kept);
    return code;
}

int app_problem(int argc, char **argv)
{
    problem_options o = {.output = "problem.h5"};
    parse_result parsed = parse(argc, argv, &o);
    int code = parsed == PARSE_OK ? write_problem(&o) : exit_code_of(parsed);
    option_list_free(&o.source.set);
    return code;
}
