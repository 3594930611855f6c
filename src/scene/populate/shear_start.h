// SPDX-License-Identifier: BSD-3-Clause
// Scenes whose space is sheared: what they cannot have, and how their bodies begin.
#ifndef SCENE_POPULATE_SHEAR_START_H
#define SCENE_POPULATE_SHEAR_START_H

#include "scene/model/scene.h"

double shear_rate_at(const scene *s, double t, phase_now phase);  // 1/s; 0 where space is not sheared
// Refuses what has no place in a sheared space and is not a body or a joint, which the world refuses itself.
scr_status check_shear(const scene *s, scr_error *error);
// All bodies get the velocity of a linear flow that stands still in the middle of the cell, unless the scene begins at
// rest.
scr_status start_in_flow(const scene *s, scr_world *world, scr_error *error);

#endif
