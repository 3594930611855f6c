// SPDX-License-Identifier: BSD-3-Clause
// What goes wrong with the tracks of a vehicle, seen step by step, so that a summary can name it.
//
//   thrown   a shoe's middle is farther from the plane of its track than its guides allow, or it has tipped over
//   stalled  a driven sprocket stands: its motor is at the limit of its torque (or turns with a given torque), and its
//            spin is next to nothing of what was asked, for half a second and longer
#ifndef SCENE_PROBE_VEHICLE_FAULTS_H
#define SCENE_PROBE_VEHICLE_FAULTS_H

#include "core/arrays/table.h"
#include "scene/probe/joint_probes.h"

typedef struct vehicle_faults {
    table table;         // "vehicle_faults": an entry for each vehicle; state of scenes that have some
    double *thrown_at;   // s (TRACKS_MAX each); 0: it is not
    double *standing;    // s (TRACKS_MAX each): for how long its sprocket has been held now
    double *stalled_at;  // s (TRACKS_MAX each): when it stalled first; 0: it did not
    double *stalled;     // s (TRACKS_MAX each): in all
} vehicle_faults;

typedef struct track_faults {
    double thrown_at;            // s; 0: it is not
    double stalled_at, stalled;  // s; 0: it did not; in all
} track_faults;

scr_status vehicle_faults_init(vehicle_faults *f, int vehicle_count, scr_error *error);
void vehicle_faults_free(vehicle_faults *f);
// Right after a step: of the kth vehicle.
void vehicle_faults_record(vehicle_faults *f, int k, const scene_vehicle *vehicle, const linkage_view *from);
track_faults vehicle_track_faults(const vehicle_faults *f, int k, int track);

#endif
