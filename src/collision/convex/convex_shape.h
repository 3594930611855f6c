// SPDX-License-Identifier: BSD-3-Clause
// Convex shapes as their support functions show them.
//
// A shape is a core and a margin: a sphere is a point and its radius, a capsule a line and its radius, all others are
// their own core. The support point x(d) of a core is the point of it farthest along d; the shape's own is x(d) plus
// the margin along d. Two shapes are looked at in the frame of the first, so that a common shift or turn of both costs
// no digits.
//
// Where a shape is flat or straight it may touch along a feature: the corners of a face, the ends of a straight line,
// or eight points of the rim of a disc. Each corner has a number that stays with the shape from step to step.
#ifndef COLLISION_CONVEX_CONVEX_SHAPE_H
#define COLLISION_CONVEX_CONVEX_SHAPE_H

#include "collision/narrow/contact_point.h"
#include "geometry/surface/hull.h"

// The kinds of core.
typedef enum core_kind {
    CORE_POINT,
    CORE_LINE,
    CORE_ELLIPSOID,
    CORE_BOX,
    CORE_CYLINDER,
    CORE_CONE,
    CORE_HULL,
    CORE_TRIANGLE,
} core_kind;

typedef struct convex_shape {
    core_kind kind;
    bool is_rotated;  // is the shape's frame turned against the one it is looked at in?
    scr_vec3 centre;  // m, where the shape's origin is in that frame; of a triangle, its middle
    mat3 rotation;    // from the shape's frame
    scr_vec3 half;    // m; as placed_shape
    double radius;    // m; cylinders and cones
    double margin;    // m
    double size;      // m, bounding radius of the core about its centre
    double inner;     // m, radius of a ball about the centre that fits the core
    double
        rolling;  // m, radius of a ball that touches every point of the core's surface from inside; 0 if it has edges
    const hull *hull;
    scr_vec3 corner[3];  // m, of a triangle, from its middle
} convex_shape;

// A point of a core, and which corner it is, where that helps to find the next one (hulls).
typedef struct support_point {
    scr_vec3 at;  // m
    int32_t corner;
} support_point;

// corners of a feature; a face of more is represented by FEATURE_CORNERS of them
enum { FEATURE_CORNERS = 32, RIM_POINTS = 8 };

// The part of a core that faces a direction: a polygon (3 or more), a line (2) or nothing that is flat (0).
typedef struct flat_feature {
    int count;
    scr_vec3 at[FEATURE_CORNERS];      // m; a polygon's corners counter-clockwise seen against the direction
    uint16_t number[FEATURE_CORNERS];  // of the corner in its shape
} flat_feature;

// A face or a line belongs to a direction when it is within about 8 degrees of being square to it: cosine and sine.
#define FACE_COSINE 0.99
#define LINE_SINE 0.14

convex_shape convex_of_shape(const placed_shape *shape, const placed_shape *frame);
convex_shape convex_of_triangle(const scr_vec3 corner[3], const placed_shape *frame);
// d need not be a unit vector, and may be 0. from is a corner of the hull to start at.
support_point convex_support(const convex_shape *s, scr_vec3 d, int32_t from);
// n is a unit vector; corner as convex_support(s, n) gave it.
void convex_flat_feature(const convex_shape *s, scr_vec3 n, int32_t corner, flat_feature *feature);
// Eight points of the rim of a cylinder's or a cone's disc (end -1 or 1), in the shape's own frame.
scr_vec3 rim_point(const convex_shape *s, int end, int k);

static inline scr_vec3 into_shape(const convex_shape *s, scr_vec3 d)
{
    if (!s->is_rotated) return d;
    const double(*m)[3] = s->rotation.m;
    return vec3(m[0][0] * d.x + m[1][0] * d.y + m[2][0] * d.z, m[0][1] * d.x + m[1][1] * d.y + m[2][1] * d.z,
                m[0][2] * d.x + m[1][2] * d.y + m[2][2] * d.z);
}
static inline scr_vec3 out_of_shape(const convex_shape *s, scr_vec3 p)
{
    return s->is_rotated ? vec3_add(s->centre, mat3_times(&s->rotation, p)) : vec3_add(s->centre, p);
}

#endif
