// SPDX-License-Identifier: BSD-3-Clause
// Spheres against spheres, planes and boxes: always one point at most, so its feature is 0 wherever it wanders.
//
//   sphere a, sphere b   n = (xb - xa) / |xb - xa|                 gap = |xb - xa| - ra - rb
//   sphere,   plane      n = -(the plane's normal)                 gap = height of the centre - r
//   sphere,   box        centre outside: n to the box's nearest point c,  gap = |c - x| - r
//                        centre inside:  n inwards from the nearest face, gap = -(depth of the centre) - r
//
// The point midway between the surfaces is x + (r + gap / 2) n in all of them. The two cases of the box agree where
// the centre crosses a face; everything is done relative to the box, so a common shift of both costs no digits.
#include "collision/narrow/narrow_sphere.h"

// A centre this near to a box's surface, in units of its largest half edge, counts as inside: the direction to the
// nearest point is rounding there, that to the nearest face is not.
static const double SURFACE_ROUNDING = 1e-14;

int narrow_sphere_sphere(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    return sphere_sphere(a->pose.position, a->radius, b->pose.position, b->radius, reach, out) ? 1 : 0;
}

int narrow_sphere_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    scr_vec3 up = quat_z(b->pose.rotation);
    double gap = vec3_dot(up, vec3_sub(a->pose.position, b->pose.position)) - a->radius;
    if (!(gap < reach)) return 0;
    *out = sphere_contact(a->pose.position, a->radius, vec3_neg(up), gap);
    return 1;
}

static double clamp(double v, double limit) { return v < -limit ? -limit : v > limit ? limit : v; }

// The outward normal of the face nearest to a point inside the box, and how deep the point is under it. Among equally
// near faces z goes before y before x, and the positive one first: a sphere in the very centre is pushed up.
static scr_vec3 nearest_face(scr_vec3 centre, scr_vec3 half, double *depth)
{
    scr_vec3 under = vec3_sub(half, vec3_abs(centre));
    *depth = fmin(under.z, fmin(under.y, under.x));
    if (under.z == *depth) return vec3(0.0, 0.0, centre.z < 0.0 ? -1.0 : 1.0);
    if (under.y == *depth) return vec3(0.0, centre.y < 0.0 ? -1.0 : 1.0, 0.0);
    return vec3(centre.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0);
}

surface_way box_surface_way(const placed_shape *box, scr_vec3 arm)
{
    // In the box's frame: the box's nearest point, and the way from there.
    scr_vec3 at = quat_unrotate(box->pose.rotation, arm), half = box->half;
    scr_vec3 nearest = vec3(clamp(at.x, half.x), clamp(at.y, half.y), clamp(at.z, half.z));
    scr_vec3 outward = vec3_sub(at, nearest);
    double distance = vec3_norm(outward);

    if (distance > SURFACE_ROUNDING * fmax(half.x, fmax(half.y, half.z))) {
        outward = vec3_scale(1.0 / distance, outward);
    } else if (distance >= 0.0) {  // not for a point that is no number
        double depth;
        outward = nearest_face(at, half, &depth);
        distance = -depth;
    }
    return (surface_way){distance, quat_rotate(box->pose.rotation, outward)};
}

int narrow_sphere_box(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    surface_way way = box_surface_way(b, vec3_sub(a->pose.position, b->pose.position));
    double gap = way.distance - a->radius;
    if (!(gap < reach)) return 0;
    *out = sphere_contact(a->pose.position, a->radius, vec3_neg(way.outward), gap);
    return 1;
}
