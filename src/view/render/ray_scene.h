// SPDX-License-Identifier: BSD-3-Clause
// The geometry of a stage made ready for rays, by Embree. Solid and glass bodies are kept apart: light passes glass,
// so shadow rays never look for it, and the camera's rays ask for the panes in front of what they hit.
#ifndef VIEW_RENDER_RAY_SCENE_H
#define VIEW_RENDER_RAY_SCENE_H

#include "view/stage/stage.h"

typedef struct ray_scene ray_scene;

typedef enum surface_kind { SURFACE_SPHERE, SURFACE_BOX, SURFACE_PATCH, SURFACE_PART } surface_kind;

// Where a ray hit a body.
typedef struct surface {
    surface_kind kind;
    int64_t index;   // of the sphere, box or part in the frame, of the patch on the stage
    int face;        // of a box: -x, +x, -y, +y, -z, +z
    bool entering;   // flat surfaces: the ray came from outside
    float distance;  // m along the ray
    vec3f point;     // m; lifted a hair off the surface, so that new rays may start there
    vec3f normal;    // unit vector, towards where the ray came from
} surface;

// The stage must outlive the scene.
scr_status ray_scene_create(const stage *s, ray_scene **result, scr_error *error);
void ray_scene_destroy(ray_scene *r);  // NULL is fine

// The nearest solid surface; false if there is none. `direction` is a unit vector here and below.
bool ray_scene_intersect(const ray_scene *r, vec3f origin, vec3f direction, surface *hit);
bool ray_scene_is_occluded(const ray_scene *r, vec3f origin, vec3f direction);  // by anything solid
// The nearest glass surface between two distances.
bool ray_scene_intersect_glass(const ray_scene *r, vec3f origin, vec3f direction, float near, float far, surface *hit);

#endif
