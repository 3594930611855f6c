// SPDX-License-Identifier: BSD-3-Clause
#include "app/check/moving_shapes.h"

#include "core/base/memory.h"
#include "dynamics/world/world_state.h"
#include "scene/model/groups.h"

// Bodies of the scene's list that a joint holds, by index.
static void mark_joined(const scene *s, bool *is_joined)
{
    for (int k = 0; k < s->joint_count; ++k) {
        for (int end = 0; end < 2; ++end) {
            int body = s->joints[k].end[end].body;
            if (body != GROUND) is_joined[body] = true;
        }
    }
}

static bool is_of_mechanism(const scene *s, const bool *is_joined, uint64_t id)
{
    return id <= (uint64_t)s->body_count && is_joined[id - 1];
}

// Boxes that meet, the first grown by its own size: whether the shapes do so will change as they move.
static bool are_near(const scr_aabb *a, const scr_aabb *b)
{
    scr_vec3 grown = vec3_scale(0.5, vec3_sub(a->high, a->low));
    scr_vec3 low = vec3_sub(a->low, grown), high = vec3_add(a->high, grown);
    return low.x <= b->high.x && b->low.x <= high.x && low.y <= b->high.y && b->low.y <= high.y && low.z <= b->high.z &&
           b->low.z <= high.z;
}

static bool is_near_others(const scene *s, const scr_world *world, const bool *is_joined, int64_t shape)
{
    scr_body_view view = scr_world_bodies(world);
    body_groups grain = groups_of_grain();
    int64_t body, other_body;
    placed_shape own = world_placed_shape(world, shape, &body);
    scr_aabb box = placed_aabb(&own);
    body_groups groups = groups_of_body(s, view.id[body], grain);
    for (int64_t k = 0; k < scr_world_shape_count(world); ++k) {
        placed_shape other = world_placed_shape(world, k, &other_body);
        if (is_of_mechanism(s, is_joined, view.id[other_body])) continue;
        scr_aabb other_box = placed_aabb(&other);
        body_groups other_groups = groups_of_body(s, view.id[other_body], grain);
        if (groups_touch(groups, other_groups) && are_near(&box, &other_box)) return true;
    }
    return false;
}

static void count(const scene *s, const scr_world *world, const bool *is_joined, moving_shapes *m)
{
    scr_body_view view = scr_world_bodies(world);
    m->joined_near_others = s->joint_count > 0 && s->fill_count + s->table_count + s->bed_count + s->emitter_count > 0;
    for (int64_t i = 0; i < scr_world_shape_count(world); ++i) {
        scr_placed_shape shape = scr_world_shape(world, i);
        if (view.kind[shape.body] != SCR_DYNAMIC) continue;
        if (shape.kind == SCR_MESH) m->triangles += scr_surface_triangles(world, shape.surface).triangle_count;
        if (!is_of_mechanism(s, is_joined, view.id[shape.body])) ++m->free[shape.kind];
        else if (!m->joined_near_others) m->joined_near_others = is_near_others(s, world, is_joined, i);
    }
}

scr_status count_moving(const scene *s, const scr_world *world, moving_shapes *m, scr_error *error)
{
    *m = (moving_shapes){0};
    size_t size = (size_t)s->body_count * sizeof(bool);
    bool *is_joined = scr_alloc(size + 1);
    if (is_joined == NULL) return scr_fail_memory(error, size, "bodies of mechanisms");
    for (int k = 0; k < s->body_count; ++k) is_joined[k] = false;
    mark_joined(s, is_joined);
    count(s, world, is_joined, m);
    scr_free(is_joined);
    return SCR_OK;
}
