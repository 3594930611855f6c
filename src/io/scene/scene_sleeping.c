// SPDX-License-Identifier: BSD-3-Clause
// Sleeping grains: how slow, for how long, and what wakes them.
#include "io/scene/scene_sections.h"

static const double SPEED = 1e-3;  // m/s
static const double AFTER = 0.1;   // s
static const double FORCE = 0.05;

void read_sleeping(scene_reading *reading, json_cursor *root)
{
    scene_sleeping *s = &reading->scene->sleeping;
    const scr_period *p = &reading->scene->world.period;
    if (!cursor_has(root, "sleeping")) return;
    json_cursor at = cursor_object(root, "sleeping");
    s->present = true;
    s->speed = cursor_number(&at, "speed", SPEED, RANGE_POSITIVE);
    s->after = cursor_number(&at, "after", AFTER, RANGE_POSITIVE);
    s->force = cursor_number(&at, "force", FORCE, RANGE_POSITIVE);
    if (cursor_has(&at, "cell")) s->cell = cursor_needed_number(&at, "cell", RANGE_LENGTH);
    cursor_close(&at);
    bool repeats = p->low.x < p->high.x || p->low.y < p->high.y || p->low.z < p->high.z;
    if (cursor_is_ok(&at) && repeats) cursor_fail(&at, "\"sleeping\" and \"periodic\" space exclude each other");
}
