// SPDX-License-Identifier: BSD-3-Clause
// What a run knows about itself besides its state.
#include "io/run/run_record.h"

#include <math.h>

static const field_info record_fields[] = {
    SCALAR(scr_run_record, step, FIELD_I64, ""),
    SCALAR(scr_run_record, time, FIELD_F64, "s"),
    SCALAR(scr_run_record, end_time, FIELD_F64, "s"),
    SCALAR(scr_run_record, probe_bytes, FIELD_I64, ""),
    SCALAR(scr_run_record, frame_count, FIELD_I64, ""),
    SCALAR(scr_run_record, resume_count, FIELD_I64, ""),
    SCALAR(scr_run_record, wall_seconds, FIELD_F64, "s"),
    SCALAR(scr_run_record, output_seconds, FIELD_F64, "s"),
    SCALAR(scr_run_record, checkpoint_seconds, FIELD_F64, "s"),
    SCALAR_WIDE(scr_run_record, stage_seconds, FIELD_F64, 8, "s"),
    SCALAR_WIDE(scr_run_record, start_energy, FIELD_F64, 3, "J"),
    SCALAR(scr_run_record, elastic_energy, FIELD_F64, "J"),
    SCALAR(scr_run_record, contact_count, FIELD_I64, ""),
    SCALAR(scr_run_record, touching_count, FIELD_I64, ""),
    SCALAR(scr_run_record, iterations, FIELD_I64, ""),
    SCALAR(scr_run_record, change, FIELD_F64, ""),
    SCALAR(scr_run_record, penetration, FIELD_F64, "m"),
    SCALAR(scr_run_record, max_speed, FIELD_F64, "m/s"),
    SCALAR(scr_run_record, residual, FIELD_F64, "m/s"),
    SCALAR(scr_run_record, cone_violation, FIELD_F64, ""),
    SCALAR(scr_run_record, force_error, FIELD_F64, ""),
    SCALAR(scr_run_record, overlap_mean, FIELD_F64, ""),
    SCALAR(scr_run_record, overlap_max, FIELD_F64, ""),
    SCALAR(scr_run_record, joint_gap, FIELD_F64, "m"),
    SCALAR(scr_run_record, joint_tilt, FIELD_F64, "rad"),
    SCALAR(scr_run_record, advised_step, FIELD_F64, "s"),
    SCALAR(scr_run_record, iteration_sum, FIELD_I64, ""),
    SCALAR(scr_run_record, iteration_max, FIELD_I64, ""),
    SCALAR(scr_run_record, unsolved_steps, FIELD_I64, ""),
    SCALAR(scr_run_record, force_error_max, FIELD_F64, ""),
    SCALAR(scr_run_record, penetration_max, FIELD_F64, "m"),
    SCALAR(scr_run_record, joint_gap_max, FIELD_F64, "m"),
    SCALAR(scr_run_record, joint_tilt_max, FIELD_F64, "rad"),
};

table run_record_table(scr_run_record *record)
{
    return (table){.name = "run",
                   .field = record_fields,
                   .field_count = sizeof record_fields / sizeof record_fields[0],
                   .owner = record};
}

// Grains that come later, and faster ones, make it shorter.
static void heed_advice(scr_run_record *record, const scr_world *world)
{
    double step = scr_world_advised_step(world).time_step;
    if (step > 0.0 && (record->advised_step == 0.0 || step < record->advised_step)) record->advised_step = step;
}

void run_record_begin(scr_run_record *record, scr_world *world, double end_time)
{
    scr_energy energy = scr_world_energy(world);
    *record = (scr_run_record){.end_time = end_time,
                               .start_energy = {energy.kinetic, energy.potential, energy.elastic},
                               .elastic_energy = energy.elastic};
    heed_advice(record, world);
}

void run_record_step(scr_run_record *record, scr_world *world)
{
    scr_step_report report = scr_world_report(world);
    record->step = report.step;
    record->time = report.time;
    record->contact_count = report.contact_count;
    record->touching_count = report.touching_count;
    record->iterations = report.iterations;
    record->change = report.change;
    record->force_error = report.force_error;
    record->unsolved_steps += !report.is_solved;
    record->force_error_max = fmax(record->force_error_max, report.force_error);
    record->penetration = report.max_penetration;
    record->max_speed = report.max_speed;
    record->iteration_sum += report.iterations;
    if (report.iterations > record->iteration_max) record->iteration_max = report.iterations;
    if (report.max_penetration > record->penetration_max) record->penetration_max = report.max_penetration;
}

void run_record_joints(scr_run_record *record, linkage_state joints)
{
    record->joint_gap = joints.gap;
    record->joint_tilt = joints.tilt;
    record->joint_gap_max = fmax(record->joint_gap_max, joints.gap);
    record->joint_tilt_max = fmax(record->joint_tilt_max, joints.tilt);
}

bool run_record_has_contacts(const scr_run_record *record, const scr_world *world)
{
    scr_contact_view contacts;
    return record->touching_count == 0 || (scr_world_contacts(world, &contacts, NULL) == SCR_OK && contacts.count > 0);
}

void run_record_energy(scr_run_record *record, scr_world *world)
{
    record->elastic_energy = run_record_has_contacts(record, world) ? scr_world_energy(world).elastic : NAN;
}

void run_record_measure(scr_run_record *record, scr_world *world)
{
    run_record_energy(record, world);
    scr_accuracy accuracy;
    if (scr_world_accuracy(world, &accuracy, NULL) != SCR_OK) accuracy = (scr_accuracy){NAN, NAN};
    record->residual = accuracy.residual;
    record->cone_violation = accuracy.cone_violation;
    scr_overlap overlap = scr_world_overlap(world);
    record->overlap_mean = overlap.mean;
    record->overlap_max = overlap.max;
    heed_advice(record, world);
}
