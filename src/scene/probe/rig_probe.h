// SPDX-License-Identifier: BSD-3-Clause
// What a test rig measures (docs/rigs.md defines each column, its sign and its frame). Forces are those of contacts on
// the rig's parts, not of joints or motors, which carry weight and inertia as well.
//
// A scene has at most one rig. Positions are counted from where a part was when its phase began; in the phase of the
// measurement all columns are summed up in bins (rig/rig_curve.h).
#ifndef SCENE_PROBE_RIG_PROBE_H
#define SCENE_PROBE_RIG_PROBE_H

#include "core/arrays/table.h"
#include "rig/rig_figures.h"
#include "scene/parts/scripted.h"
#include "scene/sleep/sleeping.h"

typedef struct rig_probe {
    table table;                      // "rig": an entry for each bin; state of scenes that have a rig
    double *steps;                    // in the bin
    double *sum;                      // (RIG_COLUMNS_MAX each)
    double zero[3];                   // scalar, m: x and z from which displacements are counted; sides of a cell
    int64_t phase;                    // scalar: of the last step
    double row_steps;                 // scalar: since the last row
    double row_sum[RIG_COLUMNS_MAX];  // scalar
    double now[RIG_COLUMNS_MAX];      // scalar: after the last step
    double hold[3];                   // scalar: steps, sum and squares of the load (N)
} rig_probe;

// Where it looks.
typedef struct rig_view {
    const scene_rig *rig;
    const scr_world *world;
    const scripted_bodies *bodies;
    const sleeping *asleep;
    phase_now phase;  // of the last step
} rig_view;

scr_status rig_probe_init(rig_probe *p, const scene *s, scr_error *error);  // after a failure too: rig_probe_free
void rig_probe_free(rig_probe *p);
void rig_probe_record(rig_probe *p, const rig_view *from);  // right after a step
// A value for each column: the phase, then those of rig_columns().
void rig_probe_row(const rig_probe *p, rig_kind kind, double *values);
void rig_probe_begin_row(rig_probe *p);

rig_curve rig_probe_curve(const rig_probe *p);
scr_rig_report rig_probe_report(const rig_probe *p, const scene_rig *rig);

#endif
