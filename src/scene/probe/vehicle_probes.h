// SPDX-License-Identifier: BSD-3-Clause
// What an engineer reads off a tracked vehicle (docs/vehicles.md defines each figure, its sign and its frame).
//
// Forces, speeds and torques are means over the steps since the last row; in the summary, over all steps from a time
// on.
#ifndef SCENE_PROBE_VEHICLE_PROBES_H
#define SCENE_PROBE_VEHICLE_PROBES_H

#include "core/arrays/table.h"
#include "scene/probe/joint_probes.h"
#include "scene/probe/vehicle_faults.h"
#include "scree/scene.h"

enum { VEHICLE_PROBE_WIDTH = 24 };

// Sums over steps, of each track and of the vehicle. They fill one column of the table each.
typedef struct track_sums {
    double rolling;      // m/s: of the track along the sprocket
    double speed;        // m/s: forward, of the chassis at the track
    double torque;       // N m, of the motor
    double power;        // W
    double tension;      // N: mean over the pins
    double pin_force;    // N: the largest of any pin
    double wheel_force;  // N: of all road wheels
    double sinkage;      // m
} track_sums;
typedef struct vehicle_sums {
    track_sums track[TRACKS_MAX];
    double speed;    // m/s, forward
    double drawbar;  // N
    double steps;
} vehicle_sums;
enum { VEHICLE_SUMS = sizeof(vehicle_sums) / sizeof(double) };

typedef struct vehicle_probes {
    table table;                    // "vehicles": an entry for each probe of a vehicle; state of scenes that have some
    double *distance;               // m so far, forward
    double *work;                   // J so far, of the motors
    double *row;                    // (VEHICLE_SUMS each) since the last row
    double *all;                    // (VEHICLE_SUMS each) since the time that the probe names
    double *row_speed, *all_speed;  // m/s, forward: when those began
    double *now_speed;              // m/s, forward: after the last step
    double *all_distance, *all_work;  // m, J: when `all` began
    double *row_distance, *row_work;  // m, J: when `row` began
    vehicle_faults faults;
} vehicle_probes;

scr_status vehicle_probes_init(vehicle_probes *p, const scene *s, scr_error *error);
void vehicle_probes_free(vehicle_probes *p);
scr_status vehicle_probes_after_load(const vehicle_probes *p, const scene *s, scr_error *error);
const column_kind *vehicle_probe_columns(const scene_vehicle *vehicle);
void vehicle_probes_record(vehicle_probes *p, const linkage_view *from);  // right after a step
// Of the scene's kth vehicle.
void vehicle_probe_row(const vehicle_probes *p, const scene_probe *probe, const linkage_view *from, int k,
                       double *values);
void vehicle_probes_begin_row(vehicle_probes *p);

const scene_probe *probe_of_vehicle(const scene *s, int k);  // of the kth one
// The mobility table: means of a vehicle since the time that its probe names.
scr_mobility vehicle_mobility(const vehicle_probes *p, const scene *s, int k, double time_step);

#endif
