// SPDX-License-Identifier: BSD-3-Clause
// Walls that a grain might pass in one step.
//
// A grain of radius r touches a wall of thickness w while its centre is r away from the face. Beyond the wall's middle
// it would be pushed out on the wrong side. It gets there in one step h, should the contact not be seen, if
//     h v > r + w / 2
// with v the speed at which the two may meet: what the grain has at the start or leaves an emitter with, what falling
// from the highest place to the wall adds (v^2 = v0^2 + 2 g drop), and the wall's own speed. An estimate: nothing here
// knows of grains that are thrown.
#ifndef SCENE_PARTS_THIN_WALLS_H
#define SCENE_PARTS_THIN_WALLS_H

#include "scene/model/scene.h"

typedef struct thin_wall {
    uint64_t body;     // its id
    double thickness;  // m; 0 for a sheet
    double radius;     // m, of the smallest grain
    double drop;       // m
    double speed;      // m/s, at which they may meet
    double travel;     // m a step
} thin_wall;

typedef struct thin_walls {
    thin_wall *item;  // one a body, in the order of ids; scr_free() it
    int64_t count, capacity;
} thin_walls;

scr_status find_thin_walls(const scene *s, const scr_world *world, thin_walls *found, scr_error *error);

#endif
