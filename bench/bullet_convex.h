// SPDX-License-Identifier: BSD-3-Clause
// Bullet's general method (GJK, with EPA for overlaps) on pairs of convex shapes.
#ifndef BENCH_BULLET_CONVEX_H
#define BENCH_BULLET_CONVEX_H

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_CORNERS = 50 };

typedef enum peer_kind { PEER_HULL, PEER_BOX, PEER_CYLINDER, PEER_SPHERE, PEER_TRIANGLE } peer_kind;

// One shape, in double precision, as both programs understand it.
typedef struct peer_shape {
    peer_kind kind;
    double radius, half_length;       // m; cylinders and square boxes along z, spheres
    double corner[PEER_CORNERS][3];   // m; hulls; the first three of a triangle
    double position[3], rotation[4];  // m; w, x, y, z
} peer_shape;

// Seconds of processor time of one pass over the pairs, and the signed distance of each.
double bullet_pass(const peer_shape *a, const peer_shape *b, int count, double *gap);

#ifdef __cplusplus
}
#endif

#endif
