// Ellipsoids against flat bodies with corners: triangles, and the segment inside a capsule.
//
// In the ellipsoid's frame, centre at the origin, the height of a body with corners c over it along the unit vector n
// is
//   s(n) = (least n.c over the corners) - h(n)
// and has its maximum (see ellipsoid_support.h) along one of few directions, one a part of the body:
//   face     its normal
//   edge     among all n across the edge: the ellipse that the ellipsoid's shadow along the edge is, and a point
//   corner   the ellipsoid's normal nearest to the corner
// A direction is the right one if the point of the ellipsoid there, moved along n by s, lies in that part, and no
// corner is nearer along n. If then s > 0, or the overlap fits the inner ball, the search is over. Else the overlap is
// deep: the shortest way out of an edge or a corner may be closed by the rest of the body. Each of them has one other
// at most (ellipsoid_support.c); the highest of all directions, with the whole body counted, is taken.
#include "collision/ellipsoid_support.h"
#include "collision/narrow_ellipsoid.h"

enum { CORNERS_MAX = 3 };

// How far the foot of a perpendicular may be outside an edge or a face and count as in it, in units of its length.
static const double EDGE_ROUNDING = 1e-12;

typedef struct corners {
    scr_vec3 semi_axes;        // m, of the ellipsoid, along x, y, z
    scr_vec3 at[CORNERS_MAX];  // m, from its centre
    int count;
    scr_vec3 best;  // the highest direction so far
    double height;  // m, s along it
} corners;

// s(n), n having become the best direction if it is the highest so far.
static double look_along(corners *c, scr_vec3 n)
{
    double nearest = INFINITY;
    for (int k = 0; k < c->count; ++k) nearest = fmin(nearest, vec3_dot(n, c->at[k]));
    double s = nearest - vec3_norm(vec3_mul(c->semi_axes, n));
    if (s > c->height) {
        c->height = s;
        c->best = n;
    }
    return s;
}

// Whether s along n, stationary in a part of the body, is the highest there is.
static bool is_highest(const corners *c, scr_vec3 n, double s)
{
    return s >= 0.0 || -s <= inner_ball(least_of(c->semi_axes), vec3_norm(vec3_mul(c->semi_axes, n)));
}

// The ellipse that is the ellipsoid's shadow along the unit vector e: its axes, across e, and their halves.
//
// f and g, any two unit vectors across e and each other, are turned until the quadratic form (A x)^2 has no mixed term.
typedef struct shadow {
    scr_vec3 f, g;
    scr_vec3
        semi_axes;  // m; the third is longer than the others: with nothing along it, it has no part in what is nearest
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

// The unit vector along the edge from corner k to the next, and its length; false if it has none.
static bool edge_from(const corners *c, int k, scr_vec3 *e, double *length)
{
    scr_vec3 along = vec3_sub(c->at[(k + 1) % c->count], c->at[k]);
    *length = vec3_norm(along);
    if (!(*length > 0.0)) return false;
    *e = vec3_scale(1.0 / *length, along);
    return true;
}

// Looks along the direction of an edge. True if it is the highest: of the whole body, not the edge alone.
static bool edge_decides(corners *c, int k)
{
    scr_vec3 p = c->at[k], e;
    double length;
    if (!edge_from(c, k, &e, &length)) return false;
    shadow shade = shadow_along(c->semi_axes, e);
    scr_vec3 n = from_shadow(&shade, ellipsoid_nearest_normal(shade.semi_axes, in_shadow(&shade, p)));
    double s = look_along(c, n);
    // Across the edge both its ends are equally near; a third corner that is nearer has the last word.
    ellipsoid_end end = ellipsoid_end_along(c->semi_axes, n);
    double nearest = vec3_dot(n, p) - end.height, foot = vec3_dot(e, vec3_sub(vec3_add_scaled(end.point, s, n), p));
    bool in_edge = foot >= -EDGE_ROUNDING * length && foot <= (1.0 + EDGE_ROUNDING) * length;
    return in_edge && s >= nearest - EDGE_ROUNDING * length && is_highest(c, n, s);
}

static bool corner_decides(corners *c, int k)
{
    scr_vec3 n = ellipsoid_nearest_normal(c->semi_axes, c->at[k]);
    double s = look_along(c, n), nearest = vec3_dot(n, c->at[k]) - vec3_norm(vec3_mul(c->semi_axes, n));
    return s >= nearest && is_highest(c, n, s);
}

// Looks along the other ways out of edges and corners.
static void look_opposite(corners *c, int edges)
{
    scr_vec3 n, e;
    double length;
    for (int k = 0; k < edges; ++k) {
        if (!edge_from(c, k, &e, &length)) continue;
        shadow shade = shadow_along(c->semi_axes, e);
        if (ellipsoid_opposite_normal(shade.semi_axes, in_shadow(&shade, c->at[k]), &n))
            look_along(c, from_shadow(&shade, n));
    }
    for (int k = 0; k < c->count; ++k)
        if (ellipsoid_opposite_normal(c->semi_axes, c->at[k], &n)) look_along(c, n);
}

// All edges and corners, until one decides or one shows the two to be out of reach.
static void search_edges(corners *c, double reach)
{
    int edges = c->count == 2 ? 1 : c->count;
    for (int k = 0; k < edges && c->height < reach; ++k)
        if (edge_decides(c, k)) return;
    for (int k = 0; k < c->count && c->height < reach; ++k)
        if (corner_decides(c, k)) return;
    if (c->height < reach) look_opposite(c, edges);
}

// Whether q, in the plane of the triangle of normal m (of any length), is inside it.
static bool is_inside(const scr_vec3 corner[3], scr_vec3 m, scr_vec3 q)
{
    double tolerance = EDGE_ROUNDING * vec3_dot(m, m);
    for (int k = 0; k < 3; ++k) {
        scr_vec3 p = corner[k], edge = vec3_sub(corner[(k + 1) % 3], p);
        if (vec3_dot(m, vec3_cross(edge, vec3_sub(q, p))) < -tolerance) return false;
    }
    return true;
}

// Looks along the triangle's normal, to the side the triangle is on.
static bool face_decides(corners *c)
{
    scr_vec3 m = vec3_cross(vec3_sub(c->at[1], c->at[0]), vec3_sub(c->at[2], c->at[0]));
    double norm = vec3_norm(m);
    if (!(norm > 0.0)) return false;
    double side = vec3_dot(m, c->at[0]);
    scr_vec3 n = vec3_scale((side > 0.0 ? 1.0 : -1.0) / norm, m);
    double s = look_along(c, n);
    ellipsoid_end end = ellipsoid_end_along(c->semi_axes, n);
    return is_inside(c->at, m, vec3_add_scaled(end.point, s, n)) && is_highest(c, n, s);
}

// The contact along the best direction with a body that reaches a radius beyond its corners; a is the ellipsoid.
static int best_contact(const corners *c, const placed_shape *a, double radius, double reach, contact_point *out)
{
    double gap = c->height - radius;
    if (!(gap < reach)) return 0;
    scr_vec3 point = vec3_add_scaled(ellipsoid_end_along(c->semi_axes, c->best).point, 0.5 * gap, c->best);
    *out = (contact_point){vec3_add(a->position, quat_rotate(a->rotation, point)), quat_rotate(a->rotation, c->best),
                           gap, 0};
    return 1;
}

int ellipsoid_triangle(const placed_shape *a, const scr_vec3 corner[3], double reach, contact_point *out)
{
    corners c = {.semi_axes = a->half, .count = 3, .best = {0.0, 0.0, 1.0}, .height = -INFINITY};
    for (int k = 0; k < 3; ++k) c.at[k] = quat_unrotate(a->rotation, vec3_sub(corner[k], a->position));
    if (!face_decides(&c)) search_edges(&c, reach);
    return best_contact(&c, a, 0.0, reach, out);
}

int narrow_ellipsoid_capsule(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    scr_vec3 centre = vec3_sub(b->position, a->position);
    if (!(vec3_norm(centre) < largest_of(a->half) + b->half.z + b->radius + reach)) return 0;
    corners c = {.semi_axes = a->half, .count = 2, .best = {0.0, 0.0, 1.0}, .height = -INFINITY};
    scr_vec3 arm = quat_rotate(b->rotation, vec3(0.0, 0.0, b->half.z));
    c.at[0] = quat_unrotate(a->rotation, vec3_sub(centre, arm));
    c.at[1] = quat_unrotate(a->rotation, vec3_add(centre, arm));
    search_edges(&c, reach + b->radius);
    return best_contact(&c, a, b->radius, reach, out);
}
