// SPDX-License-Identifier: BSD-3-Clause
// Boxes, cylinders, cones and hulls, and planes, against meshes and heightfields.
//
// Each triangle meets the shape as a thin convex body of its own, which may give several points. Of these, those stay
// that are the shape's doing or lie where the surface bends: inside a flat part, where an edge of a triangle crosses
// an edge of the shape or a triangle has a corner under a face, nothing is touched that is not touched around it.
// Above a plane it is enough to look at vertices, and of those inside a flat part not even that.
#include "collision/convex/convex_manifold.h"
#include "collision/convex/narrow_convex.h"
#include "collision/surface/surface_pair.h"

// The touched point is rounded to this, in units of the shape's size.
static const double POSITION_ROUNDING = 1e-7;

// Is the point there because a triangle ends, though the flat part it belongs to goes on?
static bool is_cut_only(const surface_pair *m, const contact_point *c, const surface_feature *feature)
{
    bool of_triangle = (c->feature & 0xFFFF) != FEATURE_FACE && (c->feature & 0xFFFF) != FEATURE_NEAREST;
    return of_triangle && feature->kind != SURFACE_FACE && surface_feature_is_inner(m->surface, feature);
}

static bool collide_convex_triangle(void *context, int32_t triangle)
{
    surface_pair *m = context;
    triangle3 t = triangle_corners(&m->surface->triangles, triangle);
    contact_point c[MANIFOLD_MAX];
    surface_feature feature[MANIFOLD_MAX];
    int count = convex_triangle(&m->shape, t.corner, m->reach, c), kept = 0;
    for (int k = 0; k < count; ++k) {
        feature[kept] = surface_feature_at(m->surface, triangle, touched_point(&c[k]), POSITION_ROUNDING * m->size);
        c[kept] = c[k];
        if (!is_cut_only(m, &c[k], &feature[kept])) ++kept;
    }
    keep_allowed(m, triangle, c, feature, kept);
    return true;
}

void collide_convex(surface_pair *m)
{
    surface_walk(m->surface, &m->box, collide_convex_triangle, m);
    drop_doubles(m);
}

typedef struct plane_pair {
    surface_pair *m;
    scr_vec3 up;
    double level;  // m
} plane_pair;

static bool collide_plane_triangle(void *context, int32_t triangle)
{
    plane_pair *p = context;
    const shape_surface *s = p->m->surface;
    for (int k = 0; k < 3; ++k) {
        surface_feature feature = {SURFACE_VERTEX, triangle, s->triangles.triangle[3 * (int64_t)triangle + k]};
        scr_vec3 at = s->triangles.vertex[feature.item];
        double gap = vec3_dot(p->up, at) - p->level;
        if (!(gap < p->m->reach) || !surface_is_first_at(s, feature.item, triangle) ||
            surface_feature_is_inner(s, &feature))
            continue;
        contact_point c = {vec3_add_scaled(at, -0.5 * gap, p->up), p->up, gap, (uint32_t)feature.item, {0.0, 0.0}};
        contact_list_add(p->m->list, &c);
    }
    return true;
}

// Neither planes nor heightfields move freely: they need not look for each other.
void collide_plane(surface_pair *m)
{
    if (m->surface->kind != SCR_MESH) return;
    scr_vec3 up = quat_z(m->shape.pose.rotation);
    plane_pair p = {m, up, vec3_dot(up, m->shape.pose.position)};
    slope_test below = {up, p.level + m->reach};
    mesh_tree_walk(&m->surface->mesh->tree, tree_below_slope, &below, collide_plane_triangle, &p);
}
