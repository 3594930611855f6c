// SPDX-License-Identifier: BSD-3-Clause
// Convex shapes of any kind: find the gap, then the features that lie along each other.
#include "collision/convex/narrow_convex.h"

#include "collision/convex/convex_manifold.h"

// Contact of two convex shapes in the frame of a.
static int meet(const convex_shape *a, const convex_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    double margins = a->margin + b->margin;
    convex_gap gap;
    if (!convex_gap_find(a, b, reach + margins, &gap)) return 0;
    int count = convex_manifold(a, b, &gap, reach, out);
    if (count > 0) return count;
    scr_vec3 on_a = vec3_add_scaled(gap.on_a, a->margin, gap.normal);
    scr_vec3 on_b = vec3_add_scaled(gap.on_b, -b->margin, gap.normal);
    out[0] = (contact_point){vec3_scale(0.5, vec3_add(on_a, on_b)),
                             gap.normal,
                             gap.gap - margins,
                             convex_feature(FEATURE_NEAREST, FEATURE_NEAREST),
                             {0.0, 0.0}};
    return 1;
}

static int into_world(const placed_shape *frame, int count, contact_point *points)
{
    for (int k = 0; k < count; ++k) {
        points[k].point = pose_apply(frame->pose, points[k].point);
        points[k].normal = quat_rotate(frame->pose.rotation, points[k].normal);
    }
    return count;
}

static double apart_along(const convex_shape *a, const convex_shape *b, scr_vec3 n)
{
    return vec3_dot(n, vec3_sub(convex_support(b, vec3_neg(n), 0).at, convex_support(a, n, 0).at));
}

// The axis of a box, in whose frame this is, along which a place is farthest outside it.
static scr_vec3 axis_towards(const convex_shape *box, scr_vec3 at)
{
    double x = fabs(at.x) - box->half.x, y = fabs(at.y) - box->half.y, z = fabs(at.z) - box->half.z;
    if (x >= y && x >= z) return vec3(copysign(1.0, at.x), 0.0, 0.0);
    return y >= z ? vec3(0.0, copysign(1.0, at.y), 0.0) : vec3(0.0, 0.0, copysign(1.0, at.z));
}

// Two directions show nearly all pairs that do not touch to be out of reach: of a tracked robot, 61 shoes a side, all
// boxes beside hulls, and 98 of 100 hulls and cylinders beside cylinders. That costs a tenth of finding their gap.
static bool are_seen_apart(const convex_shape *a, const convex_shape *b, double reach)
{
    scr_vec3 between = vec3_sub(b->centre, a->centre);
    double distance = vec3_norm(between);
    if (a->kind == CORE_BOX && apart_along(a, b, axis_towards(a, between)) >= reach) return true;
    return distance > 0.0 && apart_along(a, b, vec3_scale(1.0 / distance, between)) >= reach;
}

int narrow_convex(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    convex_shape one = convex_of_shape(a, a), other = convex_of_shape(b, a);
    if (are_seen_apart(&one, &other, reach + one.margin + other.margin)) return 0;
    return into_world(a, meet(&one, &other, reach, out), out);
}

int convex_triangle(const placed_shape *a, const scr_vec3 corner[3], double reach, contact_point out[MANIFOLD_MAX])
{
    convex_shape one = convex_of_shape(a, a), other = convex_of_triangle(corner, a);
    return into_world(a, meet(&one, &other, reach, out), out);
}

// The plane as the shape sees it: up . x = level.
typedef struct seen_plane {
    scr_vec3 up;
    double level;  // m
    double margin;
} seen_plane;

static bool add_below(const seen_plane *plane, scr_vec3 at, uint32_t number, double reach, contact_point *out)
{
    double gap = vec3_dot(plane->up, at) - plane->level - plane->margin;
    if (!(gap < reach)) return false;
    // Half way between the plane and the shape's surface
    *out = (contact_point){
        vec3_add_scaled(at, -plane->margin - 0.5 * gap, plane->up), vec3_neg(plane->up), gap, number, {0.0, 0.0}};
    return true;
}

enum { PLANE_POINTS = 64 };

// All corners of a hull; a full buffer is thinned out, which keeps the lowest and the outermost.
static int hull_plane(const hull *h, const seen_plane *plane, double reach, contact_point *found)
{
    int count = 0;
    for (int32_t c = 0; c < h->corner_count; ++c) {
        if (count == PLANE_POINTS) count = spread_points(found, count);
        count += add_below(plane, h->corner[c], (uint32_t)c, reach, &found[count]);
    }
    return count;
}

// The rim's lowest point, where the eight fixed ones do not show it, follows them.
static int round_plane(const convex_shape *s, const seen_plane *plane, double reach, contact_point *found)
{
    scr_vec3 down = vec3_neg(plane->up);
    double l = s->half.z, across = sqrt(down.x * down.x + down.y * down.y);
    scr_vec3 towards =
        across > 0.0 ? vec3(s->radius * down.x / across, s->radius * down.y / across, 0.0) : vec3(0.0, 0.0, 0.0);
    bool faces = fabs(down.z) >= FACE_COSINE;
    int end = s->kind == CORE_CONE || down.z < 0.0 ? -1 : 1, count = 0;
    if (s->kind == CORE_LINE) towards = vec3(0.0, 0.0, 0.0);

    if (s->kind != CORE_LINE && faces && (s->kind == CORE_CYLINDER || down.z < 0.0)) {
        double drop =
            s->radius * across * (1.0 - 0.92387953251128674);  // of the rim below the middle of two of its points
        for (int k = 0; k < RIM_POINTS; ++k)
            count +=
                add_below(plane, rim_point(s, end, k), (uint32_t)k + (end > 0 ? RIM_POINTS : 0), reach, &found[count]);
        if (drop > 1e-6 * s->size)
            count += add_below(plane, vec3(towards.x, towards.y, end * l), FEATURE_NEAREST, reach, &found[count]);
        return count;
    }
    scr_vec3 tip = s->kind == CORE_CONE ? vec3(0.0, 0.0, l) : vec3(towards.x, towards.y, l);
    count += add_below(plane, vec3(towards.x, towards.y, -l), 2 * RIM_POINTS, reach, &found[count]);
    count += add_below(plane, tip, 2 * RIM_POINTS + 1, reach, &found[count]);
    return count;
}

int narrow_convex_plane(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    convex_shape s = convex_of_shape(a, a);
    scr_vec3 up = quat_z(b->pose.rotation);
    seen_plane plane = {quat_unrotate(a->pose.rotation, up), vec3_dot(up, vec3_sub(b->pose.position, a->pose.position)),
                        s.margin};
    contact_point found[PLANE_POINTS + 1];
    int count = 0;
    if (s.kind == CORE_HULL) count = hull_plane(s.hull, &plane, reach, found);
    else if (s.kind == CORE_LINE || s.kind == CORE_CYLINDER || s.kind == CORE_CONE)
        count = round_plane(&s, &plane, reach, found);
    else count = add_below(&plane, convex_support(&s, vec3_neg(plane.up), 0).at, 0, reach, found);
    count = spread_points(found, count);
    for (int k = 0; k < count; ++k) out[k] = found[k];
    return into_world(a, count, out);
}
