// SPDX-License-Identifier: BSD-3-Clause
// A scene as a command line asks for it, built in memory: what the verbs that begin with a scene share.
#ifndef APP_SOURCE_BUILT_SCENE_H
#define APP_SOURCE_BUILT_SCENE_H

#include "app/command/options.h"
#include "io/calls/scene_build.h"

typedef struct scene_request {
    const char *path;
    int threads;      // 0: as many as are useful
    double until;     // s; 0: as the scene says
    option_list set;  // PATH=VALUE
} scene_request;

scr_status build_requested(const scene_request *request, built_scene *built, scr_error *error);
// The same for a verb that will write a file (NULL: none), which must be nothing that the scene is made from.
scr_status build_for_output(const scene_request *request, const char *output, bool force, built_scene *built,
                            scr_error *error);

#endif
