// SPDX-License-Identifier: BSD-3-Clause
// The public calls about surfaces.
#include "dynamics/world/world.h"
#include "dynamics/world/world_state.h"

static scr_status added_surface(scr_world *world, scr_status status, scr_surface *added)
{
    *added = (scr_surface){status == SCR_OK ? (uint32_t)world->surfaces.table.count : 0u};
    return status;
}

scr_status scr_world_add_hull(scr_world *world, int64_t count, const scr_vec3 *points, scr_surface *added,
                              scr_error *error)
{
    return added_surface(world, surfaces_add_hull(&world->surfaces, count, points, error), added);
}

scr_status scr_world_add_mesh(scr_world *world, const scr_triangles *given, scr_surface *added, scr_error *error)
{
    return added_surface(world, surfaces_add_mesh(&world->surfaces, given, error), added);
}

scr_status scr_world_add_heightfield(scr_world *world, const scr_heights *given, scr_surface *added, scr_error *error)
{
    return added_surface(world, surfaces_add_heightfield(&world->surfaces, given, error), added);
}

scr_status scr_world_add_sphere_set(scr_world *world, int64_t count, const scr_vec3 *centre, const double *radius,
                                    scr_surface *added, scr_error *error)
{
    int64_t index = -1;
    scr_status status = surfaces_add_sphere_set(&world->surfaces, count, centre, radius, &index, error);
    *added = (scr_surface){status == SCR_OK ? (uint32_t)(index + 1) : 0u};
    return status;
}

scr_shape scr_surface_shape(const scr_world *world, scr_surface handle, scr_material material)
{
    const shape_surface *s = surface_of(&world->surfaces, handle);
    if (s == NULL) return (scr_shape){0};
    return (scr_shape){
        .kind = s->kind, .material = material, .position = s->centre, .rotation = QUAT_IDENTITY, .surface = handle};
}

scr_triangles scr_surface_triangles(const scr_world *world, scr_surface handle)
{
    const shape_surface *s = surface_of(&world->surfaces, handle);
    return s == NULL ? (scr_triangles){0} : s->triangles;
}

const shape_surface *world_surface(const scr_world *world, scr_surface handle)
{
    return surface_of(&world->surfaces, handle);
}
