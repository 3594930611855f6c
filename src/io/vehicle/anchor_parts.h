// SPDX-License-Identifier: BSD-3-Clause
// An anchor as a body, a guide, a load and a probe of a scene, as its author could have written them.
#ifndef IO_VEHICLE_ANCHOR_PARTS_H
#define IO_VEHICLE_ANCHOR_PARTS_H

#include <jansson.h>

#include "vehicle/anchor/helical_anchor.h"

// A part of the schedule. Functions of time in the words of scenes; NULL: not given.
typedef struct anchor_phase {
    double from;  // s
    json_t *force, *speed, *torque, *spin;
} anchor_phase;

enum { PHASES_MAX = 64 };
typedef struct anchor_site {
    const char *name;  // parts are called after it: "anchor guide"
    helical_anchor anchor;
    double mass, density;  // kg, kg/m^3: one of them is 0
    pose surface;          // where it enters the ground; z of its rotation is the axis
    double depth;          // m: of the end of the tip at the start
    const char *material;  // NULL: the scene's only one
    json_t *appearance;    // may be NULL
    anchor_phase phase[PHASES_MAX];
    int phase_count;
    double max_force, max_torque;  // N, N m, of motors; infinite: any
} anchor_site;

void add_anchor(json_t *root, const anchor_site *site);

#endif
