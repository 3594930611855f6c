// SPDX-License-Identifier: BSD-3-Clause
// Nearest points of two segments.
//
// With r from a's middle to b's, d and e the arms and c = d x e, the square |r + v e - u d|^2 is convex in (u, v), and
// least without bounds at
//   u = (r x e) . c / |c|^2,   v = (r x d) . c / |c|^2
// u is kept within its bounds, v follows as b's nearest point to a's; if that is at a bound, u follows once more. This
// is exact for a convex square over a rectangle. Distances are not compared: they are flat about the least one, and
// equal to rounding where directions still differ by the root of it.
#include "collision/narrow/narrow_segment.h"

// Segments whose directions differ by a smaller sine are parallel.
static const double PARALLEL_SINE = 1e-9;

segment_approach segments_nearest(const segment *a, const segment *b)
{
    scr_vec3 r = vec3_sub(b->middle, a->middle), c = vec3_cross(a->arm, b->arm);
    double square = vec3_dot(c, c), dd = vec3_dot(a->arm, a->arm), ee = vec3_dot(b->arm, b->arm), u;
    if (square > PARALLEL_SINE * PARALLEL_SINE * dd * ee) {
        u = segment_clamp(vec3_dot(vec3_cross(r, b->arm), c) / square);
    } else {
        interval s = segment_beside(a, b);  // parallel, or one of them without length
        u = segment_clamp(0.5 * (s.low + s.high));
    }
    double v = segment_nearest(b, segment_at(a, u));
    if (fabs(v) == 1.0) u = segment_nearest(a, segment_at(b, v));
    scr_vec3 between = vec3_add_scaled(vec3_add_scaled(r, v, b->arm), -u, a->arm);
    return (segment_approach){u, v, between, vec3_norm(between)};
}

interval segment_beside(const segment *a, const segment *b)
{
    double dd = vec3_dot(a->arm, a->arm);
    if (!(dd > 0.0)) return (interval){0.0, 0.0};
    double middle = vec3_dot(a->arm, vec3_sub(b->middle, a->middle)) / dd, half = fabs(vec3_dot(a->arm, b->arm)) / dd;
    return (interval){fmax(-1.0, middle - half), fmin(1.0, middle + half)};
}

interval interval_clipped(interval s, double value, double slope)
{
    if (slope > 0.0) s.low = fmax(s.low, -value / slope);
    if (slope < 0.0) s.high = fmin(s.high, -value / slope);
    if (slope == 0.0 && value < 0.0) s.high = -INFINITY;
    return s;
}

scr_vec3 across_upwards(scr_vec3 direction)
{
    scr_vec3 d = vec3_unit(direction), up = vec3_add_scaled(vec3(0.0, 0.0, 1.0), -d.z, d);
    if (!(vec3_dot(up, up) > 1e-16)) up = vec3_add_scaled(vec3(1.0, 0.0, 0.0), -d.x, d);
    up = vec3_add_scaled(up, -vec3_dot(up, d), d);  // across to the last digit, however little was left of it
    return vec3_unit(up);
}
