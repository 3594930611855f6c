// SPDX-License-Identifier: BSD-3-Clause
// Probes: what a run measures, as columns of numbers.
//
// Some need a look after every step: forces on a body are summed up until the next row takes their mean, and masses
// that cross a plane are counted. A body moves by h v in a step, so it was at x - h v before: whether it crossed
// follows from where it is now, and nothing need be remembered of each body.
#ifndef SCENE_PROBE_PROBES_H
#define SCENE_PROBE_PROBES_H

#include "core/arrays/table.h"
#include "scene/active/active_box.h"
#include "scene/parts/emitters.h"
#include "scene/parts/exits.h"
#include "scene/parts/linkage.h"
#include "scene/probe/anchor_probes.h"
#include "scene/probe/rig_probe.h"
#include "scene/probe/vehicle_probes.h"

typedef struct probe_column {
    char name[2 * NAME_MAX_LENGTH];  // "outflow.rate"
    const char *unit;                // "kg/s"
} probe_column;

typedef struct probes {
    table table;       // "probes": an entry for each of the scene's
    double *mass;      // kg through the plane so far, along its normal less against it; mass_flow
    double *row_mass;  // kg, the same at the last row
    // 6 each: sums over the steps since the last row: of force (N) and torque (N m) for body_force and
    double *load;
    // joint_force, of force and power (W) for motors, of force or torque for springs and couplings, of stress (Pa)
    int64_t row_step;  // scalar: step count at the last row
    vehicle_probes vehicles;
    anchor_probes anchors;
    rig_probe rig;
    // derived
    probe_column *column;
    int64_t column_count, column_capacity;
} probes;

// What probes look at.
typedef struct probed {
    const scene *scene;
    const scr_world *world;
    const scripted_bodies *bodies;
    const linkage *linkage;
    const emitters *emitters;
    const exits *exits;
    const active_box *box;
    const struct sleeping *asleep;
    selection *chosen;  // scratch with room for all bodies
    int threads;
    phase_now phase;  // of the last step
} probed;

scr_status probes_init(probes *p, const scene *s, scr_error *error);
void probes_free(probes *p);
void probes_record(probes *p, const probed *from);  // right after a step
// A value for each column; means are over the steps since the last row.
void probes_read(const probes *p, const probed *from, double *values);
void probes_row(probes *p, const probed *from, double *values);  // the same, and new means begin

#endif
