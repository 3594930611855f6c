// SPDX-License-Identifier: BSD-3-Clause
// Which collision groups a body is in, by its id: the scene says so for the bodies of its list; grains have the
// default.
#ifndef SCENE_MODEL_GROUPS_H
#define SCENE_MODEL_GROUPS_H

#include "scene/model/scene.h"

typedef struct body_groups {
    uint32_t group, collides_with;
} body_groups;

static inline body_groups groups_of_grain(void)
{
    scr_body_def def = scr_default_body_def();
    return (body_groups){def.group, def.collides_with};
}
static inline body_groups groups_of_body(const scene *s, uint64_t id, body_groups grain)
{
    if (id < 1 || id > (uint64_t)s->body_count) return grain;
    return (body_groups){s->bodies[id - 1].def.group, s->bodies[id - 1].def.collides_with};
}
static inline bool groups_touch(body_groups a, body_groups b)
{
    return (a.group & b.collides_with) != 0 && (b.group & a.collides_with) != 0;
}

#endif
