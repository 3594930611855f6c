// SPDX-License-Identifier: BSD-3-Clause
#include "collision/broad/part_lists.h"

#include <omp.h>
#include <string.h>

#include "core/arrays/short_sort.h"
#include "core/base/memory.h"
#include "geometry/surface/sphere_tree.h"

static const double ROUNDING = 1.0 + 1e-9;

void part_lists_free(part_lists *parts)
{
    for (int64_t k = 0; k < parts->buffer_count; ++k) scr_free(parts->buffer[k].item);
    scr_free(parts->buffer);
    scr_free(parts->range);
    scr_free(parts->of_pair);
}

static bool is_sphere_and_set(const colliders *c, int64_t i, int64_t j)
{
    return (c->kind[i] == SCR_SPHERE && c->kind[j] == SCR_SPHERE_SET) ||
           (c->kind[i] == SCR_SPHERE_SET && c->kind[j] == SCR_SPHERE);
}

static scr_status list_pairs(part_lists *parts, const colliders *c, const int64_t *start, const int32_t *other,
                             scr_error *error)
{
    scr_status status = SCR_OK;
    parts->range_count = 0;
    for (int64_t i = 0; i < c->table.count && status == SCR_OK; ++i) {
        for (int64_t k = start[i]; k < start[i + 1] && status == SCR_OK; ++k) {
            parts->of_pair[k] = -1;
            if (!is_sphere_and_set(c, i, other[k])) continue;
            status = scr_grow(&parts->range, &parts->range_capacity, parts->range_count + 1, sizeof *parts->range,
                              "neighbour lists", error);
            if (status != SCR_OK) break;
            parts->of_pair[k] = (int32_t)parts->range_count;
            parts->range[parts->range_count++] = (part_range){.pair = k, .a = (int32_t)i, .b = other[k]};
        }
    }
    return status;
}

// The spheres of a set within reach of a point, in the set's frame, for one pair.
typedef struct part_search {
    const shape_surface *set;
    sphere_probe probe;
    part_buffer *buffer;
    bool out_of_memory;
} part_search;

static bool take_group(void *context, int32_t group)
{
    part_search *s = context;
    part_buffer *b = s->buffer;
    if (b->count + SPHERE_GROUP > b->capacity &&
        scr_grow(&b->item, &b->capacity, b->count + SPHERE_GROUP, sizeof *b->item, "neighbour lists", NULL) != SCR_OK) {
        s->out_of_memory = true;
        return false;
    }
    for (unsigned hits = sphere_group_near(s->set, group, &s->probe); hits != 0; hits &= hits - 1)
        b->item[b->count++] = SPHERE_GROUP * group + __builtin_ctz(hits);
    return true;
}

static void fill_range(const colliders *c, const float *margin, part_range *range, part_buffer *buffer)
{
    bool set_is_a = c->kind[range->a] == SCR_SPHERE_SET;
    placed_shape set = set_is_a ? collider_placed(c, range->a) : collider_placed_near(c, range->a, range->b);
    ball sphere = set_is_a ? collider_nearest(c, range->a, range->b) : c->ball[range->a];
    double reach = sphere.r + (double)margin[range->a] + (double)margin[range->b];
    scr_vec3 point = pose_unapply(set.pose, vec3(sphere.x, sphere.y, sphere.z));
    part_search s = {set.surface, sphere_probe_of(point, ROUNDING * reach), buffer, false};
    ball_test test = ball_test_of(point, ROUNDING * reach);
    range->first = buffer->count;
    mesh_tree_walk(&set.surface->spheres->groups, tree_overlaps_ball, &test, take_group, &s);
    range->count = (int32_t)(buffer->count - range->first);
    range->out_of_memory = s.out_of_memory;
    short_sort(buffer->item + range->first, range->count);
}

static scr_status grow_buffers(part_lists *parts, int threads, scr_error *error)
{
    int64_t capacity = parts->buffer_count;
    if (capacity < threads) {
        scr_status status =
            scr_grow(&parts->buffer, &capacity, threads, sizeof *parts->buffer, "neighbour lists", error);
        if (status != SCR_OK) return status;
        while (parts->buffer_count < capacity) parts->buffer[parts->buffer_count++] = (part_buffer){0};
    }
    for (int64_t k = 0; k < parts->buffer_count; ++k) parts->buffer[k].count = 0;
    return SCR_OK;
}

scr_status part_lists_make(part_lists *parts, const colliders *c, const int64_t *start, const int32_t *other,
                           const float *margin, int threads, scr_error *error)
{
    parts->has_any = false;
    if (!colliders_have_sets(c)) return SCR_OK;
    scr_status status = scr_grow_anew(&parts->of_pair, &parts->pair_capacity, start[c->table.count],
                                      sizeof *parts->of_pair, "neighbour lists", error);
    if (status == SCR_OK) status = list_pairs(parts, c, start, other, error);
    if (status == SCR_OK) status = grow_buffers(parts, threads, error);
    if (status != SCR_OK) return status;
    bool out_of_memory = false;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64) reduction(|| : out_of_memory)
    for (int64_t k = 0; k < parts->range_count; ++k) {
        parts->range[k].buffer = omp_get_thread_num();
        fill_range(c, margin, &parts->range[k], &parts->buffer[omp_get_thread_num()]);
        out_of_memory = out_of_memory || parts->range[k].out_of_memory;
    }
    if (out_of_memory) return scr_fail(error, SCR_NO_MEMORY, "out of memory for the neighbour lists");
    parts->has_any = true;
    return SCR_OK;
}
