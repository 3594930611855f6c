// SPDX-License-Identifier: BSD-3-Clause
// The camera of a scene, for the player to start with: one key a frame shown where it moves (follow, orbit, path), one
// key for all where it stands, and none where the scene leaves the camera to whoever draws.
#ifndef VIEW_REPORT_REPORT_CAMERA_H
#define VIEW_REPORT_REPORT_CAMERA_H

#include <jansson.h>

#include "io/trajectory/trajectory.h"
#include "scene/model/scene.h"

// *found: {"field_of_view": degrees, "keys": [[eye x, y, z, target x, y, z], ...]} or null; owned by the caller.
scr_status report_camera_find(const scene *s, trajectory *t, const int64_t *frames, int64_t frame_count, json_t **found,
                              scr_error *error);

#endif
