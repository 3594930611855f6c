// SPDX-License-Identifier: BSD-3-Clause
// The walk of Gilbert, Johnson and Keerthi to the point of the difference of two convex sets that is nearest to the
// origin.
//
// It goes through points w = xb(-n) - xa(n) of the difference, keeps at most three whose triangle is nearest to the
// origin, and ends when the triangle's distance, an upper bound, meets n . w, a lower one. It is exact for flat shapes
// and settles quickly for round ones, but only where the shapes are clearly apart.
#ifndef COLLISION_CONVEX_CONVEX_WALK_H
#define COLLISION_CONVEX_CONVEX_WALK_H

#include "collision/convex/convex_shape.h"

typedef struct simplex_point {
    scr_vec3 a, b;  // m, of the cores
    scr_vec3 w;     // m, their difference as the view shows it
} simplex_point;

typedef struct simplex {
    int count;  // up to 3 between steps
    simplex_point p[4];
    double share[3];   // of each point in the nearest one
    scr_vec3 nearest;  // m, to the origin
} simplex;

// The two cores as one looks at them: shrunk about their centres, and b moved.
typedef struct pair_view {
    const convex_shape *a, *b;
    double scale_a, scale_b;
    scr_vec3 shift;  // m
    double large;    // m, of the order of the largest coordinate
    int32_t corner[2];
} pair_view;

typedef enum walk_end { WALK_APART, WALK_OVERLAP, WALK_FAR } walk_end;

// Walk to the point of the difference set nearest to the origin, until its distance is known to the accuracy (m).
// *normal is the direction with the best lower bound. Far means: a direction was found along which the shapes, not
// shrunk, are out of reach. It begins with the points there are, or with the one along the line of centres.
walk_end convex_walk(pair_view *view, simplex *s, double reach, double accuracy, scr_vec3 *normal);
// m; how far the shapes, not shrunk and where they are, are apart along a direction
double convex_separation(pair_view *view, scr_vec3 n);
void simplex_nearest_points(const simplex *s, scr_vec3 *on_a, scr_vec3 *on_b);

#endif
