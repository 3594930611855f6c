// SPDX-License-Identifier: BSD-3-Clause
// Loads: forces and torques that a scene puts on bodies, as functions of time.
//
// Over a step of length h from t a load is what its functions say at t + h/2. A load in the body's axes, and the point
// where a force acts, turn with the body: they are taken where its spin will have brought them by then. The area of a
// stress is that of the beginning of the step.
#ifndef SCENE_PARTS_LOADS_H
#define SCENE_PARTS_LOADS_H

#include "scene/parts/scripted.h"

// Push the bodies for a step. Fails if a function gives no number; then nothing is pushed.
scr_status loads_apply(const scene *s, const scripted_bodies *bodies, scr_world *world, const step_span *step,
                       scr_error *error);

#endif
