// SPDX-License-Identifier: BSD-3-Clause
// A survey of a whole run before its frames are drawn, so that nothing jumps from frame to frame: what the pictures are
// about, the range of their colours, the height of the ground, where a body to follow begins.
//
// The framing is found from a few frames spread over the run, the range of colours from all of them. The result depends
// on the run alone, so that several processes that draw some of its frames each agree.
#ifndef VIEW_RENDER_SURVEY_H
#define VIEW_RENDER_SURVEY_H

#include "io/trajectory/trajectory.h"
#include "view/render/render.h"
#include "view/stage/camera_track.h"

typedef struct survey {
    scene_view view;               // eye, target, range and ground height found; shares the path
    framing framing;               // of all the run
    frame first;                   // of the run: what displacements and a body to follow count from
    double first_time, last_time;  // s
    int64_t follow;                // id of the body to follow; 0: none
    scr_vec3 follow_start;         // m
} survey;

// follow: id of the body to follow, 0 if there is none. o->view is what was asked for.
scr_status survey_init(survey *s, trajectory *t, const render_options *o, int64_t follow, scr_error *error);
void survey_free(survey *s);

// The options for one frame: o with the view of that moment. Points into the survey.
render_options survey_options_at(const survey *s, const render_options *o, const frame *f);

// The middle of a body's shapes; false if the frame has none of it.
bool survey_body_position(const frame *f, int64_t id, scr_vec3 *position);

#endif
