// SPDX-License-Identifier: BSD-3-Clause
// A picture of a frame: one struct of options, one function.
#ifndef VIEW_RENDER_RENDER_H
#define VIEW_RENDER_RENDER_H

#include "io/trajectory/frame.h"
#include "scene/model/scene.h"
#include "view/picture/picture.h"
#include "view/stage/camera.h"
#include "view/stage/stage.h"

// What a picture has to know about a run besides its frame.
typedef struct run_names {
    const char *title;                 // NULL: none
    const char *const *material_name;  // for the legend; NULL: numbers
    int material_count;
    const char *const *group_name;
    int group_count;
    const int *group_of_body;  // by id - 1; bodies beyond are in group 0
    int64_t body_count;
    appearance_list appearance;
    double first_time, last_time;  // s, for a bar that shows how much is over; equal: none
} run_names;

typedef struct render_options {
    int width, height;  // pixels; default 1600 x 1000
    int samples;        // rays a pixel: noise falls with their root, time grows with them; default 16
    int threads;        // 0 (default): all cores; the picture does not depend on it
    double dpi;         // pixels an inch, written to the file; 0: not written
    // How it looks. Of the camera eye and target count (view/stage/camera_track.h finds them for paths and bodies to
    // follow).
    scene_view view;
    const framing *framing;  // what the picture is about; NULL: this frame
    const frame *first;      // that displacements count from; NULL: this one
    run_names names;
    void (*progress)(void *context, double share);  // now and then, by one thread; NULL: silent
    void *progress_context;
} render_options;

typedef struct render_report {
    scr_vec3 eye, target;  // m: the camera used, so that it can be asked for again
    double field_of_view;  // degrees
    double build_seconds, trace_seconds;
} render_report;

render_options render_default_options(void);
scr_status render_check_options(const render_options *o, scr_error *error);  // before anything is read or made
// The camera that is used for a subject, and where it stands.
camera render_camera(const render_options *o, const extent *subject);
void render_describe_camera(const render_options *o, const camera *c, const extent *subject, render_report *report);
// The caller frees the picture. report may be NULL.
scr_status render_frame(const frame *f, const render_options *o, picture *result, render_report *report,
                        scr_error *error);

#endif
