// SPDX-License-Identifier: BSD-3-Clause
// The nearest point of a shape: the narrow phase of a sphere of radius 0, and of meshes and sphere sets the nearest of
// their triangles or spheres.
#include "collision/query/nearest.h"

#include <math.h>

#include "collision/convex/narrow_phase.h"
#include "collision/narrow/narrow_sphere.h"
#include "collision/surface/narrow_triangle.h"
#include "core/maths/quat.h"
#include "geometry/surface/surface_query.h"

typedef struct nearest_search {
    scr_vec3 from;  // m, in the surface's frame
    const shape_surface *surface;
    ball_test ball;  // made smaller with every triangle or sphere that is nearer
    contact_point best;
    double reach;  // m
    bool found;
} nearest_search;

static void keep_nearer(nearest_search *s, const contact_point *point)
{
    s->best = *point;
    s->reach = point->gap;
    s->found = true;
    s->ball = ball_test_of(s->from, fmax(0.0, s->reach));  // within a sphere the gap is negative
}

static bool try_triangle(void *context, int32_t k)
{
    nearest_search *s = context;
    triangle3 t = triangle_corners(&s->surface->triangles, k);
    contact_point point;
    int feature;
    if (sphere_triangle(s->from, 0.0, t.corner, s->reach, &point, &feature) != 0 && point.gap < s->reach)
        keep_nearer(s, &point);
    return true;
}

static bool try_spheres(void *context, int32_t group)
{
    nearest_search *s = context;
    sphere_range range = spheres_of_group(s->surface, group);
    contact_point point;
    for (int32_t k = range.first; k < range.last; ++k) {
        if (sphere_sphere(s->from, 0.0, s->surface->triangles.vertex[k], s->surface->radius_at[k], s->reach, &point))
            keep_nearer(s, &point);
    }
    return true;
}

// A heightfield has no tree: boxes grow about the point until one has a triangle nearer than its own reach.
static void search_heightfield(nearest_search *s, const shape_surface *field)
{
    scr_vec3 low = field->box.low, high = field->box.high, p = s->from;
    double out =
        fmax(fmax(fmax(low.x - p.x, p.x - high.x), fmax(low.y - p.y, p.y - high.y)), fmax(low.z - p.z, p.z - high.z));
    double size = fmax(0.0, out) + fmax(field->heightfield->spacing[0], field->heightfield->spacing[1]);
    for (double limit = s->reach;; size *= 2.0) {
        double reach = fmin(size, limit);
        scr_aabb box = {vec3_sub(p, vec3(reach, reach, reach)), vec3_add(p, vec3(reach, reach, reach))};
        s->reach = reach;
        surface_walk(field, &box, try_triangle, s);
        bool is_all = size >= limit ||
                      (box.low.x < low.x && box.low.y < low.y && box.low.z < low.z && box.high.x > high.x &&
                       box.high.y > high.y && box.high.z > high.z && size > vec3_norm(vec3_sub(high, low)) + out);
        if (s->found || is_all) return;
    }
}

// In the world, of a contact of the point in the shape's frame.
static nearest_point nearest_of(scr_vec3 point, const placed_shape *shape, const contact_point *best)
{
    scr_vec3 towards = quat_rotate(shape->pose.rotation, best->normal);
    return (nearest_point){best->gap, vec3_add_scaled(point, best->gap, towards), vec3_neg(towards)};
}

static bool nearest_on_surface(scr_vec3 point, double reach, const placed_shape *shape, nearest_point *nearest)
{
    const shape_surface *surface = shape->surface;
    nearest_search s = {.from = pose_unapply(shape->pose, point), .surface = surface, .reach = reach};
    s.ball = ball_test_of(s.from, reach);
    if (shape->kind == SCR_HEIGHTFIELD) search_heightfield(&s, surface);
    else if (shape->kind == SCR_SPHERE_SET)
        mesh_tree_walk(&surface->spheres->groups, tree_overlaps_ball, &s.ball, try_spheres, &s);
    else mesh_tree_walk(&surface->mesh->tree, tree_overlaps_ball, &s.ball, try_triangle, &s);
    if (s.found) *nearest = nearest_of(point, shape, &s.best);
    return s.found;
}

bool nearest_on_shape(scr_vec3 point, double reach, const placed_shape *shape, nearest_point *nearest)
{
    if (kind_has_parts(shape->kind)) return nearest_on_surface(point, reach, shape, nearest);
    placed_shape dot = {.kind = SCR_SPHERE, .pose.position = point, .pose.rotation = QUAT_IDENTITY};
    contact_point found[MANIFOLD_MAX];
    int count = narrow_phase(&dot, shape, reach, found), best = 0;
    if (count == 0) return false;
    for (int k = 1; k < count; ++k)
        if (found[k].gap < found[best].gap) best = k;
    scr_vec3 towards = found[best].normal;
    *nearest = (nearest_point){found[best].gap, vec3_add_scaled(point, found[best].gap, towards), vec3_neg(towards)};
    return found[best].gap < reach;
}
