// What a run knows about itself besides its state: how far its files go, and figures that must survive a resume. It is
// a table of scalars, saved in every checkpoint; nothing in it decides the future of the simulation.
#ifndef IO_RUN_RUN_RECORD_H
#define IO_RUN_RUN_RECORD_H

#include "core/arrays/table.h"
#include "scene/run/linkage.h"

typedef struct run_record {
    int64_t step;         // done so far
    double time;          // s, simulated
    double end_time;      // s; the scene's, or what --until said
    int64_t probe_bytes;  // of probes.csv
    int64_t frame_count;  // in trajectory.h5
    int64_t resume_count;
    double wall_seconds;        // s of wall clock, over all parts of the run
    double output_seconds;      // s of those spent writing frames and probes
    double checkpoint_seconds;  // s of those spent writing checkpoints
    double stage_seconds[8];    // s of those in the stages of the step, as in scr_stage_seconds
    double start_energy[3];     // J at the start: kinetic, potential, elastic
    double elastic_energy;      // J at the last look: contacts know it, and a state that was loaded has none; or NaN
    // The last step, as in scr_step_report and scr_accuracy.
    int64_t contact_count, touching_count, iterations;
    double change, force_error;
    double penetration, max_speed;  // m, m/s
    double residual;                // m/s
    double cone_violation;
    double overlap_mean, overlap_max;  // as in scr_overlap
    double joint_gap, joint_tilt;      // m, rad: the worst of any joint when last looked at
    double advised_step;  // s: the least that scr_world_advised_step said when asked; 0 if nothing limits the step
    // All steps.
    int64_t iteration_sum, iteration_max;
    int64_t unsolved_steps;   // that did not reach the solver's tolerance
    double force_error_max;
    double penetration_max;  // m
    double joint_gap_max, joint_tilt_max;  // m, rad; of the times when joints were looked at
} run_record;

table run_record_table(run_record *record);

void run_record_begin(run_record *record, scr_world *world, double end_time);
// After a step.
void run_record_step(run_record *record, scr_world *world);
// At every frame, and before the record is saved or shown.
void run_record_joints(run_record *record, linkage_state joints);
// Does the world still have the contacts of the step that the record tells of? A step that failed has used them up,
// and a state that was loaded has none.
bool run_record_has_contacts(const run_record *record, const scr_world *world);
// After a step, before the record is shown.
void run_record_energy(run_record *record, scr_world *world);
// The same before the record is saved, and figures that cost a pass over all contacts. They are NaN if there is no
// memory to work them out: a record with gaps is no reason to lose the state.
void run_record_measure(run_record *record, scr_world *world);

#endif
