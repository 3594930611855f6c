// SPDX-License-Identifier: BSD-3-Clause
// Capsules against spheres, planes and capsules: balls and segments.
//
// Two capsules are as near as their axes, less both radii. Where the axes cross or coincide, the way out is across
// both: along their cross product, or along any direction across parallel ones. No other direction is shorter, because
// the axes' shadows on it overlap.
//
// Nearly parallel capsules would rock about one point. They have the ends of the interval they share as well, each as
// the ball it is: its own nearest point on the other axis, its own gap and normal. So no point claims what is not true.
#include "collision/narrow/narrow_capsule.h"

#include "collision/narrow/narrow_segment.h"
#include "collision/narrow/narrow_sphere.h"

#define LANES_SCALAR
#include "collision/narrow/capsule_lanes.h"

// An interval shorter than this is one point, and a point nearer than its ends by less adds nothing; in radii.
static const double TOLERANCE = 1e-4, NO_NEARER = 1e-13;

static segment axis_segment(const placed_shape *s, scr_vec3 origin)
{
    return (segment){vec3_sub(s->pose.position, origin), quat_rotate(s->pose.rotation, vec3(0.0, 0.0, s->half.z))};
}

int narrow_sphere_capsule(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    segment axis = axis_segment(b, a->pose.position);
    scr_vec3 way = segment_at(&axis, segment_nearest(&axis, vec3(0.0, 0.0, 0.0)));
    double distance = vec3_norm(way), gap = distance - (a->radius + b->radius);
    if (!(gap < reach)) return 0;
    scr_vec3 normal = distance > CROSSING_AXES * b->half.z + COINCIDENT ? vec3_scale(1.0 / distance, way)
                                                                        : vec3_neg(across_upwards(axis.arm));
    *out = sphere_contact(a->pose.position, a->radius, normal, gap);
    return 1;
}

int narrow_capsule_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    scr_vec3 up = quat_z(b->pose.rotation);
    segment axis = axis_segment(a, b->pose.position);
    int count = 0;
    for (int end = 0; end < 2; ++end) {
        double u = end == 0 ? -1.0 : 1.0, gap = vec3_dot(up, axis.middle) + u * vec3_dot(up, axis.arm) - a->radius;
        if (!(gap < reach)) continue;
        out[count] = sphere_contact(vec3_add_scaled(a->pose.position, u, axis.arm), a->radius, vec3_neg(up), gap);
        out[count++].feature = (uint32_t)end;
    }
    return count;
}

// ---- Two capsules ----

static real3 real3_of(scr_vec3 v) { return (real3){v.x, v.y, v.z}; }
static segment_lanes lanes_of(const segment *s) { return (segment_lanes){real3_of(s->middle), real3_of(s->arm)}; }

// What is found of balls, a's at u, as a contact; the point relative to a's middle. Crossing axes part across both.
static contact_point contact_of(const segment_lanes *a, double u, double radius_a, balls_lanes c, uint32_t feature)
{
    if (c.no_direction) c.normal = real3_of(across_upwards(vec3(a->arm.x, a->arm.y, a->arm.z)));
    real3 point = balls_point(a, u, radius_a, &c);
    return (contact_point){
        {point.x, point.y, point.z}, {c.normal.x, c.normal.y, c.normal.z}, c.gap, feature, {0.0, 0.0}};
}

// The balls at u on a and v on b.
static balls_lanes balls_at(const segment_lanes *a, const segment_lanes *b, double radii, double u, double v)
{
    real3 way = real3_sub(segment_lanes_at(b, v), segment_lanes_at(a, u));
    double size = sqrt(real3_dot(a->arm, a->arm)) + sqrt(real3_dot(b->arm, b->arm));
    return balls_apart(way, sqrt(real3_dot(way, way)), size, radii);
}

// The interval that two nearly parallel axes share, seen along the direction midway between theirs, so that it is the
// same for both. An end of it is an end of one axis and the nearest point to that on the other.
typedef struct shared_interval {
    double length;      // m; negative if there is none
    double u[2], v[2];  // on a and on b, at its two ends along a
} shared_interval;

static shared_interval share_interval(const segment *a, const segment *b)
{
    double sign = vec3_dot(a->arm, b->arm) < 0.0 ? -1.0 : 1.0;
    scr_vec3 along = vec3_unit(vec3_add_scaled(vec3_unit(a->arm), sign, vec3_unit(b->arm)));
    double middle = vec3_dot(along, vec3_sub(b->middle, a->middle));
    double half_a = vec3_dot(along, a->arm), half_b = sign * vec3_dot(along, b->arm);
    shared_interval s = {.length = fmin(half_a, middle + half_b) - fmax(-half_a, middle - half_b)};
    for (int end = 0; end < 2; ++end) {
        double u = end == 0 ? -1.0 : 1.0, v = sign * u;
        bool ends_a = u * (middle + u * half_b) >= half_a;
        s.u[end] = ends_a ? u : segment_nearest(a, segment_at(b, v));
        s.v[end] = ends_a ? segment_nearest(b, segment_at(a, u)) : v;
    }
    return s;
}

int narrow_capsule_capsule(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    segment sa = axis_segment(a, a->pose.position), sb = axis_segment(b, a->pose.position);
    segment_lanes la = lanes_of(&sa), lb = lanes_of(&sb);
    double radii = a->radius + b->radius;
    approach_lanes near = segment_lanes_approach(&la, &lb);
    if (!(near.distance - radii < reach)) return 0;

    contact_point nearest =
        contact_of(&la, near.u, a->radius, nearest_balls_lanes(&la, &lb, radii, &near), CAPSULES_NEAREST);
    int count = 0;
    bool nearest_is_end = false;
    if (nearly_parallel(&la, &lb, a->half.z, b->half.z)) {
        shared_interval s = share_interval(&sa, &sb);
        for (int end = CAPSULES_LOW_END; end <= CAPSULES_HIGH_END && s.length > TOLERANCE * radii; ++end) {
            contact_point c =
                contact_of(&la, s.u[end], a->radius, balls_at(&la, &lb, radii, s.u[end], s.v[end]), (uint32_t)end);
            if (!(c.gap < reach)) continue;
            if (c.gap <= nearest.gap + NO_NEARER * radii) nearest_is_end = true;
            out[count++] = c;
        }
    }
    if (!nearest_is_end) out[count++] = nearest;
    for (int i = 0; i < count; ++i) out[i].point = vec3_add(a->pose.position, out[i].point);
    return count;
}
