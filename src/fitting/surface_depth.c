// SPDX-License-Identifier: BSD-3-Clause
// The nearest triangle, by the tree of the mesh, nearest boxes first; and on which side of it the point is.
//
// Fitting asks this many million times, so the nearest point of a triangle is found by the regions of the plane that
// the point is over (Ericson, Real-Time Collision Detection, 5.1.5), without square roots. It loses more digits on
// needles than the narrow phase may; a fit can bear that.
#include "fitting/surface_depth.h"

#include "collision/surface/narrow_triangle.h"
#include "collision/surface/surface_feature.h"
#include "fitting/near_walk.h"
#include "geometry/surface/mesh.h"

typedef struct depth_search {
    const shape_surface *solid;
    scr_vec3 point;
    double square;  // m^2, of the distance to the nearest so far
    surface_place nearest;
} depth_search;

typedef struct triangle_place {
    scr_vec3 point;
    int feature;
} triangle_place;

static triangle_place along_edge(const triangle3 *t, int k, double share)
{
    scr_vec3 edge = vec3_sub(t->corner[next_corner(k)], t->corner[k]);
    return (triangle_place){vec3_add_scaled(t->corner[k], share, edge), TRIANGLE_EDGE + k};
}

static triangle_place nearest_on_triangle(const triangle3 *t, scr_vec3 p)
{
    scr_vec3 a = t->corner[0], ab = vec3_sub(t->corner[1], a), ac = vec3_sub(t->corner[2], a), ap = vec3_sub(p, a);
    double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) return (triangle_place){a, TRIANGLE_CORNER};
    scr_vec3 bp = vec3_sub(p, t->corner[1]);
    double d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) return (triangle_place){t->corner[1], TRIANGLE_CORNER + 1};
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return along_edge(t, 0, d1 / (d1 - d3));
    scr_vec3 cp = vec3_sub(p, t->corner[2]);
    double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) return (triangle_place){t->corner[2], TRIANGLE_CORNER + 2};
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return along_edge(t, 2, 1.0 - d2 / (d2 - d6));
    double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 >= d3 && d5 >= d6) return along_edge(t, 1, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    double sum = va + vb + vc;
    return (triangle_place){vec3_add_scaled(vec3_add_scaled(a, vb / sum, ab), vc / sum, ac), TRIANGLE_FACE};
}

surface_place surface_nearest_on(const shape_surface *solid, int32_t triangle, scr_vec3 point)
{
    triangle3 t = triangle_corners(&solid->triangles, triangle);
    triangle_place place = nearest_on_triangle(&t, point);
    return (surface_place){place.point, triangle, place.feature};
}

static void try_triangle(void *context, int32_t k, near_walk *walk)
{
    depth_search *s = context;
    surface_place place = surface_nearest_on(s->solid, k, s->point);
    scr_vec3 way = vec3_sub(s->point, place.point);
    double square = vec3_dot(way, way);
    if (!(square < s->square)) return;
    s->square = square;
    near_walk_narrow(walk, sqrt(square));
    s->nearest = place;
}

bool surface_nearest_to(const shape_surface *solid, scr_vec3 point, double reach, surface_place *out)
{
    depth_search s = {solid, point, reach * reach, {.triangle = -1}};
    near_walk_run(&solid->mesh->tree, point, reach, try_triangle, &s);
    if (s.nearest.triangle < 0) return false;
    *out = s.nearest;
    return true;
}

bool surface_has_inside(const shape_surface *solid, const surface_place *nearest, scr_vec3 point)
{
    surface_feature feature = surface_feature_of(solid, nearest->triangle, nearest->feature);
    return vec3_dot(surface_feature_normal(solid, &feature), vec3_sub(point, nearest->point)) <= 0.0;
}

bool surface_depth_at(const shape_surface *solid, scr_vec3 point, double reach, surface_depth *out)
{
    surface_place nearest;
    if (!surface_nearest_to(solid, point, reach, &nearest)) return false;
    double distance = vec3_norm(vec3_sub(point, nearest.point));
    *out = (surface_depth){surface_has_inside(solid, &nearest, point) ? distance : -distance, nearest.point};
    return true;
}
