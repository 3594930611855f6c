// SPDX-License-Identifier: BSD-3-Clause
// Probes of joints, motors, springs and couplings. Forces, torques and power are means over the steps since the last
// row.
#ifndef SCENE_PROBE_JOINT_PROBES_H
#define SCENE_PROBE_JOINT_PROBES_H

#include "scene/parts/linkage.h"

enum { JOINT_PROBE_WIDTH = 6 };  // columns, and sums, at most

typedef struct column_kind {
    const char *name, *unit;
} column_kind;

bool is_joint_probe(probe_kind kind);
// The columns; the one after the last has no name.
const column_kind *joint_probe_columns(const scene *s, const scene_probe *probe);

// Where joint probes look.
typedef struct linkage_view {
    const scene *scene;
    const scr_world *world;
    const scripted_bodies *bodies;
    const linkage *linkage;
    phase_now phase;  // of the last step
} linkage_view;

// Right after a step: add what it did to the sums. What is gone, or broken, does nothing.
void joint_probe_record(const scene_probe *probe, const linkage_view *from, double sum[JOINT_PROBE_WIDTH]);
// A value for each column. Sums over `steps` become means.
void joint_probe_row(const scene_probe *probe, const linkage_view *from, int64_t steps,
                     const double sum[JOINT_PROBE_WIDTH], double *values);

#endif
