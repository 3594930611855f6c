// SPDX-License-Identifier: BSD-3-Clause
// The shapes of a frame as one list, in an order that lasts from frame to frame.
#include "view/report/report_items.h"

#include <math.h>
#include <string.h>

#include "core/arrays/radix_sort.h"
#include "core/base/threads.h"

enum { ID_BITS = 32, SET_BITS = 5 };
_Static_assert(ITEM_SETS <= 1 << SET_BITS, "a key holds the set and the id");

static float speed_of(const float v[3]) { return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static report_shape sphere_at(const frame_spheres *s, int64_t i)
{
    float radius = s->radius[i];
    report_shape shape = {
        .rotation = {1.0f}, .half = {radius, radius, radius}, .surface = -1, .material = s->material[i]};
    memcpy(shape.position, &s->position[3 * i], sizeof shape.position);
    shape.speed = speed_of(&s->velocity[3 * i]);
    return shape;
}

static report_shape shape_at(const frame_shape *p)
{
    report_shape shape = {
        .surface = p->surface, .material = p->material, .kind = p->kind, .speed = speed_of(p->velocity)};
    memcpy(shape.position, p->position, sizeof shape.position);
    memcpy(shape.rotation, p->rotation, sizeof shape.rotation);
    memcpy(shape.half, p->half, sizeof shape.half);
    return shape;
}

report_shape report_shape_at(const frame *f, int64_t index)
{
    if (index < f->spheres.count) return sphere_at(&f->spheres, index);
    index -= f->spheres.count;
    if (index < f->box_count) return shape_at(&f->boxes[index]);
    index -= f->box_count;
    return index < f->plane_count ? shape_at(&f->planes[index]) : shape_at(&f->parts[index - f->plane_count]);
}

// A mixing function in which every bit of the id moves every bit of the rank (the last stage of MurmurHash3), so that
// grains are left out evenly wherever they are.
uint32_t report_rank(uint32_t id)
{
    id ^= id >> 16;
    id *= 0x85ebca6bu;
    id ^= id >> 13;
    id *= 0xc2b2ae35u;
    return id ^ id >> 16;
}

static void offer(report_items *items, report_choice choice, scr_shape_kind shape, uint32_t id, int64_t index)
{
    bool kept = id <= choice.kept_ids || shape == SCR_PLANE;
    if (!kept) {
        ++items->grain_count;
        if (report_rank(id) >= choice.rank_limit) return;
    }
    items->key[items->count] = (uint64_t)(2 * (unsigned)shape + kept) << ID_BITS | id;
    items->value[items->count++] = (uint32_t)index;
}

static scr_status reserve(report_items *items, int64_t count, scr_error *error)
{
    if (count > UINT32_MAX) return scr_fail(error, SCR_BAD_INPUT, "a frame has more shapes than a report can list");
    const scr_column columns[] = {{&items->key, sizeof *items->key}, {&items->value, sizeof *items->value}};
    scr_status status = scr_grow_together(columns, 2, &items->sort_capacity, count, "shapes of a report", error);
    if (status == SCR_OK)
        status = scr_grow(&items->item, &items->capacity, count, sizeof *items->item, "shapes of a report", error);
    if (status == SCR_OK)
        status = scr_arena_reserve(&items->arena, scr_radix_sort_bytes(count), "shapes of a report", error);
    return status;
}

scr_status report_items_list(report_items *items, const frame *f, report_choice choice, scr_error *error)
{
    scr_status status = reserve(items, f->spheres.count + f->box_count + f->plane_count + f->part_count, error);
    if (status != SCR_OK) return status;
    items->count = items->grain_count = 0;
    int64_t index = 0;
    for (int64_t i = 0; i < f->spheres.count; ++i) offer(items, choice, SCR_SPHERE, f->spheres.id[i], index++);
    for (int64_t i = 0; i < f->box_count; ++i) offer(items, choice, SCR_BOX, f->boxes[i].id, index++);
    for (int64_t i = 0; i < f->plane_count; ++i) offer(items, choice, SCR_PLANE, f->planes[i].id, index++);
    for (int64_t i = 0; i < f->part_count; ++i)
        offer(items, choice, (scr_shape_kind)f->parts[i].shape, f->parts[i].id, index++);

    scr_radix_sort(items->key, items->value, items->count, ID_BITS + SET_BITS, items->arena, scr_core_count());
    for (int64_t i = 0; i < items->count; ++i) {
        bool same = i > 0 && items->key[i] == items->key[i - 1];
        items->item[i] = (report_item){(int)(items->key[i] >> ID_BITS), (uint32_t)items->key[i],
                                       same ? items->item[i - 1].ordinal + 1 : 0, items->value[i]};
    }
    return SCR_OK;
}

void report_items_free(report_items *items)
{
    scr_free(items->item);
    scr_free(items->key);
    scr_free(items->value);
    scr_arena_free(&items->arena);
    *items = (report_items){0};
}
