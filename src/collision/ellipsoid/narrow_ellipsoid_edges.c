// SPDX-License-Identifier: BSD-3-Clause
// Ellipsoids against triangles, capsules and boxes: faces, and what ellipsoid_corners.h does with edges and corners.
//
// A face decides if the ellipsoid's point along its normal, moved there by the height, is inside it. A capsule is the
// segment inside it; its radius comes off the height whatever the direction.
#include "collision/ellipsoid/ellipsoid_corners.h"
#include "collision/ellipsoid/narrow_ellipsoid.h"

// Whether q, in the plane of the triangle of normal m (of any length), is inside it.
static bool is_inside(const scr_vec3 corner[3], scr_vec3 m, scr_vec3 q)
{
    double tolerance = EDGE_ROUNDING * vec3_dot(m, m);
    for (int k = 0; k < 3; ++k) {
        scr_vec3 p = corner[k], edge = vec3_sub(corner[(k + 1) % 3], p);
        if (vec3_dot(m, vec3_cross(edge, vec3_sub(q, p))) < -tolerance) return false;
    }
    return true;
}

// Looks along the triangle's normal, to the side the triangle is on.
static bool triangle_decides(corners *c)
{
    scr_vec3 m = vec3_cross(vec3_sub(c->at[1], c->at[0]), vec3_sub(c->at[2], c->at[0]));
    double norm = vec3_norm(m);
    if (!(norm > 0.0)) return false;
    double side = vec3_dot(m, c->at[0]);
    scr_vec3 n = vec3_scale((side > 0.0 ? 1.0 : -1.0) / norm, m);
    double s = corners_look_along(c, n);
    ellipsoid_end end = ellipsoid_end_along(c->semi_axes, n);
    return is_inside(c->at, m, vec3_add_scaled(end.point, s, n)) && corners_is_highest(c, n, s, 0.0);
}

int ellipsoid_triangle(const placed_shape *a, const scr_vec3 corner[3], double reach, contact_point *out)
{
    static const edge_ends edges[3] = {{0, 1}, {0, 2}, {1, 2}};
    corners c = {.semi_axes = a->half, .edge = edges, .count = 3, .edge_count = 3, .height = -INFINITY};
    for (int k = 0; k < 3; ++k) c.at[k] = pose_unapply(a->pose, corner[k]);
    if (!triangle_decides(&c)) corners_search(&c, reach);
    return corners_contact(&c, a, 0.0, reach, out);
}

int narrow_ellipsoid_capsule(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    scr_vec3 centre = vec3_sub(b->pose.position, a->pose.position);
    if (!(vec3_norm(centre) < largest_of(a->half) + b->half.z + b->radius + reach)) return 0;
    static const edge_ends edge = {0, 1};
    corners c = {.semi_axes = a->half, .edge = &edge, .count = 2, .edge_count = 1, .height = -INFINITY};
    scr_vec3 arm = quat_rotate(b->pose.rotation, vec3(0.0, 0.0, b->half.z));
    c.at[0] = quat_unrotate(a->pose.rotation, vec3_sub(centre, arm));
    c.at[1] = quat_unrotate(a->pose.rotation, vec3_add(centre, arm));
    corners_search(&c, reach + b->radius);
    return corners_contact(&c, a, b->radius, reach, out);
}

// A box in the frame of the ellipsoid.
typedef struct seen_box {
    scr_vec3 axis[3];
    double centre[3];  // m, along these axes, from the ellipsoid's centre
    double half[3];    // m
} seen_box;

// Looks along a box's axis. The ball inside the box that touches the face from within at the foot has room up to the
// nearest side and the middle.
static bool box_face_decides(corners *c, const seen_box *box, int axis)
{
    scr_vec3 n = box->centre[axis] < 0.0 ? vec3_neg(box->axis[axis]) : box->axis[axis];
    double s = corners_look_along(c, n), inner = box->half[axis];
    scr_vec3 foot = vec3_add_scaled(ellipsoid_end_along(c->semi_axes, n).point, s, n);
    for (int k = 0; k < 3; ++k) {
        if (k == axis) continue;
        double inside = box->half[k] - fabs(vec3_dot(foot, box->axis[k]) - box->centre[k]);
        if (inside < -EDGE_ROUNDING * box->half[k]) return false;
        if (inside < inner) inner = inside;
    }
    return corners_is_highest(c, n, s, inner);
}

int narrow_ellipsoid_box(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    // Bits 1, 2, 4 of a corner's number tell along which axes it is on the far side: 0 is the corner that faces the
    // ellipsoid. Edges join corners that differ in one bit.
    static const edge_ends edges[12] = {{0, 1}, {0, 2}, {0, 4}, {1, 3}, {1, 5}, {2, 3},
                                        {2, 6}, {3, 7}, {4, 5}, {4, 6}, {5, 7}, {6, 7}};
    scr_vec3 between = vec3_sub(b->pose.position, a->pose.position);
    if (!(vec3_norm(between) < largest_of(a->half) + vec3_norm(b->half) + reach)) return 0;

    scr_vec3 centre = quat_unrotate(a->pose.rotation, between);
    scr_quat rotation = quat_mul(quat_conj(a->pose.rotation), b->pose.rotation);
    seen_box box = {.half = {b->half.x, b->half.y, b->half.z}};
    corners c = {.semi_axes = a->half, .edge = edges, .count = 8, .edge_count = 12, .height = -INFINITY};
    scr_vec3 nearest = centre, across[3];  // from the sides that face the ellipsoid to the others
    for (int k = 0; k < 3; ++k) {
        box.axis[k] = quat_rotate(rotation, vec3(k == 0, k == 1, k == 2));
        box.centre[k] = vec3_dot(centre, box.axis[k]);
        across[k] = vec3_scale(box.centre[k] < 0.0 ? -2.0 * box.half[k] : 2.0 * box.half[k], box.axis[k]);
        nearest = vec3_add_scaled(nearest, -0.5, across[k]);
    }
    for (int k = 0; k < 8; ++k) {
        c.at[k] = nearest;
        for (int j = 0; j < 3; ++j)
            if (k >> j & 1) c.at[k] = vec3_add(c.at[k], across[j]);
    }
    bool decided = false;
    for (int k = 0; k < 3 && !decided; ++k) decided = box_face_decides(&c, &box, k);
    if (!decided) corners_search(&c, reach);
    return corners_contact(&c, a, 0.0, reach, out);
}
