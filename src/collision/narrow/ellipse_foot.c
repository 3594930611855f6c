// SPDX-License-Identifier: BSD-3-Clause
// Feet of a point on an ellipse.
//
// With m the point, a >= b the half axes and s = t + b^2, a foot (x, y) obeys
//   x = a^2 mx / (t + a^2),  y = b^2 my / (t + b^2),  (x/a)^2 + (y/b)^2 = 1
// The sum of squares falls for s > 0: the foot on m's side is bracketed by b |my| and |(a mx, b my)|. Between
// -(a^2 - b^2) and 0 it has one least value; if that is below 1, the nearest foot on the other side of the long axis
// lies between there and -b |my|. In both places it is convex: Newton's method, begun where the sum is above 1, goes
// towards the foot without passing it. Where rounding stops it, or the long axis holds the point, bisection cannot
// fail.
#include "collision/narrow/ellipse_foot.h"

#include <float.h>
#include <math.h>

#include "core/maths/trig.h"

// The foot's x/a and |y|/b for a trial of s.
static void trial_foot(const ellipse_view *e, double s, double *x, double *y)
{
    *x = e->a * e->mx / (s + (e->a - e->b) * (e->a + e->b));
    *y = e->b * e->my / fabs(s);
}

static bool is_beyond(const ellipse_view *e, double s)
{
    double x, y;
    trial_foot(e, s, &x, &y);
    return x * x + y * y > 1.0;
}

// One step of Newton's method from a trial that is beyond the ellipse.
static double newton_trial(const ellipse_view *e, double s)
{
    double x, y;
    trial_foot(e, s, &x, &y);
    double slope = -2.0 * (x * x / (s + (e->a - e->b) * (e->a + e->b)) + y * y / s);
    return s - (x * x + y * y - 1.0) / slope;
}

// As near to the foot as a few steps lead, without passing it.
static double go_near(const ellipse_view *e, double beyond, double within)
{
    enum { STEPS = 12 };
    if (beyond == 0.0) return beyond;
    for (int k = 0; k < STEPS; ++k) {
        double next = newton_trial(e, beyond);
        bool is_between = beyond < within ? next > beyond && next < within : next < beyond && next > within;
        if (!is_between || !is_beyond(e, next)) break;
        beyond = next;
    }
    return beyond;
}

// The normal at the foot, both components positive, from a trial that is beyond the ellipse and one that is not.
static void find_foot(const ellipse_view *e, double beyond, double within, double *nx, double *ny)
{
    beyond = go_near(e, beyond, within);
    // The foot is within a few roundings of there: look for a trial that is not beyond it, close by.
    for (double step = 4.0 * DBL_EPSILON * fabs(beyond); step > 0.0 && step < fabs(within - beyond); step *= 8.0) {
        double trial = beyond < within ? beyond + step : beyond - step;
        if (is_beyond(e, trial)) continue;
        within = trial;
        break;
    }
    for (double s = 0.5 * (beyond + within); s != beyond && s != within; s = 0.5 * (beyond + within))
        *(is_beyond(e, s) ? &beyond : &within) = s;
    double x, y;
    trial_foot(e, within, &x, &y);
    // The better of two ways to the small one: exact where it is large, and no 0 / 0 where it is not.
    if (x < 0.7) y = sqrt(1.0 - x * x);
    *nx = x / e->a;
    *ny = y / e->b;
}

void ellipse_near_normal(const ellipse_view *e, double *nx, double *ny)
{
    double ax = e->a * e->mx, by = e->b * e->my;
    find_foot(e, by, sqrt(ax * ax + by * by), nx, ny);
}

bool ellipse_far_normal(const ellipse_view *e, double *nx, double *ny)
{
    double ax = e->a * e->mx, by = e->b * e->my, wide = (e->a - e->b) * (e->a + e->b);
    if (!(ax > 0.0 && by > 0.0)) return false;
    double lowest = -wide / (1.0 + scr_pow(ax / by, 2.0 / 3.0));  // where the sum of squares is least for s < 0
    if (is_beyond(e, lowest)) return false;
    find_foot(e, -by, lowest, nx, ny);
    return true;
}
