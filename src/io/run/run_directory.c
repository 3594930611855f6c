// SPDX-License-Identifier: BSD-3-Clause
// A run directory: everything that comes out of a run, and all that is needed to go on with it.
#include "io/run/run_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/stopwatch.h"
#include "io/file/open_file.h"
#include "io/run/checkpoint.h"
#include "io/run/run_directory_parts.h"
#include "io/run/run_frames.h"

// HDF5 does not survive that there is no memory left for it: so much is put by, and given free while it works. Nobody
// touches it, so it takes no room but among addresses.
static const size_t RESERVE_BYTES = 16 << 20;

static scr_status join(char path[PATH_LENGTH_MAX], const run_directory *run, run_file file, scr_error *error)
{
    return path_join(path, run->path, RUN_FILE_NAMES[file], error);
}

static bool has_file(const char *directory, run_file file)
{
    char path[PATH_LENGTH_MAX];
    return path_join(path, directory, RUN_FILE_NAMES[file], NULL) == SCR_OK && path_exists(path);
}

bool run_directory_holds_run(const char *path)
{
    return run_files_are_marked(path) && (has_file(path, RUN_SCENE) || has_file(path, RUN_CHECKPOINT));
}

scr_status run_directory_expect_run(const char *path, scr_error *error)
{
    if (!path_is_directory(path)) return scr_fail(error, SCR_BAD_INPUT, "%s: there is no such directory", path);
    bool is_marked = run_files_are_marked(path);
    if (is_marked && has_file(path, RUN_SCENE)) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "%s holds no run: there is no %s in it", path,
                    is_marked ? RUN_FILE_NAMES[RUN_SCENE] : RUN_MARKER);
}

static scr_status find_room(const char *path, bool replace, run_files *listed, scr_error *error)
{
    bool is_marked;
    scr_status status = run_files_read(path, &is_marked, listed, error);
    if (status == SCR_OK) status = run_files_find_room(path, *listed, error);
    if (status == SCR_OK && !replace && run_directory_holds_run(path))
        status = scr_fail(error, SCR_BAD_INPUT,
                          "%s holds a run already; add --force to replace it, -o DIR to keep both, or "
                          "`scree resume %s` to go on",
                          path, path);
    return status;
}

scr_status run_directory_check(const char *path, bool replace, scr_error *error)
{
    run_files listed;
    return find_room(path, replace, &listed, error);
}

static scr_status take_reserve(run_directory *run, scr_error *error)
{
    if (run->reserve == NULL) run->reserve = scr_alloc(RESERVE_BYTES);
    return run->reserve != NULL ? SCR_OK : scr_fail_memory(error, RESERVE_BYTES, "output files");
}

static void give_reserve(run_directory *run)
{
    scr_free(run->reserve);
    run->reserve = NULL;
}

// Take it again after something was written, successfully or not.
static scr_status retake_reserve(run_directory *run, scr_status status, scr_error *error)
{
    if (run->ending) return status;
    scr_status taken = take_reserve(run, status == SCR_OK ? error : NULL);
    return status == SCR_OK ? taken : status;
}

// ---- beginning and ending ------------------------------------------------------------------------------------------

scr_status run_directory_lock(run_directory *run, scr_error *error)
{
    run->lock = open(run->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (run->lock < 0) return scr_fail(error, SCR_IO, "%s: cannot open: %s", run->path, strerror(errno));
    if (flock(run->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return SCR_OK;
    close(run->lock);
    run->lock = -1;
    return scr_fail(error, SCR_BAD_INPUT, "%s: another scree is running there; wait for it or stop it first",
                    run->path);
}

// Another run that could not begin takes its directory away: this one may have opened it just before.
static scr_status make_and_lock(run_directory *run, scr_error *error)
{
    for (;;) {
        scr_status status = directory_create(run->path, error);
        if (status == SCR_OK) status = run_directory_lock(run, error);
        if (status != SCR_OK || is_open_as(run->lock, run->path)) return status;
        close(run->lock);
        run->lock = -1;
    }
}

static scr_status run_directory_new(const char *path, bool makes, run_directory **result, scr_error *error)
{
    run_directory *run = scr_alloc(sizeof *run);
    if (run == NULL) return scr_fail_memory(error, sizeof *run, "a run");
    *run = (run_directory){.lock = -1, .began = scr_now()};
    if (snprintf(run->path, sizeof run->path, "%s", path) >= (int)sizeof run->path) {
        scr_free(run);
        return scr_fail(error, SCR_IO, "the name %.80s... is too long for a directory", path);
    }
    scr_status status = take_reserve(run, error);
    if (status == SCR_OK) status = makes ? make_and_lock(run, error) : run_directory_lock(run, error);
    if (status == SCR_OK) *result = run;
    else run_directory_close(run, NULL);
    return status;
}

static bool has_probes(simulation *sim) { return simulation_probe_column_count(sim) > 0; }
static bool has_frames(simulation *sim) { return simulation_scene(sim)->output.frame_interval > 0.0; }

static run_files files_of(simulation *sim)
{
    run_files files = 1u << RUN_SCENE | 1u << RUN_CHECKPOINT | 1u << RUN_SUMMARY;
    if (has_probes(sim)) files |= 1u << RUN_PROBES;
    if (has_frames(sim)) files |= 1u << RUN_TRAJECTORY | 1u << RUN_XDMF;
    return files;
}

// Remove what an earlier run left, and say whose files these will be.
static scr_status make_room(run_directory *run, bool replace, scr_error *error)
{
    run_files listed;
    scr_status status = find_room(run->path, replace, &listed, error);
    if (status != SCR_OK) return status;
    run_files_remove(run->path, listed);
    return run_files_write(run->path, run->files, error);
}

static scr_status create_probes(run_directory *run, simulation *sim, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = join(path, run, RUN_PROBES, error);
    return status == SCR_OK ? probes_file_create(path, sim, &run->probes, error) : status;
}

static scr_status create_trajectory(run_directory *run, simulation *sim, scr_error *error)
{
    scr_status status = run_frame_capture(sim, &run->frame, error);
    if (status != SCR_OK) return status;
    frame_surfaces shown = {0};
    status = frame_surfaces_capture(simulation_world(sim), &shown, error);
    give_reserve(run);
    const periodic_cell *period = run->frame.period.is_stretched ? NULL : &run->frame.period;  // that is no constant
    if (status == SCR_OK)
        status = trajectory_create(run->path, run_frame_usual_size(sim, &run->frame), &shown, period, &run->trajectory,
                                   error);
    frame_surfaces_free(&shown);
    return retake_reserve(run, status, error);
}

static scr_status create_outputs(run_directory *run, simulation *sim, scr_error *error)
{
    scr_status status = SCR_OK;
    if (has_probes(sim)) status = create_probes(run, sim, error);
    if (status == SCR_OK && has_frames(sim)) status = create_trajectory(run, sim, error);
    return status;
}

static scr_status keep_scene(run_directory *run, const char *text, scr_error *error)
{
    run->scene_text = strdup(text);
    return run->scene_text != NULL ? SCR_OK : scr_fail_memory(error, strlen(text), "the scene");
}

static scr_status save_scene(const run_directory *run, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = join(path, run, RUN_SCENE, error);
    return status == SCR_OK ? file_replace(path, run->scene_text, strlen(run->scene_text), error) : status;
}

// A run that could not begin leaves nothing behind. Its files are closed before they are removed, but its lock is held
// to the end: another one may begin then, and not before.
static void undo_create(run_directory *run, bool is_ours, bool was_there)
{
    char path[PATH_LENGTH_MAX], marker[PATH_LENGTH_MAX];
    run_files files = run->files;
    int lock = dup(run->lock);
    memcpy(path, run->path, sizeof path);
    run_directory_close(run, NULL);
    if (is_ours) run_files_remove(path, files);
    if (is_ours && path_join(marker, path, RUN_MARKER, NULL) == SCR_OK) unlink(marker);
    if (!was_there) rmdir(path);
    if (lock >= 0) close(lock);
}

scr_status run_directory_create(const char *path, const char *scene_text, simulation *sim, int threads, bool replace,
                                run_directory **result, scr_error *error)
{
    run_directory *run = NULL;
    bool was_there = path_is_directory(path), is_ours = false;
    scr_status status = run_directory_new(path, true, &run, error);
    if (status != SCR_OK) return status;
    status = keep_scene(run, scene_text, error);
    if (status != SCR_OK) goto done;
    run->threads = threads;
    run->files = files_of(sim);
    run_record_begin(&run->record, simulation_world(sim), simulation_scene(sim)->end_time);
    run->record.start_energy[1] += simulation_active(sim).potential;
    status = make_room(run, replace, error);
    is_ours = status == SCR_OK;
    if (status == SCR_OK) status = simulation_use_directory(sim, run->path, error);
    // The scene comes last: once it is there, so is all that a resume needs.
    if (status == SCR_OK) status = create_outputs(run, sim, error);
    if (status == SCR_OK) status = run_directory_step(run, sim, error);
    if (status == SCR_OK) status = run_directory_save(run, sim, SCR_RUN_RUNNING, NULL, NULL, error);
    if (status == SCR_OK) status = save_scene(run, error);
    run->has_begun = status == SCR_OK;
done:
    if (status == SCR_OK) *result = run;
    else undo_create(run, is_ours, was_there);
    return status;
}

// The scene as run, and whose files are there.
static scr_status read_papers(run_directory *run, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    bool is_marked;
    scr_status status = run_files_read(run->path, &is_marked, &run->files, error);
    if (status == SCR_OK) status = join(path, run, RUN_SCENE, error);
    return status == SCR_OK ? file_read(path, &run->scene_text, NULL, error) : status;
}

scr_status run_directory_open(const char *path, run_directory **result, scr_run_record *record, scr_error *error)
{
    char file[PATH_LENGTH_MAX];
    run_directory *run = NULL;
    checkpoint_contents contents;
    scr_status status = run_directory_expect_run(path, error);
    if (status == SCR_OK) status = run_directory_new(path, false, &run, error);
    if (status != SCR_OK) return status;
    table about = run_record_table(&run->record);
    status = read_papers(run, error);
    if (status == SCR_OK) status = join(file, run, RUN_CHECKPOINT, error);
    give_reserve(run);
    if (status == SCR_OK) status = checkpoint_list(file, &about, &contents, error);
    status = retake_reserve(run, status, error);
    if (status != SCR_OK) {
        run_directory_close(run, NULL);
        return status;
    }
    *record = run->record;
    *result = run;
    return SCR_OK;
}

// A file that the run wrote is to be there, unless the user does without: then a new one begins.
static scr_status begins_anew(const run_directory *run, run_file file, bool without_lost, bool *anew, scr_error *error)
{
    *anew = !has_file(run->path, file);
    if (!*anew || without_lost) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT,
                    "%s has lost its %s: put it back, or add --force to go on with a new one from here", run->path,
                    RUN_FILE_NAMES[file]);
}

static scr_status continue_probes(run_directory *run, simulation *sim, bool without_lost, scr_error *error)
{
    bool anew;
    char path[PATH_LENGTH_MAX];
    scr_status status = begins_anew(run, RUN_PROBES, without_lost, &anew, error);
    if (status == SCR_OK && anew) return create_probes(run, sim, error);
    if (status == SCR_OK) status = join(path, run, RUN_PROBES, error);
    if (status == SCR_OK) status = probes_file_continue(path, sim, run->record.probe_bytes, &run->probes, error);
    return status;
}

static scr_status continue_trajectory(run_directory *run, simulation *sim, bool without_lost, scr_error *error)
{
    bool anew;
    scr_status status = begins_anew(run, RUN_TRAJECTORY, without_lost, &anew, error);
    if (status == SCR_OK && anew) {
        run->record.frame_count = 0;
        return create_trajectory(run, sim, error);
    }
    if (status == SCR_OK)
        status = trajectory_continue(run->path, run->record.frame_count, run->record.time, &run->trajectory, error);
    return status;
}

static scr_status continue_outputs(run_directory *run, simulation *sim, bool without_lost, scr_error *error)
{
    scr_status status = SCR_OK;
    if (has_probes(sim)) status = continue_probes(run, sim, without_lost, error);
    if (status == SCR_OK && has_frames(sim)) status = continue_trajectory(run, sim, without_lost, error);
    return status;
}

// Does the last frame show the present moment? It may be one that the checkpoint does not count.
static bool is_framed(const run_directory *run)
{
    int64_t frames = run->trajectory != NULL ? trajectory_frame_count(run->trajectory) : 0;
    return frames > 0 && trajectory_frame_time(run->trajectory, frames - 1) == run->record.time;
}

scr_status run_directory_continue(run_directory *run, simulation *sim, int threads, bool without_lost, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    table *state[SIMULATION_TABLE_MAX], about = run_record_table(&run->record);
    int state_count = simulation_tables(sim, state);
    scr_status status = join(path, run, RUN_CHECKPOINT, error);
    give_reserve(run);
    if (status == SCR_OK) status = checkpoint_read(path, state, state_count, &about, threads, error);
    status = retake_reserve(run, status, error);
    if (status == SCR_OK) status = simulation_after_load(sim, error);
    if (status == SCR_OK) status = simulation_use_directory(sim, run->path, error);
    if (status == SCR_OK) {
        give_reserve(run);
        status = retake_reserve(run, continue_outputs(run, sim, without_lost, error), error);
    }
    if (status != SCR_OK) return status;
    run->threads = threads;
    run->record.end_time = simulation_end_time(sim);
    run->record.resume_count += 1;
    run->before = run->record;
    run->began = scr_now();
    run->framed = is_framed(run);
    run->has_begun = true;
    return SCR_OK;
}

const char *run_directory_path(const run_directory *run) { return run->path; }
const scr_run_record *run_directory_record(const run_directory *run) { return &run->record; }

scr_status run_directory_close(run_directory *run, scr_error *error)
{
    if (run == NULL) return SCR_OK;
    give_reserve(run);
    scr_status status = trajectory_close(run->trajectory, error);
    probes_file_close(run->probes);
    frame_free(&run->frame);
    if (run->lock >= 0) close(run->lock);
    free(run->scene_text);
    scr_free(run);
    return status;
}

// ---- while it runs -------------------------------------------------------------------------------------------------

// Something that happens every interval (s), at the step nearest to each multiple of it: true at those steps.
static bool is_due(int64_t step, double time_step, double interval)
{
    if (step == 0 || interval <= time_step) return true;
    double now = floor(((double)step + 0.5) * time_step / interval);
    double before = floor(((double)step - 0.5) * time_step / interval);
    return now > before;
}

static scr_status add_frame(run_directory *run, simulation *sim, scr_error *error)
{
    run_record_joints(&run->record, simulation_joints(sim));
    scr_status status = run_frame_capture(sim, &run->frame, error);
    if (status != SCR_OK) return status;
    give_reserve(run);
    // A frame of where the run stopped before is not one of the run that goes on.
    if (trajectory_frame_count(run->trajectory) > run->record.frame_count)
        status = trajectory_cut(run->trajectory, run->record.frame_count, error);
    if (status == SCR_OK && simulation_box(sim) != NULL)
        status = trajectory_append_parked(run->trajectory, simulation_box(sim), error);
    if (status == SCR_OK) status = trajectory_append(run->trajectory, &run->frame, error);
    if (status == SCR_OK) run->framed = true;
    return retake_reserve(run, status, error);
}

scr_status run_directory_step(run_directory *run, simulation *sim, scr_error *error)
{
    scr_world *world = simulation_world(sim);
    const scene_output *output = &simulation_scene(sim)->output;
    int64_t step = scr_world_step_count(world);
    double h = scr_world_time_step(world), mark = scr_now();
    if (step > 0) {
        run_record_step(&run->record, world);
        run->record.end_time = simulation_end_time(sim);
        run->stepped = true;
    }
    run->framed = false;
    scr_status status = SCR_OK;
    if (run->probes != NULL && is_due(step, h, output->probe_interval))
        status = probes_file_append(run->probes, sim, error);
    if (status == SCR_OK && run->trajectory != NULL && is_due(step, h, output->frame_interval))
        status = add_frame(run, sim, error);
    if (run->probes != NULL) run->record.probe_bytes = probes_file_bytes(run->probes);
    if (run->framed) run->record.frame_count = trajectory_frame_count(run->trajectory);
    scr_lap(&mark, &run->record.output_seconds);
    return status;
}

// Times are those of earlier processes and of this one together.
static void update_seconds(run_directory *run, simulation *sim)
{
    scr_stage_seconds s = scr_world_stage_seconds(simulation_world(sim));
    const double now[8] = {s.sort, s.forces, s.pairs, s.contacts, s.prepare, s.solve, s.integrate, s.total};
    for (int k = 0; k < 8; ++k) run->record.stage_seconds[k] = run->before.stage_seconds[k] + now[k];
    run->record.wall_seconds = run->before.wall_seconds + scr_now() - run->began;
}

static scr_status write_summary(run_directory *run, simulation *sim, scr_run_status status, const char *reason,
                                uint64_t state_hash, scr_run_summary *summary, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    update_seconds(run, sim);
    scr_run_summary figures = summary_of(sim, &run->record, run->threads, state_hash);
    figures.status = status;
    figures.reason = reason;
    if (run->trajectory != NULL) figures.record.frame_count = trajectory_frame_count(run->trajectory);
    if (summary != NULL) *summary = figures;
    scr_status result = join(path, run, RUN_SUMMARY, error);
    return result == SCR_OK ? summary_write(path, &figures, sim, error) : result;
}

scr_status run_directory_summarise(run_directory *run, simulation *sim, scr_run_status status, const char *reason,
                                   scr_run_summary *summary, scr_error *error)
{
    if (run->is_homeless) return run_directory_fail_homeless(run, error);
    if (run->stepped) run_record_energy(&run->record, simulation_world(sim));
    return write_summary(run, sim, status, reason, simulation_hash(sim), summary, error);
}

static scr_status save_state(run_directory *run, simulation *sim, uint64_t *state_hash, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    table *state[SIMULATION_TABLE_MAX], about = run_record_table(&run->record);
    int state_count = simulation_tables(sim, state);
    scr_status status = SCR_OK;
    // The files that the checkpoint speaks of must not be behind it, even after a power cut.
    if (run->probes != NULL) status = probes_file_sync(run->probes, error);
    if (status == SCR_OK && run->trajectory != NULL) status = trajectory_sync(run->trajectory, error);
    if (status == SCR_OK) status = join(path, run, RUN_CHECKPOINT, error);
    if (status == SCR_OK) status = checkpoint_write(path, state, state_count, &about, run->threads, state_hash, error);
    return status;
}

// What was removed but is known: who the directory belongs to, and the scene.
static scr_status restore_papers(const run_directory *run, scr_error *error)
{
    scr_status status = SCR_OK;
    if (!run->has_begun) return SCR_OK;
    if (!run_files_are_marked(run->path)) status = run_files_write(run->path, run->files, error);
    if (status == SCR_OK && !has_file(run->path, RUN_SCENE)) status = save_scene(run, error);
    return status;
}

// A frame of the moment where the run stops. One that lacks its contacts is none, except that of a failure.
static scr_status add_last_frame(run_directory *run, simulation *sim, scr_run_status status, scr_error *error)
{
    if (run->trajectory == NULL || run->framed) return SCR_OK;
    bool has_contacts = run_record_has_contacts(&run->record, simulation_world(sim));
    if (simulation_scene(sim)->output.contacts && !has_contacts && status != SCR_RUN_FAILED) return SCR_OK;
    return add_frame(run, sim, error);
}

scr_status run_directory_save(run_directory *run, simulation *sim, scr_run_status status, const char *reason,
                              scr_run_summary *summary, scr_error *error)
{
    uint64_t state_hash = 0;
    double mark = scr_now();
    if (run->is_homeless) return run_directory_fail_homeless(run, error);
    if (run->stepped) run_record_measure(&run->record, simulation_world(sim));
    run_record_joints(&run->record, simulation_joints(sim));
    update_seconds(run, sim);
    run->ending = status != SCR_RUN_RUNNING;
    // The last frame comes before the checkpoint: who finds the state of the end finds its picture, too. Should it
    // fail, for want of disk space perhaps, the state is still worth saving; where a run failed the picture is a
    // nicety.
    scr_error unframed;
    scr_status framed = status != SCR_RUN_RUNNING ? add_last_frame(run, sim, status, &unframed) : SCR_OK;
    scr_status result = restore_papers(run, error);
    give_reserve(run);
    if (result == SCR_OK) result = save_state(run, sim, &state_hash, error);
    result = retake_reserve(run, result, error);
    scr_lap(&mark, &run->record.checkpoint_seconds);
    if (result == SCR_OK && framed != SCR_OK && status != SCR_RUN_FAILED) {
        if (error != NULL) *error = unframed;
        result = framed;
    }
    if (result == SCR_OK) result = write_summary(run, sim, status, reason, state_hash, summary, error);
    return result;
}
