// SPDX-License-Identifier: BSD-3-Clause
// Where the camera of a view is at some instant of a run.
//
//   fixed    eye and target stay
//   follow   both move along with a body, by as much as it has moved since the run began; its orientation stays
//   orbit    the eye goes round the vertical through the target, evenly in time
//   path     a smooth curve through keys, each with its time (cubic, with the slope of each key's two neighbours);
//            before the first and after the last the camera stands still
#ifndef VIEW_STAGE_CAMERA_TRACK_H
#define VIEW_STAGE_CAMERA_TRACK_H

#include "scene/model/scene.h"

typedef struct track_instant {
    double time;          // s
    double share;         // of the run that is over, 0 to 1
    scr_vec3 body_shift;  // m, of the body to follow
} track_instant;

// A view that stands still or has a path; without either it is given back as it is.
camera_key camera_track_at(const scene_view *view, const track_instant *now);

#endif
