// SPDX-License-Identifier: BSD-3-Clause
// Nearest points of two segments, for one pair or several at a time (core/maths/lanes.h).
//
// With r from a's middle to b's, d and e the arms and c = d x e, the square |r + v e - u d|^2 is convex in (u, v), and
// least without bounds at
//   u = (r x e) . c / |c|^2,   v = (r x d) . c / |c|^2
// u is kept within its bounds, v follows as b's nearest point to a's; if that is at a bound, u follows once more. This
// is exact for a convex square over a rectangle. Distances are not compared: they are flat about the least one, and
// equal to rounding where directions still differ by the root of it.
#ifndef COLLISION_NARROW_SEGMENT_LANES_H
#define COLLISION_NARROW_SEGMENT_LANES_H

#include "core/maths/lanes.h"

// Segments whose directions differ by a smaller sine are parallel.
#define PARALLEL_SEGMENTS_SINE 1e-9

typedef struct segment_lanes {
    real3 middle, arm;  // m
} segment_lanes;

// As segment_approach.
typedef struct approach_lanes {
    real u, v;
    real3 between;  // m
    real distance;  // m
} approach_lanes;

static inline real3 segment_lanes_at(const segment_lanes *s, real u)
{
    return real3_add(s->middle, real3_scale(u, s->arm));
}
static inline real on_segment(real u)
{
    real one = real_set(1.0);
    return real_select(u < -one, -one, real_select(u > one, one, u));
}
// As segment_nearest.
static inline real segment_lanes_nearest(const segment_lanes *s, real3 p)
{
    real square = real3_dot(s->arm, s->arm);
    return real_where(square > real_set(0.0), on_segment(real3_dot(s->arm, real3_sub(p, s->middle)) / square));
}

// The middle of the part of a that lies beside b, as segment_beside has it.
static inline real middle_beside(const segment_lanes *a, const segment_lanes *b, real dd)
{
    real one = real_set(1.0), middle = real3_dot(a->arm, real3_sub(b->middle, a->middle)) / dd;
    real half = real_abs(real3_dot(a->arm, b->arm)) / dd;
    real low = real_max(-one, middle - half), high = real_min(one, middle + half);
    return real_where(dd > real_set(0.0), on_segment(real_set(0.5) * (low + high)));
}

static inline approach_lanes segment_lanes_approach(const segment_lanes *a, const segment_lanes *b)
{
    real3 r = real3_sub(b->middle, a->middle), c = real3_cross(a->arm, b->arm);
    real square = real3_dot(c, c), dd = real3_dot(a->arm, a->arm), ee = real3_dot(b->arm, b->arm);
    // parallel, or one of them without length
    real_mask parallel = real_not(square > real_set(PARALLEL_SEGMENTS_SINE * PARALLEL_SEGMENTS_SINE) * dd * ee);
    real u = on_segment(real3_dot(real3_cross(r, b->arm), c) / square);
    if (real_bits(parallel) != 0) u = real_select(parallel, middle_beside(a, b, dd), u);
    real v = segment_lanes_nearest(b, segment_lanes_at(a, u));
    real_mask at_end = real_abs(v) == real_set(1.0);
    if (real_bits(at_end) != 0) u = real_select(at_end, segment_lanes_nearest(a, segment_lanes_at(b, v)), u);
    real3 between = real3_add(real3_add(r, real3_scale(v, b->arm)), real3_scale(-u, a->arm));
    return (approach_lanes){u, v, between, real_sqrt(real3_dot(between, between))};
}

#endif
