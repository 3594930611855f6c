// SPDX-License-Identifier: BSD-3-Clause
// Directions of edges and corners, and the search through them; the reasons are in the header.
#include "collision/ellipsoid/ellipsoid_corners.h"

double corners_look_along(corners *c, scr_vec3 n)
{
    double nearest = INFINITY;
    for (int k = 0; k < c->count; ++k) {
        double along = vec3_dot(n, c->at[k]);
        if (along < nearest) nearest = along;
    }
    double s = nearest - vec3_norm(vec3_mul(c->semi_axes, n));
    if (s > c->height) {
        c->height = s;
        c->best = n;
    }
    return s;
}

// The ellipse that is the ellipsoid's shadow along the unit vector e: its axes, across e, and their halves.
//
// f and g, any two unit vectors across e and each other, are turned until the quadratic form (A x)^2 has no mixed term.
typedef struct shadow {
    scr_vec3 f, g;
    scr_vec3 semi_axes;  // m; a third, longer one has no part in what is nearest to a point with nothing along it
} shadow;

static shadow shadow_along(scr_vec3 semi_axes, scr_vec3 e)
{
    scr_vec3 square = vec3_mul(semi_axes, semi_axes), size = vec3_abs(e);
    scr_vec3 least = size.x <= fmin(size.y, size.z) ? vec3(1, 0, 0) : size.y <= size.z ? vec3(0, 1, 0) : vec3(0, 0, 1);
    scr_vec3 f = vec3_unit(vec3_cross(e, least)), g = vec3_cross(e, f);
    double ff = vec3_dot(vec3_mul(square, f), f), gg = vec3_dot(vec3_mul(square, g), g);
    double fg = vec3_dot(vec3_mul(square, f), g);
    if (fg != 0.0) {
        double ratio = (gg - ff) / (2.0 * fg), tangent = 1.0 / (fabs(ratio) + sqrt(1.0 + ratio * ratio));
        if (ratio < 0.0) tangent = -tangent;
        double cosine = 1.0 / sqrt(1.0 + tangent * tangent), sine = tangent * cosine;
        scr_vec3 old = f;
        f = vec3_sub(vec3_scale(cosine, f), vec3_scale(sine, g));
        g = vec3_add(vec3_scale(sine, old), vec3_scale(cosine, g));
    }
    double a = vec3_norm(vec3_mul(semi_axes, f)), b = vec3_norm(vec3_mul(semi_axes, g));
    return (shadow){f, g, vec3(a, b, 2.0 * fmax(a, b))};
}

static scr_vec3 in_shadow(const shadow *s, scr_vec3 p) { return vec3(vec3_dot(p, s->f), vec3_dot(p, s->g), 0.0); }
static scr_vec3 from_shadow(const shadow *s, scr_vec3 n)
{
    return vec3_unit(vec3_add(vec3_scale(n.x, s->f), vec3_scale(n.y, s->g)));
}

// The unit vector along an edge, and its length; false if it has none.
static bool edge_along(const corners *c, edge_ends edge, scr_vec3 *e, double *length)
{
    scr_vec3 along = vec3_sub(c->at[edge.second], c->at[edge.first]);
    *length = vec3_norm(along);
    if (!(*length > 0.0)) return false;
    *e = vec3_scale(1.0 / *length, along);
    return true;
}

// Looks along the direction of an edge. True if it is the highest: of the whole body, not the edge alone.
static bool edge_decides(corners *c, edge_ends edge)
{
    scr_vec3 p = c->at[edge.first], e;
    double length;
    if (!edge_along(c, edge, &e, &length)) return false;
    shadow shade = shadow_along(c->semi_axes, e);
    scr_vec3 n = from_shadow(&shade, ellipsoid_nearest_normal(shade.semi_axes, in_shadow(&shade, p)));
    double s = corners_look_along(c, n);
    // Across the edge both its ends are equally near; another corner that is nearer has the last word.
    ellipsoid_end end = ellipsoid_end_along(c->semi_axes, n);
    double nearest = vec3_dot(n, p) - end.height, foot = vec3_dot(e, vec3_sub(vec3_add_scaled(end.point, s, n), p));
    bool in_edge = foot >= -EDGE_ROUNDING * length && foot <= (1.0 + EDGE_ROUNDING) * length;
    return in_edge && s >= nearest - EDGE_ROUNDING * length && corners_is_highest(c, n, s, 0.0);
}

static bool corner_decides(corners *c, scr_vec3 corner)
{
    scr_vec3 n = ellipsoid_nearest_normal(c->semi_axes, corner);
    double s = corners_look_along(c, n), nearest = vec3_dot(n, corner) - vec3_norm(vec3_mul(c->semi_axes, n));
    return s >= nearest && corners_is_highest(c, n, s, 0.0);
}

// Looks along the other ways out of edges and corners.
static void look_opposite(corners *c)
{
    scr_vec3 n, e;
    double length;
    for (int k = 0; k < c->edge_count; ++k) {
        if (!edge_along(c, c->edge[k], &e, &length)) continue;
        shadow shade = shadow_along(c->semi_axes, e);
        scr_vec3 p = in_shadow(&shade, c->at[c->edge[k].first]);
        if (ellipsoid_opposite_normal(shade.semi_axes, p, &n)) corners_look_along(c, from_shadow(&shade, n));
    }
    for (int k = 0; k < c->count; ++k)
        if (ellipsoid_opposite_normal(c->semi_axes, c->at[k], &n)) corners_look_along(c, n);
}

void corners_search(corners *c, double reach)
{
    for (int k = 0, e = 0; k < c->count; ++k) {
        for (; e < c->edge_count && c->edge[e].first == k; ++e)
            if (c->height >= reach || edge_decides(c, c->edge[e])) return;
        if (c->height >= reach || corner_decides(c, c->at[k])) return;
    }
    if (c->height < reach) look_opposite(c);
}

int corners_contact(const corners *c, const placed_shape *a, double radius, double reach, contact_point *out)
{
    double gap = c->height - radius;
    if (!(gap < reach && isfinite(gap))) return 0;  // nothing was seen along any direction if it is not
    scr_vec3 point = vec3_add_scaled(ellipsoid_end_along(c->semi_axes, c->best).point, 0.5 * gap, c->best);
    *out = (contact_point){pose_apply(a->pose, point), quat_rotate(a->pose.rotation, c->best), gap, 0, {0.0, 0.0}};
    return 1;
}
