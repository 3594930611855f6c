// SPDX-License-Identifier: BSD-3-Clause
// Meshes and heightfields against every kind of shape: frames, the choice by kind, and the order of what was found.
#include "collision/surface/narrow_surface.h"

#include "collision/surface/narrow_sphere_set.h"
#include "collision/surface/surface_pair.h"

static double extent_of(const scr_aabb *box)
{
    scr_vec3 edges = vec3_sub(box->high, box->low);
    return 0.5 * fmin(edges.x, fmin(edges.y, edges.z));
}

// Where the shape is, seen from the surface's frame.
static placed_shape seen_from(const placed_shape *frame, const placed_shape *shape)
{
    placed_shape seen = *shape;
    seen.pose = pose_relative(frame->pose, shape->pose);
    return seen;
}

static surface_pair begin_pair(const placed_shape *surface, const placed_shape *shape, double reach, contact_list *list)
{
    surface_pair m = {
        .surface = surface->surface,
        .shape = seen_from(surface, shape),
        .reach = reach,
        .solid = surface_is_solid(surface->surface),
        .list = list,
        .first = list->count,
    };
    m.box = placed_aabb(&m.shape);
    m.size = shape->kind == SCR_PLANE ? m.surface->radius : extent_of(&m.box);
    scr_vec3 margin = vec3(reach, reach, reach);
    m.box = (scr_aabb){vec3_sub(m.box.low, margin), vec3_add(m.box.high, margin)};
    return m;
}

// A shape all of which is under the ground of a heightfield touches none of its triangles, and is lifted.
static void lift_from_below(surface_pair *m)
{
    int32_t above = heightfield_triangle_at(m->surface, m->shape.pose.position.x, m->shape.pose.position.y);
    if (above < 0) return;
    triangle3 t = triangle_corners(&m->surface->triangles, above);
    if (vec3_dot(triangle_normal(&t), vec3_sub(m->shape.pose.position, t.corner[0])) < 0.0)
        add_face_points(m, above, false);
}

static void meet(surface_pair *m)
{
    switch (m->shape.kind) {
    case SCR_SPHERE: collide_sphere(m); break;
    case SCR_ELLIPSOID: collide_ellipsoid(m); break;
    case SCR_CAPSULE: collide_capsule(m); break;
    case SCR_BOX:
    case SCR_CYLINDER:
    case SCR_CONE:
    case SCR_HULL: collide_convex(m); break;
    case SCR_MESH:
    case SCR_HEIGHTFIELD: collide_surface(m); break;
    case SCR_PLANE: collide_plane(m); break;
    case SCR_SPHERE_SET: break;  // never comes here
    }
    if (m->surface->kind == SCR_HEIGHTFIELD && m->list->count == m->first && kind_is_convex(m->shape.kind))
        lift_from_below(m);
}

void narrow_surface(const placed_shape *a, const placed_shape *b, double reach, contact_list *list)
{
    if (a->kind == SCR_SPHERE_SET || b->kind == SCR_SPHERE_SET) {
        narrow_sphere_set(a, b, reach, list);
        return;
    }
    bool flip = kind_has_triangles(a->kind) && b->kind != SCR_HEIGHTFIELD;
    const placed_shape *surface = flip ? a : b, *shape = flip ? b : a;
    surface_pair m = begin_pair(surface, shape, reach, list);
    meet(&m);
    points_into_world(surface, flip, list->point + m.first, list->count - m.first);
    order_by_feature(list->point + m.first, list->count - m.first);
}
