// SPDX-License-Identifier: BSD-3-Clause
// A vehicle standing on level ground, to be measured and drawn.
#ifndef APP_VEHICLE_VEHICLE_PICTURE_H
#define APP_VEHICLE_VEHICLE_PICTURE_H

#include "scene/run/simulation.h"

typedef struct vehicle_stand {
    scene *scene;
    simulation *simulation;
    scr_vec3 centre;  // m: of all mass; the ground is at z = 0
} vehicle_stand;

// Free it also after a failure.
scr_status vehicle_stand_make(const char *path, int threads, vehicle_stand *stand, scr_error *error);
void vehicle_stand_free(vehicle_stand *stand);
scr_status vehicle_stand_draw(const vehicle_stand *stand, const char *picture_path, int threads, scr_error *error);

#endif
