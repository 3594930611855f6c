// SPDX-License-Identifier: BSD-3-Clause
// What the files about two boxes share: the pair in one frame, the numbering of a box's features, the axes between
// boxes.
//
// Corner c of a box is at +half on axis k if bit k of c is set, else at -half. The edge along axis i through a corner
// is 4 i + (the corner's bits on the two axes that follow i); the face across axis i is 2 i, plus 1 on the positive
// side. A feature names one part of each box. Parts are named by what meets (corner and face, edge and edge), not by
// how the point was computed: the same point keeps its feature when the roles of the two boxes change.
#ifndef COLLISION_NARROW_NARROW_BOX_PAIR_H
#define COLLISION_NARROW_NARROW_BOX_PAIR_H

#include "collision/narrow/contact_point.h"

enum { CORNER_COUNT = 8, EDGE_COUNT = 12, FACE_COUNT = 6 };

typedef enum box_feature {
    BOX_CORNER = 0,
    BOX_EDGE = BOX_CORNER + CORNER_COUNT,
    BOX_FACE = BOX_EDGE + EDGE_COUNT,
    BOX_FEATURE_END = BOX_FACE + FACE_COUNT,
} box_feature;
enum { FEATURE_BITS = 5 };
_Static_assert(BOX_FEATURE_END <= 1 << FEATURE_BITS, "a feature fits its bits");
_Static_assert(2 * FEATURE_BITS <= 16, "a feature has at most 16 bits");

typedef struct oriented_box {
    scr_vec3 centre;   // m
    scr_vec3 axis[3];  // unit
    double half[3];    // m
} oriented_box;

// Both boxes in the frame of a.
typedef struct box_pair {
    oriented_box box[2];    // a, b
    double rotation[3][3];  // a's axis i times b's axis j
    double size;            // m, about the smallest half edge of the two: what tolerances are relative to
} box_pair;

// A direction that may separate the boxes: a's axis (axis_b is NO_AXIS), b's axis, or the cross product of one of each.
enum { NO_AXIS = -1 };
typedef struct box_axis {
    int axis_a, axis_b;
    scr_vec3 normal;    // unit, from a to b
    double separation;  // m, between the boxes' shadows on the normal; negative when these overlap
} box_axis;

// The nearest points of an edge of a and an edge of b. A point at an edge's end belongs to the corner.
typedef struct edge_approach {
    int feature_a, feature_b;  // box_feature
    scr_vec3 on_a, on_b;       // m
    double distance;           // m
} edge_approach;

static inline int corner_bit(int corner, int axis) { return corner >> axis & 1; }
static inline int edge_at(int corner, int along)
{
    return 4 * along + corner_bit(corner, (along + 1) % 3) + 2 * corner_bit(corner, (along + 2) % 3);
}
static inline int face_across(int axis, bool positive) { return 2 * axis + (positive ? 1 : 0); }
static inline uint32_t box_feature_pair(int feature_a, int feature_b)
{
    return (uint32_t)(feature_a << FEATURE_BITS | feature_b);
}

// Sine squared of the angle between a's axis i and b's axis j, exact for small angles too.
static inline double sine_squared(const box_pair *pair, int i, int j)
{
    double p = pair->rotation[(i + 1) % 3][j], q = pair->rotation[(i + 2) % 3][j];
    return p * p + q * q;
}

// narrow_box_face.c: the other box's face clipped to the face that gave the axis. Points nearer than reach, in a's
// frame, in the order of their features; *nearest is the least gap.
int box_face_manifold(const box_pair *pair, const box_axis *axis, double reach, contact_point out[MANIFOLD_MAX],
                      double *nearest);
// narrow_box_edge.c: the edges that face each other along an axis of two edges; the nearest of all pairs of edges,
// soon found where the boxes face each other along the unit vector normal.
edge_approach box_facing_edges(const box_pair *pair, const box_axis *axis);
edge_approach box_nearest_edges(const box_pair *pair, scr_vec3 normal);

#endif
