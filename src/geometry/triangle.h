// One triangle of a surface. Its edge k runs from corner k to the next; 3 t + k is the edge's number in the surface.
#ifndef GEOMETRY_TRIANGLE_H
#define GEOMETRY_TRIANGLE_H

#include "core/vec3.h"
#include "scree/surface.h"

typedef struct triangle3 { scr_vec3 corner[3]; } triangle3;

static inline triangle3 triangle_corners(const scr_triangles *t, int64_t k)
{
    const int32_t *c = t->triangle + 3 * k;
    return (triangle3){{t->vertex[c[0]], t->vertex[c[1]], t->vertex[c[2]]}};
}
static inline int next_corner(int k) { return k == 2 ? 0 : k + 1; }

// Twice the area along the normal. From the corner between the two shorter edges: so a needle loses fewest digits.
static inline scr_vec3 triangle_area_vector(const triangle3 *t)
{
    int first = 0;
    double longest = -1.0;
    for (int k = 0; k < 3; ++k) {
        scr_vec3 edge = vec3_sub(t->corner[next_corner(k)], t->corner[k]);
        double square = vec3_dot(edge, edge);
        if (square > longest) longest = square, first = k;
    }
    scr_vec3 tip = t->corner[next_corner(next_corner(first))];
    return vec3_cross(vec3_sub(t->corner[first], tip), vec3_sub(t->corner[next_corner(first)], tip));
}

// Lower than this, in units of the longest edge, a triangle is a line and has no normal.
static const double TRIANGLE_NO_HEIGHT = 1e-14;

static inline bool triangle_is_flat(const triangle3 *t)
{
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        scr_vec3 edge = vec3_sub(t->corner[next_corner(k)], t->corner[k]);
        longest = fmax(longest, vec3_dot(edge, edge));
    }
    return !(vec3_norm(triangle_area_vector(t)) > TRIANGLE_NO_HEIGHT * longest);
}

// Unit, towards the side from which the corners are counter-clockwise; zero for a flat one.
static inline scr_vec3 triangle_normal(const triangle3 *t)
{
    return triangle_is_flat(t) ? vec3(0.0, 0.0, 0.0) : vec3_unit(triangle_area_vector(t));
}

#endif
