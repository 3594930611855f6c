// SPDX-License-Identifier: BSD-3-Clause
// The shortest way out for a segment c + u e, |u| <= 1, that is stuck in a solid with support function h:
//   the unit n with the largest   s(n) = n . c - |n . e| - h(n)
// A ball about the origin that just fits into the solid swept by the segment touches it where its surface is smooth, so
// n is the normal of one of the swept solid's smooth pieces. These are few:
//   box            its faces; its edges swept by the segment: n = e x edge
//   cylinder, cone their flat ends; their slant, n leaning by the slant's angle out of the discs' plane, either over an
//                  end of the segment or with n . e = 0; their rims swept by the segment, n . e = 0 too
// Seen along e, a rim is an ellipse with half axes R and R |z . e| / |e|, and n points from the segment's image, one
// point, to the nearest one of the ellipse's far half: one of the point's feet.
#include "collision/narrow/narrow_capsule_out.h"

#include "collision/narrow/ellipse_foot.h"

// Directions with a smaller sine between them span no plane.
static const double NO_PLANE = 1e-9;

typedef struct search {
    const placed_shape *solid;
    const segment *axis;
    scr_vec3 best;
    double separation;  // m
} search;

double solid_support(const placed_shape *s, scr_vec3 n)
{
    scr_vec3 local = quat_unrotate(s->pose.rotation, n);
    if (s->kind == SCR_BOX) return vec3_dot(vec3_abs(local), s->half);
    double disc = s->radius * sqrt(local.x * local.x + local.y * local.y), top = s->half.z * local.z;
    return s->kind == SCR_CONE ? fmax(top, disc - top) : fabs(top) + disc;
}

static void try_direction(search *s, scr_vec3 n)
{
    n = vec3_unit(n);
    double along = vec3_dot(n, s->axis->middle) - fabs(vec3_dot(n, s->axis->arm)) - solid_support(s->solid, n);
    if (!(along > s->separation)) return;
    s->separation = along;
    s->best = n;
}

static void try_both(search *s, scr_vec3 n)
{
    try_direction(s, n);
    try_direction(s, vec3_neg(n));
}

static void try_box(search *s)
{
    for (int k = 2; k >= 0; --k) {  // of equals, up
        scr_vec3 axis = quat_rotate(s->solid->pose.rotation, vec3(k == 0, k == 1, k == 2));
        scr_vec3 cross = vec3_cross(s->axis->arm, axis);
        try_both(s, axis);
        if (vec3_norm(cross) > NO_PLANE * vec3_norm(s->axis->arm)) try_both(s, cross);
    }
}

// The slant's normals: lean across the axis, rise along it.
static void try_slant(search *s, scr_vec3 z)
{
    bool cone = s->solid->kind == SCR_CONE;
    double lean = cone ? 2.0 * s->solid->half.z : 1.0, rise = cone ? s->solid->radius : 0.0;
    for (int end = -1; end <= 1; end += 2) {
        scr_vec3 p = segment_at(s->axis, end), radial = vec3_add_scaled(p, -vec3_dot(p, z), z);
        if (vec3_norm(radial) > NO_PLANE * s->solid->radius)
            try_direction(s, vec3_add_scaled(vec3_scale(lean, vec3_unit(radial)), rise, z));
        try_direction(s, vec3_add_scaled(vec3_scale(lean, across_upwards(z)), rise, z));
    }
    // n . e = 0
    double ez = vec3_dot(s->axis->arm, z);
    scr_vec3 flat = vec3_add_scaled(s->axis->arm, -ez, z);
    double across = vec3_norm(flat), cosine = -rise * ez / (lean * across);
    if (!(across > NO_PLANE * fabs(ez)) || !(fabs(cosine) <= 1.0)) return;
    flat = vec3_scale(1.0 / across, flat);
    scr_vec3 side = vec3_scale(sqrt(1.0 - cosine * cosine), vec3_cross(z, flat));
    for (int sign = -1; sign <= 1; sign += 2) {
        scr_vec3 radial = vec3_add_scaled(vec3_scale(cosine, flat), sign, side);
        try_direction(s, vec3_add_scaled(vec3_scale(lean, radial), rise, z));
    }
}

static void try_four(search *s, scr_vec3 p, scr_vec3 q, double nx, double ny)
{
    try_both(s, vec3_add_scaled(vec3_scale(nx, p), ny, q));
    try_both(s, vec3_add_scaled(vec3_scale(nx, p), -ny, q));
}

static void try_rim(search *s, scr_vec3 z, double height)
{
    scr_vec3 along = vec3_unit(s->axis->arm), p = vec3_cross(z, along);
    scr_vec3 m = vec3_add_scaled(s->axis->middle, -height, z);
    if (!(vec3_norm(p) > NO_PLANE)) {  // a circle
        scr_vec3 radial = vec3_add_scaled(m, -vec3_dot(m, along), along);
        try_direction(s, vec3_norm(radial) > NO_PLANE * s->solid->radius ? radial : across_upwards(z));
        return;
    }
    double a = s->solid->radius, b = a * fabs(vec3_dot(z, along));
    if (!(b > NO_PLANE * a)) return;  // a line: the flat end sees to it
    p = vec3_unit(p);
    scr_vec3 q = vec3_cross(along, p);
    ellipse_view e = {a, b, fabs(vec3_dot(m, p)), fabs(vec3_dot(m, q))};

    double nx, ny;
    ellipse_near_normal(&e, &nx, &ny);
    try_four(s, p, q, nx, ny);
    if (ellipse_far_normal(&e, &nx, &ny)) try_four(s, p, q, nx, ny);
}

scr_vec3 shortest_way_out(const placed_shape *solid, const segment *axis)
{
    scr_vec3 z = quat_z(solid->pose.rotation);
    search s = {solid, axis, z, -INFINITY};
    if (solid->kind == SCR_BOX) {
        try_box(&s);
    } else {
        try_both(&s, z);
        try_slant(&s, z);
        try_rim(&s, z, -solid->half.z);
        if (solid->kind == SCR_CYLINDER) try_rim(&s, z, solid->half.z);
    }
    return s.best;
}
