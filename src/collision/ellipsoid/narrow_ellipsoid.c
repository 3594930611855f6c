// SPDX-License-Identifier: BSD-3-Clause
// Ellipsoids against spheres and planes: closed form but for the nearest point, see ellipsoid_support.c.
//
//   sphere, ellipsoid   m = outward normal of the ellipsoid where it is nearest to the sphere's centre
//                       n = -m,  gap = m.(centre - x) - h(m) - r      x: the ellipsoid's centre
//   ellipsoid, plane    n = -(the plane's normal),  gap = height of the centre - h(n)
//
// A gap written with the support function is stationary in m: an error of m costs its square.
#include "collision/ellipsoid/narrow_ellipsoid.h"

#include "collision/ellipsoid/ellipsoid_support.h"
#include "collision/narrow/narrow_sphere.h"

int narrow_sphere_ellipsoid(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    scr_vec3 between = vec3_sub(a->pose.position, b->pose.position);
    if (!(vec3_norm(between) < largest_of(b->half) + a->radius + reach)) return 0;

    scr_vec3 centre = quat_unrotate(b->pose.rotation, between);
    scr_vec3 outward = ellipsoid_nearest_normal(b->half, centre);
    double gap = vec3_dot(outward, centre) - vec3_norm(vec3_mul(b->half, outward)) - a->radius;
    if (!(gap < reach)) return 0;
    *out = sphere_contact(a->pose.position, a->radius, quat_rotate(b->pose.rotation, vec3_neg(outward)), gap);
    return 1;
}

int narrow_ellipsoid_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    scr_vec3 down = quat_rotate(b->pose.rotation, vec3(0.0, 0.0, -1.0));
    ellipsoid_end end = ellipsoid_end_along(a->half, quat_unrotate(a->pose.rotation, down));
    double gap = vec3_dot(down, vec3_sub(b->pose.position, a->pose.position)) - end.height;
    if (!(gap < reach)) return 0;
    scr_vec3 lowest = pose_apply(a->pose, end.point);
    *out = (contact_point){vec3_add_scaled(lowest, 0.5 * gap, down), down, gap, 0, {0.0, 0.0}};
    return 1;
}
