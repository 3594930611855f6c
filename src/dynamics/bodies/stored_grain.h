// SPDX-License-Identifier: BSD-3-Clause
// A grain that does not move, as it is stored outside the world and added again.
#ifndef DYNAMICS_BODIES_STORED_GRAIN_H
#define DYNAMICS_BODIES_STORED_GRAIN_H

#include "scree/base.h"

typedef struct stored_grain {
    scr_vec3 position;  // m
    float rotation[4];
    double radius;             // m
    uint64_t id, collider_id;  // in the order of creation
    uint16_t material;
} stored_grain;

#endif
