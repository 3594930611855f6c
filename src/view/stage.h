// The stage: what of a frame is shown, and how one looks into it.
//
// Level planes that face up are ground: large, fading into the backdrop. Other planes are infinite in the world and
// patches in the picture: cut to the surroundings of the subject and at each other, so that the walls of a bin of
// planes meet at its corners. Walls in front of the grains are glass; which ones that are depends on the eye.
#ifndef VIEW_STAGE_H
#define VIEW_STAGE_H

#include "view/extent.h"

enum { PATCH_VERTICES = 32 };

typedef struct plane_patch {
    vec3f normal;
    vec3f vertex[PATCH_VERTICES];  // m; a convex polygon, counter-clockwise about the normal
    int vertex_count;              // 0: out of sight
    bool ground;
    bool glass;
} plane_patch;

typedef struct stage {
    const frame *frame;
    extent grains, subject;
    plane_patch *patches;
    int64_t patch_count;
    bool *box_is_glass;  // (frame->box_count)
} stage;

typedef struct ground_request {
    bool wanted;  // a floor, if no plane of the frame is one
    bool has_height;
    double height;  // m; if not given: the lowest point of the subject
} ground_request;

scr_status stage_init(stage *s, const frame *f, const ground_request *ground, scr_error *error);
void stage_free(stage *s);

// Decide what is glass, seen from this eye: planes seen from behind, and fixed or kinematic boxes that hide grains.
// A plate is glass as soon as it hides a few of them, a bulky body only if it hides a large part, and neither if there
// are grains right in front of it too: the wall of a bin turns to glass, an obstacle or a blade amid the grains does not.
void stage_look_from(stage *s, vec3f eye);

// Distance at which ground has faded to a share of 0 and 1, from the middle of the subject.
float stage_fade_start(const stage *s);
float stage_fade_end(const stage *s);

#endif
