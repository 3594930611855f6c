// SPDX-License-Identifier: BSD-3-Clause
// Where bodies leave the simulation: sinks, and the boundary of the domain. A body is where its centre is; only dynamic
// ones leave.
#ifndef SCENE_PARTS_EXITS_H
#define SCENE_PARTS_EXITS_H

#include "core/arrays/table.h"
#include "scene/model/scene.h"
#include "scene/parts/selection.h"

typedef struct exits {
    table table;                  // "exits": scalars only
    int64_t sunk, left;           // bodies removed by sinks, and for leaving the domain
    double sunk_mass, left_mass;  // kg
    // scratch
    scr_body *leaving;
    int64_t leaving_capacity;
} exits;

void exits_init(exits *e);
void exits_free(exits *e);
// Remove, and count, the bodies that are in a sink or outside the domain. SCR_DIVERGED if one is outside a domain that
// nothing may leave; then nothing is removed. `chosen` has room for all bodies.
scr_status exits_run(exits *e, const scene *s, scr_world *world, selection *chosen, int threads, scr_error *error);

#endif
