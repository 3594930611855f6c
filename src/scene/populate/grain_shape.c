// SPDX-License-Identifier: BSD-3-Clause
// Grains that need not be spheres.
#include "scene/populate/grain_shape.h"

#include <math.h>

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

double grain_reach(const scene_grain *grain)
{
    if (grain->pebble.corners > 0) return pebble_reach(&grain->pebble);
    double reach = grain->clump_count > 0 ? 0.0 : shape_bounding_radius(&grain->shape, NULL);
    for (int k = 0; k < grain->clump_count; ++k)
        reach = fmax(reach, vec3_norm(grain->clump[k].centre) + grain->clump[k].radius);
    return reach;
}

double grain_volume(const scr_shape *unit, double radius)
{
    return shape_volume(unit, NULL) * radius * radius * radius;
}

// The shapes of a grain; their number.
static int shapes_of(const scene_grain *kind, double radius, scr_material material, scr_shape shape[CLUMP_MAX])
{
    if (kind->clump_count == 0) {
        shape[0] = grain_shape(&kind->shape, radius, material);
        return 1;
    }
    for (int k = 0; k < kind->clump_count; ++k) {
        shape[k] = scr_sphere(radius * kind->clump[k].radius, material);
        shape[k].position = vec3_scale(radius, kind->clump[k].centre);
    }
    return kind->clump_count;
}

scr_status add_grains(scr_world *world, const scene_grain *kind, const grain_batch *g, scr_error *error)
{
    bool is_sphere = kind->shape.kind == SCR_SPHERE && kind->clump_count == 0 && kind->pebble.corners == 0;
    if (is_sphere && !g->fixed)
        return scr_world_add_spheres(world, g->count, g->position, g->radius, g->velocity, g->material, NULL, error);
    scr_body_def def = scr_default_body_def();
    scr_shape shape[CLUMP_MAX];
    pebble_hulls hulls = {.pebble = &kind->pebble, .seed = g->seed, .stream = g->pebble_stream};
    scr_status status = SCR_OK;
    if (g->fixed) def.kind = SCR_FIXED;
    for (int64_t i = 0; i < g->count && status == SCR_OK; ++i) {
        scr_body body;
        scr_error reason;
        uint64_t number = g->first + (uint64_t)i;
        def.position = g->position[i];
        if (g->velocity != NULL) def.velocity = g->velocity[i];
        def.rotation = rotation_draw(g->seed, g->rotation_stream, number);
        def.shapes = shape;
        if (kind->pebble.corners > 0)
            status = pebble_shape(&hulls, world, number, g->radius[i], g->material, &shape[0], &reason);
        def.shape_count = kind->pebble.corners > 0 ? 1 : shapes_of(kind, g->radius[i], g->material, shape);
        if (status == SCR_OK) status = scr_world_add_body(world, &def, &body, &reason);
        if (status != SCR_OK) scr_fail(error, status, "grain %lld: %s", (long long)i + 1, reason.message);
    }
    pebble_hulls_free(&hulls);
    return status;
}
