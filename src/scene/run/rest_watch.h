// SPDX-License-Identifier: BSD-3-Clause
// Watching a bed come to rest: a run that may end when the mean kinetic energy of its bodies has stayed small.
#ifndef SCENE_RUN_REST_WATCH_H
#define SCENE_RUN_REST_WATCH_H

#include "core/arrays/table.h"
#include "scene/model/scene.h"

typedef struct rest_watch {
    table table;         // state of scenes that ask for rest, and of no others
    double still_since;  // s; INFINITY: not now
    double reached_at;   // s; INFINITY: not yet
} rest_watch;

void rest_watch_init(rest_watch *w);
// After a step.
void rest_watch_look(rest_watch *w, const scene *s, const scr_world *world);

#endif
