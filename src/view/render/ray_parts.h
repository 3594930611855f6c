// SPDX-License-Identifier: BSD-3-Clause
// Parts under rays: every shape that is no sphere, box or plane. This file and ray_scene.c know Embree, no other does.
//
// All parts are primitives of one geometry whose tests we do ourselves, so that a million of them need no more than
// their boxes. Round ones are intersected exactly (view/render/round_ray.h). A surface is a scene of triangles in its
// own frame, into which the ray is taken; the frames are rigid, so that distances along it stay what they are.
#ifndef VIEW_RENDER_RAY_PARTS_H
#define VIEW_RENDER_RAY_PARTS_H

#include <embree3/rtcore.h>

#include "view/render/ray_scene.h"
#include "view/render/surface_normals.h"

#define LIFT 1e-4f           // of a body's radius, by which points are lifted off its surface
#define LIFT_ROUNDING 4e-7f  // of a coordinate: a few units in its last place

// The parts of one scene of rays: the solid ones, or those that one sees through.
typedef struct ray_part_set {
    const struct ray_parts *parts;
    bool glass;
} ray_part_set;

typedef struct ray_parts {
    const stage *stage;
    RTCDevice device;
    // The surfaces of parts, each a scene of its own that many parts may show.
    RTCScene *surface;
    surface_normals *normals;
    int64_t surface_count;
    ray_part_set set[2];
} ray_parts;

// Add the parts of a stage to two scenes, as the geometry `id`. p must stay where it is; free it after a failure too.
scr_status ray_parts_add(ray_parts *p, const stage *s, RTCDevice device, RTCScene solid, RTCScene glass, unsigned id,
                         scr_error *error);
void ray_parts_free(ray_parts *p);  // after the scene; all zero is fine
// What a ray hit. hit->point is the point on the ray; it is lifted, by flat_lift (m) at most.
void ray_parts_describe_hit(const ray_parts *p, vec3f direction, const struct RTCRayHit *rh, float flat_lift,
                            surface *hit);

// What both files need of Embree.
scr_status ray_failure(RTCDevice device, scr_error *error);
void ray_attach(RTCScene rtc_scene, RTCGeometry geometry, unsigned id);
static inline struct RTCRay ray_from(vec3f origin, vec3f direction, float near, float far)
{
    return (struct RTCRay){.org_x = origin[0],
                           .org_y = origin[1],
                           .org_z = origin[2],
                           .tnear = near,
                           .dir_x = direction[0],
                           .dir_y = direction[1],
                           .dir_z = direction[2],
                           .tfar = far,
                           .mask = UINT32_MAX};
}

#endif
