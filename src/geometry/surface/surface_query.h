// SPDX-License-Identifier: BSD-3-Clause
// Meshes and heightfields alike: which triangles are near, and how they hang together. Sphere sets have no triangles,
// but are reached like them.
#ifndef GEOMETRY_SURFACE_SURFACE_QUERY_H
#define GEOMETRY_SURFACE_SURFACE_QUERY_H

#include "geometry/surface/heightfield.h"
#include "geometry/surface/mesh.h"
#include "geometry/surface/sphere_tree.h"
#include "geometry/surface/triangle.h"

// The triangles whose boxes meet the box, in a fixed order; false from visit ends the walk.
static inline void surface_walk(const shape_surface *s, const scr_aabb *box, tree_visit *visit, void *context)
{
    if (s->kind == SCR_HEIGHTFIELD) {
        heightfield_walk(s, box, visit, context);
        return;
    }
    box_test test = box_test_of(box);
    mesh_tree_walk(&s->mesh->tree, tree_overlaps_box, &test, visit, context);
}
static inline bool surface_may_reach(const shape_surface *s, scr_vec3 centre, double radius)
{
    if (s->kind == SCR_SPHERE_SET) return sphere_set_may_reach(s, centre, radius);
    return s->kind == SCR_HEIGHTFIELD ? heightfield_may_reach(s, centre, radius) : mesh_may_reach(s, centre, radius);
}
// Is there an inside?
static inline bool surface_is_solid(const shape_surface *s) { return s->kind == SCR_HEIGHTFIELD || s->mesh->closed; }
// The next of all edges that lie on edge e, round and round; e itself at a border.
static inline int32_t surface_next_edge(const shape_surface *s, int32_t e)
{
    return s->kind == SCR_HEIGHTFIELD ? heightfield_next_edge(s->heightfield, e) : s->mesh->ring[e];
}
// The corners 3 t + k at a vertex; room is for those that are not stored.
static inline int surface_fan(const shape_surface *s, int32_t vertex, int32_t buffer[HEIGHTFIELD_FAN],
                              const int32_t **corner)
{
    if (s->kind == SCR_HEIGHTFIELD) {
        *corner = buffer;
        return heightfield_fan(s->heightfield, vertex, buffer);
    }
    *corner = s->mesh->fan + s->mesh->fan_start[vertex];
    return s->mesh->fan_start[vertex + 1] - s->mesh->fan_start[vertex];
}
static inline int32_t surface_patch(const shape_surface *s, int32_t triangle)
{
    return s->kind == SCR_HEIGHTFIELD ? s->heightfield->patch[triangle] : s->mesh->patch[triangle];
}

#endif
