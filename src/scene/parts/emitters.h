// SPDX-License-Identifier: BSD-3-Clause
// Emitters: grains that come into being during the run, at random places in a region where they overlap nothing.
//
// What an emitter owes at time t is rate * (time since start) less what it gave. When that covers the next grain, whose
// radius is fixed beforehand, places are tried; if none is free, the grain waits for the next step, so crowding does
// not favour small grains. What could not be given for longer than CATCH_UP seconds is forgiven: no burst follows a
// jam.
#ifndef SCENE_PARTS_EMITTERS_H
#define SCENE_PARTS_EMITTERS_H

#include "core/arrays/table.h"
#include "scene/overlap/overlaps.h"
#include "scene/overlap/shape_bins.h"
#include "scene/parts/selection.h"

typedef struct emitters {
    table table;       // "emitters": an entry for each of the scene's
    int64_t *emitted;  // grains so far: the next one's radius is draw number `emitted`
    double *mass;      // kg, theirs
    double *forgiven;  // kg that were due and are not owed any more
    int64_t *served;   // 1 + the step count at which the emitter last ran: it does so once at a time
    // scratch
    shape_bins bins;  // shapes near the region, and the new grains
    selection near;
    contact_list points;
    scr_vec3 *position, *velocity;  // of the new grains: m, m/s
    double *radius;                 // m
    int64_t position_capacity, velocity_capacity, radius_capacity;
} emitters;

scr_status emitters_init(emitters *e, const scene *s, scr_error *error);
void emitters_free(emitters *e);
// Let every emitter give what is due at the world's present time.
scr_status emitters_run(emitters *e, const scene *s, scr_world *world, int threads, scr_error *error);

#endif
