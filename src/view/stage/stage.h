// SPDX-License-Identifier: BSD-3-Clause
// The stage: what of a frame is shown, and what of that is glass.
//
// Level planes that face up are ground: large, fading into the backdrop. Other planes are infinite in the world and
// patches in the picture: cut to the surroundings of the subject and at each other, so that the walls of a bin of
// planes meet at its corners. Walls in front of the grains are glass; which ones that are depends on the eye.
#ifndef VIEW_STAGE_STAGE_H
#define VIEW_STAGE_STAGE_H

#include "view/colour/appearance.h"
#include "view/stage/cut.h"
#include "view/stage/extent.h"

enum { PATCH_VERTICES = 32 };

typedef struct plane_patch {
    vec3f normal;
    vec3f vertex[PATCH_VERTICES];  // m; a convex polygon, counter-clockwise about the normal
    int vertex_count;              // 0: not shown
    uint32_t id;                   // of the plane's body; 0: a ground that no body has
    bool ground;
    bool glass;
} plane_patch;

typedef struct stage {
    const frame *frame;
    extent grains, subject;
    cut cut;                     // none, until it is set
    appearance_list appearance;  // none, until it is set
    plane_patch *patches;
    int64_t patch_count;
    bool *box_is_glass;   // (frame->box_count)
    extent *part_extent;  // (frame->part_count) the box around each part, in the world
} stage;

typedef struct ground_request {
    bool wanted;  // a floor, if no plane of the frame is one
    bool has_height;
    double height;  // m; if not given: the lowest point of the subject
} ground_request;

// What a picture is about; the same for all frames of a movie, or things would jump.
typedef struct framing {
    extent grains, subject;
} framing;
scr_status framing_of(const frame *f, framing *result, scr_error *error);

// about: what the picture is about; NULL: this frame.
scr_status stage_init(stage *s, const frame *f, const framing *about, const ground_request *ground, scr_error *error);
void stage_free(stage *s);

// Decide what is glass, seen from this eye: planes seen from behind, and the fixed and kinematic boxes that occlude
// grains (view/stage/occlusion.h). A body whose opacity the scene gives is as the scene says; if one sees through it,
// its planes and boxes are kept with the glass.
void stage_choose_glass(stage *s, vec3f eye);

// Distances from the middle of the subject at which ground begins to fade and is gone, m.
float stage_fade_start(const stage *s);
float stage_fade_end(const stage *s);

#endif
