// SPDX-License-Identifier: BSD-3-Clause
// What shapes weigh before they are a body's.
#ifndef DYNAMICS_WORLD_SHAPE_MASSES_H
#define DYNAMICS_WORLD_SHAPE_MASSES_H

#include "geometry/shape/placed_shape.h"

// Of shapes of the world's materials and surfaces together; of no shapes all zero.
mass_properties world_mass_of_shapes(const scr_world *world, const scr_shape *shapes, int count);

#endif
