// SPDX-License-Identifier: BSD-3-Clause
// What an engineer reads off an anchor (docs/anchors.md defines each figure and its sign): all along and about its
// axis, which points into the ground.
//
// Forces and torques are means over the steps since the last row. The work of the drive is summed up step by step:
// force times the change of depth, torque times the change of the angle.
#ifndef SCENE_PROBE_ANCHOR_PROBES_H
#define SCENE_PROBE_ANCHOR_PROBES_H

#include "core/arrays/table.h"
#include "scene/probe/joint_probes.h"
#include "scene/sleep/sleeping.h"

enum { ANCHOR_PROBE_WIDTH = 10, ANCHOR_SUMS = 4 };

typedef struct anchor_probes {
    table table;            // "anchors": an entry for each probe of an anchor; state of scenes that have some
    double *work;           // J so far, of loads and motors
    double *along, *about;  // m, rad: of the guide after the last step
    double *row;            // (ANCHOR_SUMS each) over the steps since the last row
} anchor_probes;

scr_status anchor_probes_init(anchor_probes *p, const scene *s, scr_error *error);
void anchor_probes_free(anchor_probes *p);
const column_kind *anchor_probe_columns(void);
void anchor_probes_record(anchor_probes *p, const linkage_view *from, const sleeping *asleep);  // right after a step
// Of the scene's kth anchor; sums over `steps` become means.
void anchor_probe_row(const anchor_probes *p, const scene_probe *probe, const linkage_view *from, int k, int64_t steps,
                      double *values);
void anchor_probes_begin_row(anchor_probes *p);

#endif
