// SPDX-License-Identifier: BSD-3-Clause
// Two ellipsoids: the highest point of the height between them over all directions, by Newton's method on the sphere.
//
// With d = xb - xa and P = A A^T, Q = B B^T (see ellipsoid_support.h) the height seen along the unit vector n is
//   s(n) = n.d - ha - hb,             ha = sqrt(n.P n), hb = sqrt(n.Q n)
// its gradient on the sphere is r = d - ya - yb - s n with the surface points ya = P n / ha, yb = Q n / hb, and minus
// its Hessian there is
//   H = (P - ya ya^T) / ha + (Q - yb yb^T) / hb + s (1 - n n^T)
// which maps n to 0 and the tangent plane to itself. A Newton step t solves H t = r in the tangent plane; as H has two
// eigenvalues there, its inverse is (trace - H) / (their product), the product being the sum of H's principal 2 x 2
// minors.
//
// Start: the direction of Perram and Wertheim's contact function with equal weights, n ~ (P + Q)^-1 d. It is exact for
// equal ellipsoids in equal orientation, and near for what soil is made of: three evaluations reach rounding there.
//
// Convergence: where H is not positive (s < 0, overlap deeper than the surfaces are curved) it is shifted until it is.
// Every step then climbs at first, and is shortened until it has climbed by a fair part of what its slope promised:
// such a climb on a smooth function on the sphere ends at a stationary point. If s > 0 there it is the highest, because
// s is concave in n taken as a vector of any length up to 1; if s < 0 it is if the inner balls say so
// (ellipsoid_support.h). What they do not decide is overlap so deep that there are several ways out: climbs from
// further starts look for the shortest, from all directions that two boxes in place of the ellipsoids could be
// separated along.
//
// All of it is symmetric: with a and b swapped every number is the same to the last bit, or its negative.
#include "collision/ellipsoid/ellipsoid_support.h"
#include "collision/ellipsoid/narrow_ellipsoid.h"

// A step this short ends the climb: Newton's next one would be as long as its square, times a constant that the last
// two steps tell where it is not about 1.
static const double LAST_STEP = 1e-6;
// A step has to gain this part of slope times length...
static const double FAIR_GAIN = 1e-4;
// ...but for rounding, in units of the heights that are added up.
static const double HEIGHT_ROUNDING = 1e-15;
// Shorter by this factor when it did not.
static const double SHORTER = 0.25;
// H with a determinant below this part of its trace squared has no inverse to speak of.
static const double SINGULAR = 1e-14;
// Evaluations, far more than any pair takes: a climb that rounding keeps from ending is ended.
enum { EVALUATIONS_MAX = 200 };

typedef struct symmetric {
    double xx, yy, zz, xy, xz, yz;
} symmetric;

typedef struct ellipsoid {
    scr_vec3 axis[3];  // m, semi-axes in the world: the columns of A
    symmetric square;  // m^2, A A^T
    double least;      // m, shortest semi-axis
} ellipsoid;

typedef struct pair {
    ellipsoid a, b;
    scr_vec3 between;  // m, from a's centre to b's
    double reach;      // m
    int evaluations;
} pair;

static scr_vec3 symmetric_times(const symmetric *m, scr_vec3 v)
{
    return vec3(m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                m->xz * v.x + m->yz * v.y + m->zz * v.z);
}

static ellipsoid place_ellipsoid(const placed_shape *shape)
{
    scr_quat q = shape->pose.rotation;
    scr_vec3 h = shape->half;
    scr_vec3 u =
        vec3(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z), 2.0 * (q.x * q.z - q.w * q.y));
    scr_vec3 v =
        vec3(2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x));
    scr_vec3 w =
        vec3(2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    u = vec3_scale(h.x, u);
    v = vec3_scale(h.y, v);
    w = vec3_scale(h.z, w);
    symmetric square = {u.x * u.x + v.x * v.x + w.x * w.x, u.y * u.y + v.y * v.y + w.y * w.y,
                        u.z * u.z + v.z * v.z + w.z * w.z, u.x * u.y + v.x * v.y + w.x * w.y,
                        u.x * u.z + v.x * v.z + w.x * w.z, u.y * u.z + v.y * v.z + w.y * w.z};
    return (ellipsoid){{u, v, w}, square, least_of(h)};
}

// By the axes, not the square of the matrix: flat ellipsoids keep more digits.
static ellipsoid_end end_along(const ellipsoid *e, scr_vec3 n)
{
    double u = vec3_dot(e->axis[0], n), v = vec3_dot(e->axis[1], n), w = vec3_dot(e->axis[2], n);
    double height = sqrt(u * u + v * v + w * w);
    scr_vec3 sum = vec3_add_scaled(vec3_add_scaled(vec3_scale(u, e->axis[0]), v, e->axis[1]), w, e->axis[2]);
    return (ellipsoid_end){height, vec3_scale(1.0 / height, sum)};
}

// (P + Q)^-1 d but for its length, by cofactors. Equal centres have no direction: up.
static scr_vec3 first_direction(const pair *p)
{
    const symmetric *a = &p->a.square, *b = &p->b.square;
    double xx = a->xx + b->xx, yy = a->yy + b->yy, zz = a->zz + b->zz;
    double xy = a->xy + b->xy, xz = a->xz + b->xz, yz = a->yz + b->yz;
    symmetric cofactors = {yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy,
                           xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz};
    scr_vec3 n = symmetric_times(&cofactors, p->between);
    double norm = vec3_norm(n);
    return norm > 0.0 ? vec3_scale(1.0 / norm, n) : vec3(0.0, 0.0, 1.0);
}

// The step from n up the slope: H^-1 r, H shifted where it is not positive.
static scr_vec3 newton_step(const symmetric *h, scr_vec3 r, double s)
{
    double trace = h->xx + h->yy + h->zz, shift = 0.0;
    double product =
        (h->xx * h->yy - h->xy * h->xy) + (h->xx * h->zz - h->xz * h->xz) + (h->yy * h->zz - h->yz * h->yz);
    if (!(trace > 0.0 && product > SINGULAR * trace * trace)) {
        // The lesser eigenvalue changes its sign, or becomes a small part of what the curvature alone, without s, adds
        // up to.
        double half = 0.5 * trace, lesser = half - sqrt(fmax(0.0, half * half - product));
        shift = fmax(-2.0 * lesser, 1e-6 * (trace - 2.0 * s) - lesser);
        product += shift * (trace + shift);
    }
    return vec3_scale(1.0 / product, vec3_sub(vec3_scale(trace + shift, r), symmetric_times(h, r)));
}

static scr_vec3 unit_sum(scr_vec3 n, scr_vec3 step)
{
    scr_vec3 sum = vec3_add(n, step);
    return vec3_scale(1.0 / vec3_norm(sum), sum);
}

// Climbs from *n to a stationary direction; false as soon as a direction shows the two to be out of reach.
static bool climb(pair *p, scr_vec3 *n)
{
    const symmetric *a = &p->a.square, *b = &p->b.square;
    scr_vec3 from = *n, at = *n, step = vec3(0.0, 0.0, 0.0);
    double reached = -INFINITY, promised = 0.0, last2 = 1.0;
    for (int k = 0; k < EVALUATIONS_MAX; ++k) {
        ++p->evaluations;
        scr_vec3 pa = symmetric_times(a, at), pb = symmetric_times(b, at);
        double ha = sqrt(vec3_dot(at, pa)), hb = sqrt(vec3_dot(at, pb)), sum = ha + hb,
               s = vec3_dot(at, p->between) - sum;
        if (s >= p->reach) return false;
        if (s < reached + FAIR_GAIN * promised - HEIGHT_ROUNDING * (fabs(s) + 2.0 * sum)) {
            step = vec3_scale(SHORTER, step);
            promised *= SHORTER;
            at = unit_sum(from, step);
            continue;
        }
        double ia = 1.0 / ha, ib = 1.0 / hb;
        scr_vec3 ya = vec3_scale(ia, pa), yb = vec3_scale(ib, pb), sn = vec3_scale(s, at);
        scr_vec3 r = vec3_sub(vec3_sub(p->between, vec3_add(ya, yb)), sn);
        symmetric h = {ia * (a->xx - ya.x * ya.x) + ib * (b->xx - yb.x * yb.x) - sn.x * at.x + s,
                       ia * (a->yy - ya.y * ya.y) + ib * (b->yy - yb.y * yb.y) - sn.y * at.y + s,
                       ia * (a->zz - ya.z * ya.z) + ib * (b->zz - yb.z * yb.z) - sn.z * at.z + s,
                       ia * (a->xy - ya.x * ya.y) + ib * (b->xy - yb.x * yb.y) - sn.x * at.y,
                       ia * (a->xz - ya.x * ya.z) + ib * (b->xz - yb.x * yb.z) - sn.x * at.z,
                       ia * (a->yz - ya.y * ya.z) + ib * (b->yz - yb.y * yb.z) - sn.y * at.z};
        step = newton_step(&h, r, s);
        double step2 = vec3_dot(step, step);
        if (step2 > 1.0) step = vec3_scale(1.0 / sqrt(step2), step);
        from = at;
        at = unit_sum(from, step);
        if (step2 <= LAST_STEP * LAST_STEP && step2 * sqrt(step2) <= LAST_STEP * LAST_STEP * last2) break;
        reached = s;
        promised = vec3_dot(r, step);
        last2 = step2;
    }
    *n = at;
    return true;
}

typedef struct finding {
    scr_vec3 n;
    ellipsoid_end a, b;  // the surface points of a along n and of b along -n, the latter with the wrong sign
    double gap;
} finding;

static finding look_along(const pair *p, scr_vec3 n)
{
    finding f = {n, end_along(&p->a, n), end_along(&p->b, n), 0.0};
    f.gap = vec3_dot(n, p->between) - (f.a.height + f.b.height);
    return f;
}

// Whether a stationary direction is known to be the highest. Equal balls with one centre are a case of equality.
static bool is_highest(const pair *p, const finding *f)
{
    double ball = inner_ball(p->a.least, f->a.height) + inner_ball(p->b.least, f->b.height);
    return -f->gap <= ball * (1.0 + 1e-12);
}

enum { DEEP_STARTS = 15 };

// Some order of the two that does not depend on which is called a. Which order is of no importance.
static bool is_in_order(const pair *p)
{
    for (int k = 0; k < 3; ++k) {
        scr_vec3 a = p->a.axis[k], b = p->b.axis[k];
        if (a.x != b.x) return a.x < b.x;
        if (a.y != b.y) return a.y < b.y;
        if (a.z != b.z) return a.z < b.z;
    }
    return true;
}

// The k-th of: the axes of both, the products of one's with the other's, or the centre line where that is zero. Heights
// of n and -n differ by n.d alone, so each is taken to the side that b is on, and upwards if that is neither.
static scr_vec3 deep_start(const pair *p, const ellipsoid *first, const ellipsoid *second, int k)
{
    scr_vec3 n = k < 3   ? first->axis[k]
                 : k < 6 ? second->axis[k - 3]
                         : vec3_cross(first->axis[k / 3 - 2], second->axis[k % 3]);
    if (vec3_dot(n, n) == 0.0) n = p->between;
    double side = vec3_dot(n, p->between);
    if (side == 0.0) side = n.z != 0.0 ? n.z : n.y != 0.0 ? n.y : n.x;
    return vec3_unit(side < 0.0 ? vec3_neg(n) : n);
}

// Climbs from all of these until one end is known to be the highest; false when out of reach.
static bool search_deep(pair *p, finding *best)
{
    bool in_order = is_in_order(p);
    const ellipsoid *first = in_order ? &p->a : &p->b, *second = in_order ? &p->b : &p->a;
    for (int k = 0; k < DEEP_STARTS && !is_highest(p, best); ++k) {
        scr_vec3 n = deep_start(p, first, second, k);
        if (!climb(p, &n)) return false;
        finding found = look_along(p, n);
        if (found.gap > best->gap) *best = found;
    }
    return true;
}

int ellipsoid_pair(const placed_shape *a, const placed_shape *b, double reach, contact_point *out, int *evaluations)
{
    *evaluations = 0;
    scr_vec3 between = vec3_sub(b->pose.position, a->pose.position);
    double limit = largest_of(a->half) + largest_of(b->half) + reach;
    if (!(limit > 0.0 && vec3_dot(between, between) < limit * limit)) return 0;

    pair p = {place_ellipsoid(a), place_ellipsoid(b), between, reach, 0};
    scr_vec3 n = first_direction(&p);
    bool near = climb(&p, &n);
    finding f;
    if (near) {
        f = look_along(&p, n);
        if (!is_highest(&p, &f)) near = search_deep(&p, &f);
    }
    *evaluations = p.evaluations;
    if (!near || !(f.gap < reach)) return 0;
    scr_vec3 on_a = vec3_add(a->pose.position, f.a.point), on_b = vec3_sub(b->pose.position, f.b.point);
    *out = (contact_point){vec3_scale(0.5, vec3_add(on_a, on_b)), f.n, f.gap, 0};
    return 1;
}

int narrow_ellipsoid_ellipsoid(const placed_shape *a, const placed_shape *b, double reach, contact_point *out)
{
    int evaluations;
    return ellipsoid_pair(a, b, reach, out, &evaluations);
}
