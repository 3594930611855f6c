// SPDX-License-Identifier: BSD-3-Clause
// Rays and round shapes.
#include "view/render/round_ray.h"

// The stretch of a line inside a convex shape, and the outward normals where it begins and ends.
typedef struct stretch {
    float t0, t1;  // nothing if t0 > t1
    vec3f n0, n1;
} stretch;

static const stretch NOTHING = {.t0 = INFINITY, .t1 = -INFINITY};

static bool is_nothing(const stretch *s) { return !(s->t0 <= s->t1); }

static stretch overlap(const stretch *a, const stretch *b)
{
    return (stretch){greater(a->t0, b->t0), lesser(a->t1, b->t1), a->t0 > b->t0 ? a->n0 : b->n0,
                     a->t1 < b->t1 ? a->n1 : b->n1};
}

// Of parts of one convex shape: from the first beginning to the last end.
static stretch joined(const stretch *a, const stretch *b)
{
    if (is_nothing(a)) return *b;
    if (is_nothing(b)) return *a;
    return (stretch){lesser(a->t0, b->t0), greater(a->t1, b->t1), a->t0 < b->t0 ? a->n0 : b->n0,
                     a->t1 > b->t1 ? a->n1 : b->n1};
}

static stretch in_ball(vec3f centre, float radius, vec3f o, vec3f d)
{
    vec3f from = o - centre;
    float b = vec3f_dot(from, d), a = vec3f_dot(d, d), c = vec3f_dot(from, from) - radius * radius, q = b * b - a * c;
    if (!(q >= 0.0f)) return NOTHING;
    float root = sqrtf(q), t0 = (-b - root) / a, t1 = (-b + root) / a;
    return (stretch){t0, t1, from + t0 * d, from + t1 * d};
}

// Between the planes z = -l and z = l.
static stretch in_slab(float l, vec3f o, vec3f d)
{
    vec3f up = vec3f_of(0.0f, 0.0f, 1.0f);
    if (d[2] == 0.0f) return fabsf(o[2]) <= l ? (stretch){-INFINITY, INFINITY, up, up} : NOTHING;
    float low = (-l - o[2]) / d[2], high = (l - o[2]) / d[2];
    return d[2] > 0.0f ? (stretch){low, high, -up, up} : (stretch){high, low, up, -up};
}

static stretch in_tube(float radius, vec3f o, vec3f d)
{
    float a = d[0] * d[0] + d[1] * d[1], b = o[0] * d[0] + o[1] * d[1], c = o[0] * o[0] + o[1] * o[1] - radius * radius;
    if (a < 1e-12f) return c <= 0.0f ? (stretch){.t0 = -INFINITY, .t1 = INFINITY} : NOTHING;
    float q = b * b - a * c;
    if (!(q >= 0.0f)) return NOTHING;
    float root = sqrtf(q), t0 = (-b - root) / a, t1 = (-b + root) / a;
    vec3f flat_o = vec3f_of(o[0], o[1], 0.0f), flat_d = vec3f_of(d[0], d[1], 0.0f);
    return (stretch){t0, t1, flat_o + t0 * flat_d, flat_o + t1 * flat_d};
}

static stretch in_cylinder(float radius, float l, vec3f o, vec3f d)
{
    stretch slab = in_slab(l, o, d), tube = in_tube(radius, o, d);
    return overlap(&slab, &tube);
}

// Gradient of x^2 + y^2 - k^2 (l - z)^2.
static vec3f cone_normal(float k2, float l, vec3f p) { return vec3f_of(p[0], p[1], k2 * (l - p[2])); }

static stretch in_cone(float radius, float l, vec3f o, vec3f d)
{
    float k = 0.5f * radius / l, k2 = k * k, z = l - o[2];
    stretch slab = in_slab(l, o, d);
    float a = d[0] * d[0] + d[1] * d[1] - k2 * d[2] * d[2], b = o[0] * d[0] + o[1] * d[1] + k2 * z * d[2];
    float c = o[0] * o[0] + o[1] * o[1] - k2 * z * z, q = b * b - a * c;
    if (is_nothing(&slab)) return NOTHING;
    if (fabsf(a) < 1e-12f) a = a < 0.0f ? -1e-12f : 1e-12f;  // along a line of the cone: the other end is far away
    if (!(q >= 0.0f)) return a < 0.0f ? slab : NOTHING;
    float root = sqrtf(q), first = (-b - root) / a, second = (-b + root) / a;
    float t0 = lesser(first, second), t1 = greater(first, second);
    if (a > 0.0f) {
        stretch side = {t0, t1, cone_normal(k2, l, o + t0 * d), cone_normal(k2, l, o + t1 * d)};
        return overlap(&slab, &side);
    }
    // Steeper than the cone: inside before t0 and after t1. One of these lies beyond the tip, where the slab ends.
    stretch before = {-INFINITY, t0, vec3f_all(0.0f), cone_normal(k2, l, o + t0 * d)};
    stretch after = {t1, INFINITY, cone_normal(k2, l, o + t1 * d), vec3f_all(0.0f)};
    before = overlap(&slab, &before);
    after = overlap(&slab, &after);
    if (is_nothing(&before)) return after;
    if (is_nothing(&after)) return before;
    return before.t1 - before.t0 > after.t1 - after.t0 ? before : after;
}

static stretch in_capsule(float radius, float l, vec3f o, vec3f d)
{
    stretch tube = in_cylinder(radius, l, o, d);
    stretch low = in_ball(vec3f_of(0.0f, 0.0f, -l), radius, o, d),
            high = in_ball(vec3f_of(0.0f, 0.0f, l), radius, o, d);
    stretch caps = joined(&low, &high);
    if (is_nothing(&tube)) return caps;
    return joined(&tube, &caps);
}

static stretch in_ellipsoid(const float half[3], vec3f o, vec3f d)
{
    vec3f scale = vec3f_of(1.0f / half[0], 1.0f / half[1], 1.0f / half[2]);
    stretch s = in_ball(vec3f_all(0.0f), 1.0f, o * scale, d * scale);
    s.n0 *= scale;
    s.n1 *= scale;
    return s;
}

bool round_ray_intersect(scr_shape_kind kind, const float half[3], vec3f origin, vec3f direction, float near, float far,
                         float *distance, vec3f *normal)
{
    float shift = -vec3f_dot(origin, direction);
    vec3f o = origin + shift * direction;
    stretch s = NOTHING;
    if (kind == SCR_ELLIPSOID) s = in_ellipsoid(half, o, direction);
    if (kind == SCR_CAPSULE) s = in_capsule(half[0], half[2], o, direction);
    if (kind == SCR_CYLINDER) s = in_cylinder(half[0], half[2], o, direction);
    if (kind == SCR_CONE) s = in_cone(half[0], half[2], o, direction);
    if (is_nothing(&s)) return false;
    float t0 = s.t0 + shift, t1 = s.t1 + shift;
    bool at_start = t0 >= near;
    *distance = at_start ? t0 : t1;
    *normal = at_start ? s.n0 : s.n1;
    return *distance >= near && *distance <= far;
}
