// SPDX-License-Identifier: BSD-3-Clause
#include "scene/run/rest_watch.h"

#include <math.h>

#include "scene/bed/packing_box.h"

enum { STEPS_BETWEEN = 10 };  // looks at the energy and the packing, which are passes over bodies and contacts

static const field_info rest_fields[] = {
    SCALAR(rest_watch, still_since, FIELD_F64, "s"),
    SCALAR(rest_watch, reached_at, FIELD_F64, "s"),
};

static const field_info packing_fields[] = {
    SCALAR(rest_watch, packing, FIELD_F64, ""),
    SCALAR(rest_watch, packed_at, FIELD_F64, "s"),
};

void rest_watch_init(rest_watch *w)
{
    *w = (rest_watch){.still_since = INFINITY, .reached_at = INFINITY, .packed_at = INFINITY};
    w->packing_table =
        (table){"packing", packing_fields, sizeof packing_fields / sizeof *packing_fields, w, 0, 0, false};
    w->table = (table){"rest", rest_fields, sizeof rest_fields / sizeof *rest_fields, w, 0, 0, false};
}

static double mean_kinetic_energy(const scr_world *world)
{
    scr_body_view b = scr_world_bodies(world);
    int64_t movable = 0;
    for (int64_t i = 0; i < b.count; ++i) movable += b.kind[i] == SCR_DYNAMIC;
    return movable > 0 ? scr_world_energy(world).kinetic / (double)movable : 0.0;
}

static void look_at_rest(rest_watch *w, const scene *s, const scr_world *world)
{
    double now = scr_world_time(world);
    if (now < s->rest.after || mean_kinetic_energy(world) > s->rest.energy) w->still_since = INFINITY;
    else w->still_since = fmin(w->still_since, now);
    bool is_long = now - w->still_since > s->rest.duration - 0.5 * scr_world_time_step(world);
    if (is_long) w->reached_at = fmin(w->reached_at, now);
}

static void look_at_packing(rest_watch *w, const scene *s, const scr_world *world)
{
    double now = scr_world_time(world);
    w->packing = packing_of_world(world, s->packing.low, s->packing.high, (uint64_t)s->body_count);
    if (now >= s->packing.after && w->packing >= s->packing.fraction) w->packed_at = fmin(w->packed_at, now);
}

void rest_watch_look(rest_watch *w, const scene *s, const scr_world *world)
{
    if (scr_world_step_count(world) % STEPS_BETWEEN != 0) return;
    if (s->rest.energy > 0.0) look_at_rest(w, s, world);
    if (s->packing.fraction > 0.0) look_at_packing(w, s, world);
}

void rest_watch_forget(rest_watch *w)
{
    if (!(rest_watch_end(w) < INFINITY)) return;
    w->still_since = w->reached_at = w->packed_at = INFINITY;
}
