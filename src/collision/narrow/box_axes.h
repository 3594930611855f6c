// SPDX-License-Identifier: BSD-3-Clause
// The axes that may separate two boxes, for one pair or several at a time (core/maths/lanes.h).
//
// Two boxes are compared along 15 axes: 3 + 3 face normals and 9 cross products of edges. With t from centre a to
// centre b, the separation along a unit axis n is
//   s(n) = |t . n| - sum_k ha_k |a_k . n| - sum_k hb_k |b_k . n|        never more than the boxes' distance
// Everything is in a's frame, where each number is an entry of the turn from b to a, R_ij = a_i . b_j: no digits
// cancel.
#ifndef COLLISION_NARROW_BOX_AXES_H
#define COLLISION_NARROW_BOX_AXES_H

#include "core/maths/lanes.h"

// Edges that include a smaller angle are parallel: their cross product would be mostly rounding. Sine squared.
#define PARALLEL_EDGES 1e-12
// A pair's size is its smallest half edge, but never so small beside its largest length that a share of it is rounding.
#define SIZE_LEAST 1e-8
// A later face must be better by this share of the size, so that equal ones do not take turns.
#define FACE_TIE 1e-6

enum { FACE_AXES = 6, EDGE_AXES = 9, NO_EDGE_AXIS = EDGE_AXES };

// b as a sees it.
typedef struct box_lanes {
    real turn[3][3];  // a's axis i times b's axis j
    real centre[3];   // m, of b
    real half[2][3];  // m, of a and of b
    real size;        // m, about the smallest half edge of the two: what tolerances are relative to
} box_lanes;

// t . n, and both boxes' half shadows on n, with the sign in which n is written here.
typedef struct box_shadow {
    real along, half;  // m
} box_shadow;

// The best face of all, a's 0 to 2, then b's 3 to 5, and the best product of edges i and j: 3 i + j, or NO_EDGE_AXIS.
typedef struct box_best {
    real face, edge;
    real face_separation, edge_separation;  // m
} box_best;

static inline real separation_of(box_shadow s) { return real_abs(s.along) - s.half; }

// t: from a's centre to b's. ha, hb: half edges
static inline box_lanes box_lanes_of(real_quat qa, real_quat qb, real3 t, real3 ha, real3 hb)
{
    real one = real_set(1.0), two = real_set(2.0);
    real_quat back = real_quat_conj(qa), q = real_quat_mul(back, qb);
    real3 at = real_quat_rotate(back, t);
    real xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    real wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    box_lanes p = {.turn = {{one - two * (yy + zz), two * (xy - wz), two * (xz + wy)},
                            {two * (xy + wz), one - two * (xx + zz), two * (yz - wx)},
                            {two * (xz - wy), two * (yz + wx), one - two * (xx + yy)}},
                   .centre = {at.x, at.y, at.z},
                   .half = {{ha.x, ha.y, ha.z}, {hb.x, hb.y, hb.z}}};
    real least = real_set(INFINITY), most = real_sqrt(real3_dot(at, at));
    for (int i = 0; i < 3; ++i) {
        least = real_min(least, real_min(p.half[0][i], p.half[1][i]));
        most = real_max(most, real_max(p.half[0][i], p.half[1][i]));
    }
    p.size = real_max(least, real_set(SIZE_LEAST) * most);
    return p;
}

static inline box_shadow face_shadow_of_a(const box_lanes *p, int i)
{
    real half = p->half[0][i];
    for (int j = 0; j < 3; ++j) half += p->half[1][j] * real_abs(p->turn[i][j]);
    return (box_shadow){p->centre[i], half};
}

static inline box_shadow face_shadow_of_b(const box_lanes *p, int j)
{
    real half = p->half[1][j];
    for (int i = 0; i < 3; ++i) half += p->half[0][i] * real_abs(p->turn[i][j]);
    return (box_shadow){p->centre[0] * p->turn[0][j] + p->centre[1] * p->turn[1][j] + p->centre[2] * p->turn[2][j],
                        half};
}

static inline real edge_sine_squared(const box_lanes *p, int i, int j)
{
    real u = p->turn[(i + 1) % 3][j], v = p->turn[(i + 2) % 3][j];
    return u * u + v * v;
}

// a_i x b_j: along a's two other axes it is -v and u, over its length.
static inline box_shadow edge_shadow(const box_lanes *p, int i, int j)
{
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    real u = p->turn[i1][j], v = p->turn[i2][j], length = real_sqrt(edge_sine_squared(p, i, j));
    real half = p->half[0][i1] * real_abs(v) + p->half[0][i2] * real_abs(u) +
                p->half[1][j1] * real_abs(p->turn[i][j2]) + p->half[1][j2] * real_abs(p->turn[i][j1]);
    return (box_shadow){p->centre[i2] * (u / length) - p->centre[i1] * (v / length), half / length};
}

static inline real_mask try_face(const box_lanes *p, box_shadow shadow, int face, real reach, box_best *best)
{
    real s = separation_of(shadow);
    real_mask better = s > best->face_separation + real_set(FACE_TIE) * p->size;
    best->face_separation = real_select(better, s, best->face_separation);
    best->face = real_select(better, real_set(face), best->face);
    return s < reach;
}

static inline real_mask try_edges(const box_lanes *p, int i, int j, real reach, box_best *best)
{
    real s = separation_of(edge_shadow(p, i, j));
    real_mask crossing = edge_sine_squared(p, i, j) >= real_set(PARALLEL_EDGES);
    real_mask better = crossing & (s > best->edge_separation);
    best->edge_separation = real_select(better, s, best->edge_separation);
    best->edge = real_select(better, real_set(3 * i + j), best->edge);
    return real_not(crossing) | (s < reach);
}

// The best axes of those that are near; no longer near is what an axis shows to be out of reach.
static inline real_mask find_box_axes(const box_lanes *p, real reach, real_mask near, box_best *best)
{
    *best = (box_best){real_set(0.0), real_set(NO_EDGE_AXIS), real_set(-INFINITY), real_set(-INFINITY)};
    for (int i = 0; i < 3; ++i) near &= try_face(p, face_shadow_of_a(p, i), i, reach, best);
    if (real_bits(near) == 0) return near;
    for (int j = 0; j < 3; ++j) near &= try_face(p, face_shadow_of_b(p, j), 3 + j, reach, best);
    for (int i = 0; i < 3; ++i) {
        if (real_bits(near) == 0) return near;
        for (int j = 0; j < 3; ++j) near &= try_edges(p, i, j, reach, best);
    }
    return near;
}

#endif
