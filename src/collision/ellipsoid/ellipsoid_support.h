// SPDX-License-Identifier: BSD-3-Clause
// What the pairs with an ellipsoid share: its support function and the direction to its nearest point.
//
// An ellipsoid is all points x + A u with |u| <= 1; the columns of A are its semi-axes as vectors. In the direction n
// it reaches
//   h(n) = |A^T n|   beyond its centre,   at the point x + A A^T n / h(n), where n is the surface's normal.
//
// How far apart a convex body is from it, as seen along the unit vector n, is a height s(n). Its maximum over all n is
// the distance of the two, or minus their least overlap; any n with s(n) >= reach shows them to be out of reach.
//
// When overlap is found to be p in a stationary direction n, it is the least one if p is at most the sum of m^2 / h(n)
// over the ellipsoids concerned, m being the least semi-axis. That is the radius of the largest ball inside the
// ellipsoid that touches it from within at its point of normal n: the two such balls, added, hold a ball of radius p
// about the point whose distance to the surface of the summed body is looked for, so no other place of that surface is
// nearer.
#ifndef COLLISION_ELLIPSOID_ELLIPSOID_SUPPORT_H
#define COLLISION_ELLIPSOID_ELLIPSOID_SUPPORT_H

#include "core/maths/vec3.h"

// Where an ellipsoid with its axes along x, y, z ends in the direction n.
typedef struct ellipsoid_end {
    double height;   // m, h(n)
    scr_vec3 point;  // m, from the centre
} ellipsoid_end;

static inline ellipsoid_end ellipsoid_end_along(scr_vec3 semi_axes, scr_vec3 n)
{
    scr_vec3 scaled = vec3_mul(semi_axes, n);
    double height = vec3_norm(scaled);
    return (ellipsoid_end){height, vec3_scale(1.0 / height, vec3_mul(semi_axes, scaled))};
}

// By comparisons: fmin and fmax, minding what is not a number, are calls.
static inline double least_of(scr_vec3 v)
{
    double least = v.x < v.y ? v.x : v.y;
    return least < v.z ? least : v.z;
}
static inline double largest_of(scr_vec3 v)
{
    double largest = v.x > v.y ? v.x : v.y;
    return largest > v.z ? largest : v.z;
}

// Radius of the largest ball inside that touches the surface where it is h(n) high. See above.
static inline double inner_ball(double least_axis, double height) { return least_axis * least_axis / height; }

// The outward normal at the point of the surface nearest to p, anywhere inside or outside; axes along x, y, z.
scr_vec3 ellipsoid_nearest_normal(scr_vec3 semi_axes, scr_vec3 p);
// The same at the one other point of the surface that is nearer to p than all its neighbours; false if there is none.
bool ellipsoid_opposite_normal(scr_vec3 semi_axes, scr_vec3 p, scr_vec3 *n);

#endif
