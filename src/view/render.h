// A picture of a frame: one struct of options, one function.
#ifndef VIEW_RENDER_H
#define VIEW_RENDER_H

#include "io/frame.h"
#include "scene/scene.h"
#include "view/picture.h"

typedef struct render_options {
    int width, height;  // pixels; default 1600 x 1000
    int samples;        // rays a pixel: noise falls with their root, time grows with them; default 16
    int threads;        // 0 (default): all cores; the picture does not depend on it
    colour_by colour;   // default COLOUR_BODY
    bool has_range;     // of the colour bar, in m or m/s; default: what the frame holds
    double range_min, range_max;
    bool has_eye, has_target;  // default: a three-quarter view of all grains and the walls near them
    scr_vec3 eye, target;      // m
    double field_of_view;      // degrees, vertical; 0: a long lens
    bool ground;               // default true; where a level plane is part of the scene, that is the ground
    bool has_ground_height;
    double ground_height;              // m; default: the lowest point in sight
    const char *title;                 // default NULL: none
    const char *const *material_name;  // for the legend; NULL: numbers
    int material_count;
    void (*progress)(void *context, double share);  // now and then, by one thread; NULL: silent
    void *progress_context;
} render_options;

typedef struct render_report {
    scr_vec3 eye, target;  // m: the camera used, so that it can be asked for again
    double field_of_view;  // degrees
    double build_seconds, trace_seconds;
} render_report;

render_options render_default_options(void);
// What a scene says about its pictures.
void render_use_view(render_options *o, const scene_view *view);
// The caller frees the picture. report may be NULL.
scr_status render_frame(const frame *f, const render_options *o, picture *result, render_report *report,
                        scr_error *error);

#endif
