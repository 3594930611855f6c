// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/world/shape_masses.h"

#include "dynamics/world/world.h"

mass_properties world_mass_of_shapes(const scr_world *world, const scr_shape *shapes, int count)
{
    return shapes_mass_properties(shapes, count, &world->surfaces, world->materials.density);
}
