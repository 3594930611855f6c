// SPDX-License-Identifier: BSD-3-Clause
// How high a body with corners is over an ellipsoid: what triangles, capsules and boxes share.
//
// In the ellipsoid's frame, centre at the origin, the height of a convex body with corners c along the unit vector n is
//   s(n) = (least n.c over the corners) - h(n)
// and has its maximum (see ellipsoid_support.h) along one of few directions, one a part of the body:
//   face     its normal; looked along by whoever has faces
//   edge     among all n across the edge: the ellipse that the ellipsoid's shadow along the edge is, and a point
//   corner   the ellipsoid's normal nearest to the corner
// A direction is the right one if the point of the ellipsoid there, moved along n by s, lies in that part, and no
// corner is nearer along n. If then s >= 0, or the overlap fits the inner ball, the search is over. Else the overlap is
// deep: the shortest way out of an edge or a corner may be closed by the rest of the body. Each of them has one other
// at most (ellipsoid_support.c); the highest of all directions, with the whole body counted, is the answer.
#ifndef COLLISION_ELLIPSOID_ELLIPSOID_CORNERS_H
#define COLLISION_ELLIPSOID_ELLIPSOID_CORNERS_H

#include "collision/ellipsoid/ellipsoid_support.h"
#include "collision/narrow/contact_point.h"

enum { CORNERS_MAX = 8 };

// How far the foot of a perpendicular may be outside an edge or a face and count as in it, in units of its length.
static const double EDGE_ROUNDING = 1e-12;

typedef struct edge_ends {
    uint8_t first, second;  // corners
} edge_ends;

typedef struct corners {
    scr_vec3 semi_axes;        // m, of the ellipsoid, along x, y, z
    scr_vec3 at[CORNERS_MAX];  // m, from its centre; likely ones first: they are looked at in this order
    const edge_ends *edge;     // by rising first corner
    int count, edge_count;
    scr_vec3 best;  // the highest direction so far
    double height;  // m, s along it; minus infinity before the first
} corners;

// s(n), n having become the best direction if it is the highest so far.
double corners_look_along(corners *c, scr_vec3 n);
// Looks along the directions of edges and corners, until one decides or one shows a height of at least reach.
void corners_search(corners *c, double reach);
// The contact along the best direction with a body that reaches a radius beyond its corners; a is the ellipsoid.
int corners_contact(const corners *c, const placed_shape *a, double radius, double reach, contact_point *out);

// Whether the height s along n, stationary in a part of the body, is the highest there is: it is if the ellipsoid's
// inner ball, and one inside the body that touches it from within at the same place, are as large as the overlap.
static inline bool corners_is_highest(const corners *c, scr_vec3 n, double s, double inner)
{
    return s >= 0.0 || -s <= inner + inner_ball(least_of(c->semi_axes), vec3_norm(vec3_mul(c->semi_axes, n)));
}

#endif
