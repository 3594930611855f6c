// SPDX-License-Identifier: BSD-3-Clause
// The bodies that a scene lists one by one: their handles, how some of them move by formulae, when they are taken away.
//
// A motion is a pose of the body's frame as a function of time. Over a step from t0 to t1 the body gets the velocity
// and the spin that lead from one pose to the next, and is then put where the formula says, so that nothing adds up:
//   v = (c(t1) - c(t0)) / h   of the centre of mass c,   w = axis (angle(t1) - angle(t0)) / h
// Where the scene gives velocity or spin instead, pose and angle are their sum by the midpoint rule.
#ifndef SCENE_PARTS_SCRIPTED_H
#define SCENE_PARTS_SCRIPTED_H

#include "core/arrays/table.h"
#include "scene/model/scene.h"

typedef struct scripted_bodies {
    table table;       // "scene_bodies": an entry for each of the scene's bodies
    scr_body *handle;  // stale once the body is gone
    double *position;  // m, 3 each: where the frame of a moving body is
    double *angle;     // rad: how far it has turned about the motion's axis
    double *centre;    // m, 3 each: the centre of mass in the frame
    double *axes;      // 4 each: the principal axes in the frame
    int64_t removed;   // scalar: how many were taken away at their time
    // scratch
    scr_body_state *before;  // (count) moving bodies as they were before the step
    scr_body *due;           // (count) bodies to be taken away
    int64_t before_capacity, due_capacity;
} scripted_bodies;

scr_status scripted_init(scripted_bodies *b, const scene *s, scr_error *error);  // after a failure too: scripted_free
void scripted_free(scripted_bodies *b);
// Add the scene's bodies to the world, where they are at t = 0. Body i of the scene gets the id i + 1.
scr_status scripted_populate(scripted_bodies *b, const scene *s, scr_world *world, scr_error *error);
// Once joints and springs are made where bodies are drawn: put those that begin elsewhere there.
scr_status scripted_put_at_start(const scripted_bodies *b, const scene *s, scr_world *world, scr_error *error);

// Give moving bodies their velocities for a step. Fails if a formula gives no number.
scr_status scripted_begin_step(scripted_bodies *b, const scene *s, scr_world *world, const step_span *step,
                               scr_error *error);
void scripted_end_step(scripted_bodies *b, const scene *s, scr_world *world, const step_span *step);  // it was done
void scripted_undo_step(scripted_bodies *b, const scene *s, scr_world *world);                        // it was not
// The frame of body i where it is now, which must be alive; GROUND has the world's.
scr_frame scripted_frame(const scripted_bodies *b, const scr_world *world, int body);
// Take away the bodies whose time has come by t (s), to the nearest step.
scr_status scripted_remove_due(scripted_bodies *b, const scene *s, scr_world *world, double t, scr_error *error);

#endif
