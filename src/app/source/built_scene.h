// A scene as a command line asks for it, built in memory: what the verbs that begin with a scene share.
#ifndef APP_SOURCE_BUILT_SCENE_H
#define APP_SOURCE_BUILT_SCENE_H

#include "app/command/options.h"
#include "scene/run/simulation.h"

typedef struct scene_request {
    const char *path;
    int threads;      // 0: as many as are useful
    double until;     // s; 0: as the scene says
    option_list set;  // PATH=VALUE
} scene_request;

typedef struct built_scene {
    scene *scene;
    simulation *simulation;
} built_scene;

// *as_run (may be NULL) receives the scene's text with all that was left open; free() it, after a failure too.
scr_status scene_build(const scene_request *request, built_scene *built, char **as_run, scr_error *error);
// The same for a verb that will write a file (NULL: none), which must be nothing that the scene is made from.
scr_status build_for_output(const scene_request *request, const char *output, bool force, built_scene *built,
                            scr_error *error);
void built_scene_free(built_scene *built);  // all zero is fine

#endif
