// SPDX-License-Identifier: BSD-3-Clause
// The shapes of pairs as kernels load them: a pair a lane. Included after core/maths/lanes.h.
#ifndef COLLISION_LANES_PLACED_LANES_H
#define COLLISION_LANES_PLACED_LANES_H

#include "collision/lanes/shape_pairs.h"
#include "core/maths/lanes.h"

_Static_assert((int)REAL_LANES <= (int)LANES_MOST, "lanes to spare have a pair");
_Static_assert(sizeof(ball) == 4 * sizeof(double) && sizeof(scr_quat) == 4 * sizeof(double), "each is loaded as a row");

typedef struct placed_lanes {
    real3 at;  // m
    real_quat rotation;
    real3 half;  // m
} placed_lanes;

typedef struct placed_pairs {
    placed_lanes a, b;
    real reach;  // m
} placed_pairs;

static inline placed_lanes placed_lanes_load(const colliders *c, const int32_t *all, const int which[REAL_LANES])
{
    enum { ROWS = 4 };
    placed_lanes p;
    real centre[ROWS], rotation[ROWS];
    for (int k = 0; k < REAL_LANES; ++k) {
        int32_t i = all[which[k]], place = c->place[i];
        const double *half = c->places.half + 3 * (int64_t)place;
        memcpy((char *)&centre[k % ROWS] + k / ROWS * sizeof(ball), &c->ball[i], sizeof(ball));
        memcpy((char *)&rotation[k % ROWS] + k / ROWS * sizeof(scr_quat), &c->rotation[place], sizeof(scr_quat));
        p.half.x[k] = half[0], p.half.y[k] = half[1], p.half.z[k] = half[2];
    }
    real_transpose(centre);
    real_transpose(rotation);
    p.at = (real3){centre[0], centre[1], centre[2]};
    p.rotation = (real_quat){rotation[0], rotation[1], rotation[2], rotation[3]};
    return p;
}

static inline placed_pairs placed_pairs_load(const colliders *c, const shape_pairs *pairs, const int which[REAL_LANES])
{
    placed_pairs p = {.a = placed_lanes_load(c, pairs->a, which), .b = placed_lanes_load(c, pairs->b, which)};
    for (int k = 0; k < REAL_LANES; ++k) p.reach[k] = pairs->reach[which[k]];
    return p;
}

// One point of each pair, whatever the verdict: no branch depends on that.
static inline void store_found(shape_pairs *pairs, const int which[REAL_LANES], real_mask touches, real_mask open,
                               real3 point, real3 normal, real gap, uint32_t feature)
{
    for (int k = 0; k < REAL_LANES; ++k) {
        pairs->verdict[which[k]] = (uint8_t)((touches[k] & PAIR_TOUCHES) | (open[k] & PAIR_OPEN));
        pairs->found[which[k]] = (contact_point){
            {point.x[k], point.y[k], point.z[k]}, {normal.x[k], normal.y[k], normal.z[k]}, gap[k], feature, {0.0, 0.0}};
    }
}

#endif
