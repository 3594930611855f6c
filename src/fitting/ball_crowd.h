// SPDX-License-Identifier: BSD-3-Clause
// The spheres of a set in a tree: what of them is where.
#ifndef FITTING_BALL_CROWD_H
#define FITTING_BALL_CROWD_H

#include "geometry/sphere_set/sphere_set.h"
#include "geometry/surface/mesh_tree.h"

typedef struct ball_crowd {
    const sphere_set *set;
    mesh_tree tree;
} ball_crowd;

scr_status ball_crowd_make(const sphere_set *set, ball_crowd *out, scr_error *error);
void ball_crowd_free(ball_crowd *crowd);

double crowd_gap(const ball_crowd *crowd, scr_vec3 point);  // m, to the nearest sphere; 0 in one
bool crowd_meets_segment(const ball_crowd *crowd, scr_vec3 a, scr_vec3 b);
// How far the spheres go on from a point without a break, along a unit vector, m; 0 from a point in none of them.
double crowd_exit(const ball_crowd *crowd, scr_vec3 point, scr_vec3 direction);

#endif
