// A run directory: everything that comes out of a run, and all that is needed to go on with it.
#include "io/run_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/stopwatch.h"
#include "io/checkpoint.h"
#include "io/probes_file.h"
#include "io/safe_file.h"
#include "io/trajectory.h"
#include "scene/emission_estimate.h"

static const char SCENE[] = "scene.json", CHECKPOINT[] = "checkpoint.h5", SUMMARY[] = "summary.json";
static const char PROBES[] = "probes.csv";

// In the order in which they may vanish: without its scene a directory holds no run.
static const char *const file_names[] = {
    "scene.json",      "checkpoint.h5",  "summary.json",      "probes.csv",       "trajectory.h5",
    "trajectory.xdmf", "scene.json.tmp", "checkpoint.h5.tmp", "summary.json.tmp", "trajectory.xdmf.tmp"};

// HDF5 does not survive that there is no memory left for it: so much is put by, and given free while it works. Nobody
// touches it, so it takes no room but among addresses.
static const size_t RESERVE_BYTES = 16 << 20;

struct run_directory {
    char path[PATH_LENGTH_MAX];
    void *reserve;
    bool ending;  // no more than the last files are to be written: the reserve is not needed again
    int lock;     // the directory itself, held as long as the run writes to it
    int threads;
    run_record record;
    run_record before;       // as it was when this process began
    double began;            // scr_now()
    bool stepped;            // this process has done a step
    bool framed;             // the last frame shows the present moment
    probes_file *probes;     // NULL if the scene has none
    trajectory *trajectory;  // NULL if the scene wants none
    frame frame;
};

static bool has_file(const char *directory, const char *name)
{
    char path[PATH_LENGTH_MAX];
    return path_join(path, directory, name, NULL) == SCR_OK && path_exists(path);
}

bool run_directory_holds_run(const char *path) { return has_file(path, SCENE) || has_file(path, CHECKPOINT); }

static void remove_files(const char *directory)
{
    char path[PATH_LENGTH_MAX];
    for (size_t k = 0; k < sizeof file_names / sizeof file_names[0]; ++k) {
        if (path_join(path, directory, file_names[k], NULL) == SCR_OK) unlink(path);
    }
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

static scr_status lock_directory(run_directory *run, scr_error *error)
{
    run->lock = open(run->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (run->lock < 0) return scr_fail(error, SCR_IO, "%s: cannot open: %s", run->path, strerror(errno));
    if (flock(run->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "%s: another scree is running there; wait for it or stop it first",
                    run->path);
}

static scr_status run_directory_new(const char *path, run_directory **result, scr_error *error)
{
    run_directory *run = scr_alloc(sizeof *run);
    if (run == NULL) return scr_fail_memory(error, sizeof *run, "a run");
    *run = (run_directory){.lock = -1, .began = scr_now()};
    if (snprintf(run->path, sizeof run->path, "%s", path) >= (int)sizeof run->path) {
        scr_free(run);
        return scr_fail(error, SCR_IO, "the name %.80s... is too long for a directory", path);
    }
    scr_status status = take_reserve(run, error);
    if (status == SCR_OK) status = lock_directory(run, error);
    if (status == SCR_OK) *result = run;
    else run_directory_close(run, NULL);
    return status;
}

static scr_status create_outputs(run_directory *run, simulation *sim, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, run->path, PROBES, error);
    if (status == SCR_OK && simulation_probe_column_count(sim) > 0)
        status = probes_file_create(path, sim, &run->probes, error);
    if (status != SCR_OK || simulation_scene(sim)->output.frame_interval == 0.0) return status;
    status = frame_capture(simulation_world(sim), &run->frame, error);
    if (status != SCR_OK) return status;
    emission_estimate emitted = expected_emissions(simulation_scene(sim));
    frame_size usual = {run->frame.spheres.count + emitted.spheres, run->frame.box_count, run->frame.plane_count,
                        run->frame.part_count + emitted.others, 0};
    // Grains in a heap have some three contacts each.
    if (simulation_scene(sim)->output.contacts) usual.contacts = 3 * (usual.spheres + usual.parts);
    frame_surfaces surfaces = {0};
    status = frame_surfaces_capture(simulation_world(sim), &surfaces, error);
    give_reserve(run);
    if (status == SCR_OK) status = trajectory_create(run->path, usual, &surfaces, &run->trajectory, error);
    frame_surfaces_free(&surfaces);
    return retake_reserve(run, status, error);
}

static scr_status save_scene(const run_directory *run, const char *text, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, run->path, SCENE, error);
    return status == SCR_OK ? file_replace(path, text, strlen(text), error) : status;
}

scr_status run_directory_create(const char *path, const char *scene_text, simulation *sim, int threads,
                                run_directory **result, scr_error *error)
{
    run_directory *run = NULL;
    bool was_there = path_is_directory(path);
    scr_status status = directory_create(path, error);
    if (status != SCR_OK) return status;
    status = run_directory_new(path, &run, error);
    if (status != SCR_OK) goto done;
    run->threads = threads;
    run_record_begin(&run->record, simulation_world(sim), simulation_scene(sim)->end_time);
    remove_files(path);
    // The scene comes last: once it is there, so is all that a resume needs.
    status = create_outputs(run, sim, error);
    if (status == SCR_OK) status = run_directory_step(run, sim, error);
    if (status == SCR_OK) status = run_directory_save(run, sim, RUN_RUNNING, NULL, NULL, error);
    if (status == SCR_OK) status = save_scene(run, scene_text, error);
    if (status != SCR_OK) {
        run_directory_close(run, NULL);
        remove_files(path);
        goto done;
    }
    *result = run;
done:
    if (status != SCR_OK && !was_there) rmdir(path);
    return status;
}

scr_status run_directory_open(const char *path, run_directory **result, run_record *record, scr_error *error)
{
    if (!path_is_directory(path)) return scr_fail(error, SCR_BAD_INPUT, "%s: there is no such directory", path);
    if (!has_file(path, SCENE))
        return scr_fail(error, SCR_BAD_INPUT, "%s holds no run: there is no %s in it", path, SCENE);
    char file[PATH_LENGTH_MAX];
    run_directory *run = NULL;
    checkpoint_contents contents;
    scr_status status = run_directory_new(path, &run, error);
    if (status != SCR_OK) return status;
    table about = run_record_table(&run->record);
    status = path_join(file, path, CHECKPOINT, error);
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

static scr_status continue_outputs(run_directory *run, simulation *sim, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    scr_status status = path_join(path, run->path, PROBES, error);
    if (status == SCR_OK && simulation_probe_column_count(sim) > 0)
        status = probes_file_continue(path, sim, run->record.probe_bytes, &run->probes, error);
    if (status == SCR_OK && simulation_scene(sim)->output.frame_interval > 0.0)
        status = trajectory_continue(run->path, run->record.frame_count, &run->trajectory, error);
    return status;
}

scr_status run_directory_continue(run_directory *run, simulation *sim, int threads, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    table *state[SIMULATION_TABLE_MAX], about = run_record_table(&run->record);
    int state_count = simulation_tables(sim, state);
    scr_status status = path_join(path, run->path, CHECKPOINT, error);
    give_reserve(run);
    if (status == SCR_OK) status = checkpoint_read(path, state, state_count, &about, threads, error);
    status = retake_reserve(run, status, error);
    if (status == SCR_OK) status = simulation_after_load(sim, error);
    if (status == SCR_OK) {
        give_reserve(run);
        status = retake_reserve(run, continue_outputs(run, sim, error), error);
    }
    if (status != SCR_OK) return status;
    run->threads = threads;
    run->record.end_time = simulation_scene(sim)->end_time;
    run->record.resume_count += 1;
    run->before = run->record;
    run->began = scr_now();
    run->framed = run->trajectory != NULL && run->record.frame_count > 0 &&
                  trajectory_frame_time(run->trajectory, run->record.frame_count - 1) == run->record.time;
    return SCR_OK;
}

const char *run_directory_path(const run_directory *run) { return run->path; }
const run_record *run_directory_record(const run_directory *run) { return &run->record; }

scr_status run_directory_close(run_directory *run, scr_error *error)
{
    if (run == NULL) return SCR_OK;
    give_reserve(run);
    scr_status status = trajectory_close(run->trajectory, error);
    probes_file_close(run->probes);
    frame_free(&run->frame);
    if (run->lock >= 0) close(run->lock);
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

static scr_status capture(run_directory *run, simulation *sim, scr_error *error)
{
    run_record_joints(&run->record, simulation_joints(sim));
    scr_status status = frame_capture(simulation_world(sim), &run->frame, error);
    if (status == SCR_OK && simulation_scene(sim)->output.contacts)
        status = frame_capture_contacts(simulation_world(sim), &run->frame, error);
    return status;
}

static scr_status add_frame(run_directory *run, simulation *sim, scr_error *error)
{
    scr_status status = capture(run, sim, error);
    if (status != SCR_OK) return status;
    give_reserve(run);
    status = trajectory_append(run->trajectory, &run->frame, error);
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
        run->stepped = true;
    }
    run->framed = false;
    scr_status status = SCR_OK;
    if (run->probes != NULL && is_due(step, h, output->probe_interval))
        status = probes_file_append(run->probes, sim, error);
    if (status == SCR_OK && run->trajectory != NULL && is_due(step, h, output->frame_interval))
        status = add_frame(run, sim, error);
    if (run->probes != NULL) run->record.probe_bytes = probes_file_bytes(run->probes);
    if (run->trajectory != NULL) run->record.frame_count = trajectory_frame_count(run->trajectory);
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

static scr_status write_summary(run_directory *run, simulation *sim, run_status status, const char *reason,
                                uint64_t state_hash, run_summary *summary, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    update_seconds(run, sim);
    run_summary figures = summary_of(sim, &run->record, run->threads, state_hash);
    figures.status = status;
    figures.reason = reason;
    if (run->trajectory != NULL) figures.record.frame_count = trajectory_frame_count(run->trajectory);
    if (summary != NULL) *summary = figures;
    scr_status result = path_join(path, run->path, SUMMARY, error);
    return result == SCR_OK ? summary_write(path, &figures, error) : result;
}

scr_status run_directory_summarise(run_directory *run, simulation *sim, run_status status, const char *reason,
                                   run_summary *summary, scr_error *error)
{
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
    if (status == SCR_OK) status = path_join(path, run->path, CHECKPOINT, error);
    if (status == SCR_OK) status = checkpoint_write(path, state, state_count, &about, run->threads, state_hash, error);
    return status;
}

scr_status run_directory_save(run_directory *run, simulation *sim, run_status status, const char *reason,
                              run_summary *summary, scr_error *error)
{
    uint64_t state_hash = 0;
    double mark = scr_now();
    if (run->stepped) run_record_measure(&run->record, simulation_world(sim));
    run_record_joints(&run->record, simulation_joints(sim));
    update_seconds(run, sim);
    run->ending = status != RUN_RUNNING;
    give_reserve(run);
    scr_status result = retake_reserve(run, save_state(run, sim, &state_hash, error), error);
    scr_lap(&mark, &run->record.checkpoint_seconds);
    if (result == SCR_OK && status != RUN_RUNNING && run->trajectory != NULL && !run->framed) {
        // Where a run failed, for want of disk space perhaps, the picture of it is a nicety.
        scr_status framed = add_frame(run, sim, error);
        if (status != RUN_FAILED) result = framed;
    }
    if (result == SCR_OK) result = write_summary(run, sim, status, reason, state_hash, summary, error);
    return result;
}
