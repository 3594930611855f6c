// SPDX-License-Identifier: BSD-3-Clause
// The gap of any two convex shapes, from their support points alone.
//
// Along a unit direction n from a to b the shapes are apart by
//   s(n) = n . (xb(-n) - xa(n))
// and the gap is the largest s(n) of all. If that is positive it is the distance, and n points along the shortest way;
// if negative, moving b by -s along n is the shortest way out.
//
// Distance: the method of Gilbert, Johnson and Keerthi walks through points w = xb(-n) - xa(n) of the difference of the
// two sets, keeps at most three whose triangle is nearest to the origin, and ends when the triangle's distance, an
// upper bound, meets s(n), a lower one. It is exact for flat shapes and settles quickly for round ones, but only where
// the shapes are clearly apart: at a gap near zero the direction is lost to rounding.
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
// libccd offers MPR and GJK with EPA for such pairs, and is measured beside this in bench/convex.c, with the same
// support functions. It has no distance of disjoint shapes. Of shapes of 1 m that overlap by 0.01 m, MPR at a tolerance
// of 1e-10 is off in depth by up to 1e-3 m for hulls of 50 corners and 5e-3 m for cylinders, because it follows the
// line of centres and not the shortest way out; it is 3 and 6 times as fast. GJK with EPA is off by the whole depth for
// some, allocates as it goes, and is 1.4 and 3 times as fast. Contacts need the gap to 1e-9, so neither is used.
#include "collision/convex/convex_gap.h"

#include "collision/convex/convex_depth.h"

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
enum { STEP_MAX = 80, CLIMB_MAX = 24, SUMMIT_MAX = 8, IDLE_MAX = 4 };

typedef struct simplex_point {
    scr_vec3 a, b;  // m, of the cores
    scr_vec3 w;     // m, their difference as the view shows it
} simplex_point;

typedef struct simplex {
    int count;  // up to 3 between steps
    simplex_point p[4];
    double share[3];   // of each point in the nearest one
    scr_vec3 nearest;  // m, to the origin
} simplex;

// The two cores as one looks at them: shrunk about their centres, and b moved.
typedef struct pair_view {
    const convex_shape *a, *b;
    double scale_a, scale_b;
    scr_vec3 shift;  // m
    double large;    // m, of the order of the largest coordinate
    int32_t corner[2];
} pair_view;

typedef enum walk_end { WALK_APART, WALK_OVERLAP, WALK_FAR } walk_end;

static scr_vec3 difference(const pair_view *view, scr_vec3 a, scr_vec3 b)
{
    if (view->scale_a != 1.0) a = vec3_add_scaled(view->a->centre, view->scale_a, vec3_sub(a, view->a->centre));
    if (view->scale_b != 1.0) b = vec3_add_scaled(view->b->centre, view->scale_b, vec3_sub(b, view->b->centre));
    return vec3_add(vec3_sub(b, a), view->shift);
}

static simplex_point support(pair_view *view, scr_vec3 n)
{
    support_point a = convex_support(view->a, n, view->corner[0]);
    support_point b = convex_support(view->b, vec3_neg(n), view->corner[1]);
    view->corner[0] = a.corner;
    view->corner[1] = b.corner;
    return (simplex_point){a.at, b.at, difference(view, a.at, b.at)};
}

// The point of a simplex's face nearest to the origin: which corners, and how much of each.
typedef struct nearest_feature {
    int count, corner[3];
    double share[3];
    scr_vec3 at;
    double square;
} nearest_feature;

static void keep_nearer(nearest_feature *best, const nearest_feature *other)
{
    if (other->square < best->square) *best = *other;
}

// What rounding has left of a vector along another that it should be square to is taken away: of a short vector between
// long ones this is most of the error of its direction.
static scr_vec3 squared_to(scr_vec3 v, scr_vec3 along, double square)
{
    return vec3_add_scaled(v, -vec3_dot(v, along) / square, along);
}

static nearest_feature nearest_on_line(const simplex_point *p, int i, int j)
{
    scr_vec3 along = vec3_sub(p[j].w, p[i].w);
    double length = vec3_dot(along, along), t = -vec3_dot(p[i].w, along);
    nearest_feature near;
    if (!(t > 0.0)) near = (nearest_feature){1, {i}, {1.0}, p[i].w, 0.0};
    else if (t >= length) near = (nearest_feature){1, {j}, {1.0}, p[j].w, 0.0};
    else {
        t /= length;
        scr_vec3 at = squared_to(vec3_add_scaled(p[i].w, t, along), along, length);
        near = (nearest_feature){2, {i, j}, {1.0 - t, t}, at, 0.0};
    }
    near.square = vec3_dot(near.at, near.at);
    return near;
}

// Inside the triangle, or on its sides; a sliver has no inside. Round shapes make triangles a million times as long as
// high: measured as base and height, both as vectors, they keep their digits, where normal equations would square the
// ratio. The base is the longest side.
static nearest_feature nearest_on_triangle(const simplex_point *p, int i, int j, int k)
{
    scr_vec3 ij = vec3_sub(p[j].w, p[i].w), ik = vec3_sub(p[k].w, p[i].w), jk = vec3_sub(p[k].w, p[j].w);
    double square_ij = vec3_dot(ij, ij), square_ik = vec3_dot(ik, ik), square_jk = vec3_dot(jk, jk);
    int from = i, to = j, top = k;
    scr_vec3 base = ij, side = ik;
    double square = square_ij;
    if (square_ik > square) from = i, to = k, top = j, base = ik, side = ij, square = square_ik;
    if (square_jk > square) from = j, to = k, top = i, base = jk, side = vec3_neg(ij), square = square_jk;

    double lean = vec3_dot(side, base) / square;
    scr_vec3 height = vec3_add_scaled(side, -lean, base);
    double height_square = vec3_dot(height, height);
    if (height_square > 1e-28 * square) {
        double t = -vec3_dot(p[from].w, height) / height_square;
        double s = -vec3_dot(p[from].w, base) / square - t * lean;
        if (t > 0.0 && s > 0.0 && s + t < 1.0) {
            scr_vec3 at = vec3_add_scaled(vec3_add_scaled(p[from].w, s + t * lean, base), t, height);
            at = squared_to(squared_to(at, height, height_square), base, square);
            return (nearest_feature){3, {from, to, top}, {1.0 - s - t, s, t}, at, vec3_dot(at, at)};
        }
    }
    nearest_feature best = nearest_on_line(p, i, j), other = nearest_on_line(p, i, k);
    keep_nearer(&best, &other);
    other = nearest_on_line(p, j, k);
    keep_nearer(&best, &other);
    return best;
}

// The three faces that contain the last point; false if the origin is behind all of them, inside the tetrahedron.
static bool nearest_on_tetrahedron(const simplex_point *p, nearest_feature *best)
{
    bool outside = false;
    *best = (nearest_feature){.square = INFINITY};
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        scr_vec3 normal = vec3_cross(vec3_sub(p[i].w, p[3].w), vec3_sub(p[j].w, p[3].w));
        double origin = -vec3_dot(normal, p[3].w), opposite = vec3_dot(normal, vec3_sub(p[k].w, p[3].w));
        if (origin * opposite > 0.0) continue;
        nearest_feature near = nearest_on_triangle(p, 3, i, j);
        keep_nearer(best, &near);
        outside = true;
    }
    return outside;
}

// The part of the simplex that is nearest to the origin; false if the origin is inside.
static bool nearest_on_simplex(const simplex *s, nearest_feature *near)
{
    switch (s->count) {
    case 1: *near = (nearest_feature){1, {0}, {1.0}, s->p[0].w, 0.0}; return true;
    case 2: *near = nearest_on_line(s->p, 0, 1); return true;
    case 3: *near = nearest_on_triangle(s->p, 0, 1, 2); return true;
    default: return nearest_on_tetrahedron(s->p, near);
    }
}

static void reduce_to(simplex *s, const nearest_feature *near)
{
    bool needed[4] = {false};
    for (int k = 0; k < near->count; ++k) needed[near->corner[k]] = true;
    int new_index[4] = {0}, count = 0;
    for (int k = 0; k < s->count; ++k) {
        if (!needed[k]) continue;
        new_index[k] = count;
        if (count != k) s->p[count] = s->p[k];
        ++count;
    }
    for (int k = 0; k < near->count; ++k) s->share[new_index[near->corner[k]]] = near->share[k];
    s->count = count;
    s->nearest = near->at;
}

static bool is_in(const simplex *s, const simplex_point *p)
{
    for (int k = 0; k < s->count; ++k)
        if (s->p[k].w.x == p->w.x && s->p[k].w.y == p->w.y && s->p[k].w.z == p->w.z) return true;
    return false;
}

// Begin with the points there are, seen in this view, or with the one along the line of centres.
static void begin_walk(pair_view *view, simplex *s)
{
    for (int k = 0; k < s->count; ++k) s->p[k].w = difference(view, s->p[k].a, s->p[k].b);
    if (s->count == 0) {
        scr_vec3 between = vec3_add(vec3_sub(view->b->centre, view->a->centre), view->shift);
        s->p[s->count++] = support(view, vec3_unit(between));
    }
    nearest_feature near;
    nearest_on_simplex(s, &near);
    reduce_to(s, &near);
}

// Walk to the point of the difference set nearest to the origin, until its distance is known to the accuracy (m).
// *normal is the direction with the best lower bound. Far means: a direction was found along which the shapes, not
// shrunk, are out of reach.
//
// Near the end the distance is level where the lower bound is steep: a direction off by t changes the first by t^2 and
// the second by t. So a step that seems to bring nothing may still turn the direction right, and some are allowed.
static walk_end walk(pair_view *view, simplex *s, double reach, double accuracy, scr_vec3 *normal)
{
    double best = -INFINITY;
    int idle = 0;
    begin_walk(view, s);
    for (int step = 0; step < STEP_MAX; ++step) {
        double distance = vec3_norm(s->nearest);
        if (!(distance > NOTHING * view->large)) return best > 0.0 ? WALK_APART : WALK_OVERLAP;
        scr_vec3 n = vec3_scale(1.0 / distance, s->nearest);
        simplex_point next = support(view, n);
        double lower = vec3_dot(n, next.w);
        if (lower > best) {
            best = lower;
            *normal = n;
        }
        if (vec3_dot(n, vec3_add(vec3_sub(next.b, next.a), view->shift)) >= reach) return WALK_FAR;
        if (distance - lower <= accuracy || is_in(s, &next)) return WALK_APART;
        nearest_feature near;
        s->p[s->count++] = next;
        bool outside = nearest_on_simplex(s, &near);
        if (outside && !(near.square < distance * distance)) ++idle;
        if (!outside || idle > IDLE_MAX) {
            s->count -= 1;  // rounding: no way on, or an origin that seems inside though a plane separates it
            return best > 0.0 || outside ? WALK_APART : WALK_OVERLAP;
        }
        reduce_to(s, &near);
    }
    return WALK_APART;
}

static double separation(pair_view *view, scr_vec3 n)
{
    support_point a = convex_support(view->a, n, view->corner[0]);
    support_point b = convex_support(view->b, vec3_neg(n), view->corner[1]);
    view->corner[0] = a.corner;
    view->corner[1] = b.corner;
    return vec3_dot(n, vec3_sub(b.at, a.at));
}

typedef struct direction {
    scr_vec3 n;
    double s;  // m
} direction;

static void try_direction(pair_view *view, scr_vec3 n, direction *best)
{
    double s = separation(view, n);
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
    walk_end end = walk(view, s, reach, COARSE * by, &first->n);
    view->scale_a = view->scale_b = 1.0;
    if (end == WALK_FAR) return false;
    if (end == WALK_OVERLAP) {
        s->count = 0;
        *first = deep_direction(view);
        return first->s < reach;
    }
    first->s = separation(view, first->n);
    return first->s < reach;
}

// The lifted direction is right for faces; at a tiny distance between corners and edges the plain one is better.
// Returns whether that is proved, so that there is nothing more to gain from lifting.
static bool try_unlifted(pair_view *view, simplex *s, direction *best)
{
    simplex plain = *s;
    scr_vec3 n;
    view->shift = vec3(0.0, 0.0, 0.0);
    if (walk(view, &plain, INFINITY, FINE * view->large, &n) != WALK_APART) return false;
    double gap = separation(view, n);
    if (!(gap > best->s)) return false;
    *best = (direction){n, gap};
    *s = plain;
    return vec3_norm(plain.nearest) - gap <= SETTLED * view->large;
}

static void nearest_points(const simplex *s, scr_vec3 *on_a, scr_vec3 *on_b)
{
    *on_a = *on_b = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < s->count; ++k) {
        *on_a = vec3_add_scaled(*on_a, s->share[k], s->p[k].a);
        *on_b = vec3_add_scaled(*on_b, s->share[k], s->p[k].b);
    }
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
        walk_end end = walk(view, s, lifted ? INFINITY : reach, accuracy, &n);
        if (end == WALK_FAR) return false;
        if (end == WALK_OVERLAP) break;  // only rounding says so: best.n separates them
        double before = best->s, found = separation(view, n);
        if (found > best->s || !lifted) *best = (direction){n, found};
        if (!lifted || (best->s > -apart && try_unlifted(view, s, best))) break;
        if (step > 0 && !(best->s - before > SETTLED * large)) break;
    }
    return best->s < reach;
}

bool convex_gap_find(const convex_shape *a, const convex_shape *b, double reach, convex_gap *out)
{
    pair_view view = {
        .a = a, .b = b, .scale_a = 1.0, .scale_b = 1.0, .large = fmax(a->size + a->margin, b->size + b->margin)};
    simplex s = {0};
    direction best;
    if (!first_direction(&view, &s, reach, &best) || !climb(&view, &s, reach, &best)) return false;
    for (int again = 0; again < SUMMIT_MAX && best.s < 0.0 && !is_shortest(&view, &s, &best); ++again) {
        direction other = best;
        double share = is_flat(a) && is_flat(b) ? 0.0 : SHORTER;
        double slack = -share * best.s + SHORTER_LEAST * (a->size + b->size);
        if (!convex_shorter_way(a, b, -best.s, slack, &other.n)) break;
        simplex from_other = {0};
        other.s = separation(&view, other.n);
        climb(&view, &from_other, INFINITY, &other);
        best = other;
        s = from_other;
    }
    out->normal = best.n;
    out->gap = separation(&view, best.n);
    nearest_points(&s, &out->on_a, &out->on_b);
    if (s.count == 0) {
        out->on_a = convex_support(a, best.n, view.corner[0]).at;
        out->on_b = convex_support(b, vec3_neg(best.n), view.corner[1]).at;
    }
    out->corner[0] = view.corner[0];
    out->corner[1] = view.corner[1];
    return true;
}
