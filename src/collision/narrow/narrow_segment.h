// SPDX-License-Identifier: BSD-3-Clause
// Straight segments: nearest points, and the interval of one that lies beside another or over something.
//
// A segment is middle + u arm with |u| <= 1. Capsules are segments with a radius; edges are segments without.
#ifndef COLLISION_NARROW_NARROW_SEGMENT_H
#define COLLISION_NARROW_NARROW_SEGMENT_H

#include "core/maths/vec3.h"

typedef struct segment {
    scr_vec3 middle, arm;  // m
} segment;

typedef struct interval {
    double low, high;  // of u; empty if low > high
} interval;

static const interval WHOLE_SEGMENT = {-1.0, 1.0}, EMPTY_INTERVAL = {1.0, -1.0};

static inline scr_vec3 segment_at(const segment *s, double u) { return vec3_add_scaled(s->middle, u, s->arm); }
static inline double segment_clamp(double u) { return u < -1.0 ? -1.0 : u > 1.0 ? 1.0 : u; }
static inline segment segment_between(scr_vec3 from, scr_vec3 to)
{
    return (segment){vec3_scale(0.5, vec3_add(from, to)), vec3_scale(0.5, vec3_sub(to, from))};
}

// Where on a segment the nearest point to p is. A segment without length is its middle.
static inline double segment_nearest(const segment *s, scr_vec3 p)
{
    double square = vec3_dot(s->arm, s->arm);
    return square > 0.0 ? segment_clamp(vec3_dot(s->arm, vec3_sub(p, s->middle)) / square) : 0.0;
}

// Where two segments are nearest to each other. Parallel ones: the middle of the interval they share.
typedef struct segment_approach {
    double u, v;       // on a, on b
    scr_vec3 between;  // m, from a's point to b's
    double distance;   // m
} segment_approach;

segment_approach segments_nearest(const segment *a, const segment *b);

// The part of a that lies beside b: between the planes through b's ends across a.
interval segment_beside(const segment *a, const segment *b);
// What is left of an interval where value + u slope >= 0 holds.
interval interval_clipped(interval s, double value, double slope);

// A unit vector across another, the one that points up most; across a vertical one, x.
scr_vec3 across_upwards(scr_vec3 direction);

#endif
