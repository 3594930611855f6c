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
// Written for the numbers that core/maths/lanes.h was asked for: one pair, or several that climb side by side, each
// to the same bits as alone.
#ifndef COLLISION_ELLIPSOID_ELLIPSOID_CLIMB_H
#define COLLISION_ELLIPSOID_ELLIPSOID_CLIMB_H

#include "core/maths/lanes.h"

// A step this short ends the climb: Newton's next one would be as long as its square, times a constant that the last
// two steps tell where it is not about 1.
#define LAST_STEP 1e-6
// A step has to gain this part of slope times length...
#define FAIR_GAIN 1e-4
// ...but for rounding, in units of the heights that are added up.
#define HEIGHT_ROUNDING 1e-15
// Shorter by this factor when it did not.
#define SHORTER 0.25
// H with a determinant below this part of its trace squared has no inverse to speak of.
#define SINGULAR 1e-14
// Evaluations, far more than any pair takes: a climb that rounding keeps from ending is ended.
enum { EVALUATIONS_MAX = 200 };

typedef struct symmetric {
    real xx, yy, zz, xy, xz, yz;
} symmetric;

typedef struct ellipsoid {
    real3 axis[3];     // m, semi-axes in the world: the columns of A
    symmetric square;  // m^2, A A^T
    real least;        // m, shortest semi-axis
} ellipsoid;

typedef struct pair {
    ellipsoid a, b;
    real3 between;     // m, from a's centre to b's
    real reach;        // m
    real evaluations;  // so far
} pair;

// How they look along a direction.
typedef struct finding {
    real3 n;
    real3 on_a, on_b;  // m, from the centres: the surface points of a along n and of b along -n, the latter negated
    real height_a, height_b, gap;  // m
} finding;

static inline real3 symmetric_times(const symmetric *m, real3 v)
{
    return (real3){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                   m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

// q: w x y z
static inline ellipsoid place_ellipsoid(const real q[4], real3 half)
{
    real w = q[0], x = q[1], y = q[2], z = q[3], one = real_set(1.0), two = real_set(2.0);
    real3 e = {one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)};
    real3 f = {two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x)};
    real3 g = {two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y)};
    e = real3_scale(half.x, e);
    f = real3_scale(half.y, f);
    g = real3_scale(half.z, g);
    symmetric square = {e.x * e.x + f.x * f.x + g.x * g.x, e.y * e.y + f.y * f.y + g.y * g.y,
                        e.z * e.z + f.z * f.z + g.z * g.z, e.x * e.y + f.x * f.y + g.x * g.y,
                        e.x * e.z + f.x * f.z + g.x * g.z, e.y * e.z + f.y * f.z + g.y * g.z};
    return (ellipsoid){{e, f, g}, square, real_min(real_min(half.x, half.y), half.z)};
}

// Whether the balls around the two are in reach of each other.
static inline real_mask balls_are_near(real3 half_a, real3 half_b, real3 between, real reach)
{
    real limit =
        real_max(real_max(half_a.x, half_a.y), half_a.z) + real_max(real_max(half_b.x, half_b.y), half_b.z) + reach;
    return (limit > real_set(0.0)) & (real3_dot(between, between) < limit * limit);
}

// (P + Q)^-1 d but for its length, by cofactors. Equal centres have no direction: up.
static inline real3 first_direction(const pair *p)
{
    const symmetric *a = &p->a.square, *b = &p->b.square;
    real xx = a->xx + b->xx, yy = a->yy + b->yy, zz = a->zz + b->zz;
    real xy = a->xy + b->xy, xz = a->xz + b->xz, yz = a->yz + b->yz;
    symmetric cofactors = {yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy,
                           xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz};
    real3 n = symmetric_times(&cofactors, p->between), up = {real_set(0.0), real_set(0.0), real_set(1.0)};
    real norm = real_sqrt(real3_dot(n, n));
    return real3_select(norm > real_set(0.0), real3_scale(real_set(1.0) / norm, n), up);
}

// The step from n up the slope: H^-1 r, H shifted where it is not positive.
static inline real3 newton_step(const symmetric *h, real3 r, real s)
{
    real zero = real_set(0.0), trace = h->xx + h->yy + h->zz, shift = zero;
    real product = (h->xx * h->yy - h->xy * h->xy) + (h->xx * h->zz - h->xz * h->xz) + (h->yy * h->zz - h->yz * h->yz);
    real_mask is_bad = real_not((trace > zero) & (product > real_set(SINGULAR) * trace * trace));
    if (real_bits(is_bad) != 0) {
        // The lesser eigenvalue changes its sign, or becomes a small part of what the curvature alone, without s, adds
        // up to.
        real half = real_set(0.5) * trace, lesser = half - real_sqrt(real_max(zero, half * half - product));
        shift = real_max(real_set(-2.0) * lesser, real_set(1e-6) * (trace - real_set(2.0) * s) - lesser);
        shift = real_where(is_bad, shift);
        product = real_select(is_bad, product + shift * (trace + shift), product);
    }
    real3 step = real3_sub(real3_scale(trace + shift, r), symmetric_times(h, r));
    return real3_scale(real_set(1.0) / product, step);
}

static inline real3 unit_sum(real3 n, real3 step)
{
    real3 sum = real3_add(n, step);
    return real3_scale(real_set(1.0) / real_sqrt(real3_dot(sum, sum)), sum);
}

// Climbs from *n to a stationary direction, where `active`; no longer near as soon as a direction shows the two to be
// out of reach.
static inline real_mask climb(pair *p, real3 *n, real_mask active)
{
    const symmetric *a = &p->a.square, *b = &p->b.square;
    real zero = real_set(0.0), one = real_set(1.0), shorter = real_set(SHORTER);
    real3 from = *n, at = *n, step = {zero, zero, zero};
    real reached = real_set(-INFINITY), promised = zero, last2 = one;
    real_mask near = active;
    for (int k = 0; k < EVALUATIONS_MAX; ++k) {
        p->evaluations += real_where(active, one);
        real3 pa = symmetric_times(a, at), pb = symmetric_times(b, at);
        real ha = real_sqrt(real3_dot(at, pa)), hb = real_sqrt(real3_dot(at, pb)), sum = ha + hb;
        real s = real3_dot(at, p->between) - sum;
        real_mask is_out = active & (s >= p->reach);
        near &= real_not(is_out);
        active &= real_not(is_out);
        if (real_bits(active) == 0) break;
        real_mask falls = active & (s < reached + real_set(FAIR_GAIN) * promised -
                                            real_set(HEIGHT_ROUNDING) * (real_abs(s) + real_set(2.0) * sum));
        real ia = one / ha, ib = one / hb;
        real3 ya = real3_scale(ia, pa), yb = real3_scale(ib, pb), sn = real3_scale(s, at);
        real3 r = real3_sub(real3_sub(p->between, real3_add(ya, yb)), sn);
        symmetric h = {ia * (a->xx - ya.x * ya.x) + ib * (b->xx - yb.x * yb.x) - sn.x * at.x + s,
                       ia * (a->yy - ya.y * ya.y) + ib * (b->yy - yb.y * yb.y) - sn.y * at.y + s,
                       ia * (a->zz - ya.z * ya.z) + ib * (b->zz - yb.z * yb.z) - sn.z * at.z + s,
                       ia * (a->xy - ya.x * ya.y) + ib * (b->xy - yb.x * yb.y) - sn.x * at.y,
                       ia * (a->xz - ya.x * ya.z) + ib * (b->xz - yb.x * yb.z) - sn.x * at.z,
                       ia * (a->yz - ya.y * ya.z) + ib * (b->yz - yb.y * yb.z) - sn.y * at.z};
        real3 next = newton_step(&h, r, s);
        real step2 = real3_dot(next, next);
        real_mask is_long = step2 > one;
        if (real_bits(is_long) != 0) next = real3_select(is_long, real3_scale(one / real_sqrt(step2), next), next);
        real_mask ends =
            (step2 <= real_set(LAST_STEP * LAST_STEP)) &
            (step2 * step2 * step2 <= real_set(LAST_STEP * LAST_STEP * LAST_STEP * LAST_STEP) * last2 * last2);
        from = real3_select(falls, from, at);
        step = real3_select(falls, real3_scale(shorter, step), next);
        reached = real_select(falls, reached, s);
        promised = real_select(falls, shorter * promised, real3_dot(r, next));
        last2 = real_select(falls, last2, step2);
        at = real3_select(active, unit_sum(from, step), at);
        active &= falls | real_not(ends);
        if (real_bits(active) == 0) break;
    }
    *n = at;
    return near;
}

// By the axes, not the square of the matrix: flat ellipsoids keep more digits.
static inline real3 end_along(const ellipsoid *e, real3 n, real *height)
{
    real u = real3_dot(e->axis[0], n), v = real3_dot(e->axis[1], n), w = real3_dot(e->axis[2], n);
    *height = real_sqrt(u * u + v * v + w * w);
    real3 sum =
        real3_add(real3_add(real3_scale(u, e->axis[0]), real3_scale(v, e->axis[1])), real3_scale(w, e->axis[2]));
    return real3_scale(real_set(1.0) / *height, sum);
}

static inline finding look_along(const pair *p, real3 n)
{
    finding f = {.n = n};
    f.on_a = end_along(&p->a, n, &f.height_a);
    f.on_b = end_along(&p->b, n, &f.height_b);
    f.gap = real3_dot(n, p->between) - (f.height_a + f.height_b);
    return f;
}

// Whether a stationary direction is known to be the highest. Equal balls with one centre are a case of equality.
static inline real_mask is_highest(const pair *p, const finding *f)
{
    real inner = p->a.least * p->a.least / f->height_a + p->b.least * p->b.least / f->height_b;
    return -f->gap <= inner * real_set(1.0 + 1e-12);
}

#endif
