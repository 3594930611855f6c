// SPDX-License-Identifier: BSD-3-Clause
// The nearest balls of two capsules, for one pair or several at a time. A capsule's axis is a segment, a's about the
// origin.
//
// Between inner points of the axes the direction is that of the arms' cross product, which has more digits than the
// difference of the points when the axes pass each other closely; else it is that from point to point. Axes that touch
// or cross where neither says anything have no direction between them.
#ifndef COLLISION_NARROW_CAPSULE_LANES_H
#define COLLISION_NARROW_CAPSULE_LANES_H

#include "collision/narrow/narrow_sphere.h"
#include "collision/narrow/segment_lanes.h"

// Axes this near to each other, in units of their lengths, have no direction between them but that across both.
#define CROSSING_AXES 1e-14
// Axes that include a smaller sine have no cross product worth the name.
#define NO_CROSS_PRODUCT_SINE 1e-7
// Sine of about 6 degrees: axes that include more meet in one point.
#define NEARLY_PARALLEL_SINE 0.1

typedef struct balls_lanes {
    real3 normal;            // from a to b
    real gap;                // m
    real_mask no_direction;  // normal says nothing
} balls_lanes;

// way: from a ball's centre to the other's. size: of both axes
static inline balls_lanes balls_apart(real3 way, real distance, real size, real radii)
{
    real_mask crossing = real_not(distance > real_set(CROSSING_AXES) * size + real_set(COINCIDENT));
    return (balls_lanes){real3_scale(real_set(1.0) / distance, way), distance - radii, crossing};
}

static inline balls_lanes nearest_balls_lanes(const segment_lanes *a, const segment_lanes *b, real radii,
                                              const approach_lanes *near)
{
    real zero = real_set(0.0), one = real_set(1.0);
    real3 cross = real3_cross(a->arm, b->arm);
    real length_a = real_sqrt(real3_dot(a->arm, a->arm)), length_b = real_sqrt(real3_dot(b->arm, b->arm));
    real length = real_sqrt(real3_dot(cross, cross)), sine = length / (length_a * length_b), size = length_a + length_b;
    balls_lanes c = balls_apart(near->between, near->distance, size, radii);
    real_mask inner = (real_abs(near->u) < one) & (real_abs(near->v) < one) & (sine * size > near->distance) &
                      (sine > real_set(NO_CROSS_PRODUCT_SINE));
    if (real_bits(inner) == 0) return c;
    real3 normal = real3_scale(one / length, cross);
    real along = real3_dot(normal, b->middle) - real3_dot(normal, a->middle);
    real_mask turned = along < zero;
    normal = real3_select(turned, real3_neg(normal), normal);
    return (balls_lanes){real3_select(inner, normal, c.normal),
                         real_select(inner, real_select(turned, -along, along) - radii, c.gap),
                         c.no_direction & real_not(inner)};
}

// m, from a's middle: midway between the surfaces of the balls, a's being at u.
static inline real3 balls_point(const segment_lanes *a, real u, real radius_a, const balls_lanes *c)
{
    return real3_add(real3_scale(u, a->arm), real3_scale(radius_a + real_set(0.5) * c->gap, c->normal));
}

// Whether axes of these half lengths are so nearly parallel that they meet in several points.
static inline real_mask nearly_parallel(const segment_lanes *a, const segment_lanes *b, real length_a, real length_b)
{
    real3 cross = real3_cross(a->arm, b->arm);
    return real_sqrt(real3_dot(cross, cross)) < real_set(NEARLY_PARALLEL_SINE) * length_a * length_b;
}

#endif
