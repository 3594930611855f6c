// SPDX-License-Identifier: BSD-3-Clause
// Grains that need not be spheres.
#include "scene/populate/grain_shape.h"

#include "core/base/status.h"
#include "scree/scree.h"

scr_shape grain_shape(const scr_shape *unit, double radius, scr_material material)
{
    scr_shape shape = *unit;
    shape.material = material;
    shape.radius *= radius;
    shape.half = vec3_scale(radius, shape.half);
    return shape;
}

double grain_reach(const scr_shape *unit) { return shape_bounding_radius(unit, NULL); }
double grain_volume(const scr_shape *unit, double radius)
{
    return shape_volume(unit, NULL) * radius * radius * radius;
}

scr_status add_grains(scr_world *world, const scr_shape *unit, const grain_batch *g, scr_error *error)
{
    if (unit->kind == SCR_SPHERE && !g->fixed)
        return scr_world_add_spheres(world, g->count, g->position, g->radius, g->velocity, g->material, NULL, error);
    scr_body_def def = scr_default_body_def();
    if (g->fixed) def.kind = SCR_FIXED;
    for (int64_t i = 0; i < g->count; ++i) {
        scr_shape shape = grain_shape(unit, g->radius[i], g->material);
        scr_body body;
        scr_error reason;
        def.position = g->position[i];
        def.velocity = g->velocity[i];
        def.rotation = rotation_draw(g->seed, g->rotation_stream, g->first + (uint64_t)i);
        def.shapes = &shape;
        def.shape_count = 1;
        scr_status status = scr_world_add_body(world, &def, &body, &reason);
        if (status != SCR_OK) return scr_fail(error, status, "grain %lld: %s", (long long)i + 1, reason.message);
    }
    return SCR_OK;
}
