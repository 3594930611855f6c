// SPDX-License-Identifier: BSD-3-Clause
// What moves in a world and what for: grains and other free bodies, and the bodies of mechanisms, which cost other
// time.
#ifndef APP_CHECK_MOVING_SHAPES_H
#define APP_CHECK_MOVING_SHAPES_H

#include "app/source/scene_census.h"

typedef struct moving_shapes {
    int64_t free[KIND_COUNT];  // shapes of dynamic bodies that no joint holds, by kind
    int64_t triangles;         // of meshes on dynamic bodies
    bool joined_near_others;   // a body of a mechanism is near what it may touch, or there are grains
} moving_shapes;

scr_status count_moving(const scene *s, const scr_world *world, moving_shapes *m, scr_error *error);

#endif
