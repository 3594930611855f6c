// SPDX-License-Identifier: BSD-3-Clause
#include "scene/populate/populate_grounds.h"

#include <string.h>

#include "core/base/memory.h"
#include "scene/model/messages.h"
#include "scene/populate/streams.h"

scr_status populate_grounds(const scene *s, height_grid **grids, scr_error *error)
{
    size_t bytes = scr_array_bytes(s->ground_count + 1, sizeof **grids);
    *grids = scr_alloc(bytes);
    if (*grids == NULL) return scr_fail_memory(error, bytes, "grounds");
    memset(*grids, 0, bytes);
    for (int i = 0; i < s->ground_count; ++i) {
        const scene_ground *ground = &s->grounds[i];
        const height_grid *base = ground->def.base != GROUND_NONE ? &(*grids)[ground->def.base] : NULL;
        scr_error reason;
        scr_status status =
            ground_make(&ground->def, base, s->seed, STREAM_GROUNDS + (uint64_t)i, &(*grids)[i], &reason);
        if (status != SCR_OK)
            return scene_fail(error, status, s, ground->location, "%s: %s", label_of("ground", ground->name, i).text,
                              reason.message);
    }
    return SCR_OK;
}

void grounds_free(const scene *s, height_grid *grids)
{
    for (int i = 0; grids != NULL && i < s->ground_count; ++i) height_grid_free(&grids[i]);
    scr_free(grids);
}

region fill_region(const scene_fill *fill, const height_grid *grids)
{
    region r = fill->region;
    if (r.kind != REGION_GROUND && r.kind != REGION_SURFACE) return r;
    r.top = &grids[fill->top];
    r.bottom = fill->bottom != GROUND_NONE ? &grids[fill->bottom] : NULL;
    region_set_bounds(&r);
    return r;
}
