// SPDX-License-Identifier: BSD-3-Clause
// Cylinders and cones against spheres and planes.
//
// In the half plane (r, z) through the axis and a point, such a solid is a convex polygon cut by the axis r = 0, and
// its surface a few straight sides with outward normals n, from p to q:
//   cylinder  (0, l) - (R, l) - (R, -l) - (0, -l)      cone  (0, l) - (R, -l) - (0, -l)
// The revolved solid's nearest point to a point is in that same half plane. Inside, the distance is the largest of the
// sides' n . (x - p), all of them negative; outside, it is that to the nearest of the sides.
//
// An end of the solid is a disc of radius R' across the axis z (a cone's tip: R' = 0). With u the plane's normal, the
// disc's lowest point is from its centre R' along -(u - (u . z) z), which reaches R' |u x z| down.
#include "collision/narrow/narrow_round.h"

#include "collision/narrow/narrow_segment.h"

enum { SIDES_MAX = 3 };

// A point this near to a surface, in units of the solid's size, is on it: the direction to it is rounding.
static const double SURFACE_ROUNDING = 1e-14;
// Sine of about 6 degrees: a solid that leans more does not stand on its end.
static const double NEARLY_STANDING = 0.1;
// A lowest point that is lower than the four by about this, in units of the radius, adds nothing.
static const double NO_LOWER = 1e-12;

typedef struct profile_point {
    double r, z;  // m
} profile_point;

typedef struct profile_side {
    profile_point from, to, outward;
} profile_side;

static profile_side make_side(profile_point from, profile_point to)
{
    double r = to.r - from.r, z = to.z - from.z, length = sqrt(r * r + z * z);
    return (profile_side){from, to, {-z / length, r / length}};  // the solid is on the right going from top to bottom
}

static int make_profile(const placed_shape *s, profile_side side[SIDES_MAX])
{
    double radius = s->radius, half = s->half.z;
    profile_point top = {0.0, half}, rim = {radius, -half}, bottom = {0.0, -half}, top_rim = {radius, half};
    if (s->kind == SCR_CONE) {
        side[0] = make_side(top, rim);
        side[1] = make_side(rim, bottom);
        return 2;
    }
    side[0] = make_side(top, top_rim);
    side[1] = make_side(top_rim, rim);
    side[2] = make_side(rim, bottom);
    return 3;
}

static double above_side(const profile_side *side, profile_point x)
{
    return side->outward.r * (x.r - side->from.r) + side->outward.z * (x.z - side->from.z);
}

// From the side's nearest point to x.
static profile_point way_from_side(const profile_side *side, profile_point x)
{
    double r = side->to.r - side->from.r, z = side->to.z - side->from.z;
    double share = (r * (x.r - side->from.r) + z * (x.z - side->from.z)) / (r * r + z * z);
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    return (profile_point){x.r - (side->from.r + share * r), x.z - (side->from.z + share * z)};
}

// Distance and outward direction in the half plane. Among equally near sides the first one counts: a cylinder's top.
static double profile_distance(const profile_side *side, int count, double size, profile_point x,
                               profile_point *outward)
{
    double inside = -INFINITY, least = INFINITY;
    profile_point way = {0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        double above = above_side(&side[i], x);
        if (!(above <= inside)) {  // a point that is no number is nowhere near
            inside = above;
            *outward = side[i].outward;
        }
    }
    if (inside <= 0.0) return inside;
    for (int i = 0; i < count; ++i) {
        profile_point w = way_from_side(&side[i], x);
        double square = w.r * w.r + w.z * w.z;
        if (square < least) {
            least = square;
            way = w;
        }
    }
    double distance = sqrt(least);
    if (distance > SURFACE_ROUNDING * size) *outward = (profile_point){way.r / distance, way.z / distance};
    return distance;
}

surface_way round_surface_way(const placed_shape *s, scr_vec3 arm)
{
    scr_vec3 axis = axis_of(s);
    double z = vec3_dot(arm, axis);
    scr_vec3 radial = vec3_add_scaled(arm, -z, axis);
    radial = vec3_add_scaled(radial, -vec3_dot(radial, axis), axis);  // near the axis the first try is mostly rounding
    double r = vec3_norm(radial), size = fmax(s->radius, s->half.z);
    // On the axis all ways out across it are equal.
    scr_vec3 out = r > SURFACE_ROUNDING * size ? vec3_scale(1.0 / r, radial) : across_upwards(axis);

    profile_side side[SIDES_MAX];
    int count = make_profile(s, side);
    profile_point outward = {0.0, 1.0};
    double distance = profile_distance(side, count, size, (profile_point){r, z}, &outward);
    return (surface_way){distance, vec3_add_scaled(vec3_scale(outward.r, out), outward.z, axis)};
}

int narrow_sphere_round(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    surface_way way = round_surface_way(b, vec3_sub(a->pose.position, b->pose.position));
    double gap = way.distance - a->radius;
    if (!(gap < reach)) return 0;
    *out = sphere_contact(a->pose.position, a->radius, vec3_neg(way.outward), gap);
    return 1;
}

// ---- On a plane ----

typedef struct plane_view {
    scr_vec3 position, up;  // of the plane
    double reach;
} plane_view;

static int add_foot(const plane_view *plane, scr_vec3 position, scr_vec3 arm, uint32_t feature, int count,
                    contact_point *out)
{
    double gap = vec3_dot(plane->up, vec3_sub(position, plane->position)) + vec3_dot(plane->up, arm);
    if (!(gap < plane->reach)) return count;
    scr_vec3 point = vec3_add(position, vec3_add_scaled(arm, -0.5 * gap, plane->up));
    out[count] = (contact_point){point, vec3_neg(plane->up), gap, feature, {0.0, 0.0}};
    return count + 1;
}

int narrow_round_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    plane_view plane = {b->pose.position, axis_of(b), reach};
    scr_vec3 axis = axis_of(a), x = quat_rotate(a->pose.rotation, vec3(1.0, 0.0, 0.0));
    scr_vec3 y = quat_rotate(a->pose.rotation, vec3(0.0, 1.0, 0.0));
    double px = vec3_dot(plane.up, x), py = vec3_dot(plane.up, y), along = vec3_dot(plane.up, axis);
    double lean = sqrt(px * px + py * py);
    int down = along < 0.0 ? 1 : 0;  // the end that looks down
    const double radius[2] = {a->radius, a->kind == SCR_CONE ? 0.0 : a->radius};
    bool stands = lean < NEARLY_STANDING && radius[down] > 0.0;

    int count = 0;
    for (int end = 0; end < 2; ++end) {
        if (stands && (end != down || fmax(fabs(px), fabs(py)) > lean * (1.0 - NO_LOWER) || lean < NO_LOWER)) continue;
        scr_vec3 arm = vec3_scale(end == 0 ? -a->half.z : a->half.z, axis);
        if (lean > 0.0) {
            arm = vec3_add_scaled(arm, -radius[end] * (px / lean), x);
            arm = vec3_add_scaled(arm, -radius[end] * (py / lean), y);
        }
        count = add_foot(&plane, a->pose.position, arm, (uint32_t)end, count, out);
    }
    for (int k = 0; k < 4 && stands; ++k) {
        scr_vec3 arm = vec3_scale(down == 0 ? -a->half.z : a->half.z, axis);
        arm = vec3_add_scaled(arm, k % 2 == 0 ? radius[down] : -radius[down], k < 2 ? x : y);
        count = add_foot(&plane, a->pose.position, arm, (uint32_t)(2 + k), count, out);
    }
    return count;
}
