// SPDX-License-Identifier: BSD-3-Clause
// Watching a bed come to rest, or become dense: a run that may end before its time, when the mean kinetic energy of its
// bodies has stayed small, or when grains fill a stated part of a box.
#ifndef SCENE_RUN_REST_WATCH_H
#define SCENE_RUN_REST_WATCH_H

#include "core/arrays/table.h"
#include "scene/model/scene.h"

typedef struct rest_watch {
    table table;          // state of scenes that ask for rest, and of no others
    double still_since;   // s; INFINITY: not now
    double reached_at;    // s; INFINITY: not yet
    table packing_table;  // state of scenes that ask for a packing, and of no others
    double packing;       // as last measured
    double packed_at;     // s; INFINITY: not yet
} rest_watch;

void rest_watch_init(rest_watch *w);
// After a step.
void rest_watch_look(rest_watch *w, const scene *s, const scr_world *world);
void rest_watch_forget(rest_watch *w);                    // what ended a run that is to go on
static inline double rest_watch_end(const rest_watch *w)  // s; INFINITY: not yet
{
    return w->reached_at < w->packed_at ? w->reached_at : w->packed_at;
}

#endif
