// SPDX-License-Identifier: BSD-3-Clause
#include "collision/broad/part_lists.h"

#include <omp.h>
#include <string.h>

#include "core/arrays/short_sort.h"
#include "core/base/memory.h"
#include "geometry/surface/sphere_tree.h"

static const double ROUNDING = 1.0 + 1e-9;
static const double BEYOND = 0.5;  // of the margins: how much farther groups are listed than they must be

static void free_ranges(part_ranges *r)
{
    for (int64_t k = 0; k < r->buffer_count; ++k) scr_free(r->buffer[k].item);
    scr_free(r->buffer);
    scr_free(r->item);
}

void part_lists_free(part_lists *parts)
{
    free_ranges(&parts->ranges);
    free_ranges(&parts->before);
    scr_free(parts->of_pair);
}

// ---- the pairs -----------------------------------------------------------------------------------------------------

// The range before of the same two colliders, if they have the numbers they had; both lists go by number.
static int32_t find_before(const part_ranges *before, const part_range *range, int64_t *at)
{
    while (*at < before->count &&
           (before->item[*at].a < range->a || (before->item[*at].a == range->a && before->item[*at].b < range->b)))
        ++*at;
    if (*at == before->count) return -1;
    const part_range *old = &before->item[*at];
    return old->id_a == range->id_a && old->id_b == range->id_b ? (int32_t)*at : -1;
}

static scr_status list_pairs(part_lists *parts, const colliders *c, const int64_t *start, const int32_t *other,
                             scr_error *error)
{
    part_ranges *ranges = &parts->ranges;
    int64_t at = 0, n = c->table.count;
    ranges->count = 0;
    if (start[n] > 0) memset(parts->of_pair, 0xff, (size_t)start[n] * sizeof *parts->of_pair);  // -1
    for (int64_t i = 0; i < n; ++i) {
        if (c->kind[i] != SCR_SPHERE && c->kind[i] != SCR_SPHERE_SET) continue;
        const uint8_t wanted = c->kind[i] == SCR_SPHERE ? SCR_SPHERE_SET : SCR_SPHERE;
        for (int64_t k = start[i]; k < start[i + 1]; ++k) {
            if (c->kind[other[k]] != wanted) continue;
            scr_status status = scr_grow(&ranges->item, &ranges->capacity, ranges->count + 1, sizeof *ranges->item,
                                         "neighbour lists", error);
            if (status != SCR_OK) return status;
            part_range range = {.pair = k, .a = (int32_t)i, .b = other[k], .id_a = c->id[i], .id_b = c->id[other[k]]};
            range.taken_over = find_before(&parts->before, &range, &at);
            parts->of_pair[k] = (int32_t)ranges->count;
            ranges->item[ranges->count++] = range;
        }
    }
    return SCR_OK;
}

// ---- their groups --------------------------------------------------------------------------------------------------

static bool reserve_groups(part_buffer *b, int64_t more)
{
    return b->count + more <= b->capacity ||
           scr_grow(&b->item, &b->capacity, b->count + more, sizeof *b->item, "neighbour lists", NULL) == SCR_OK;
}

// The groups of a set within reach of a point, in the set's frame, for one pair.
typedef struct part_search {
    const shape_surface *set;
    sphere_probe probe;
    part_buffer *buffer;
    bool out_of_memory;
} part_search;

static bool take_group(void *context, int32_t group)
{
    part_search *s = context;
    if (sphere_group_near(s->set, group, &s->probe) == 0) return true;
    s->out_of_memory = !reserve_groups(s->buffer, 1);
    if (s->out_of_memory) return false;
    s->buffer->item[s->buffer->count++] = group;
    return true;
}

static void search_groups(const shape_surface *set, part_range *range, part_buffer *buffer)
{
    part_search s = {set, sphere_probe_of(range->point, range->reach), buffer, false};
    ball_test test = ball_test_of(range->point, range->reach);
    mesh_tree_walk(&set->spheres->groups, tree_overlaps_ball, &test, take_group, &s);
    range->out_of_memory = s.out_of_memory;
    range->count = (int32_t)(buffer->count - range->first);
    short_sort(buffer->item + range->first, range->count);
}

static void take_over(const part_ranges *before, const part_range *old, part_range *range, part_buffer *buffer)
{
    range->out_of_memory = !reserve_groups(buffer, old->count);
    if (range->out_of_memory) return;
    range->point = old->point;
    range->reach = old->reach;
    range->count = old->count;
    if (old->count == 0) return;
    memcpy(buffer->item + buffer->count, part_groups(before, old), (size_t)old->count * sizeof *buffer->item);
    buffer->count += old->count;
}

static void fill_range(const part_lists *parts, const colliders *c, const float *margin, part_range *range,
                       part_buffer *buffer)
{
    bool set_is_a = c->kind[range->a] == SCR_SPHERE_SET;
    placed_shape set = set_is_a ? collider_placed(c, range->a) : collider_placed_near(c, range->a, range->b);
    ball sphere = set_is_a ? collider_nearest(c, range->a, range->b) : c->ball[range->a];
    double margins = (double)margin[range->a] + (double)margin[range->b], reach = ROUNDING * (sphere.r + margins);
    scr_vec3 point = pose_unapply(set.pose, vec3(sphere.x, sphere.y, sphere.z));
    const part_range *old = range->taken_over >= 0 ? &parts->before.item[range->taken_over] : NULL;
    range->first = buffer->count;
    if (old != NULL && ROUNDING * vec3_norm(vec3_sub(point, old->point)) + reach <= old->reach) {
        take_over(&parts->before, old, range, buffer);
        return;
    }
    range->point = point;
    range->reach = reach + BEYOND * margins;
    search_groups(set.surface, range, buffer);
}

static scr_status grow_buffers(part_ranges *ranges, int threads, scr_error *error)
{
    int64_t capacity = ranges->buffer_count;
    if (capacity < threads) {
        scr_status status =
            scr_grow(&ranges->buffer, &capacity, threads, sizeof *ranges->buffer, "neighbour lists", error);
        if (status != SCR_OK) return status;
        while (ranges->buffer_count < capacity) ranges->buffer[ranges->buffer_count++] = (part_buffer){0};
    }
    for (int64_t k = 0; k < ranges->buffer_count; ++k) ranges->buffer[k].count = 0;
    return SCR_OK;
}

scr_status part_lists_make(part_lists *parts, const colliders *c, const int64_t *start, const int32_t *other,
                           const float *margin, int threads, scr_error *error)
{
    part_ranges recycled = parts->before, *ranges = &parts->ranges;
    parts->before = parts->ranges;
    parts->ranges = recycled;
    if (!parts->has_any) parts->before.count = 0;  // not all of it was made
    parts->has_any = false;
    if (!colliders_have_sets(c)) return SCR_OK;
    scr_status status = scr_grow_anew(&parts->of_pair, &parts->pair_capacity, start[c->table.count],
                                      sizeof *parts->of_pair, "neighbour lists", error);
    if (status == SCR_OK) status = list_pairs(parts, c, start, other, error);
    if (status == SCR_OK) status = grow_buffers(ranges, threads, error);
    if (status != SCR_OK) return status;
    bool out_of_memory = false;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64) reduction(|| : out_of_memory)
    for (int64_t k = 0; k < ranges->count; ++k) {
        part_range *range = &ranges->item[k];
        range->buffer = omp_get_thread_num();
        fill_range(parts, c, margin, range, &ranges->buffer[range->buffer]);
        out_of_memory = out_of_memory || range->out_of_memory;
    }
    if (out_of_memory) return scr_fail(error, SCR_NO_MEMORY, "out of memory for the neighbour lists");
    parts->has_any = true;
    return SCR_OK;
}
