// scree problem: the contact problem of one step of a scene or a stopped run, in a file for `scree solve`.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/command.h"
#include "app/human.h"
#include "app/interrupt.h"
#include "app/options.h"
#include "app/overrides.h"
#include "core/threads.h"
#include "dynamics/world_state.h"
#include "io/checkpoint.h"
#include "io/problem_file.h"
#include "io/run_directory.h"
#include "io/safe_file.h"
#include "io/scene_reader.h"

typedef struct problem_options {
    const char *source, *output;
    double at;  // s; 0: the first step
    int threads;
    option_list set;
} problem_options;

static parse_result parse(int argc, char **argv, problem_options *o)
{
    const option options[] = {
        {"at", 0, OPTION_NUMBER, &o->at, "T",
         "of the step that begins at T seconds; default: the first, or a run's next"},
        {"output", 'o', OPTION_TEXT, &o->output, "FILE.h5", "the file; default: problem.h5"},
        {"threads", 'j', OPTION_COUNT, &o->threads, "N",
         "threads to use; default: all cores. Results do not depend on it"},
        {"set", 0, OPTION_LIST, &o->set, "PATH=VALUE", "change the scene, as for scree run; may be repeated"},
    };
    const verb_usage usage = {
        .verb = "problem",
        .arguments = "SCENE|DIR",
        .argument_count = 1,
        .about = "Runs a scene until T, or goes on from the last checkpoint of the run in DIR, and writes the contact\n"
                 "problem of the step that begins there: HDF5, in FCLIB's layout and scree's own (docs/solvers.md).\n"
                 "Nothing else is written; the run stays as it is.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    return parse_arguments(&usage, argc, argv, &o->source);
}

typedef struct problem_job {
    scene *scene;
    simulation *sim;
    overrides changes;
} problem_job;

static scr_status begin_scene(problem_job *job, const problem_options *o, scr_error *error)
{
    scr_status status = overrides_parse(&job->changes, &o->set, error);
    if (status == SCR_OK)
        status = scene_read_file(o->source, job->changes.item, job->changes.count, &job->scene, NULL, error);
    return status == SCR_OK ? simulation_create(job->scene, true, o->threads, &job->sim, error) : status;
}

static scr_status begin_run(problem_job *job, const problem_options *o, scr_error *error)
{
    char scene_path[PATH_LENGTH_MAX], state_path[PATH_LENGTH_MAX];
    table *state[SIMULATION_TABLE_MAX];
    run_record record = {0};
    table about = run_record_table(&record);
    if (o->set.count > 0)
        return scr_fail(error, SCR_BAD_INPUT, "--set changes a scene; %s is a run, which has its own", o->source);
    scr_status status = path_join(scene_path, o->source, "scene.json", error);
    if (status == SCR_OK) status = path_join(state_path, o->source, "checkpoint.h5", error);
    if (status == SCR_OK) status = scene_read_run_file(scene_path, &job->scene, error);
    if (status == SCR_OK) status = simulation_create(job->scene, false, o->threads, &job->sim, error);
    if (status != SCR_OK) return status;
    int state_count = simulation_tables(job->sim, state);
    status = checkpoint_read(state_path, state, state_count, &about, scr_core_count(), error);
    return status == SCR_OK ? simulation_after_load(job->sim, error) : status;
}

// Steps until the world is at the time asked for.
static scr_status advance(problem_job *job, double at, scr_error *error)
{
    scr_world *world = simulation_world(job->sim);
    double h = scr_world_time_step(world), now = scr_world_time(world);
    if (at > 0.0 && now > at + 0.5 * h)
        return scr_fail(error, SCR_BAD_INPUT, "the run is at t = %g s already, after the %g s asked for", now, at);
    scr_status status = SCR_OK;
    while (status == SCR_OK && scr_world_time(world) < at - 0.5 * h) {
        if (interrupt_requested())
            return scr_fail(error, SCR_INTERRUPTED, "interrupted at t = %g s; nothing is written",
                            scr_world_time(world));
        status = simulation_step(job->sim, error);
    }
    return status;
}

static scr_status save_step(problem_job *job, const problem_options *o, const char *path, scr_error *error)
{
    saved_system kept;
    scr_world *world = simulation_world(job->sim);
    saved_system_init(&kept);
    scr_status status = world_keep_problem(world, &kept, error);  // asked first: not every law has problems to keep
    if (status == SCR_OK) status = advance(job, o->at, error);
    if (status == SCR_OK) status = simulation_step(job->sim, error);
    saved_system_set_title(&kept, job->scene->title[0] != '\0' ? job->scene->title : o->source);
    if (status == SCR_OK) status = problem_file_write(path, &kept, error);
    if (status == SCR_OK)
        printf("%s: the step at t = %g s, %s, %s\n", path, kept.time,
               human_things(kept.bodies.count, "body", "bodies").text,
               human_things(kept.contacts.count, "contact", "contacts").text);
    saved_system_free(&kept);
    return status;
}

static int write_problem(const problem_options *o)
{
    scr_error error = {0};
    problem_job job = {0};
    int code = EXIT_DONE;
    scr_status status = path_is_directory(o->source) ? begin_run(&job, o, &error) : begin_scene(&job, o, &error);
    if (status != SCR_OK) {
        code = complain(&error);
    } else {
        interrupt_install();
        status = save_step(&job, o, o->output != NULL ? o->output : "problem.h5", &error);
        if (status == SCR_INTERRUPTED) code = EXIT_INTERRUPTED;
        else if (status != SCR_OK) code = status == SCR_BAD_INPUT ? EXIT_BAD_INPUT : EXIT_FAILED;
        if (status != SCR_OK) complain(&error);
    }
    simulation_destroy(job.sim);
    scene_destroy(job.scene);
    overrides_free(&job.changes);
    return code;
}

int app_problem(int argc, char **argv)
{
    problem_options o = {0};
    o.set.item = calloc((size_t)argc, sizeof *o.set.item);
    if (o.set.item == NULL) return EXIT_FAILED;
    parse_result parsed = parse(argc, argv, &o);
    int code = parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD_INPUT;
    if (parsed == PARSE_OK) code = write_problem(&o);
    free(o.set.item);
    return code;
}
