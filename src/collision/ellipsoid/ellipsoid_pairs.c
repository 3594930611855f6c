// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#define LANES_EIGHT
#include "collision/ellipsoid/ellipsoid_pairs.h"

#include "collision/ellipsoid/ellipsoid_climb.h"
#include "collision/lanes/placed_lanes.h"

static inline ellipsoid placed_ellipsoid(const placed_lanes *p)
{
    return place_ellipsoid((const real[]){p->rotation.w, p->rotation.x, p->rotation.y, p->rotation.z}, p->half);
}

static inline void find_lanes(const colliders *c, shape_pairs *pairs, const int which[REAL_LANES])
{
    placed_pairs both = placed_pairs_load(c, pairs, which);
    const placed_lanes *a = &both.a, *b = &both.b;
    pair p = {placed_ellipsoid(a), placed_ellipsoid(b), real3_sub(b->at, a->at), both.reach, real_set(0.0)};
    real3 n = first_direction(&p);
    real_mask near = climb(&p, &n, balls_are_near(a->half, b->half, p.between, p.reach));
    if (real_bits(near) == 0) return;
    finding f = look_along(&p, n);
    real_mask highest = is_highest(&p, &f), deep = near & real_not(highest);
    real3 point = real3_scale(real_set(0.5), real3_add(real3_add(a->at, f.on_a), real3_sub(b->at, f.on_b)));
    store_found(pairs, which, near & highest & (f.gap < p.reach), deep, point, f.n, f.gap, 0);
}

void KERNEL(ellipsoid_pairs)(const colliders *c, shape_pairs *pairs, const int *which, int count)
{
    for (int first = 0; first < count; first += REAL_LANES) find_lanes(c, pairs, which + first);
}
