// SPDX-License-Identifier: BSD-3-Clause
#include "collision/narrow/narrow_segment.h"

#define LANES_SCALAR
#include "collision/narrow/segment_lanes.h"

static segment_lanes lanes_of(const segment *s)
{
    return (segment_lanes){{s->middle.x, s->middle.y, s->middle.z}, {s->arm.x, s->arm.y, s->arm.z}};
}

segment_approach segments_nearest(const segment *a, const segment *b)
{
    segment_lanes sa = lanes_of(a), sb = lanes_of(b);
    approach_lanes near = segment_lanes_approach(&sa, &sb);
    return (segment_approach){near.u, near.v, vec3(near.between.x, near.between.y, near.between.z), near.distance};
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
