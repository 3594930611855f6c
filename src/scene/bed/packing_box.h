// SPDX-License-Identifier: BSD-3-Clause
// The share of a box that grains fill.
//
// A grain counts with that part of the ball of its volume that is in the box: exact for a ball that one side cuts; what
// several sides cut weighs little.
#ifndef SCENE_BED_PACKING_BOX_H
#define SCENE_BED_PACKING_BOX_H

#include "core/maths/vec3.h"
#include "scree/scree.h"

typedef struct packing_box {
    double low[3], high[3];  // m
    bool is_open[3];         // along axes that repeat, where it is the whole cell: all is in it
} packing_box;

double packing_box_space(const packing_box *box);  // m^3
// m^3: what of a grain of this volume at a place is in the box
double packing_box_solid(const packing_box *box, scr_vec3 at, double volume);
double ball_radius_of(double volume);  // m
// Of the grains of a world: all that can move, but for bodies up to an id.
double packing_of_world(const scr_world *world, scr_vec3 low, scr_vec3 high, uint64_t last_id);

#endif
