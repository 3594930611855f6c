// SPDX-License-Identifier: BSD-3-Clause
#ifndef SCENE_PROBE_BODY_MASS_H
#define SCENE_PROBE_BODY_MASS_H

#include "dynamics/world/fixed_grains.h"

// kg, of a body that moves, or would if it were awake.
static inline double body_mass(const scr_world *world, const scr_body_view *bodies, int64_t i)
{
    if (bodies->inv_mass[i] > 0.0) return 1.0 / bodies->inv_mass[i];
    stored_grain g = world_stored_grain(world, i);
    return stored_grain_mass(world, &g);
}

#endif
