// SPDX-License-Identifier: BSD-3-Clause
// A scene file from C: its world, stepped with all that the scene puts around it, its probes and its run directory.
//
// This header belongs to the library scree-run, which holds all of scree and needs Jansson and HDF5 besides.
// docs/scene.md describes scene files, docs/run_directory.md what a run leaves behind. `scree run` is a program on
// these calls:
//
//     scr_scene_def def = scr_default_scene_def();
//     def.path = "scenes/drum.json";
//     scr_scene *scene;
//     scr_status status = scr_scene_open(&def, &scene, &error);
//     if (status == SCR_OK) status = scr_scene_begin_run(scene, "runs/drum", false, &error);
//     while (status == SCR_OK && !scr_scene_is_done(scene)) status = scr_scene_step(scene, &error);
//     if (status == SCR_OK) status = scr_scene_end_run(scene, SCR_RUN_DONE, NULL, NULL, &error);
//
// Errors are sentences; those about a scene begin with file, line and column. A scene is used by one thread at a
// time, and files are read and written by one thread of a program at a time: HDF5 is not made for more.
#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include "scree/scree.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A scene that was opened, and its run if it has one.
typedef struct scr_scene scr_scene;

/// Which scene to open, and how. Start from scr_default_scene_def().
typedef struct scr_scene_def {
    const char *path;              ///< the scene file; needed
    const char *const *overrides;  ///< "PATH=VALUE" each, as --set of the command: "solver.method=gs"; default none
    int override_count;
    double end_time;   ///< s; 0 (default): as the scene says
    int thread_count;  ///< as in scr_world_def; results do not depend on it; default 0
} scr_scene_def;

/// All defaults; the path is missing.
SCR_API scr_scene_def scr_default_scene_def(void);
/// Read a scene and build its world. What is wrong with it is SCR_BAD_INPUT and "scene.json:12:7: ...".
SCR_API scr_status scr_scene_open(const scr_scene_def *def, scr_scene **scene, scr_error *error);
/// Free the scene and its world, and close its run, which can be resumed from its last save. NULL is fine.
/// Fails if what was written to the run's files does not reach them.
SCR_API scr_status scr_scene_close(scr_scene *scene, scr_error *error);

/// One time step: bodies come and go as is due, then the world's step with the scene's gravity, motions, motors and
/// loads. What you did to the world since the last step (forces, velocities) counts. A scene with a run writes it: a
/// row of probes, a frame, a checkpoint, as its `output` says. SCR_INTERRUPTED if somebody asked for it
/// (scr_interrupt). If the step fails, the scene is at the same time as before, and calling again tries it again; if
/// writing fails, the step is done.
SCR_API scr_status scr_scene_step(scr_scene *scene, scr_error *error);
/// Whether the end time is reached, within half a step.
SCR_API bool scr_scene_is_done(const scr_scene *scene);
/// Ask every step that is going on, and those to come, to stop: they return SCR_INTERRUPTED. Safe in a signal handler.
SCR_API void scr_interrupt(void);

/// The scene's world, which it owns: all calls of scree/world.h and scree/body.h apply but for stepping and
/// destroying it. Gravity follows the scene in every step.
SCR_API scr_world *scr_scene_world(scr_scene *scene);
/// Its title; "" if it has none.
SCR_API const char *scr_scene_title(const scr_scene *scene);
/// When the scene ends, s.
SCR_API double scr_scene_end_time(const scr_scene *scene);
/// Threads that a step may use.
SCR_API int scr_scene_thread_count(const scr_scene *scene);
/// The contact law of its world.
SCR_API scr_contact_law scr_scene_contact_law(const scr_scene *scene);
/// The name of a material, by its index in the world; "" if there is none.
SCR_API const char *scr_scene_material(const scr_scene *scene, uint32_t index);
/// A fingerprint of the world and of what the scene keeps around it: the state_hash of summary.json.
SCR_API uint64_t scr_scene_hash(scr_scene *scene);

/// Things of the scene by their names. SCR_BAD_INPUT if there is none; the handle may be stale if it is gone by now.
SCR_API scr_status scr_scene_find_body(const scr_scene *scene, const char *name, scr_body *body, scr_error *error);
/// A joint or actuator by its name, likewise.
SCR_API scr_status scr_scene_find_joint(const scr_scene *scene, const char *name, scr_joint *joint, scr_error *error);
/// A spring by its name, likewise.
SCR_API scr_status scr_scene_find_spring(const scr_scene *scene, const char *name, scr_spring *spring,
                                         scr_error *error);

/// The columns that the scene's probes have, as in probes.csv.
SCR_API int scr_scene_probe_count(const scr_scene *scene);
/// The name of a column, "outflow.rate"; "" if there is none.
SCR_API const char *scr_scene_probe_name(const scr_scene *scene, int column);
/// The unit of a column, "kg/s"; "" of pure numbers.
SCR_API const char *scr_scene_probe_unit(const scr_scene *scene, int column);
/// The column of that name; -1 if there is none.
SCR_API int scr_scene_find_probe(const scr_scene *scene, const char *name);
/// A value for each column as it is now; means are over the steps since the last row of the run. Nothing is reset.
/// Not a number where something is gone.
SCR_API void scr_scene_read_probes(scr_scene *scene, double *values);

/// Grains in the states of an active box, and what it took out of the motion. All zero without one.
typedef struct scr_active_counts {
    bool is_present;              ///< the scene has an active box
    int64_t live, fixed, parked;  ///< grains now
    int64_t parked_fast;          ///< grains so far that were parked while faster than freeze_speed
    double frozen_energy;         ///< J: kinetic energy so far of grains when they were fixed or parked
    double potential;             ///< J, in the present gravity, of the grains that are fixed or parked
} scr_active_counts;

/// Grains awake and asleep, and what sleeping took out of the motion. All zero where none may sleep.
typedef struct scr_sleep_counts {
    bool is_present;        ///< the scene lets grains sleep
    int64_t awake, asleep;  ///< grains now; with an active box: of the live ones
    int64_t fallen;         ///< times so far that a grain fell asleep
    int64_t woken_cells;    ///< times so far that a cell woke
    double frozen_energy;   ///< J: kinetic energy so far of grains when they fell asleep
    double potential;       ///< J, in the present gravity, of the grains that sleep
} scr_sleep_counts;

/// What came, went and broke since the start.
typedef struct scr_scene_counts {
    int64_t emitted, sunk, left;                ///< grains of emitters; taken by sinks; bodies that left the domain
    double emitted_mass, sunk_mass, left_mass;  ///< kg
    int64_t broken;                             ///< joints
    scr_active_counts active;
    scr_sleep_counts sleep;
} scr_scene_counts;
/// These counts as they are now.
SCR_API scr_scene_counts scr_scene_count(const scr_scene *scene);

/// How messages call something: "joint 'hinge'", "actuator 2".
typedef struct scr_label {
    char text[96];
} scr_label;
/// Joints and actuators that the scene lists.
SCR_API int scr_scene_joint_count(const scr_scene *scene);
/// How messages call a joint, numbered from 0.
SCR_API scr_label scr_scene_joint_label(const scr_scene *scene, int joint);
/// When a joint broke, s; 0: it is whole.
SCR_API double scr_scene_joint_broken_at(const scr_scene *scene, int joint);

// ---- runs ----

/// How a run ended, or stands.
typedef enum scr_run_status { SCR_RUN_RUNNING, SCR_RUN_DONE, SCR_RUN_INTERRUPTED, SCR_RUN_FAILED } scr_run_status;
/// A status as a word: "running", "done", "interrupted", "failed".
SCR_API const char *scr_run_status_name(scr_run_status status);

/// What a run knows about itself, over all processes that worked on it.
typedef struct scr_run_record {
    int64_t step;         ///< done so far
    double time;          ///< s, simulated
    double end_time;      ///< s
    int64_t probe_bytes;  ///< of probes.csv
    int64_t frame_count;  ///< in trajectory.h5
    int64_t resume_count;
    double wall_seconds;        ///< s of wall clock
    double output_seconds;      ///< s of those spent writing frames and probes
    double checkpoint_seconds;  ///< s of those spent writing checkpoints
    double stage_seconds[8];    ///< s of those in the stages of the step, as in scr_stage_seconds
    double start_energy[3];     ///< J at the start: kinetic, potential, elastic
    double elastic_energy;      ///< J when last measured; not a number if a step failed since
    // The last step, as in scr_step_report, scr_accuracy and scr_overlap. What costs a pass over all contacts is
    // measured when the run is saved.
    int64_t contact_count, touching_count, iterations;
    double change, force_error;
    double penetration, max_speed;  ///< m, m/s
    double residual;                ///< m/s
    double cone_violation;
    double overlap_mean, overlap_max;
    double joint_gap, joint_tilt;  ///< m, rad: the worst of any joint, at the last frame or save
    double advised_step;           ///< s: the least that scr_world_advised_step said; 0 without a limit
    // All steps.
    int64_t iteration_sum, iteration_max;
    int64_t unsolved_steps;  ///< that did not reach the solver's tolerance
    double force_error_max;
    double penetration_max;                ///< m
    double joint_gap_max, joint_tilt_max;  ///< m, rad; of all frames and saves
} scr_run_record;

/// Sentences for people.
enum { SCR_SENTENCES_MAX = 16, SCR_SENTENCE_LENGTH = 256 };
/// So many of them.
typedef struct scr_sentences {
    int count;
    char text[SCR_SENTENCES_MAX][SCR_SENTENCE_LENGTH];
} scr_sentences;

/// What an engineer reads off a tracked vehicle: means from the time on at which its probe begins to measure. Signs and
/// frames are defined in docs/vehicles.md. Of two tracks the left one comes first.
typedef struct scr_mobility {
    const char *name;
    int track_count;
    const char *track[2];     ///< "left", "right"
    double slip[2];           ///< from -1 (locked) over 0 (rolling) to 1 (spinning on the spot)
    double sinkage[2];        ///< m
    double torque[2];         ///< N m, of the sprocket's motor
    double power[2];          ///< W, of the sprocket's motor
    double tension[2];        ///< N, mean over the pins
    double pin_force[2];      ///< N, the largest of any pin
    double wheel_force[2];    ///< N, that presses the road wheels down, in all
    double speed;             ///< m/s, forward
    double thrust;            ///< N: torques over the radius at which tracks roll
    double drawbar;           ///< N, against loads on the chassis
    double resistance;        ///< N: what is left of the thrust
    double distance;          ///< m, forward
    double energy_per_metre;  ///< J/m
    double duration;          ///< s, over which all this is measured
} scr_mobility;
/// As many are in a summary at most.
enum { SCR_VEHICLES_MAX = 8 };

/// A figure read off the curve that a test rig measured: docs/rigs.md defines them.
typedef struct scr_rig_figure {
    const char *name, *unit;
    double value;  ///< not a number if too little was measured
    double error;  ///< standard error of a mean; not a number where there is none
} scr_rig_figure;
/// As many has a rig at most.
enum { SCR_RIG_FIGURES_MAX = 16 };
/// What a test rig measured.
typedef struct scr_rig_report {
    const char *kind;  ///< "direct_shear"; NULL: the scene has no rig
    int figure_count;
    scr_rig_figure figure[SCR_RIG_FIGURES_MAX];
} scr_rig_report;

/// The figures of a run: those of summary.json.
typedef struct scr_run_summary {
    scr_run_status status;
    const char *reason;  ///< why it failed; NULL otherwise
    const char *title;
    scr_run_record record;
    scr_contact_law law;
    double time_step;  ///< s
    int threads;
    int64_t body_count, joint_count;
    scr_energy energy;
    scr_vec3 momentum;          ///< kg m/s
    scr_vec3 angular_momentum;  ///< kg m^2/s about the origin
    scr_scene_counts counts;
    uint64_t state_hash;
    int64_t peak_memory;     ///< bytes, of this process
    scr_sentences warnings;  ///< results may be wrong
    scr_sentences notes;     ///< good to know
    int vehicle_count;
    scr_mobility vehicle[SCR_VEHICLES_MAX];
    scr_rig_report rig;
} scr_run_summary;

/// May a run of a scene file be written there? Not over somebody else's files or what the scene is read from, and over
/// another run only to `replace` it. scr_scene_begin_run asks too; ask before a long build.
SCR_API scr_status scr_run_check(const char *directory, const char *scene_path, bool replace, scr_error *error);
/// Begin a run in a directory, which is made if need be: the scene as run, the state and the first row and frame. The
/// scene must be at its start and have no run yet. After a failure nothing is left behind.
SCR_API scr_status scr_scene_begin_run(scr_scene *scene, const char *directory, bool replace, scr_error *error);

/// How to go on with a run. Start from all zero.
typedef struct scr_resume_def {
    const char *directory;  ///< of the run; needed
    double end_time;        ///< s; 0: as before. Extends a finished run
    int thread_count;       ///< as in scr_world_def
    bool without_lost;      ///< go on even if probes.csv or trajectory.h5 are lost: with new ones
} scr_resume_def;
/// How far a run was.
typedef struct scr_run_progress {
    double time, end_time;  ///< s
    bool is_complete;       ///< it is at its end, and all its files are written
} scr_run_progress;
/// Open a run directory and go on from its last save: the rest has the same bits as if the run had never stopped. Where
/// there is nothing left to do, *scene is NULL and the status SCR_OK. found may be NULL.
SCR_API scr_status scr_scene_resume(const scr_resume_def *def, scr_scene **scene, scr_run_progress *found,
                                    scr_error *error);

/// Of a scene with a run. The directory's path can change: a run notices when it is moved. NULL without a run.
SCR_API const char *scr_scene_run_directory(const scr_scene *scene);
/// The figures of its run; NULL without a run.
SCR_API const scr_run_record *scr_scene_run_record(const scr_scene *scene);
/// The simulated time of the last save, s.
SCR_API double scr_scene_saved_time(const scr_scene *scene);
/// Save the state and the figures now, besides the saves that steps make every `output.checkpoint_minutes`.
SCR_API scr_status scr_scene_save_run(scr_scene *scene, scr_error *error);
/// Are the directory and its files still where the run writes them? Steps ask by themselves several times a second; ask
/// before calling a run done.
SCR_API scr_status scr_scene_check_run(scr_scene *scene, scr_error *error);
/// Save the state where the run stops, with a last frame and the figures; *summary (may be NULL) receives these.
/// reason: why it failed, or NULL. Fails if the state could not be saved: the last save then stays, and the figures
/// are still written if they can be.
SCR_API scr_status scr_scene_end_run(scr_scene *scene, scr_run_status status, const char *reason,
                                     scr_run_summary *summary, scr_error *error);

#ifdef __cplusplus
}
#endif

#endif
