// SPDX-License-Identifier: BSD-3-Clause
// What a scene says about the appearance of its bodies, found by a body's id.
#ifndef VIEW_COLOUR_APPEARANCE_H
#define VIEW_COLOUR_APPEARANCE_H

#include "scene/model/scene.h"
#include "view/colour/palette.h"

typedef struct appearance_list {
    const scene_appearance *of_body;  // by id - 1
    int64_t count;
} appearance_list;

static inline scene_appearance appearance_of(const appearance_list *list, uint32_t id)
{
    return id >= 1 && id <= list->count ? list->of_body[id - 1] : (scene_appearance){.has_colour = false};
}

// Seen through, because the scene says so.
static inline bool appearance_is_translucent(const appearance_list *list, uint32_t id)
{
    scene_appearance a = appearance_of(list, id);
    return a.has_opacity && a.opacity < 1.0;
}

static inline bool appearance_has_translucent(const appearance_list *list)
{
    for (int64_t i = 0; i < list->count; ++i)
        if (list->of_body[i].has_opacity && list->of_body[i].opacity < 1.0) return true;
    return false;
}

// The colour of a body in linear RGB: its own, or else this one.
static inline vec3f appearance_colour(const appearance_list *list, uint32_t id, vec3f otherwise)
{
    scene_appearance a = appearance_of(list, id);
    if (!a.has_colour) return otherwise;
    return vec3f_of(srgb_decoded(a.colour[0]), srgb_decoded(a.colour[1]), srgb_decoded(a.colour[2]));
}

#endif
