// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#define LANES_EIGHT
#include "collision/ellipsoid/ellipsoid_pairs.h"

#include "collision/ellipsoid/ellipsoid_climb.h"

_Static_assert(ELLIPSOID_BLOCK % REAL_LANES == 0, "lanes to spare are in the block");
_Static_assert(sizeof(ball) == 4 * sizeof(double) && sizeof(scr_quat) == 4 * sizeof(double), "each is loaded as a row");

enum { ROWS = 4 };

static const double ROUNDED_UP = 1.0 + 1e-12;

typedef struct placed_lanes {
    real3 at, half;
    ellipsoid shape;
} placed_lanes;

static inline placed_lanes load_lanes(const colliders *c, const int32_t which[REAL_LANES])
{
    placed_lanes p;
    real centre[ROWS], rotation[ROWS];
    for (int k = 0; k < REAL_LANES; ++k) {
        int32_t place = c->place[which[k]];
        const double *half = c->places.half + 3 * (int64_t)place;
        memcpy((char *)&centre[k % ROWS] + k / ROWS * sizeof(ball), &c->ball[which[k]], sizeof(ball));
        memcpy((char *)&rotation[k % ROWS] + k / ROWS * sizeof(scr_quat), &c->rotation[place], sizeof(scr_quat));
        p.half.x[k] = half[0], p.half.y[k] = half[1], p.half.z[k] = half[2];
    }
    real_transpose(centre);
    real_transpose(rotation);
    p.at = (real3){centre[0], centre[1], centre[2]};
    p.shape = place_ellipsoid(rotation, p.half);
    return p;
}

static inline void store_found(ellipsoid_block *block, const int which[REAL_LANES], real3 point, const finding *f)
{
    for (int k = 0; k < REAL_LANES; ++k)
        block->found[which[k]] = (contact_point){
            {point.x[k], point.y[k], point.z[k]}, {f->n.x[k], f->n.y[k], f->n.z[k]}, f->gap[k], 0, {0.0, 0.0}};
}

static inline void find_lanes(const colliders *c, ellipsoid_block *block, const int which[REAL_LANES])
{
    int32_t of_a[REAL_LANES], of_b[REAL_LANES];
    real reach;
    for (int k = 0; k < REAL_LANES; ++k)
        of_a[k] = block->a[which[k]], of_b[k] = block->b[which[k]], reach[k] = block->reach[which[k]];
    placed_lanes a = load_lanes(c, of_a), b = load_lanes(c, of_b);
    pair p = {a.shape, b.shape, real3_sub(b.at, a.at), reach, real_set(0.0)};
    real3 n = first_direction(&p);
    real_mask near = climb(&p, &n, balls_are_near(a.half, b.half, p.between, p.reach));
    if (real_bits(near) == 0) return;
    finding f = look_along(&p, n);
    real_mask highest = is_highest(&p, &f), touch = near & highest & (f.gap < p.reach), deep = near & real_not(highest);
    for (int k = 0; k < REAL_LANES; ++k)
        block->verdict[which[k]] = (uint8_t)(touch[k]  ? ELLIPSOIDS_TOUCH
                                             : deep[k] ? ELLIPSOIDS_DEEP
                                                       : ELLIPSOIDS_APART);
    real3 point = real3_scale(real_set(0.5), real3_add(real3_add(a.at, f.on_a), real3_sub(b.at, f.on_b)));
    store_found(block, which, point, &f);
}

// Lanes are for pairs whose bounding balls are in reach: of a neighbour list a quarter is not.
static bool balls_meet(const ball *a, const ball *b, double reach)
{
    double x = b->x - a->x, y = b->y - a->y, z = b->z - a->z, limit = ROUNDED_UP * (a->r + b->r + reach);
    return limit > 0.0 && x * x + y * y + z * z < limit * limit;
}

void KERNEL(ellipsoid_pairs)(const colliders *c, ellipsoid_block *block)
{
    int near[ELLIPSOID_BLOCK], count = 0;
    memset(block->verdict, ELLIPSOIDS_APART, (size_t)block->count);
    for (int k = 0; k < block->count; ++k)
        if (balls_meet(&c->ball[block->a[k]], &c->ball[block->b[k]], block->reach[k])) near[count++] = k;
    if (count == 0) return;
    while (count % REAL_LANES != 0) near[count] = near[0], ++count;  // lanes to spare do the first one again
    for (int first = 0; first < count; first += REAL_LANES) find_lanes(c, block, near + first);
}
