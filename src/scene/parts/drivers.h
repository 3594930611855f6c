// SPDX-License-Identifier: BSD-3-Clause
// The drivers of a scene: each sets the speeds of the motors in its vehicle's sprockets, step by step.
//
// A driver decides as a step begins, from the state of the world then; what it remembers is state. Speeds of motors are
// the world's own state and stay as they are until the next decision.
#ifndef SCENE_PARTS_DRIVERS_H
#define SCENE_PARTS_DRIVERS_H

#include "scene/parts/linkage.h"

typedef struct drivers {
    table table;                      // "drivers": an entry for each driver; state of scenes that have some
    double *speed, *yaw_rate;         // m/s, rad/s: as in driver_state
    double *speed_added, *yaw_added;  // m/s, rad/s
    double *along;                    // m
    driver_state *next;               // scratch: of the step that was begun
    int64_t next_capacity;
} drivers;

scr_status drivers_init(drivers *d, const scene *s, scr_error *error);  // after a failure too: drivers_free
void drivers_free(drivers *d);
// Decide for a step, and set the motors. Fails if a function gives no number.
scr_status drivers_begin_step(drivers *d, const scene *s, const scripted_bodies *bodies, const linkage *l,
                              scr_world *world, const step_span *step, scr_error *error);
void drivers_end_step(drivers *d);                                                             // the step was done
void drivers_undo_step(const drivers *d, const scene *s, const linkage *l, scr_world *world);  // it was not
scr_status drivers_after_load(const drivers *d, const scene *s, const linkage *l, scr_world *world, scr_error *error);

#endif
