// SPDX-License-Identifier: BSD-3-Clause
#include "scene/overlap/vacancy.h"

#include "core/base/memory.h"
#include "core/maths/quat.h"
#include "dynamics/world/world_state.h"

static const double TOUCHING = 1e-9;  // of a radius: what is made to touch a wall does not overlap it by rounding

typedef struct candidate {
    const shape_bins *bins;
    const placed_shape *grain;
    contact_list *points;
} candidate;

static bool overlaps(void *context, int32_t other)
{
    const candidate *c = context;
    const placed_shape *shape = &c->bins->shape[other];
    if (shape->kind == SCR_SPHERE && c->grain->kind == SCR_SPHERE) {
        scr_vec3 d = vec3_sub(shape->pose.position, c->grain->pose.position);
        double sum = shape->radius + c->grain->radius;
        return vec3_dot(d, d) < sum * sum;
    }
    return shapes_overlap(c->grain, shape, c->points) > 0.0;
}

bool place_is_taken(const shape_bins *bins, const placed_shape *grain, contact_list *points)
{
    candidate c = {bins, grain, points};
    return shape_bins_visit(bins, grain, false, overlaps, &c);
}

static scr_status gather(const scr_world *world, shape_bins *bins, scr_error *error)
{
    int64_t count = scr_world_shape_count(world), body;
    scr_status status = shape_bins_reset(bins, count, error);
    for (int64_t i = 0; i < count && status == SCR_OK; ++i) {
        placed_shape shape = world_placed_shape(world, i, &body);
        status = shape_bins_add(bins, &shape, error);
    }
    return status;
}

scr_status drop_taken(const scr_world *world, double reach, packed_grains *grains, scr_error *error)
{
    shape_bins bins = {0};
    contact_list points = {0};
    scr_status status = gather(world, &bins, error);
    int64_t kept = 0;
    for (int64_t i = 0; i < grains->count && status == SCR_OK; ++i) {
        scr_shape ball = scr_sphere((1.0 - TOUCHING) * reach * grains->radius[i], (scr_material){0});
        placed_shape grain = shape_place(&ball, NULL, (pose){grains->position[i], QUAT_IDENTITY});
        if (place_is_taken(&bins, &grain, &points)) continue;
        grains->position[kept] = grains->position[i];
        grains->radius[kept++] = grains->radius[i];
    }
    if (status == SCR_OK) grains->count = kept;
    shape_bins_free(&bins);
    scr_free(points.point);
    return status;
}
