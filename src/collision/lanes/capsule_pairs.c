// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#define LANES_EIGHT
#include "collision/lanes/capsule_pairs.h"

#include "collision/lanes/placed_lanes.h"
#include "collision/narrow/capsule_lanes.h"
#include "collision/narrow/narrow_capsule.h"

static inline real3 arm_of(const placed_lanes *p)
{
    return real_quat_rotate(p->rotation, (real3){real_set(0.0), real_set(0.0), p->half.z});
}

static inline void find_lanes(const colliders *c, shape_pairs *pairs, const int which[REAL_LANES])
{
    placed_pairs p = placed_pairs_load(c, pairs, which);
    real zero = real_set(0.0), radii = p.a.half.x + p.b.half.x;
    segment_lanes a = {{zero, zero, zero}, arm_of(&p.a)}, b = {real3_sub(p.b.at, p.a.at), arm_of(&p.b)};
    approach_lanes near = segment_lanes_approach(&a, &b);
    real_mask in_reach = near.distance - radii < p.reach;
    if (real_bits(in_reach) == 0) return;
    balls_lanes balls = nearest_balls_lanes(&a, &b, radii, &near);
    real_mask open = in_reach & (balls.no_direction | nearly_parallel(&a, &b, p.a.half.z, p.b.half.z));
    real3 point = real3_add(p.a.at, balls_point(&a, near.u, p.a.half.x, &balls));
    store_found(pairs, which, in_reach & real_not(open), open, point, balls.normal, balls.gap, CAPSULES_NEAREST);
}

void KERNEL(capsule_pairs)(const colliders *c, shape_pairs *pairs, const int *which, int count)
{
    for (int first = 0; first < count; first += REAL_LANES) find_lanes(c, pairs, which + first);
}
