// SPDX-License-Identifier: BSD-3-Clause
// A run directory opened to be looked at: its frames, and what its scene says about them. Pictures and exports begin
// so.
#ifndef APP_SOURCE_RUN_SOURCE_H
#define APP_SOURCE_RUN_SOURCE_H

#include "io/trajectory/trajectory.h"
#include "view/render/render.h"

typedef struct run_source {
    const char *directory;
    scene *scene;  // NULL if the directory has none
    trajectory *trajectory;
    run_names names;  // from the scene
    const char **material_name, **group_name;
    int *group_of_body;
    scene_appearance *appearance;  // of the scene's bodies
    bool *hidden;                  // the same
} run_source;

// A run without frames is refused. Frames hold every body; for pictures, see below.
scr_status run_source_open(run_source *source, const char *directory, scr_error *error);
void run_source_close(run_source *source);  // all zero is fine
// From now on frames are read without the bodies that the scene hides in pictures.
void run_source_hide_bodies(run_source *source);

// The id of a body of the scene.
scr_status run_source_body(const run_source *source, const char *name, int64_t *id, scr_error *error);
// Frames hold contacts, or it is said why not. what: "chains".
scr_status run_source_needs_contacts(const run_source *source, const char *what, scr_error *error);

#endif
