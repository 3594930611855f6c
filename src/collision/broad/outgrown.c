// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for every instruction set: SCREE_ISA names it.
#define LANES_EIGHT
#include "collision/broad/outgrown.h"

#include "core/maths/row_lanes.h"

static inline uint32_t no_spheres(const uint8_t *kind)
{
    uint32_t bits = 0;
    for (int k = 0; k < REAL_LANES; ++k) bits |= (uint32_t)(kind[k] != SCR_SPHERE) << k;
    return bits;
}

uint32_t KERNEL(may_have_outgrown)(const outgrown_look *look, int64_t first)
{
    const real3 drift = {real_set(look->drift.x), real_set(look->drift.y), real_set(look->drift.z)};
    const uint32_t all = (1u << REAL_LANES) - 1;
    uint32_t bits = 0;
    for (int k = 0; k < OUTGROWN_AT_ONCE; k += REAL_LANES) {
        int64_t i = first + k;
        real now[4], then[4];
        lanes_load(now, &look->now[i].x, sizeof(ball) / sizeof(double));
        lanes_load(then, &look->made_at[i].x, sizeof(scr_vec3) / sizeof(double));
        real3 way = real3_sub(real3_sub((real3){now[0], now[1], now[2]}, (real3){then[0], then[1], then[2]}), drift);
        real reach = real_of(narrow_load(look->reach + i)), travel = real_of(narrow_load(look->travel + i)),
             margin = real_of(narrow_load(look->margin + i));
        real farthest = real_sqrt(real3_dot(way, way)) + reach + real_set(look->steps) * travel;
        bits |= ((all & ~real_bits(farthest <= margin)) | no_spheres(look->kind + i)) << k;
    }
    return bits;
}
