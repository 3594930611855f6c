// SPDX-License-Identifier: BSD-3-Clause
// The gap of any two convex shapes, from their support points alone.
//
// Along a unit direction n from a to b the shapes are apart by
//   s(n) = n . (xb(-n) - xa(n))
// and the gap is the largest s(n) of all. If that is positive it is the distance, and n points along the shortest way;
// if negative, moving b by -s along n is the shortest way out.
//
// Distance: the walk of Gilbert, Johnson and Keerthi (convex_walk.h), where the shapes are clearly apart: at a gap near
// zero the direction is lost to rounding.
//
// So b is lifted until they are apart. With b moved by (lift - s(n)) n the shapes are apart by at least `lift`, and the
// direction n' of their distance is one with s(n') >= s(n): as every point of the difference set is below the plane
// square to n at s(n), the lifted origin is at least `lift` away from the set, and
//   s(n') = |distance of lifted| - (lift - s(n)) n . n' >= lift - (lift - s(n)) = s(n).
// Repeating this climbs to a local maximum of s. The error of the direction shrinks each time by about
// (depth + lift) / (radius of curvature + lift): at once on flat faces, quickly where the overlap is shallow.
//
// The first direction is that of the two shapes shrunk about their centres by a little of the smaller one's inside:
// shallow overlaps come apart, and the climb starts at the right summit. Where shrunk shapes still overlap, the best of
// the axes of both, their cross products, the faces of hulls and the line of centres begins. Of overlapping shapes the
// summit reached is then either proved to be the highest, or convex_depth.c looks for a higher one.
//
// Cylinders are asked by their axes first. A cylinder lies within the capsule about its axis and shares its side with
// it. Where the axis, a line, and the other shape are apart along a direction square to the axis, the nearest points of
// capsule and other shape are the cylinder's: then the walk between flat shapes is all there is, whether they touch or
// not. Of an overlap this is a summit of s, as any that is climbed to.
//
// libccd offers MPR and GJK with EPA for such pairs, and is measured beside this in bench/convex.c, with the same
// support functions. It has no distance of disjoint shapes. Of shapes of 1 m that overlap by 0.01 m, MPR at a tolerance
// of 1e-10 is off in depth by up to 1e-3 m for hulls of 50 corners and 5e-3 m for cylinders, because it follows the
// line of centres and not the shortest way out; it is 3 and 6 times as fast. GJK with EPA is off by the whole depth for
// some, allocates as it goes, and is 1.4 and 3 times as fast. Contacts need the gap to 1e-9, so neither is used.
#include "collision/convex/convex_gap.h"

#include "collision/convex/convex_depth.h"
#include "collision/convex/convex_walk.h"

static const double LIFT = 1e-3;           // of the smaller shape
static const double LIFT_FALLS = 0.25;     // from step to step, for what is more sharply curved than the first lift
static const double CLEARLY_APART = 1e-5;  // of the smaller shape, and a share of the larger one that is above rounding
static const double ROUNDING_SHARE = 1e-8;
static const double SHRINK = 0.05;    // of the smaller inner radius
static const double NOTHING = 4e-15;  // distances below this are rounding, in units of the larger shape
static const double FINE = 1e-13;     // how well the distance is found in the end, in units of the larger shape
static const double COARSE = 0.01;    // and at first, in units of the lift or of what was shrunk away
static const double SETTLED = 1e-13;  // a climb that gains less has reached the summit, in units of the larger shape
// A way out counts as shorter by a share of the shapes, and of the depth where round shapes would take many faces.
static const double SHORTER = 0.01, SHORTER_LEAST = 1e-9;
static const double PARALLEL = 1e-6;    // the sine of the angle between axes
static const double LEAST_LEFT = 0.01;  // of what is left of a cylinder's side: a direction may lean by less
enum { CLIMB_MAX = 24, SUMMIT_MAX = 8 };

typedef struct direction {
    scr_vec3 n;
    double s;  // m
} direction;

static void try_direction(pair_view *view, scr_vec3 n, direction *best)
{
    double s = convex_separation(view, n);
    if (s > best->s) *best = (direction){n, s};
}

static void try_both_ways(pair_view *view, scr_vec3 n, direction *best)
{
    try_direction(view, n, best);
    try_direction(view, vec3_neg(n), best);
}

static void axes_of(const convex_shape *s, scr_vec3 axis[3])
{
    for (int k = 0; k < 3; ++k)
        axis[k] = s->is_rotated ? vec3(s->rotation.m[0][k], s->rotation.m[1][k], s->rotation.m[2][k])
                                : vec3(k == 0, k == 1, k == 2);
    if (s->kind != CORE_TRIANGLE) return;
    axis[0] = vec3_unit(vec3_sub(s->corner[1], s->corner[0]));
    axis[2] = vec3_unit(vec3_cross(axis[0], vec3_sub(s->corner[2], s->corner[0])));
    axis[1] = vec3_cross(axis[2], axis[0]);
}

// Faces of a hull that may separate better than what is known: b holds a ball of radius `inner` about its centre.
static void try_faces(pair_view *view, bool of_a, direction *best)
{
    const convex_shape *own = of_a ? view->a : view->b, *other = of_a ? view->b : view->a;
    if (own->kind != CORE_HULL) return;
    scr_vec3 centre = into_shape(own, vec3_sub(other->centre, own->centre));
    for (int32_t f = 0; f < own->hull->face_count; ++f) {
        scr_vec3 n = own->hull->face_normal[f];
        if (vec3_dot(n, centre) - own->hull->face_offset[f] - other->inner <= best->s) continue;
        if (vec3_dot(n, n) == 0.0) continue;
        if (own->is_rotated) n = mat3_times(&own->rotation, n);
        try_direction(view, of_a ? n : vec3_neg(n), best);
    }
}

// Where even the shrunk shapes overlap: the best of a fixed set of directions.
static direction deep_direction(pair_view *view)
{
    scr_vec3 axis_a[3], axis_b[3];
    axes_of(view->a, axis_a);
    axes_of(view->b, axis_b);
    direction best = {vec3(0.0, 0.0, 1.0), -INFINITY};
    for (int k = 2; k >= 0; --k) try_both_ways(view, axis_a[k], &best);
    for (int k = 2; k >= 0; --k) try_both_ways(view, axis_b[k], &best);
    scr_vec3 between = vec3_sub(view->b->centre, view->a->centre);
    if (vec3_norm(between) > NOTHING * view->large) try_direction(view, vec3_unit(between), &best);
    for (int k = 0; k < 9; ++k) {
        scr_vec3 cross = vec3_cross(axis_a[k / 3], axis_b[k % 3]);
        if (vec3_norm(cross) > 1e-3) try_both_ways(view, vec3_unit(cross), &best);
    }
    try_faces(view, true, &best);
    try_faces(view, false, &best);
    return best;
}

static double shrunk(const convex_shape *s, double by) { return s->inner > 0.0 ? 1.0 - by / s->inner : 1.0; }

// A first direction: that of the shrunk shapes' distance, else the best of the fixed ones. False if out of reach.
static bool first_direction(pair_view *view, simplex *s, double reach, direction *first)
{
    double inner_a = view->a->inner, inner_b = view->b->inner;
    double by = SHRINK * (inner_a > 0.0 && inner_b > 0.0 ? fmin(inner_a, inner_b) : fmax(inner_a, inner_b));
    bool with_margin = view->a->margin > 0.0 || view->b->margin > 0.0;  // their cores seldom overlap
    view->scale_a = with_margin ? 1.0 : shrunk(view->a, by);
    view->scale_b = with_margin ? 1.0 : shrunk(view->b, by);
    walk_end end = convex_walk(view, s, reach, COARSE * by, &first->n);
    view->scale_a = view->scale_b = 1.0;
    if (end == WALK_FAR) return false;
    if (end == WALK_OVERLAP) {
        s->count = 0;
        *first = deep_direction(view);
        return first->s < reach;
    }
    first->s = convex_separation(view, first->n);
    return first->s < reach;
}

// The lifted direction is right for faces; at a tiny distance between corners and edges the plain one is better.
// Returns whether that is proved, so that there is nothing more to gain from lifting.
static bool try_unlifted(pair_view *view, simplex *s, direction *best)
{
    simplex plain = *s;
    scr_vec3 n;
    view->shift = vec3(0.0, 0.0, 0.0);
    if (convex_walk(view, &plain, INFINITY, FINE * view->large, &n) != WALK_APART) return false;
    double gap = convex_separation(view, n);
    if (!(gap > best->s)) return false;
    *best = (direction){n, gap};
    *s = plain;
    return vec3_norm(plain.nearest) - gap <= SETTLED * view->large;
}

static bool is_flat(const convex_shape *s)
{
    return s->kind != CORE_ELLIPSOID && s->kind != CORE_CYLINDER && s->kind != CORE_CONE;
}

// Is the way out proved to be the shortest? It is where
//  - a ball that rolls inside both shapes is larger than the depth: the difference set then holds such a ball, touching
//    from inside at the nearest point, and all its surface but that point is farther away; or
//  - the set's face around the nearest point reaches `wide` or more to all sides: along a direction at an angle t from
//    the normal the set reaches at least d cos t + wide sin t >= d as long as tan(t/2) <= wide / d, and backwards it
//    reaches beyond its centre.
static bool is_shortest(const pair_view *view, const simplex *s, const direction *best)
{
    double depth = -best->s, times = 8.0;  // tan(t/2) = 8: all but 14.3 degrees around the way back
    if (view->a->rolling + view->b->rolling > depth) return true;
    if (s->count != 3) return false;
    scr_vec3 area = vec3_cross(vec3_sub(s->p[1].w, s->p[0].w), vec3_sub(s->p[2].w, s->p[0].w));
    double twice = vec3_norm(area), wide = INFINITY;
    for (int k = 0; k < 3; ++k) {
        double side = vec3_norm(vec3_sub(s->p[(k + 2) % 3].w, s->p[(k + 1) % 3].w));
        wide = fmin(wide, s->share[k] * twice / side);
    }
    scr_vec3 centre = vec3_sub(view->b->centre, view->a->centre);
    double back = vec3_dot(centre, best->n), aside = vec3_norm(vec3_add_scaled(centre, -back, best->n));
    return wide >= times * depth && 0.969 * back - 0.248 * aside + view->a->inner + view->b->inner >= depth;
}

// Climb from the direction to the next summit of s. False if the shapes turn out to be out of reach.
static bool climb(pair_view *view, simplex *s, double reach, direction *best)
{
    double small = fmin(view->a->size + view->a->margin, view->b->size + view->b->margin), large = view->large;
    double apart = CLEARLY_APART * small + ROUNDING_SHARE * large, lift = LIFT * small + 10.0 * ROUNDING_SHARE * large;
    for (int step = 0; step < CLIMB_MAX; ++step) {
        bool lifted = best->s <= apart;
        if (step > 1) lift = fmax(LIFT_FALLS * lift, 10.0 * ROUNDING_SHARE * large);
        view->shift = lifted ? vec3_scale(lift - best->s, best->n) : vec3(0.0, 0.0, 0.0);
        scr_vec3 n = best->n;
        double accuracy = lifted && step == 0 ? COARSE * lift : FINE * large;
        walk_end end = convex_walk(view, s, lifted ? INFINITY : reach, accuracy, &n);
        if (end == WALK_FAR) return false;
        if (end == WALK_OVERLAP) break;  // only rounding says so: best.n separates them
        double before = best->s, found = convex_separation(view, n);
        if (found > best->s || !lifted) *best = (direction){n, found};
        if (!lifted || (best->s > -apart && try_unlifted(view, s, best))) break;
        if (step > 0 && !(best->s - before > SETTLED * large)) break;
    }
    return best->s < reach;
}

// ---- cylinders by their axes ----

typedef enum axes_verdict { AXES_FAR, AXES_TELL, AXES_SILENT } axes_verdict;

static convex_shape axis_of(const convex_shape *s)
{
    convex_shape line = *s;
    if (s->kind == CORE_CYLINDER) line.kind = CORE_LINE;
    return line;
}

// m; what a cylinder reaches beyond its axis
static double beyond_axis(const convex_shape *s) { return s->kind == CORE_CYLINDER ? s->radius : 0.0; }

static scr_vec3 axis_direction(const convex_shape *s)
{
    return s->is_rotated ? vec3(s->rotation.m[0][2], s->rotation.m[1][2], s->rotation.m[2][2]) : vec3(0.0, 0.0, 1.0);
}

// m; how much of a cylinder's axis there is to either side of a point on it
static double axis_left(const convex_shape *s, scr_vec3 at)
{
    return s->half.z - fabs(vec3_dot(vec3_sub(at, s->centre), axis_direction(s)));
}

static double sine_between(const convex_shape *a, const convex_shape *b)
{
    return vec3_norm(vec3_cross(axis_direction(a), axis_direction(b)));
}

// Whether the nearest point is on a cylinder's side, not on its rim: the direction is square to the axis. Where it
// leans by a little, t, the shapes come apart by r t for every unit that it is turned back, and close by what another
// cylinder, as good as parallel, has left beside it: as long as this is more, the direction stays what it is.
static bool is_beside(const convex_shape *s, const convex_shape *other, scr_vec3 n, scr_vec3 on_other, double large)
{
    if (s->kind != CORE_CYLINDER) return true;
    double sine = fabs(vec3_dot(n, axis_direction(s))), lean = s->radius * sine;
    if (lean <= SETTLED * large) return true;
    return other->kind == CORE_CYLINDER && sine <= PARALLEL && sine_between(s, other) <= PARALLEL &&
           lean <= LEAST_LEFT * axis_left(other, on_other);
}

// Whether they are out of reach along a cylinder's axis.
static bool is_beyond_end(pair_view *view, const convex_shape *s, double reach)
{
    if (s->kind != CORE_CYLINDER) return false;
    scr_vec3 axis = axis_direction(s);
    if (vec3_dot(axis, vec3_sub(view->b->centre, view->a->centre)) < 0.0) axis = vec3_neg(axis);
    return convex_separation(view, axis) >= reach;
}

static axes_verdict ask_axes(pair_view *view, double reach, simplex *s, direction *best)
{
    convex_shape a = axis_of(view->a), b = axis_of(view->b);
    double beyond = beyond_axis(view->a) + beyond_axis(view->b), large = view->large;
    scr_vec3 on_a, on_b;
    pair_view lines = *view;
    lines.a = &a, lines.b = &b;
    walk_end end = convex_walk(&lines, s, reach + beyond, FINE * large, &best->n);
    if (end == WALK_FAR) return AXES_FAR;
    simplex_nearest_points(s, &on_a, &on_b);
    if (end == WALK_OVERLAP || !(vec3_norm(s->nearest) > CLEARLY_APART * beyond + ROUNDING_SHARE * large) ||
        !is_beside(view->a, view->b, best->n, on_b, large) || !is_beside(view->b, view->a, best->n, on_a, large)) {
        s->count = 0;
        return is_beyond_end(view, view->a, reach) || is_beyond_end(view, view->b, reach) ? AXES_FAR : AXES_SILENT;
    }
    view->corner[0] = lines.corner[0];
    view->corner[1] = lines.corner[1];
    best->s = convex_separation(view, best->n);
    return best->s < reach ? AXES_TELL : AXES_FAR;
}

// Two parallel cylinders are apart by `across` their axes and by `along` them, both negative where they overlap: at an
// angle t from the plane across, s is at most across cos t + along sin t, never more than the larger of the two.
// Turning one of them by an angle changes s by no more than that angle of its size. Whether no way out is shorter by
// more than the slack.
static bool are_side_by_side(const pair_view *view, const direction *best, double slack)
{
    const convex_shape *a = view->a, *b = view->b;
    if (a->kind != CORE_CYLINDER || b->kind != CORE_CYLINDER) return false;
    scr_vec3 axis = axis_direction(a), between = vec3_sub(b->centre, a->centre);
    double offset = vec3_dot(axis, between), along = fabs(offset) - a->half.z - b->half.z;
    double across = vec3_norm(vec3_add_scaled(between, -offset, axis)) - a->radius - b->radius;
    return across < 0.0 && along < 0.0 && fmax(across, along) + 2.0 * sine_between(a, b) * b->size - best->s <= slack;
}

// m; by how much a way out must be shorter to be looked for
static double shorter_by(const pair_view *view, const direction *best)
{
    double share = is_flat(view->a) && is_flat(view->b) ? 0.0 : SHORTER;
    return -share * best->s + SHORTER_LEAST * (view->a->size + view->b->size);
}

bool convex_gap_find(const convex_shape *a, const convex_shape *b, double reach, convex_gap *out)
{
    pair_view view = {
        .a = a, .b = b, .scale_a = 1.0, .scale_b = 1.0, .large = fmax(a->size + a->margin, b->size + b->margin)};
    simplex s = {0};
    direction best;
    double beyond_a = beyond_axis(a), beyond_b = beyond_axis(b);  // m, of the shapes beyond the points of s
    axes_verdict axes = beyond_a + beyond_b > 0.0 ? ask_axes(&view, reach, &s, &best) : AXES_SILENT;
    if (axes == AXES_FAR) return false;
    if (axes == AXES_SILENT) {
        beyond_a = beyond_b = 0.0;
        if (!first_direction(&view, &s, reach, &best) || !climb(&view, &s, reach, &best)) return false;
    }
    for (int again = 0; again < SUMMIT_MAX && best.s < 0.0 && !is_shortest(&view, &s, &best); ++again) {
        direction other = best;
        double slack = shorter_by(&view, &best);
        if (are_side_by_side(&view, &best, slack) || !convex_shorter_way(a, b, -best.s, slack, &other.n)) break;
        simplex from_other = {0};
        other.s = convex_separation(&view, other.n);
        climb(&view, &from_other, INFINITY, &other);
        best = other;
        s = from_other;
        beyond_a = beyond_b = 0.0;
    }
    out->normal = best.n;
    out->gap = convex_separation(&view, best.n);
    simplex_nearest_points(&s, &out->on_a, &out->on_b);
    out->on_a = vec3_add_scaled(out->on_a, beyond_a, best.n);
    out->on_b = vec3_add_scaled(out->on_b, -beyond_b, best.n);
    if (s.count == 0) {
        out->on_a = convex_support(a, best.n, view.corner[0]).at;
        out->on_b = convex_support(b, vec3_neg(best.n), view.corner[1]).at;
    }
    out->corner[0] = view.corner[0];
    out->corner[1] = view.corner[1];
    return true;
}
