// SPDX-License-Identifier: BSD-3-Clause
// A pinhole camera.
//
// right, up and back are its axes: x to the right of the picture, y upwards, z towards the viewer. The picture plane
// stands at distance 1; half_height = tan(fov / 2). Pixel (0, 0) is the top left one and its centre is (0.5, 0.5).
#ifndef VIEW_STAGE_CAMERA_H
#define VIEW_STAGE_CAMERA_H

#include "scree/base.h"
#include "view/stage/extent.h"

typedef struct camera {
    vec3f eye;              // m
    vec3f right, up, back;  // unit vectors
    float half_width, half_height;
    int width, height;  // pixels
} camera;

typedef struct camera_request {
    bool has_eye, has_target;
    scr_vec3 eye, target;  // m
    double field_of_view;  // degrees, vertical; 0: CAMERA_FIELD_OF_VIEW
    int width, height;     // pixels
    double clear_right;    // share of the width, at the right, that an automatic view leaves to the overlay
} camera_request;

#define CAMERA_FIELD_OF_VIEW 28.0  // degrees: a long lens; walls stay nearly parallel

// The camera asked for; what is not given is chosen so that the subject fills the picture in a three-quarter view.
camera camera_for(const camera_request *request, const extent *subject);

// Direction, of unit length, of the ray through a point of the picture, in pixels.
vec3f camera_direction(const camera *c, float x, float y);
// Where a point appears in the picture, in pixels; false if it is behind the camera.
bool camera_project(const camera *c, vec3f point, float *x, float *y);

#endif
