// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#include "collision/ellipsoid/ellipsoid_pairs.h"

#include "collision/ellipsoid/ellipsoid_climb.h"

_Static_assert((int)REAL_LANES == (int)ELLIPSOID_LANES, "four doubles");
_Static_assert(sizeof(ball) == sizeof(real) && sizeof(scr_quat) == sizeof(real), "each is loaded as one vector");

typedef struct placed_four {
    real3 at, half;
    ellipsoid shape;
} placed_four;

static inline placed_four load_four(const colliders *c, const int32_t which[4])
{
    placed_four p;
    real centre[4], rotation[4];
    for (int k = 0; k < ELLIPSOID_LANES; ++k) {
        int32_t place = c->place[which[k]];
        const double *half = c->places.half + 3 * (int64_t)place;
        memcpy(&centre[k], &c->ball[which[k]], sizeof centre[k]);
        memcpy(&rotation[k], &c->rotation[place], sizeof rotation[k]);
        p.half.x[k] = half[0], p.half.y[k] = half[1], p.half.z[k] = half[2];
    }
    real_transpose(centre);
    real_transpose(rotation);
    p.at = (real3){centre[0], centre[1], centre[2]};
    p.shape = place_ellipsoid(rotation, p.half);
    return p;
}

static inline void store_found(contact_point *out, real3 point, const finding *f)
{
    for (int k = 0; k < ELLIPSOID_LANES; ++k)
        out[k] = (contact_point){{point.x[k], point.y[k], point.z[k]}, {f->n.x[k], f->n.y[k], f->n.z[k]}, f->gap[k], 0};
}

static inline void find_four(const colliders *c, ellipsoid_block *block, int first)
{
    placed_four a = load_four(c, block->a + first), b = load_four(c, block->b + first);
    pair p = {a.shape, b.shape, real3_sub(b.at, a.at), real_load(block->reach + first), real_set(0.0)};
    real3 n = first_direction(&p);
    real_mask near = climb(&p, &n, balls_are_near(a.half, b.half, p.between, p.reach));
    uint8_t *verdict = block->verdict + first;
    memset(verdict, ELLIPSOIDS_APART, ELLIPSOID_LANES);
    if (real_bits(near) == 0) return;
    finding f = look_along(&p, n);
    real_mask highest = is_highest(&p, &f), touch = near & highest & (f.gap < p.reach), deep = near & real_not(highest);
    for (int k = 0; k < ELLIPSOID_LANES; ++k)
        verdict[k] = (uint8_t)(touch[k] ? ELLIPSOIDS_TOUCH : deep[k] ? ELLIPSOIDS_DEEP : ELLIPSOIDS_APART);
    real3 point = real3_scale(real_set(0.5), real3_add(real3_add(a.at, f.on_a), real3_sub(b.at, f.on_b)));
    store_found(block->found + first, point, &f);
}

void KERNEL(ellipsoid_pairs)(const colliders *c, ellipsoid_block *block)
{
    // The lanes after the last pair hold the first one again.
    for (int k = block->count; k % ELLIPSOID_LANES != 0; ++k)
        block->a[k] = block->a[0], block->b[k] = block->b[0], block->reach[k] = block->reach[0];
    for (int first = 0; first < block->count; first += ELLIPSOID_LANES) find_four(c, block, first);
}
