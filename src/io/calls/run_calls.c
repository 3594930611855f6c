// SPDX-License-Identifier: BSD-3-Clause
// The run of a scene: its directory, begun, gone on with, saved and ended.
#include <string.h>

#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/file/safe_file.h"
#include "io/calls/scene_calls.h"
#include "io/run/output_checks.h"
#include "io/scene/scene_reader.h"

static const double CHECK_SECONDS = 0.1;  // of wall clock between checks of the files

scr_status scr_run_check(const char *directory, const char *scene_path, bool replace, scr_error *error)
{
    scr_status status = check_run_inputs(directory, &scene_path, 1, error);
    if (status == SCR_OK) status = run_directory_check(directory, replace, error);
    return status == SCR_OK ? check_output_directory(directory, error) : status;
}

static double now_of(const scr_scene *opened) { return scr_world_time(simulation_world(opened->built.simulation)); }

// The run's files are as the state is now.
static void note_saved(scr_scene *opened)
{
    opened->can_save = true;
    opened->saved_time = now_of(opened);
    opened->save_interval = 60.0 * opened->built.scene->output.checkpoint_minutes;
    // From now, not from when it was due: however slow the disk, the run gets most of the time.
    opened->next_save = scr_now() + opened->save_interval;
}

scr_status scr_scene_begin_run(scr_scene *opened, const char *directory, bool replace, scr_error *error)
{
    simulation *sim = opened->built.simulation;
    const scene *s = opened->built.scene;
    if (opened->run != NULL || opened->as_run == NULL || scr_world_step_count(simulation_world(sim)) > 0)
        return scr_fail(error, SCR_BAD_INPUT, "a run begins with a scene that was just opened");
    scr_status status = scr_run_check(directory, s->path, replace, error);
    if (status == SCR_OK) status = check_run_inputs(directory, (const char *const *)s->files, s->file_count, error);
    if (status == SCR_OK)
        status =
            run_directory_create(directory, opened->as_run, sim, simulation_threads(sim), replace, &opened->run, error);
    if (status == SCR_OK) note_saved(opened);
    return status;
}

// ---- going on ----

static scr_status read_scene(const char *directory, scene **s, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, directory, "scene.json", error);
    return status == SCR_OK ? scene_read_run_file(path, s, error) : status;
}

// What is left to do of a run.
typedef struct rest_of_run {
    bool is_nothing;
    double end_time;  // s, to which it goes on
} rest_of_run;

static rest_of_run rest_of(const scr_resume_def *def, const scr_run_record *record, double time_step, bool *is_complete)
{
    double reached = record->time + 0.5 * time_step;
    bool at_end = reached > record->end_time, beyond = def->end_time > 0.0 && reached > def->end_time;
    *is_complete = at_end && summary_says_done(def->directory);
    bool is_nothing = beyond ? *is_complete || !at_end : def->end_time == 0.0 && *is_complete;
    return (rest_of_run){is_nothing, def->end_time > 0.0 && !beyond ? def->end_time : record->end_time};
}

static scr_status load(scr_scene *opened, const scr_resume_def *def, double end_time, scr_error *error)
{
    built_scene *built = &opened->built;
    double end_before = run_directory_record(opened->run)->end_time;
    built->scene->end_time = end_time;
    scr_status status = simulation_create(built->scene, false, def->thread_count, &built->simulation, error);
    if (status == SCR_OK)
        status = run_directory_continue(opened->run, built->simulation, simulation_threads(built->simulation),
                                        def->without_lost, error);
    if (status != SCR_OK) return status;
    if (end_time != end_before) simulation_forget_rest(built->simulation);
    note_saved(opened);
    opened->end_is_unsaved = end_time != end_before;
    return SCR_OK;
}

scr_status scr_scene_resume(const scr_resume_def *def, scr_scene **opened, scr_run_progress *found, scr_error *error)
{
    *opened = NULL;
    if (def->directory == NULL) return scr_fail(error, SCR_BAD_INPUT, "scr_resume_def: directory is NULL: which run?");
    scr_run_record record;
    rest_of_run rest = {0};
    scr_run_progress progress = {0};
    scr_scene *fresh = scr_alloc(sizeof *fresh);
    if (fresh == NULL) return scr_fail_memory(error, sizeof *fresh, "a scene");
    *fresh = (scr_scene){0};
    scr_status status = run_directory_open(def->directory, &fresh->run, &record, error);
    if (status == SCR_OK) status = read_scene(def->directory, &fresh->built.scene, error);
    if (status == SCR_OK) {
        rest = rest_of(def, &record, fresh->built.scene->world.time_step, &progress.is_complete);
        progress.time = record.time;
        progress.end_time = record.end_time;
        if (found != NULL) *found = progress;
    }
    if (status == SCR_OK && !rest.is_nothing) status = load(fresh, def, rest.end_time, error);
    if (status == SCR_OK && !rest.is_nothing) *opened = fresh;
    else scr_scene_close(fresh, NULL);
    return status;
}

// ---- while it runs ----

static scr_status save(scr_scene *opened, scr_run_status status, const char *reason, scr_run_summary *summary,
                       scr_error *error)
{
    scr_status result = run_directory_save(opened->run, opened->built.simulation, status, reason, summary, error);
    if (result == SCR_OK) note_saved(opened);
    else opened->can_save = false;
    return result;
}

scr_status run_before_step(scr_scene *opened, scr_error *error)
{
    if (opened->run == NULL) return SCR_OK;
    // A new end is saved before anything else: a run that is killed on the way there is not one that was done before.
    if (opened->end_is_unsaved) {
        scr_status status = save(opened, SCR_RUN_RUNNING, NULL, NULL, error);
        if (status != SCR_OK) return status;
        opened->end_is_unsaved = false;
    }
    double now = scr_now();
    if (now < opened->next_check) return SCR_OK;
    opened->next_check = now + CHECK_SECONDS;
    return run_directory_look(opened->run, error);
}

scr_status run_after_step(scr_scene *opened, scr_error *error)
{
    if (opened->run == NULL) return SCR_OK;
    // Should a row or a frame fail to be written, a checkpoint made now would leave it out for ever.
    opened->can_save = false;
    scr_status status = run_directory_step(opened->run, opened->built.simulation, error);
    if (status != SCR_OK) return status;
    opened->can_save = true;
    // At the end comes another, with a frame that goes with it.
    bool is_due = scr_now() >= opened->next_save && !simulation_is_done(opened->built.simulation);
    return is_due ? save(opened, SCR_RUN_RUNNING, NULL, NULL, error) : SCR_OK;
}

const char *scr_scene_run_directory(const scr_scene *opened)
{
    return opened->run != NULL ? run_directory_path(opened->run) : NULL;
}

const scr_run_record *scr_scene_run_record(const scr_scene *opened)
{
    return opened->run != NULL ? run_directory_record(opened->run) : NULL;
}

double scr_scene_saved_time(const scr_scene *opened) { return opened->saved_time; }

static scr_status fail_without_run(scr_error *error)
{
    return scr_fail(error, SCR_BAD_INPUT, "the scene has no run: scr_scene_begin_run makes one");
}

scr_status scr_scene_save_run(scr_scene *opened, scr_error *error)
{
    if (opened->run == NULL) return fail_without_run(error);
    return save(opened, SCR_RUN_RUNNING, NULL, NULL, error);
}

scr_status scr_scene_check_run(scr_scene *opened, scr_error *error)
{
    return opened->run != NULL ? run_directory_look(opened->run, error) : fail_without_run(error);
}

scr_status scr_scene_end_run(scr_scene *opened, scr_run_status status, const char *reason, scr_run_summary *summary,
                             scr_error *error)
{
    if (opened->run == NULL) return fail_without_run(error);
    if (reason != NULL) {
        strncpy(opened->reason, reason, sizeof opened->reason - 1);  // the summary points to it
        reason = opened->reason;
    }
    scr_status result = scr_fail(error, SCR_IO, "a write to %s failed: its state is that of the last save",
                                 run_directory_path(opened->run));
    if (opened->can_save) result = save(opened, status, reason, summary, error);
    if (result == SCR_OK || status != SCR_RUN_FAILED) return result;
    scr_error unwritten;
    scr_status written =
        run_directory_summarise(opened->run, opened->built.simulation, status, reason, summary, &unwritten);
    if (written != SCR_OK && error != NULL) *error = unwritten;
    return result;
}

scr_status run_close(scr_scene *opened, scr_error *error)
{
    scr_status status = run_directory_close(opened->run, error);
    opened->run = NULL;
    return status;
}
