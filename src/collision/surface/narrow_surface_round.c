// SPDX-License-Identifier: BSD-3-Clause
// Spheres, ellipsoids and capsules against meshes and heightfields.
//
// A sphere's contacts are the places where the distance to its centre is least among all places around them: for each
// triangle the nearest one, if its part of the surface allows the direction. Where a floor's triangles do not share
// their vertices, or the centre is over an edge to within rounding, more than one remains of what is one place: the
// nearest is kept, and of the others those in front of the plane in which it touches.
// A centre inside a solid is pushed out through the nearest place, and only there.
// An ellipsoid is like a sphere, but for depth: each triangle tells its own.
// A capsule along a triangle touches it in an interval; where the floor goes on in the next triangle so does the
// interval, and only the capsule's own ends count there.
#include "collision/ellipsoid/narrow_ellipsoid.h"
#include "collision/surface/narrow_triangle.h"
#include "collision/surface/surface_pair.h"

// The contact of a centre inside: the way out instead of the way in.
static contact_point reversed_outwards(const surface_pair *m, const contact_point *c)
{
    double radius = m->shape.radius, distance = c->gap + radius, gap = -distance - radius;
    scr_vec3 normal = vec3_neg(c->normal);
    return (contact_point){
        vec3_add_scaled(m->shape.pose.position, radius + 0.5 * gap, normal), normal, gap, c->feature, {0.0, 0.0}};
}

static bool is_inside(const surface_pair *m, const contact_point *c) { return c->gap < -m->shape.radius; }

// From the triangle's nearest point to p, and the feature it is on: by the signs of p's barycentric coordinates,
// without care for needles. Fast, and good enough to pass over most triangles.
static scr_vec3 way_from_triangle(const triangle3 *t, scr_vec3 p, int *feature)
{
    scr_vec3 ab = vec3_sub(t->corner[1], t->corner[0]), ac = vec3_sub(t->corner[2], t->corner[0]);
    scr_vec3 a = vec3_sub(p, t->corner[0]), b = vec3_sub(p, t->corner[1]), c = vec3_sub(p, t->corner[2]);
    double a1 = vec3_dot(ab, a), a2 = vec3_dot(ac, a), b1 = vec3_dot(ab, b), b2 = vec3_dot(ac, b), c1 = vec3_dot(ab, c),
           c2 = vec3_dot(ac, c);
    *feature = TRIANGLE_CORNER;
    if (a1 <= 0.0 && a2 <= 0.0) return a;
    *feature = TRIANGLE_CORNER + 1;
    if (b1 >= 0.0 && b2 <= b1) return b;
    *feature = TRIANGLE_CORNER + 2;
    if (c2 >= 0.0 && c1 <= c2) return c;
    double at_c = a1 * b2 - b1 * a2, at_b = c1 * a2 - a1 * c2, at_a = b1 * c2 - c1 * b2;
    *feature = TRIANGLE_EDGE;
    if (at_c <= 0.0 && a1 >= 0.0 && b1 <= 0.0) return vec3_add_scaled(a, -a1 / (a1 - b1), ab);
    *feature = TRIANGLE_EDGE + 2;
    if (at_b <= 0.0 && a2 >= 0.0 && c2 <= 0.0) return vec3_add_scaled(a, -a2 / (a2 - c2), ac);
    *feature = TRIANGLE_EDGE + 1;
    if (at_a <= 0.0 && b2 - b1 >= 0.0 && c1 - c2 >= 0.0)
        return vec3_add_scaled(b, -(b2 - b1) / ((b2 - b1) + (c1 - c2)), vec3_sub(ac, ab));
    *feature = TRIANGLE_FACE;
    double all = at_a + at_b + at_c;
    return vec3_add_scaled(vec3_add_scaled(a, -at_b / all, ab), -at_c / all, ac);
}

// Is a triangle surely too far, or its nearest point one that the surface does not allow?
static bool is_passed_over(const surface_pair *m, int32_t triangle, const triangle3 *t)
{
    int where;
    double far = (m->shape.radius + m->reach) * (1.0 + 1e-6);
    scr_vec3 way = way_from_triangle(t, m->shape.pose.position, &where);
    if (vec3_dot(way, way) > far * far) return true;
    surface_feature feature = surface_feature_of(m->surface, triangle, where);
    return !surface_feature_allows(m->surface, &feature, way);
}

static bool collide_sphere_triangle(void *context, int32_t triangle)
{
    surface_pair *m = context;
    triangle3 t = triangle_corners(&m->surface->triangles, triangle);
    contact_point c;
    int where;
    if (is_passed_over(m, triangle, &t)) return true;
    if (sphere_triangle(m->shape.pose.position, m->shape.radius, t.corner, m->reach, &c, &where) == 0) return true;
    surface_feature feature = surface_feature_of(m->surface, triangle, where);
    scr_vec3 d = vec3_neg(c.normal);
    if (!surface_feature_allows(m->surface, &feature, d)) return true;
    c.feature = surface_feature_name(m->surface, &feature);
    if (m->solid && vec3_dot(d, surface_feature_normal(m->surface, &feature)) < 0.0) {
        if (surface_feature_is_border(m->surface, &feature)) return true;  // beside a heightfield, not under it
        c = reversed_outwards(m, &c);
    }
    contact_list_add(m->list, &c);
    return true;
}

static double distance_to(const surface_pair *m, const contact_point *c) { return fabs(c->gap + m->shape.radius); }

// The nearest place decides whether the centre is inside. If so it is the only contact; if not, what seemed to be seen
// from inside was the far side of something thin.
static void choose_side(surface_pair *m)
{
    contact_point *p = m->list->point + m->first;
    int64_t count = m->list->count - m->first, nearest = 0, kept = 0;
    for (int64_t k = 1; k < count; ++k)
        if (distance_to(m, &p[k]) < distance_to(m, &p[nearest])) nearest = k;
    if (count > 0 && is_inside(m, &p[nearest])) {
        p[0] = p[nearest];
        kept = 1;
    } else {
        for (int64_t k = 0; k < count; ++k)
            if (!is_inside(m, &p[k])) p[kept++] = p[k];
    }
    m->list->count = m->first + kept;
}

void collide_sphere(surface_pair *m)
{
    surface_walk(m->surface, &m->box, collide_sphere_triangle, m);
    if (m->solid) choose_side(m);
    if (m->list->count - m->first > 1) drop_behind_nearer(m);
}

// The touched point is rounded to this, in units of the shape's size.
static const double POSITION_ROUNDING = 1e-9;

static bool collide_ellipsoid_triangle(void *context, int32_t triangle)
{
    surface_pair *m = context;
    triangle3 t = triangle_corners(&m->surface->triangles, triangle);
    contact_point c;
    if (ellipsoid_triangle(&m->shape, t.corner, m->reach, &c) == 0) return true;
    surface_feature feature = surface_feature_at(m->surface, triangle, touched_point(&c), POSITION_ROUNDING * m->size);
    keep_allowed(m, triangle, &c, &feature, 1);
    return true;
}

void collide_ellipsoid(surface_pair *m)
{
    surface_walk(m->surface, &m->box, collide_ellipsoid_triangle, m);
    if (m->list->count - m->first > 1) drop_behind_nearer(m);
}

// Is a point of a capsule where the triangle ends, though neither the capsule nor the floor do?
static bool is_cut_only(const surface_pair *m, scr_vec3 axis, const contact_point *c, const surface_feature *feature)
{
    if (feature->kind == SURFACE_FACE || !surface_feature_is_inner(m->surface, feature)) return false;
    return fabs(vec3_dot(axis, vec3_sub(c->point, m->shape.pose.position))) < m->shape.half.z - 1e-6 * m->size;
}

static bool collide_capsule_triangle(void *context, int32_t triangle)
{
    surface_pair *m = context;
    triangle3 t = triangle_corners(&m->surface->triangles, triangle);
    scr_vec3 axis = quat_z(m->shape.pose.rotation);
    contact_point c[CAPSULE_TRIANGLE_MAX];
    surface_feature feature[CAPSULE_TRIANGLE_MAX];
    int where[CAPSULE_TRIANGLE_MAX], kept = 0;
    int count = capsule_triangle(m->shape.pose.position, vec3_scale(m->shape.half.z, axis), m->shape.radius, t.corner,
                                 m->reach, c, where);
    for (int k = 0; k < count; ++k) {
        feature[kept] = surface_feature_of(m->surface, triangle, where[k]);
        c[kept] = c[k];
        if (!is_cut_only(m, axis, &c[k], &feature[kept])) ++kept;
    }
    keep_allowed(m, triangle, c, feature, kept);
    return true;
}

void collide_capsule(surface_pair *m)
{
    surface_walk(m->surface, &m->box, collide_capsule_triangle, m);
    drop_doubles(m);
}
