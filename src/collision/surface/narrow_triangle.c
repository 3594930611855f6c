// SPDX-License-Identifier: BSD-3-Clause
// Spheres and capsules against one triangle.
//
// The triangle is laid flat on its longest edge: x along that edge from its first corner, y across it towards the third
// corner, z along the front's normal. Its corners are then (0, 0), (length, 0), (foot, height). A needle's normal is
// uncertain by a turn about its longest edge only, and that moves no point of it by more than rounding: so distances
// keep their digits down to height 0, where it is just three segments.
//
//   point to triangle    the foot of the point if that is inside, else the nearest of the points of the three edges
//   segment to triangle  0 if it pierces the face, else the least of: its ends to the triangle, it to the three edges
#include "collision/surface/narrow_triangle.h"

#include "collision/narrow/narrow_segment.h"
#include "collision/narrow/narrow_sphere.h"

// A centre this near to the plane, in units of the longest edge, has no direction to it.
static const double IN_PLANE = 1e-14;
// A triangle lower than this, in units of its longest edge, has no inside.
static const double NO_HEIGHT = 1e-14;
// Sine of about 6 degrees: an axis that is steeper against the face, or an edge, meets it in one point.
static const double NEARLY_PARALLEL = 0.1;
// An interval shorter than this is one point, and a point that is nearer than the others by less adds nothing; in
// radii.
static const double TOLERANCE = 1e-4, NO_NEARER = 1e-13;

typedef struct flat_triangle {
    scr_vec3 origin;             // m, corner `first`
    scr_vec3 along, across, up;  // unit: x, y, z
    double x[3], y[3];           // m, the corners from `first` on
    double length;               // m, the longest edge
    int first;
    bool has_inside;
} flat_triangle;

static flat_triangle lay_flat(const scr_vec3 corner[3])
{
    flat_triangle t = {.first = 0};
    double longest = -1.0;
    for (int k = 0; k < 3; ++k) {
        scr_vec3 edge = vec3_sub(corner[(k + 1) % 3], corner[k]);
        double square = vec3_dot(edge, edge);
        if (square > longest) {
            longest = square;
            t.first = k;
        }
    }
    t.origin = corner[t.first];
    scr_vec3 base = vec3_sub(corner[(t.first + 1) % 3], t.origin), side = vec3_sub(corner[(t.first + 2) % 3], t.origin);
    t.length = sqrt(longest);
    t.along = vec3_unit(base);
    double foot = vec3_dot(side, t.along);
    scr_vec3 rise = vec3_add_scaled(side, -foot, t.along);
    rise = vec3_add_scaled(rise, -vec3_dot(rise, t.along), t.along);  // once more: a needle's rise is mostly rounding
    double height = vec3_norm(rise);
    t.has_inside = height > NO_HEIGHT * t.length;
    t.across = t.has_inside ? vec3_scale(1.0 / height, rise) : across_upwards(t.along);
    t.up = vec3_cross(t.along, t.across);
    t.x[1] = t.length;
    t.x[2] = foot;
    t.y[2] = t.has_inside ? height : 0.0;
    return t;
}

static scr_vec3 into_flat(const flat_triangle *t, scr_vec3 arm)
{
    return vec3(vec3_dot(arm, t->along), vec3_dot(arm, t->across), vec3_dot(arm, t->up));
}

static scr_vec3 out_of_flat(const flat_triangle *t, scr_vec3 v)
{
    return vec3_add_scaled(vec3_add_scaled(vec3_scale(v.x, t->along), v.y, t->across), v.z, t->up);
}

// Twice the area on the left of an edge towards a point: positive inside.
static double left_of_edge(const flat_triangle *t, int k, double x, double y)
{
    int next = (k + 1) % 3;
    return (t->x[next] - t->x[k]) * (y - t->y[k]) - (t->y[next] - t->y[k]) * (x - t->x[k]);
}

static bool is_inside(const flat_triangle *t, double x, double y)
{
    for (int k = 0; k < 3; ++k)
        if (!(left_of_edge(t, k, x, y) >= 0.0)) return false;
    return t->has_inside;
}

static segment edge_segment(const flat_triangle *t, int k)
{
    int next = (k + 1) % 3;
    return segment_between(vec3(t->x[k], t->y[k], 0.0), vec3(t->x[next], t->y[next], 0.0));
}

// The part of the triangle that is u along an edge.
static int feature_at(const flat_triangle *t, int k, double u)
{
    if (fabs(u) < 1.0) return TRIANGLE_EDGE + (t->first + k) % 3;
    return TRIANGLE_CORNER + (t->first + (u > 0.0 ? k + 1 : k)) % 3;
}

// From p, in the triangle's frame, to the triangle's nearest point.
static scr_vec3 way_to_triangle(const flat_triangle *t, scr_vec3 p, int *touched_feature)
{
    if (is_inside(t, p.x, p.y)) {
        *touched_feature = TRIANGLE_FACE;
        return vec3(0.0, 0.0, -p.z);
    }
    scr_vec3 way = {0};
    double least = INFINITY;
    for (int k = 0; k < 3; ++k) {
        segment edge = edge_segment(t, k);
        double u = segment_nearest(&edge, p);
        scr_vec3 to_edge = vec3_sub(segment_at(&edge, u), p);
        double square = vec3_dot(to_edge, to_edge);
        if (!(square < least)) continue;
        least = square;
        way = to_edge;
        *touched_feature = feature_at(t, k, u);
    }
    return way;
}

// The contact of a ball at p whose way to the triangle is known; the point is relative to p. A ball on the triangle is
// pushed towards `side` of it.
static contact_point ball_contact(const flat_triangle *t, scr_vec3 way, double radius, double side)
{
    double distance = vec3_norm(way);
    scr_vec3 normal = distance > IN_PLANE * t->length && distance > COINCIDENT ? vec3_scale(1.0 / distance, way)
                                                                               : vec3(0.0, 0.0, -side);
    return sphere_contact(vec3(0.0, 0.0, 0.0), radius, out_of_flat(t, normal), distance - radius);
}

int sphere_triangle(scr_vec3 centre, double radius, const scr_vec3 corner[3], double reach, contact_point *out,
                    int *touched_feature)
{
    flat_triangle t = lay_flat(corner);
    scr_vec3 p = into_flat(&t, vec3_sub(centre, t.origin));
    if (!(fabs(p.z) - radius < reach)) return 0;
    int met = TRIANGLE_FACE;
    contact_point c = ball_contact(&t, way_to_triangle(&t, p, &met), radius, 1.0);
    if (!(c.gap < reach)) return 0;
    c.point = vec3_add(centre, c.point);
    c.feature = (uint32_t)met;
    *out = c;
    *touched_feature = met;
    return 1;
}

// ---- Capsules ----

typedef struct axis_point {
    double u;      // on the axis
    scr_vec3 way;  // m, from there to the triangle
    int touched_feature;
} axis_point;

// The point of the axis that is nearest to the triangle.
static axis_point nearest_on_axis(const flat_triangle *t, const segment *axis)
{
    axis_point best = {0};
    double least = INFINITY;
    for (int k = 0; k < 3; ++k) {
        segment edge = edge_segment(t, k);
        segment_approach near = segments_nearest(axis, &edge);
        if (!(near.distance < least)) continue;
        least = near.distance;
        best = (axis_point){near.u, near.between, feature_at(t, k, near.v)};
    }
    for (int end = -1; end <= 1; end += 2) {
        scr_vec3 p = segment_at(axis, end);
        if (!is_inside(t, p.x, p.y) || !(fabs(p.z) <= least)) continue;  // outside, an edge is nearer
        least = fabs(p.z);
        best = (axis_point){end, vec3(0.0, 0.0, -p.z), TRIANGLE_FACE};
    }
    return best;
}

static bool pierces(const flat_triangle *t, const segment *axis)
{
    double low = axis->middle.z - axis->arm.z, high = axis->middle.z + axis->arm.z;
    if (!(low * high < 0.0)) return false;
    scr_vec3 p = segment_at(axis, -axis->middle.z / axis->arm.z);
    return is_inside(t, p.x, p.y);
}

// The interval of the axis over the inside of the triangle, and the features of the triangle under its ends.
static interval interval_over(const flat_triangle *t, const segment *axis, int touched_feature[2])
{
    interval s = WHOLE_SEGMENT;
    touched_feature[0] = touched_feature[1] = TRIANGLE_FACE;
    for (int k = 0; k < 3; ++k) {
        double value = left_of_edge(t, k, axis->middle.x, axis->middle.y);
        double slope = left_of_edge(t, k, axis->middle.x + axis->arm.x, axis->middle.y + axis->arm.y) - value;
        interval clipped = interval_clipped(s, value, slope);
        if (clipped.low > s.low) touched_feature[0] = TRIANGLE_EDGE + (t->first + k) % 3;
        if (clipped.high < s.high) touched_feature[1] = TRIANGLE_EDGE + (t->first + k) % 3;
        s = clipped;
    }
    return s;
}

static int add_point(const segment *axis, const flat_triangle *t, contact_point c, double u, uint32_t feature, int met,
                     double reach, int count, contact_point *out, int *touched_feature)
{
    if (!(c.gap < reach)) return count;
    c.point = vec3_add(out_of_flat(t, vec3_scale(u, axis->arm)), c.point);
    c.feature = feature;
    out[count] = c;
    touched_feature[count] = met;
    return count + 1;
}

// An axis through the face: the interval over the face as seen from the side of the middle, where depths go on growing
// below the face.
static int pierced_points(const flat_triangle *t, const segment *axis, double radius, double reach, contact_point *out,
                          int *touched_feature)
{
    int met[2], count = 0;
    interval s = interval_over(t, axis, met);
    double side = axis->middle.z < 0.0 ? -1.0 : 1.0;
    scr_vec3 normal = vec3_scale(-side, t->up);
    for (int end = 0; end < 2; ++end) {
        double u = end == 0 ? s.low : s.high, gap = side * segment_at(axis, u).z - radius;
        contact_point c = sphere_contact(vec3(0.0, 0.0, 0.0), radius, normal, gap);
        count = add_point(axis, t, c, u, (uint32_t)end, met[end], reach, count, out, touched_feature);
    }
    return count;
}

// The interval of an axis that runs along the triangle: over its face, else beside the edge that is nearest. Empty if
// the axis is parallel to neither.
static interval interval_along(const flat_triangle *t, const segment *axis, const axis_point *near, double length,
                               int touched_feature[2])
{
    if (fabs(axis->arm.z) < NEARLY_PARALLEL * length) {
        interval over = interval_over(t, axis, touched_feature);
        if (over.low < over.high) return over;
    }
    if (near->touched_feature < TRIANGLE_EDGE || near->touched_feature >= TRIANGLE_CORNER) return EMPTY_INTERVAL;
    segment edge = edge_segment(t, (near->touched_feature - TRIANGLE_EDGE + 3 - t->first) % 3);
    double sine = vec3_norm(vec3_cross(axis->arm, edge.arm));  // times both lengths
    if (!(sine < NEARLY_PARALLEL * length * vec3_norm(edge.arm))) return EMPTY_INTERVAL;
    touched_feature[0] = touched_feature[1] = near->touched_feature;
    return segment_beside(axis, &edge);
}

static int touching_points(const flat_triangle *t, const segment *axis, double radius, double reach, contact_point *out,
                           int *touched_feature)
{
    double side = axis->middle.z < 0.0 ? -1.0 : 1.0, length = vec3_norm(axis->arm);
    axis_point near = nearest_on_axis(t, axis);
    contact_point nearest = ball_contact(t, near.way, radius, side);
    int met[2], count = 0;
    interval s = interval_along(t, axis, &near, length, met);
    bool nearest_is_end = false;
    for (int end = 0; end < 2 && (s.high - s.low) * length > TOLERANCE * radius; ++end) {
        double u = end == 0 ? s.low : s.high;
        int under;
        contact_point c = ball_contact(t, way_to_triangle(t, segment_at(axis, u), &under), radius, side);
        if (c.gap < reach && c.gap <= nearest.gap + NO_NEARER * radius) nearest_is_end = true;
        count = add_point(axis, t, c, u, (uint32_t)end, met[end], reach, count, out, touched_feature);
    }
    return nearest_is_end
               ? count
               : add_point(axis, t, nearest, near.u, 2, near.touched_feature, reach, count, out, touched_feature);
}

int capsule_triangle(scr_vec3 centre, scr_vec3 arm, double radius, const scr_vec3 corner[3], double reach,
                     contact_point out[CAPSULE_TRIANGLE_MAX], int touched_feature[CAPSULE_TRIANGLE_MAX])
{
    flat_triangle t = lay_flat(corner);
    segment axis = {into_flat(&t, vec3_sub(centre, t.origin)), into_flat(&t, arm)};
    if (!(fabs(axis.middle.z) - fabs(axis.arm.z) - radius < reach)) return 0;
    int count = pierces(&t, &axis) ? pierced_points(&t, &axis, radius, reach, out, touched_feature)
                                   : touching_points(&t, &axis, radius, reach, out, touched_feature);
    for (int i = 0; i < count; ++i) out[i].point = vec3_add(centre, out[i].point);
    return count;
}
