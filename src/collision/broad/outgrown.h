// SPDX-License-Identifier: BSD-3-Clause
// Which spheres may have left the margins of a neighbour list: many at a time. Whoever asks looks at those closely.
#ifndef COLLISION_BROAD_OUTGROWN_H
#define COLLISION_BROAD_OUTGROWN_H

#include "collision/broad/colliders.h"
#include "core/base/kernels.h"

enum { OUTGROWN_AT_ONCE = 32 };

typedef struct outgrown_look {
    const ball *now;
    const scr_vec3 *made_at;               // m; one more, of any value, follows the last
    const float *margin, *reach, *travel;  // m
    const uint8_t *kind;
    scr_vec3 drift;  // m
    double steps;    // how much travel more must fit in
} outgrown_look;

// A bit for each of OUTGROWN_AT_ONCE colliders from `first` on: no sphere, or not within its margin.
typedef uint32_t outgrown_bits(const outgrown_look *look, int64_t first);
KERNELS_TO_AVX512(outgrown_bits, may_have_outgrown);

#endif
