// SPDX-License-Identifier: BSD-3-Clause
// A session: one process's share of a run, from its first step to the last or until something stops it.
#ifndef APP_RUN_SESSION_H
#define APP_RUN_SESSION_H

#include "scree/scene.h"

// Steps a scene that has a run until the end time and tells the user. Returns the exit code. The scene is left open.
int session_run(scr_scene *scene, bool quiet);

#endif
