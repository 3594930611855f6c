// SPDX-License-Identifier: BSD-3-Clause
// Flat features against each other: polygons and lines, seen along the normal.
//
// Both features are projected along the normal n to a plane, with coordinates (u, v) and a height h along n. Points of
// contact are the corners of either that lie within the other, and the crossings of their outlines: together the
// corners of the overlap of the two. At each, the gap is the height of b's feature above a's. Every candidate is found
// for itself and named by what meets, so a point keeps its feature while others come and go.
//
// Within the tolerance of an outline counts as inside, and a point within a few tolerances of one that is there already
// is left out: two equal boxes stacked flush have four corners as their manifold, whatever their last digits say.
#include "collision/convex/convex_manifold.h"

static const double TOLERANCE = 1e-4;      // of the smaller shape
static const double GAP_SLACK = 1e-5;      // of the smaller shape: flat faces are flat to about this
static const double BESIDE = 0.01;         // of the thinner shape: so far may lines be off each other where they end
static const double PARALLEL_SINE = 0.01;  // lines at a larger angle meet in one point

typedef struct flat_point {
    double u, v, h;
} flat_point;  // m

// A feature seen along the normal. A line has two corners and, as its slope, what the height gains along it.
typedef struct flat_view {
    int count;
    flat_point at[FEATURE_CORNERS];
    const uint16_t *number;
    double slope_u, slope_v;  // of the feature's plane: h = h0 + slope_u (u - u0) + slope_v (v - v0)
} flat_view;

typedef struct overlap {
    flat_view a, b;
    double tolerance;  // m
    double beside;     // m; a round shape's height is right to the square of this over its radius
    scr_vec3 e1, e2, n;
    double margin_a, margin_b;  // m
    int count;
    contact_point found[2 * FEATURE_CORNERS];
} overlap;

static scr_vec3 any_across(scr_vec3 n)
{
    scr_vec3 axis = fabs(n.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    return vec3_unit(vec3_cross(n, axis));
}

// The feature's corners counter-clockwise about n, which is why those of b, which were so about -n, are taken
// backwards.
static void view_feature(const overlap *o, const flat_feature *feature, bool backwards,
                         uint16_t number[FEATURE_CORNERS], flat_view *view)
{
    view->count = feature->count;
    view->number = number;
    for (int k = 0; k < feature->count; ++k) {
        int from = backwards ? feature->count - 1 - k : k;
        scr_vec3 p = feature->at[from];
        view->at[k] = (flat_point){vec3_dot(p, o->e1), vec3_dot(p, o->e2), vec3_dot(p, o->n)};
        number[k] = feature->number[from];
    }
}

// The plane through a polygon: its normal by Newell's sum. Of a line: the slope along it, level across it.
static void find_slope(flat_view *view)
{
    if (view->count == 2) {
        double du = view->at[1].u - view->at[0].u, dv = view->at[1].v - view->at[0].v,
               dh = view->at[1].h - view->at[0].h;
        double square = du * du + dv * dv, share = square > 0.0 ? dh / square : 0.0;
        view->slope_u = share * du;
        view->slope_v = share * dv;
        return;
    }
    double nu = 0.0, nv = 0.0, nh = 0.0;
    flat_point origin = view->at[0];
    for (int k = 1; k + 1 < view->count; ++k) {
        flat_point p = view->at[k], q = view->at[k + 1];
        double pu = p.u - origin.u, pv = p.v - origin.v, ph = p.h - origin.h;
        double qu = q.u - origin.u, qv = q.v - origin.v, qh = q.h - origin.h;
        nu += pv * qh - ph * qv;
        nv += ph * qu - pu * qh;
        nh += pu * qv - pv * qu;
    }
    view->slope_u = nh != 0.0 ? -nu / nh : 0.0;
    view->slope_v = nh != 0.0 ? -nv / nh : 0.0;
}

static double height_at(const flat_view *view, double u, double v)
{
    return view->at[0].h + view->slope_u * (u - view->at[0].u) + view->slope_v * (v - view->at[0].v);
}

// How far (u, v) is left of the side from corner k to the next.
static double left_of_side(const flat_view *view, int k, double u, double v)
{
    flat_point p = view->at[k], q = view->at[(k + 1) % view->count];
    double du = q.u - p.u, dv = q.v - p.v, length = sqrt(du * du + dv * dv);
    return length > 0.0 ? (du * (v - p.v) - dv * (u - p.u)) / length : 0.0;
}

// On a polygon to within the tolerance, or beside a line by no more than it may be off.
static bool is_within(const flat_view *view, double u, double v, double tolerance, double beside)
{
    if (view->count == 2) {
        flat_point p = view->at[0], q = view->at[1];
        double du = q.u - p.u, dv = q.v - p.v, length = sqrt(du * du + dv * dv);
        double along = du * (u - p.u) + dv * (v - p.v);
        if (fabs(left_of_side(view, 0, u, v)) > beside) return false;
        return along >= -tolerance * length && along <= (length + tolerance) * length;
    }
    for (int k = 0; k < view->count; ++k)
        if (left_of_side(view, k, u, v) < -tolerance) return false;
    return true;
}

static void add_point(overlap *o, double u, double v, double height_a, double height_b, uint32_t feature)
{
    double top = height_a + o->margin_a, bottom = height_b - o->margin_b, gap = bottom - top,
           middle = 0.5 * (top + bottom);
    if (o->count == 2 * FEATURE_CORNERS) return;
    scr_vec3 across = vec3_add(vec3_scale(u, o->e1), vec3_scale(v, o->e2)), at = vec3_add_scaled(across, middle, o->n);
    for (int k = 0; k < o->count; ++k) {
        scr_vec3 arm = vec3_sub(at, o->found[k].point);
        if (fabs(vec3_dot(arm, o->e1)) <= 3.0 * o->tolerance && fabs(vec3_dot(arm, o->e2)) <= 3.0 * o->tolerance)
            return;
    }
    o->found[o->count++] = (contact_point){at, o->n, gap, feature, {0.0, 0.0}};
}

static void add_corners_of_b(overlap *o)
{
    for (int k = 0; k < o->b.count; ++k) {
        flat_point p = o->b.at[k];
        if (is_within(&o->a, p.u, p.v, o->tolerance, o->beside))
            add_point(o, p.u, p.v, height_at(&o->a, p.u, p.v), p.h, convex_feature(FEATURE_FACE, o->b.number[k]));
    }
}

static void add_corners_of_a(overlap *o)
{
    for (int k = 0; k < o->a.count; ++k) {
        flat_point p = o->a.at[k];
        if (is_within(&o->b, p.u, p.v, o->tolerance, o->beside))
            add_point(o, p.u, p.v, p.h, height_at(&o->b, p.u, p.v), convex_feature(o->a.number[k], FEATURE_FACE));
    }
}

static void add_crossing(overlap *o, int i, int j)
{
    flat_point a = o->a.at[i], a2 = o->a.at[(i + 1) % o->a.count], b = o->b.at[j], b2 = o->b.at[(j + 1) % o->b.count];
    double au = a2.u - a.u, av = a2.v - a.v, bu = b2.u - b.u, bv = b2.v - b.v, cross = au * bv - av * bu;
    // Sides within the tolerance of each other lie along each other: their ends say it all.
    if (fabs(left_of_side(&o->a, i, b.u, b.v)) <= o->tolerance &&
        fabs(left_of_side(&o->a, i, b2.u, b2.v)) <= o->tolerance)
        return;
    if (fabs(left_of_side(&o->b, j, a.u, a.v)) <= o->tolerance &&
        fabs(left_of_side(&o->b, j, a2.u, a2.v)) <= o->tolerance)
        return;
    if (cross == 0.0) return;
    double t = ((b.u - a.u) * bv - (b.v - a.v) * bu) / cross, r = ((b.u - a.u) * av - (b.v - a.v) * au) / cross;
    if (!(t > 0.0 && t < 1.0 && r > 0.0 && r < 1.0)) return;
    add_point(o, a.u + t * au, a.v + t * av, a.h + t * (a2.h - a.h), b.h + r * (b2.h - b.h),
              convex_feature(o->a.number[i], o->b.number[j]));
}

static void add_crossings(overlap *o)
{
    int sides_a = o->a.count == 2 ? 1 : o->a.count, sides_b = o->b.count == 2 ? 1 : o->b.count;
    for (int i = 0; i < sides_a; ++i) {
        for (int j = 0; j < sides_b; ++j) add_crossing(o, i, j);
    }
}

static bool lines_are_parallel(const flat_view *a, const flat_view *b)
{
    double au = a->at[1].u - a->at[0].u, av = a->at[1].v - a->at[0].v;
    double bu = b->at[1].u - b->at[0].u, bv = b->at[1].v - b->at[0].v;
    double cross = au * bv - av * bu, square = (au * au + av * av) * (bu * bu + bv * bv);
    return cross * cross <= PARALLEL_SINE * PARALLEL_SINE * square;
}

static void sort_by_feature(contact_point *points, int count)
{
    for (int i = 1; i < count; ++i) {
        contact_point p = points[i];
        int k = i;
        for (; k > 0 && points[k - 1].feature > p.feature; --k) points[k] = points[k - 1];
        points[k] = p;
    }
}

int spread_points(contact_point *points, int count)
{
    sort_by_feature(points, count);
    if (count <= MANIFOLD_MAX) return count;
    int next = 0;
    for (int k = 1; k < count; ++k)
        if (points[k].gap < points[next].gap) next = k;
    for (int kept = 0; kept < MANIFOLD_MAX; ++kept) {
        contact_point p = points[next];
        points[next] = points[kept];
        points[kept] = p;
        double farthest = -1.0;
        for (int k = kept + 1; k < count; ++k) {
            double nearest = INFINITY;
            for (int m = 0; m <= kept; ++m) {
                scr_vec3 arm = vec3_sub(points[k].point, points[m].point);
                nearest = fmin(nearest, vec3_dot(arm, arm));
            }
            if (nearest > farthest) {
                farthest = nearest;
                next = k;
            }
        }
    }
    sort_by_feature(points, MANIFOLD_MAX);
    return MANIFOLD_MAX;
}

// Round features are only shown by some of their points, and flat ones are flat to the tolerance: see to it that the
// nearest point is as near as the shapes are.
static void match_gap(overlap *o, const convex_gap *gap, double size)
{
    double found_gap = gap->gap - o->margin_a - o->margin_b, nearest = INFINITY;
    for (int k = 0; k < o->count; ++k) nearest = fmin(nearest, o->found[k].gap);
    if (fabs(nearest - found_gap) <= GAP_SLACK * size) {
        for (int k = 0; k < o->count; ++k) o->found[k].gap += found_gap - nearest;
        return;
    }
    // beside a line: none is nearer
    for (int k = 0; k < o->count; ++k) o->found[k].gap = fmax(o->found[k].gap, found_gap);
    if (o->count == 2 * FEATURE_CORNERS) o->count -= 1;
    scr_vec3 at = vec3_scale(
        0.5, vec3_add(vec3_add_scaled(gap->on_a, o->margin_a, o->n), vec3_add_scaled(gap->on_b, -o->margin_b, o->n)));
    o->found[o->count++] =
        (contact_point){at, o->n, found_gap, convex_feature(FEATURE_NEAREST, FEATURE_NEAREST), {0.0, 0.0}};
}

int convex_manifold(const convex_shape *a, const convex_shape *b, const convex_gap *gap, double reach,
                    contact_point out[MANIFOLD_MAX])
{
    flat_feature feature_a, feature_b;
    convex_flat_feature(a, gap->normal, gap->corner[0], &feature_a);
    if (feature_a.count == 0) return 0;
    convex_flat_feature(b, vec3_neg(gap->normal), gap->corner[1], &feature_b);
    if (feature_b.count == 0) return 0;

    overlap o;
    uint16_t number_a[FEATURE_CORNERS], number_b[FEATURE_CORNERS];
    double size = fmin(a->size + a->margin, b->size + b->margin);
    o.tolerance = TOLERANCE * size;
    double thick_a = a->inner + a->margin, thick_b = b->inner + b->margin;
    o.beside =
        o.tolerance + BESIDE * (thick_a > 0.0 && thick_b > 0.0 ? fmin(thick_a, thick_b) : fmax(thick_a, thick_b));
    o.n = gap->normal;
    o.e1 = any_across(o.n);
    o.e2 = vec3_cross(o.n, o.e1);
    o.margin_a = a->margin, o.margin_b = b->margin;
    o.count = 0;
    view_feature(&o, &feature_a, false, number_a, &o.a);
    view_feature(&o, &feature_b, feature_b.count > 2, number_b, &o.b);
    if (feature_a.count == 2 && feature_b.count == 2 && !lines_are_parallel(&o.a, &o.b)) return 0;
    find_slope(&o.a);
    find_slope(&o.b);
    bool both_lines = o.a.count == 2 && o.b.count == 2;
    // Of corners in one place that of a stays: a triangle's corner may be a matter of how a floor was cut.
    if (o.b.count > 2 || both_lines) add_corners_of_a(&o);
    if (o.a.count > 2 || both_lines) add_corners_of_b(&o);
    if (!both_lines) add_crossings(&o);
    if (o.count == 0) return 0;
    match_gap(&o, gap, size);

    int count = 0;
    for (int k = 0; k < o.count; ++k)
        if (o.found[k].gap < reach) o.found[count++] = o.found[k];
    count = spread_points(o.found, count);
    for (int k = 0; k < count; ++k) out[k] = o.found[k];
    return count;
}
