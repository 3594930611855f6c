// SPDX-License-Identifier: BSD-3-Clause
// A servo that holds the stress of a periodic cell along some axes by letting its lengths change, and drives the others
// at a given rate. Along an axis of length L and face A, with the stress s of the last step and the asked one p,
//
//   M L'' = A (s - p + 2 z / w s')      w^2 = A K / (L M),  K the stiffness of the cell along the axis
//
// is an inertia M that is pressed on, and damped by the change of stress: not by its own speed, which would take a
// share of the load while the cell gives way. M is the mass of all bodies, or as much more as a step needs to follow:
// w h is at most LIVELY. K is what contacts would have if all bodies moved as the cell does, a bound from above, so
// that the servo is stable whatever the sample does. How fast a length changes is limited: by what the scene says, and
// to a share of the larger of s and p a step.
#ifndef SCENE_RUN_CELL_SERVO_H
#define SCENE_RUN_CELL_SERVO_H

#include "core/arrays/table.h"
#include "scene/model/scene.h"

typedef struct cell_servo {
    table table;       // "servo": state of scenes that have one
    double before[3];  // scalar, Pa: normal stresses in the last step
} cell_servo;

void cell_servo_init(cell_servo *c);
scr_status check_servo(const scene *s, scr_error *error);
// Right after a step: how lengths change in the next one, which is in this phase.
scr_status cell_servo_run(cell_servo *c, const scene *s, scr_world *world, phase_now phase, scr_error *error);

#endif
