// SPDX-License-Identifier: BSD-3-Clause
// The nearest point of an ellipsoid, by a root that Newton's method approaches from one side.
//
// With the axes along x, y, z and semi-axes a_i, the point x of the surface nearest to p obeys p - x = t n with
// n_i ~ x_i / a_i^2. Put m for the least a_i: then
//   x_i = a_i v_i,   v_i = a_i p_i / (a_i^2 - m^2 + c),   |v(c)| = 1,   c >= 0.
// Roots of |v| = 1 with negative c belong to other feet of perpendiculars, see below. 1/|v(c)| grows and is concave for
// c > 0 (it is a mean with negative exponent of the linear functions 1/|v_i|), so Newton's steps for 1/|v| = 1 never
// pass the root when they start below it, and every |v_i| <= 1 gives such a start. No term of the denominators cancels:
// the root keeps its relative accuracy however near to an axis p is.
//
// If p has no component along the shortest axes, |v(0)| may be less than 1: then c = 0, and what |v| lacks lies along a
// shortest axis, to either side: z goes before y before x, and to the positive side, as in a box.
//
// From a point well inside there is one more way out that is shorter than its neighbours, beyond the middle plane. It
// is the root at which |v|^2 grows, between c = 0 and the second least a_i^2 - m^2 below it (the second order condition
// of the least distance; J. M. Martinez, SIAM J. Optim. 4, 1994, shows that no other root will do). |v|^2 is convex
// there, so Newton's steps come down to that root from above, or to where |v|^2 no longer grows: then there is none.
#include "collision/ellipsoid/ellipsoid_support.h"

// Nothing stays nothing whatever it is divided by.
static double over(double top, double bottom) { return top != 0.0 ? top / bottom : 0.0; }

static scr_vec3 over_each(scr_vec3 top, scr_vec3 base, double c)
{
    return vec3(over(top.x, base.x + c), over(top.y, base.y + c), over(top.z, base.z + c));
}

// The component along a shortest axis that makes |v| = 1. A shortest axis has nothing in its base, all others have.
static void fill_shortest(scr_vec3 *v, scr_vec3 base)
{
    double lacking = sqrt(1.0 - vec3_dot(*v, *v));
    if (base.z == 0.0) v->z = lacking;
    else if (base.y == 0.0) v->y = lacking;
    else v->x = lacking;
}

// a_i^2 - m^2, by factors: exactly zero for the shortest axes.
static scr_vec3 squares_beyond_least(scr_vec3 a)
{
    double least = least_of(a);
    return vec3((a.x - least) * (a.x + least), (a.y - least) * (a.y + least), (a.z - least) * (a.z + least));
}

// n_i ~ v_i / a_i, on the side that p is on.
static scr_vec3 normal_of(scr_vec3 v, scr_vec3 a, scr_vec3 p)
{
    scr_vec3 n = vec3(v.x * a.y * a.z, v.y * a.x * a.z, v.z * a.x * a.y);
    return vec3_unit(vec3(p.x < 0.0 ? -n.x : n.x, p.y < 0.0 ? -n.y : n.y, p.z < 0.0 ? -n.z : n.z));
}

// Minus half the derivative of |v|^2 by c.
static double fall_of(scr_vec3 v, scr_vec3 base, double c)
{
    scr_vec3 falls = over_each(vec3_mul(v, v), base, c);
    return falls.x + falls.y + falls.z;
}

scr_vec3 ellipsoid_nearest_normal(scr_vec3 semi_axes, scr_vec3 p)
{
    scr_vec3 base = squares_beyond_least(semi_axes), top = vec3_mul(semi_axes, vec3_abs(p));
    double start = largest_of(vec3_sub(top, base)), c = start > 0.0 ? start : 0.0;
    scr_vec3 v = over_each(top, base, c);
    double v2 = vec3_dot(v, v);
    if (c == 0.0 && v2 <= 1.0) fill_shortest(&v, base);
    while (v2 > 1.0) {
        double next = c + v2 / fall_of(v, base, c) * (sqrt(v2) - 1.0);
        if (!(next > c)) break;  // less than rounding is left
        c = next;
        v = over_each(top, base, c);
        v2 = vec3_dot(v, v);
    }
    return normal_of(v, semi_axes, p);
}

bool ellipsoid_opposite_normal(scr_vec3 semi_axes, scr_vec3 p, scr_vec3 *n)
{
    scr_vec3 base = squares_beyond_least(semi_axes), top = vec3_mul(semi_axes, vec3_abs(p));
    double second = fmax(fmin(base.x, base.y), fmin(fmax(base.x, base.y), base.z));
    double c = -(base.z == 0.0 ? top.z : base.y == 0.0 ? top.y : top.x);
    if (!(c > -second)) return false;
    scr_vec3 v = over_each(top, base, c);
    double v2 = vec3_dot(v, v);
    if (c == 0.0) {
        if (!(v2 < 1.0)) return false;
        fill_shortest(&v, base);
        *n = vec3_neg(normal_of(v, semi_axes, vec3_neg(p)));
        return true;
    }
    while (v2 > 1.0) {
        double fall = fall_of(v, base, c);
        if (!(fall < 0.0)) return false;
        double next = c + 0.5 * (v2 - 1.0) / fall;
        if (!(next > -second)) return false;
        if (!(next < c)) break;
        c = next;
        v = over_each(top, base, c);
        v2 = vec3_dot(v, v);
    }
    *n = normal_of(v, semi_axes, p);
    return true;
}
