// SPDX-License-Identifier: BSD-3-Clause
// Which two bodies never touch: those of joints that hold and do not let their bodies collide. They are listed by slot,
// in ascending order, whenever neighbours must be listed anew: bodies change places, and joints come and go, only then.
#include "core/arrays/radix_sort.h"
#include "dynamics/detection/detection.h"
#include "dynamics/world/world_state.h"

static bool keeps_apart(const joints *j, int64_t i)
{
    return joint_holds(j, i) && !j->collide[i] && j->a[i].index1 != 0 && j->b[i].index1 != 0;
}

scr_status list_pairs_apart(scr_world *world, scr_error *error)
{
    const joints *j = &world->mechanisms.joints;
    const bodies *b = &world->bodies;
    neighbours *list = &world->neighbours;
    list->is_joined = has_mechanisms(&world->mechanisms) ? b->is_joined : NULL;  // it moves when it grows
    if (list->valid) return SCR_OK;
    int64_t n = j->table.count;
    list->apart_count = 0;
    if (n == 0) return SCR_OK;
    scr_status status = scr_grow(&list->apart, &list->apart_capacity, n, sizeof *list->apart, "joined bodies", error);
    if (status == SCR_OK)
        status = scr_arena_reserve(&world->scratch, scr_radix_sort_bytes(n) + scr_arena_bytes(sizeof(uint32_t), n),
                                   "joined bodies", error);
    if (status != SCR_OK) return status;
    scr_arena arena = world->scratch;
    uint32_t *number = scr_arena_array(&arena, sizeof *number, n);
    for (int64_t i = 0; i < n; ++i) {
        if (!keeps_apart(j, i)) continue;
        number[list->apart_count] = (uint32_t)i;
        list->apart[list->apart_count++] = body_pair_key(body_slot(b, j->a[i]), body_slot(b, j->b[i]));
    }
    scr_radix_sort(list->apart, number, list->apart_count, 64, arena, world->threads);
    return SCR_OK;
}

scr_status world_list_apart(scr_world *world, scr_error *error) { return list_pairs_apart(world, error); }

bool world_keeps_apart(const scr_world *world, int64_t a, int64_t b)
{
    const uint8_t *is_joined = world->bodies.is_joined;
    return is_joined[a] && is_joined[b] && neighbours_keep_apart(&world->neighbours, a, b);
}
