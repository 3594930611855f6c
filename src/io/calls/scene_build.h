// SPDX-License-Identifier: BSD-3-Clause
// From a scene file to a simulation in memory.
#ifndef IO_CALLS_SCENE_BUILD_H
#define IO_CALLS_SCENE_BUILD_H

#include "scene/run/simulation.h"

typedef struct built_scene {
    scene *scene;
    simulation *simulation;
} built_scene;

// *as_run (may be NULL) receives the scene's text with all that was left open; free() it, after a failure too. What was
// built before a failure is in *built.
scr_status scene_build(const scr_scene_def *def, built_scene *built, char **as_run, scr_error *error);
void built_scene_free(built_scene *built);  // all zero is fine

#endif
