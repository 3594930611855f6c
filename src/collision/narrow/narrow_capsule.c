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

// Axes this near to each other, in units of their lengths, have no direction between them but that across both.
static const double CROSSING = 1e-14;
// Axes that include a smaller sine have no cross product worth the name.
static const double PARALLEL_SINE = 1e-7;
// Sine of about 6 degrees: axes that include more meet in one point.
static const double NEARLY_PARALLEL = 0.1;
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
    scr_vec3 normal = distance > CROSSING * b->half.z + COINCIDENT ? vec3_scale(1.0 / distance, way)
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

// The balls at u on a and v on b, the point relative to a's middle.
static contact_point balls_contact(const segment *a, const segment *b, double radius_a, double radius_b, double u,
                                   double v)
{
    scr_vec3 from = vec3_scale(u, a->arm), way = vec3_sub(segment_at(b, v), segment_at(a, u));
    double distance = vec3_norm(way), size = vec3_norm(a->arm) + vec3_norm(b->arm);
    bool crossing = !(distance > CROSSING * size + COINCIDENT);
    scr_vec3 normal = crossing ? across_upwards(a->arm) : vec3_scale(1.0 / distance, way);
    return sphere_contact(from, radius_a, normal, distance - (radius_a + radius_b));
}

// The nearest balls. Between inner points the direction is that of the arms' cross product, which has more digits than
// the difference of the points when the axes pass each other closely.
static contact_point nearest_balls(const segment *a, const segment *b, double radius_a, double radius_b,
                                   const segment_approach *near)
{
    contact_point c = balls_contact(a, b, radius_a, radius_b, near->u, near->v);
    scr_vec3 cross = vec3_cross(a->arm, b->arm);
    double length_a = vec3_norm(a->arm), length_b = vec3_norm(b->arm), sine = vec3_norm(cross) / (length_a * length_b);
    bool inner = fabs(near->u) < 1.0 && fabs(near->v) < 1.0;
    if (!inner || !(sine * (length_a + length_b) > near->distance) || !(sine > PARALLEL_SINE)) return c;
    scr_vec3 normal = vec3_unit(cross);
    double along = vec3_dot(normal, b->middle) - vec3_dot(normal, a->middle);
    if (along < 0.0) normal = vec3_neg(normal);
    return sphere_contact(vec3_scale(near->u, a->arm), radius_a, normal, fabs(along) - (radius_a + radius_b));
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
    double radii = a->radius + b->radius, length_a = a->half.z, length_b = b->half.z;
    segment_approach near = segments_nearest(&sa, &sb);
    if (!(near.distance - radii < reach)) return 0;

    contact_point nearest = nearest_balls(&sa, &sb, a->radius, b->radius, &near);
    nearest.feature = 2;
    int count = 0;
    bool nearest_is_end = false;
    if (vec3_norm(vec3_cross(sa.arm, sb.arm)) < NEARLY_PARALLEL * length_a * length_b) {
        shared_interval s = share_interval(&sa, &sb);
        for (int end = 0; end < 2 && s.length > TOLERANCE * radii; ++end) {
            contact_point c = balls_contact(&sa, &sb, a->radius, b->radius, s.u[end], s.v[end]);
            if (!(c.gap < reach)) continue;
            if (c.gap <= nearest.gap + NO_NEARER * radii) nearest_is_end = true;
            c.feature = (uint32_t)end;
            out[count++] = c;
        }
    }
    if (!nearest_is_end) out[count++] = nearest;
    for (int i = 0; i < count; ++i) out[i].point = vec3_add(a->pose.position, out[i].point);
    return count;
}
