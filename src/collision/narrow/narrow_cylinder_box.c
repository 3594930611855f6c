// SPDX-License-Identifier: BSD-3-Clause
// Boxes against cylinders.
//
// In the box's frame, with half edges h, a cylinder of radius R and half length l about c along the unit z is separated
// from the box along a unit n, pointing from the box to the cylinder, by
//   s(n) = n . c - sum_k h_k |n_k| - l |n . z| - R |n x z|
// The largest s is the distance of disjoint ones, and its opposite the shortest way out of an overlap. It is reached at
// one of finitely many n, by what touches:
//   face against anything            n = +-e_k
//   end against anything             n = +-z
//   edge along e_k against the side  n = +-(z x e_k)
//   corner against the side          n radial, from the corner to the axis
//   corner against a rim             n to the rim's point nearest to the corner
//   edge against a rim               seen along the edge, the rim is an ellipse and the edge a point: n to its foot
// All are tried and the best is taken; no iteration but the foot's bisection, nothing to converge.
//
// Features that lie along n, or nearly, then give a manifold: the box's face or edge and the cylinder's end or the line
// of its side below, seen along n. Each point has the gap between those features along n.
#include "collision/narrow/narrow_cylinder.h"

#include "collision/narrow/ellipse_foot.h"
#include "collision/narrow/narrow_segment.h"

// Directions with a smaller sine between them span no plane.
static const double NO_PLANE = 1e-9;
// Of two nearly equal directions the one tried first is kept, in units of the smallest length: faces and ends go first.
static const double TIE = 1e-12;
// Sine of about 6 degrees, and the cosine of it: what nearly parallel means.
static const double NEARLY_PARALLEL = 0.1, NEARLY_ALONG = 0.995;
// Shorter stretches are one point, and a point nearer than the others by less adds nothing; in radii.
static const double TOLERANCE = 1e-4, NO_NEARER = 1e-13;

typedef struct box_cylinder {
    double half[3];         // m, of the box
    scr_vec3 centre, z;     // m, unit: of the cylinder
    double radius, length;  // m; half the axis
    scr_vec3 n;             // the best direction so far
    double separation;      // m, along it
    double tie;             // m
} box_cylinder;

static double component(scr_vec3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }
static scr_vec3 unit_axis(int k) { return vec3(k == 0, k == 1, k == 2); }

static scr_vec3 box_corner(const box_cylinder *p, int corner)
{
    return vec3(corner & 1 ? p->half[0] : -p->half[0], corner & 2 ? p->half[1] : -p->half[1],
                corner & 4 ? p->half[2] : -p->half[2]);
}

// ---- The direction ----

static void try_direction(box_cylinder *p, scr_vec3 n)
{
    double norm = vec3_norm(n);
    if (!(norm > 0.0)) return;
    n = vec3_scale(1.0 / norm, n);
    double box = p->half[0] * fabs(n.x) + p->half[1] * fabs(n.y) + p->half[2] * fabs(n.z);
    double cylinder = p->length * fabs(vec3_dot(n, p->z)) + p->radius * vec3_norm(vec3_cross(n, p->z));
    double separation = vec3_dot(n, p->centre) - box - cylinder;
    if (!(separation > p->separation + p->tie)) return;
    p->separation = separation;
    p->n = n;
}

// n or its opposite, whichever points to the cylinder
static void try_both(box_cylinder *p, scr_vec3 n) { try_direction(p, vec3_dot(n, p->centre) < 0.0 ? vec3_neg(n) : n); }

static void try_corner(box_cylinder *p, scr_vec3 corner)
{
    scr_vec3 arm = vec3_sub(corner, p->centre);
    double along = vec3_dot(arm, p->z);
    scr_vec3 radial = vec3_add_scaled(arm, -along, p->z);
    double distance = vec3_norm(radial);
    if (!(distance > NO_PLANE * p->radius)) return;  // on the axis: an end or an edge is nearer
    try_direction(p, vec3_neg(radial));
    scr_vec3 to_rim = vec3_scale(p->radius / distance, radial);
    for (int end = -1; end <= 1; end += 2)
        try_direction(p, vec3_sub(vec3_add_scaled(to_rim, end * p->length, p->z), arm));
}

// An edge along axis k through a corner, and the rim at an end.
static void try_edge_rim(box_cylinder *p, int k, scr_vec3 corner, int end)
{
    scr_vec3 edge = unit_axis(k), across = vec3_cross(p->z, edge);
    double sine = vec3_norm(across), b = p->radius * fabs(component(p->z, k));
    if (!(sine > NO_PLANE)) return;  // a circle: the side and the corners see to it
    across = vec3_scale(1.0 / sine, across);
    scr_vec3 up = vec3_cross(edge, across), m = vec3_sub(corner, vec3_add_scaled(p->centre, end * p->length, p->z));
    double mx = vec3_dot(m, across), my = vec3_dot(m, up), rise = vec3_dot(up, p->z);
    if (!(b > NO_PLANE * p->radius)) {  // a line: n across it, or to its nearer tip
        try_both(p, up);
        double to_tip = (mx < 0.0 ? -p->radius : p->radius) - mx;
        try_direction(p, vec3_add_scaled(vec3_scale(to_tip, across), -my, up));
        return;
    }
    ellipse_view e = {p->radius, b, fabs(mx), fabs(my)};
    double nx, ny;
    for (int side = -1; side <= 1; side += 2) {  // of the rim's long axis: only that on the cylinder's outside counts
        if (side * rise * end < 0.0) continue;
        if (side * my >= 0.0) ellipse_near_normal(&e, &nx, &ny);
        else if (!ellipse_far_normal(&e, &nx, &ny)) continue;
        try_direction(p, vec3_add_scaled(vec3_scale(mx < 0.0 ? nx : -nx, across), -side * ny, up));
    }
}

// Against n, from the axis to the line of the side that looks at the box; unit.
static scr_vec3 towards_box(const box_cylinder *p)
{
    scr_vec3 radial = vec3_add_scaled(p->n, -vec3_dot(p->n, p->z), p->z);
    return vec3_neg(vec3_unit(vec3_add_scaled(radial, -vec3_dot(radial, p->z), p->z)));
}

static double end_of_cylinder(const box_cylinder *p) { return vec3_dot(p->n, p->z) > 0.0 ? -p->length : p->length; }

// Whether no direction is better than that of a face, n: the cylinder's lowest point is over the face, `inside` of its
// outline. Apart, that is their distance. Of an overlap by d the difference of the two has a face around the nearest
// point that reaches as far inside, so that at an angle t from n it reaches d cos t + inside sin t >= d as long as
// tan(t/2) <= inside/d. With 8 there that is all but 14.3 degrees around the way back, where it reaches beyond its
// centre by a ball that fits both.
static bool is_best_face(const box_cylinder *p)
{
    if (!(vec3_norm(vec3_cross(p->n, p->z)) > NO_PLANE)) return false;  // on its end: no point is the lowest
    scr_vec3 lowest = vec3_add_scaled(p->centre, p->radius, towards_box(p));
    lowest = vec3_add_scaled(lowest, end_of_cylinder(p), p->z);
    double inside = INFINITY, depth = fmax(0.0, -p->separation), back = vec3_dot(p->centre, p->n);
    for (int k = 0; k < 3; ++k)
        if (component(p->n, k) == 0.0) inside = fmin(inside, p->half[k] - fabs(component(lowest, k)));
    double aside = vec3_norm(vec3_add_scaled(p->centre, -back, p->n)),
           inner = fmin(p->half[0], fmin(p->half[1], p->half[2])) + fmin(p->radius, p->length);
    return inside > 8.0 * depth && 0.969 * back - 0.248 * aside + inner >= depth;
}

enum { NO_EDGE = 3 };

// No direction separates them by more than this that points to the outside of the box at an edge along axis k through
// the corner; with NO_EDGE, at the corner itself. With d_i how far the cylinder's centre is outside the face i there,
//   s(n) = sum n_i d_i - (l |n . z| + R |n x z|),   n_i >= 0 along the faces' normals
// and of all n across the edge, where |n . z| <= q = |z x e_k|, the bracket is least where |n . z| is 0 or q. Edges and
// corners at the back of the box are out of the question by it, and many at its sides.
static double most_beyond(const box_cylinder *p, scr_vec3 corner, int k)
{
    double largest = -INFINITY, square = 0.0, along = k < 3 ? fabs(component(p->z, k)) : 0.0;
    for (int i = 0; i < 3; ++i) {
        if (i == k) continue;
        double at = component(p->centre, i), outside = (component(corner, i) < 0.0 ? -at : at) - p->half[i];
        largest = fmax(largest, outside);
        if (outside > 0.0) square += outside * outside;
    }
    double q = sqrt(fmax(0.0, 1.0 - along * along));
    return (square > 0.0 ? sqrt(square) : largest) - fmin(p->radius, p->length * q + p->radius * along);
}

static bool may_be_better(const box_cylinder *p, scr_vec3 corner, int k)
{
    return most_beyond(p, corner, k) > p->separation;
}

// Any direction that separates them by the reach will do: they do not touch. Most pairs end at a face.
static void find_direction(box_cylinder *p, double reach)
{
    p->separation = -INFINITY;
    for (int k = 2; k >= 0 && p->separation < reach; --k) try_both(p, unit_axis(k));
    if (!(p->separation < reach) || is_best_face(p)) return;
    if (p->separation < reach) try_both(p, p->z);
    for (int k = 0; k < 3 && p->separation < reach; ++k) {
        scr_vec3 cross = vec3_cross(p->z, unit_axis(k));
        if (vec3_norm(cross) > NO_PLANE) try_both(p, cross);
    }
    for (int corner = 0; corner < 8 && p->separation < reach; ++corner) {
        scr_vec3 at = box_corner(p, corner);
        if (may_be_better(p, at, NO_EDGE)) try_corner(p, at);
        for (int k = 0; k < 3; ++k) {
            if (corner >> k & 1 || !may_be_better(p, at, k)) continue;  // each edge from its lower corner
            try_edge_rim(p, k, at, -1);
            try_edge_rim(p, k, at, 1);
        }
    }
}

// ---- The features that face each other ----

// What the box turns towards n: a face if two of its axes are nearly across n and so free to move along, an edge if one
// is, else a corner.
typedef struct box_feature {
    bool is_free[3];
    int free_count;
    double level[3];  // m, the coordinates that are not free
} box_feature;

static box_feature feature_of_box(const box_cylinder *p, double across)
{
    box_feature feature = {0};
    for (int k = 0; k < 3; ++k) {
        double nk = component(p->n, k);
        feature.is_free[k] = fabs(nk) < across;
        feature.free_count += feature.is_free[k];
        feature.level[k] = nk < 0.0 ? -p->half[k] : p->half[k];
    }
    return feature;
}

// How far one has to go along n for a step v away from the box's feature.
static double rise_from_box(const box_cylinder *p, const box_feature *feature, scr_vec3 v)
{
    double rise = 0.0, square = 0.0;
    for (int k = 0; k < 3; ++k) {
        double nk = component(p->n, k);
        if (feature->is_free[k]) continue;
        rise += nk * component(v, k);
        square += nk * nk;
    }
    return rise / square;
}

// How far x is from the box's feature, along n.
static double above_box(const box_cylinder *p, const box_feature *feature, scr_vec3 x)
{
    return rise_from_box(p, feature, vec3_sub(x, vec3(feature->level[0], feature->level[1], feature->level[2])));
}

// How far a point of the box, its arm from the end's centre, is from the plane of the cylinder's end, along n.
static double below_end(const box_cylinder *p, scr_vec3 arm) { return -vec3_dot(arm, p->z) / vec3_dot(p->n, p->z); }

// The coordinates of x that are free, kept within the box; the others on its feature.
static scr_vec3 onto_box(const box_cylinder *p, const box_feature *feature, scr_vec3 x)
{
    double at[3];
    for (int k = 0; k < 3; ++k)
        at[k] = feature->is_free[k] ? fmax(-p->half[k], fmin(p->half[k], component(x, k))) : feature->level[k];
    return vec3(at[0], at[1], at[2]);
}

// ---- The manifold ----

// Features: the four points of an end's rim that turn with the cylinder, the box's corners, where its edges cross the
// rim, the ends of a line, the nearest point.
enum { FEATURE_RIM = 0, FEATURE_CORNER = 4, FEATURE_CROSSING = 12, FEATURE_LINE = 36, FEATURE_NEAREST = 38 };
enum { RIM_POINTS = 4, FOUND_MAX = 4 + 4 + 8 + 1 };

typedef struct manifold {
    const box_cylinder *pair;
    double reach;
    int count;
    contact_point found[FOUND_MAX];
} manifold;

// gap is along n, and but for rounding no less than the separation; at is on the box if on_box, else on the cylinder.
static void add_point(manifold *m, scr_vec3 at, bool on_box, double gap, int feature)
{
    gap = fmax(gap, m->pair->separation);
    if (!(gap < m->reach) || m->count == FOUND_MAX) return;
    scr_vec3 point = vec3_add_scaled(at, on_box ? 0.5 * gap : -0.5 * gap, m->pair->n);
    int i = m->count++;
    for (; i > 0 && m->found[i - 1].feature > (uint32_t)feature; --i) m->found[i] = m->found[i - 1];
    m->found[i] = (contact_point){point, m->pair->n, gap, (uint32_t)feature, {0.0, 0.0}};
}

// The interval of an edge of the box over the disc of an end, seen along n.
static interval interval_over_disc(const box_cylinder *p, const segment *s, scr_vec3 centre)
{
    scr_vec3 m = vec3_sub(s->middle, centre), e = vec3_add_scaled(s->arm, below_end(p, s->arm), p->n);
    m = vec3_add_scaled(m, below_end(p, m), p->n);
    double ee = vec3_dot(e, e), foot = -vec3_dot(m, e) / ee;
    scr_vec3 nearest = vec3_add_scaled(m, foot, e);
    double square = p->radius * p->radius - vec3_dot(nearest, nearest);
    if (!(square > 0.0)) return EMPTY_INTERVAL;
    double width = sqrt(square / ee);
    return (interval){fmax(-1.0, foot - width), fmin(1.0, foot + width)};
}

static segment box_edge(const box_cylinder *p, int along, scr_vec3 corner)
{
    scr_vec3 axis = unit_axis(along), middle = vec3_add_scaled(corner, -component(corner, along), axis);
    return (segment){middle, vec3_scale(p->half[along], axis)};
}

static bool is_on_feature(const box_feature *feature, scr_vec3 corner)
{
    for (int k = 0; k < 3; ++k)
        if (!feature->is_free[k] && component(corner, k) != feature->level[k]) return false;
    return true;
}

// Where the edge along axis k from a corner crosses the rim.
static void cross_rim(manifold *m, int k, int corner, scr_vec3 centre)
{
    const box_cylinder *p = m->pair;
    segment edge = box_edge(p, k, box_corner(p, corner));
    interval s = interval_over_disc(p, &edge, centre);
    int number = 4 * k + (corner >> (k + 1) % 3 & 1) + 2 * (corner >> (k + 2) % 3 & 1);
    for (int end = 0; end < 2 && (s.high - s.low) * p->half[k] > TOLERANCE * p->radius; ++end) {
        double u = end == 0 ? s.low : s.high;
        scr_vec3 at = segment_at(&edge, u);
        if (fabs(u) < 1.0)
            add_point(m, at, true, below_end(p, vec3_sub(at, centre)), FEATURE_CROSSING + 2 * number + end);
    }
}

// A face of the box and an end of the cylinder: what of each lies within the other, and where their outlines cross.
static void collide_end_on_face(manifold *m, const box_feature *feature, const scr_vec3 rim_axis[2])
{
    const box_cylinder *p = m->pair;
    scr_vec3 centre = vec3_add_scaled(p->centre, end_of_cylinder(p), p->z);
    for (int k = 0; k < RIM_POINTS; ++k) {
        scr_vec3 x = vec3_add_scaled(centre, k % 2 == 0 ? p->radius : -p->radius, rim_axis[k / 2]);
        double gap = above_box(p, feature, x);
        scr_vec3 foot = vec3_add_scaled(x, -gap, p->n);
        bool within = true;
        for (int i = 0; i < 3; ++i)
            if (feature->is_free[i] && fabs(component(foot, i)) > p->half[i]) within = false;
        if (within) add_point(m, x, false, gap, FEATURE_RIM + k);
    }
    for (int corner = 0; corner < 8; ++corner) {
        scr_vec3 x = box_corner(p, corner), arm = vec3_sub(x, centre);
        if (!is_on_feature(feature, x)) continue;
        double gap = below_end(p, arm);
        bool within = vec3_norm(vec3_add_scaled(arm, gap, p->n)) <= p->radius;
        if (within) add_point(m, x, true, gap, FEATURE_CORNER + corner);
        for (int k = 0; k < 3; ++k)  // each edge from its lower corner
            if (feature->is_free[k] && !(corner >> k & 1)) cross_rim(m, k, corner, centre);
    }
}

// An edge of the box across an end of the cylinder.
static void collide_end_on_edge(manifold *m, const box_feature *feature)
{
    const box_cylinder *p = m->pair;
    int along = feature->is_free[0] ? 0 : feature->is_free[1] ? 1 : 2;
    if (!(fabs(component(p->z, along)) < NEARLY_PARALLEL)) return;
    scr_vec3 centre = vec3_add_scaled(p->centre, end_of_cylinder(p), p->z);
    segment edge = box_edge(p, along, onto_box(p, feature, centre));
    interval s = interval_over_disc(p, &edge, centre);
    for (int end = 0; end < 2 && (s.high - s.low) * p->half[along] > TOLERANCE * p->radius; ++end) {
        scr_vec3 at = segment_at(&edge, end == 0 ? s.low : s.high);
        add_point(m, at, true, below_end(p, vec3_sub(at, centre)), FEATURE_LINE + end);
    }
}

// The line of the cylinder's side over a face, or along an edge.
static void collide_side(manifold *m, const box_feature *feature)
{
    const box_cylinder *p = m->pair;
    segment line = {vec3_add_scaled(p->centre, p->radius, towards_box(p)), vec3_scale(p->length, p->z)};
    scr_vec3 middle = vec3_add_scaled(line.middle, -above_box(p, feature, line.middle), p->n);  // seen along n
    scr_vec3 arm = vec3_add_scaled(line.arm, -rise_from_box(p, feature, line.arm), p->n);
    interval s = WHOLE_SEGMENT;
    double away = 0.0;
    for (int k = 0; k < 3; ++k) {
        if (feature->is_free[k]) {
            s = interval_clipped(s, p->half[k] - component(middle, k), -component(arm, k));
            s = interval_clipped(s, p->half[k] + component(middle, k), component(arm, k));
        } else {
            away += component(line.arm, k) * component(line.arm, k);
        }
    }
    if (!(away < NEARLY_PARALLEL * NEARLY_PARALLEL * p->length * p->length)) return;
    for (int end = 0; end < 2 && (s.high - s.low) * p->length > TOLERANCE * p->radius; ++end) {
        scr_vec3 at = segment_at(&line, end == 0 ? s.low : s.high), on_edge = onto_box(p, feature, at);
        if (feature->free_count == 2) add_point(m, at, false, above_box(p, feature, at), FEATURE_LINE + end);
        else  // not quite parallel the two diverge to the side: the edge's own distance from the side tells
            add_point(m, on_edge, true, vec3_norm(vec3_cross(vec3_sub(on_edge, p->centre), p->z)) - p->radius,
                      FEATURE_LINE + end);
    }
}

// Where the two are nearest: a point of the rim, a corner, or where an edge crosses the side's line.
static void add_nearest(manifold *m)
{
    const box_cylinder *p = m->pair;
    double nz = fabs(vec3_dot(p->n, p->z)), across = vec3_norm(vec3_cross(p->n, p->z));
    box_feature feature = feature_of_box(p, NO_PLANE);
    scr_vec3 line = vec3_add_scaled(p->centre, p->radius, towards_box(p));
    scr_vec3 end = vec3_add_scaled(p->centre, end_of_cylinder(p), p->z);
    if (nz > NO_PLANE && across > NO_PLANE) {
        // Leaning by little more than rounding, the best n may be a face's though the rim's lowest point is beside it.
        scr_vec3 at = vec3_add_scaled(line, end_of_cylinder(p), p->z), foot = vec3_add_scaled(at, -p->separation, p->n);
        bool beside = vec3_norm(vec3_sub(foot, onto_box(p, &feature, foot))) > TOLERANCE * p->radius;
        if (!beside || m->count == 0) add_point(m, at, false, p->separation, FEATURE_NEAREST);
    } else if (feature.free_count == 1 && nz <= NO_PLANE) {
        int along = feature.is_free[0] ? 0 : feature.is_free[1] ? 1 : 2;
        segment edge = box_edge(p, along, onto_box(p, &feature, line)), side = {line, vec3_scale(p->length, p->z)};
        add_point(m, segment_at(&edge, segments_nearest(&edge, &side).u), true, p->separation, FEATURE_NEAREST);
    } else {
        add_point(m, onto_box(p, &feature, nz > NO_PLANE ? end : line), true, p->separation, FEATURE_NEAREST);
    }
}

int narrow_box_cylinder(const placed_shape *a, const placed_shape *b, double reach, contact_point out[MANIFOLD_MAX])
{
    scr_quat rotation = quat_mul(quat_conj(a->pose.rotation), b->pose.rotation);
    box_cylinder p = {.half = {a->half.x, a->half.y, a->half.z},
                      .centre = pose_unapply(a->pose, b->pose.position),
                      .z = quat_z(rotation),
                      .radius = b->radius,
                      .length = b->half.z};
    p.tie = TIE * fmin(fmin(p.radius, p.length), fmin(p.half[0], fmin(p.half[1], p.half[2])));
    find_direction(&p, reach);
    if (!(p.separation < reach) || p.separation == -INFINITY) return 0;  // -INFINITY if coordinates are no numbers

    manifold m = {.pair = &p, .reach = reach};
    box_feature feature = feature_of_box(&p, NEARLY_PARALLEL);
    double nz = fabs(vec3_dot(p.n, p.z));
    const scr_vec3 rim_axis[2] = {quat_rotate(rotation, vec3(1.0, 0.0, 0.0)),
                                  quat_rotate(rotation, vec3(0.0, 1.0, 0.0))};
    if (nz > NEARLY_ALONG && feature.free_count == 2) collide_end_on_face(&m, &feature, rim_axis);
    if (nz > NEARLY_ALONG && feature.free_count == 1) collide_end_on_edge(&m, &feature);
    if (nz < NEARLY_PARALLEL && feature.free_count > 0) collide_side(&m, &feature);

    double least = INFINITY;
    for (int i = 0; i < m.count; ++i) least = fmin(least, m.found[i].gap);
    if (!(least <= p.separation + NO_NEARER * p.radius)) add_nearest(&m);

    // Too many are only the rim's own points too many: they come first.
    int skip = m.count > MANIFOLD_MAX ? m.count - MANIFOLD_MAX : 0;
    for (int i = skip; i < m.count; ++i) {
        out[i - skip] = m.found[i];
        out[i - skip].point = pose_apply(a->pose, m.found[i].point);
        out[i - skip].normal = quat_rotate(a->pose.rotation, m.found[i].normal);
    }
    return m.count - skip;
}
