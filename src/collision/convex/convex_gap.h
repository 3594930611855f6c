// SPDX-License-Identifier: BSD-3-Clause
// The gap between two convex cores, and its direction.
#ifndef COLLISION_CONVEX_CONVEX_GAP_H
#define COLLISION_CONVEX_CONVEX_GAP_H

#include "collision/convex/convex_shape.h"

typedef struct convex_gap {
    scr_vec3 normal;      // unit, from a to b
    double gap;           // m, between the cores; negative when they overlap
    scr_vec3 on_a, on_b;  // m, where the cores are nearest
    int32_t corner[2];    // of a along the normal, of b against it, where they are hulls
} convex_gap;

// False if the cores are not nearer than reach (m).
bool convex_gap_find(const convex_shape *a, const convex_shape *b, double reach, convex_gap *out);

#endif
