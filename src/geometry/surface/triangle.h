// SPDX-License-Identifier: BSD-3-Clause
// One triangle of a surface. Its edge k runs from corner k to the next; 3 t + k is the edge's number in the surface.
#ifndef GEOMETRY_SURFACE_TRIANGLE_H
#define GEOMETRY_SURFACE_TRIANGLE_H

#include "core/maths/vec3.h"
#include "scree/surface.h"

typedef struct triangle3 {
    scr_vec3 corner[3];
} triangle3;

static inline triangle3 triangle_corners(const scr_triangles *t, int64_t k)
{
    const int32_t *c = t->triangle + 3 * k;
    return (triangle3){{t->vertex[c[0]], t->vertex[c[1]], t->vertex[c[2]]}};
}
static inline int next_corner(int k) { return k == 2 ? 0 : k + 1; }

// Lower than this, in units of the longest edge, a triangle is a line and has no normal.
static const double TRIANGLE_NO_HEIGHT = 1e-14;

// Twice the area along the normal, zero for a flat one. The normal points to the side from which the corners are
// counter-clockwise. Taken at the corner between the two shorter edges, where a needle loses fewest digits.
static inline scr_vec3 triangle_area_vector(const triangle3 *t)
{
    scr_vec3 edge[3];
    double longest = -1.0;
    int at = 0;
    for (int k = 0; k < 3; ++k) {
        edge[k] = vec3_sub(t->corner[next_corner(k)], t->corner[k]);
        double square = vec3_dot(edge[k], edge[k]);
        if (square > longest) longest = square, at = k;
    }
    at = next_corner(at);
    scr_vec3 area = vec3_cross(edge[at], edge[next_corner(at)]);
    double flat = TRIANGLE_NO_HEIGHT * longest;
    return vec3_dot(area, area) > flat * flat ? area : vec3(0.0, 0.0, 0.0);
}

static inline bool triangle_is_flat(const triangle3 *t)
{
    scr_vec3 area = triangle_area_vector(t);
    return area.x == 0.0 && area.y == 0.0 && area.z == 0.0;
}

// Unit; zero for a flat one.
static inline scr_vec3 triangle_normal(const triangle3 *t)
{
    scr_vec3 area = triangle_area_vector(t);
    double norm = vec3_norm(area);
    return norm > 0.0 ? vec3_scale(1.0 / norm, area) : area;
}

#endif
