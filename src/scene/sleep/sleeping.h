// SPDX-License-Identifier: BSD-3-Clause
// Sleeping: grains at rest are fixed, and released when something comes near them or their load changes.
//
// A cell is disturbed
//   while the centre of a grain in it is faster than `speed`, or a grain has just come into being there,
//   while any other dynamic body is in it with a point that is faster than `speed`,
//   while a kinematic body in it moves at all, or the surface of a body in it conveys,
//   when the force of bodies in motion on a grain that sleeps in it is no longer what it was (sleepers.h), by more than
//   `force` times what the grain carried,
//   with all others when gravity has changed by more than `force`, when a body that the scene lists is removed, a sink
//   opens, or somebody puts a body elsewhere.
// Grains, spheres about their centre, of a cell in whose ring nothing was disturbed for the time `after` fall asleep.
// They wake as soon as a cell of their ring is disturbed: something fast is noticed at least one cell before it touches
// them, and a push wakes the cells around the one that it meets.
//
// A step looks at the bodies that are not asleep and at their contacts. Grains fall asleep in a pass, some times in the
// time `after`. It chooses them when a step is done, while its contacts are there to be read; before the next step they
// are fixed. So all that decides is state, and a resumed run does the same.
#ifndef SCENE_SLEEP_SLEEPING_H
#define SCENE_SLEEP_SLEEPING_H

#include "scene/model/scene.h"
#include "scene/sleep/sleepers.h"
#include "scree/scene.h"

enum { SLEEPING_TABLE_COUNT = 2 + SLEEPER_TABLE_COUNT + STILL_CONTACT_TABLE_COUNT };

typedef struct sleeping {
    const scene *scene;
    const scene_sleeping *def;             // NULL: the scene has none, and nothing here is ever done
    int64_t after;                         // steps
    int64_t look_interval, pass_interval;  // steps
    sleep_cells cells;
    sleepers grains;
    still_contacts contacts;
    table about;           // "sleeping": scalars
    int64_t chosen;        // the last of the sleepers, which are fixed before the next step
    int64_t known_id;      // bodies with larger ids have come into being since
    int64_t listed;        // bodies that the scene lists and that are there
    int64_t fallen;        // how many times so far a grain fell asleep
    int64_t woken_cells;   // how many times so far a cell woke
    double frozen_energy;  // J, kinetic, so far
    double moment[3];      // kg m: of those asleep, for their potential energy
    double gravity[3];     // m/s^2: that they rest under
    double cell_edge;      // m: that is asked for
    // no state: what is behind is made anew, which changes nothing where nothing is due
    bool must_wake, must_refresh;
    int64_t states_set;
    int64_t bodies_looked_at, contacts_looked_at;  // work so far
    // scratch
    int32_t *slot;
    uint8_t *is_quiet;  // (cells)
    still_loads loads;
    double *sum;     // N, 3 each (entries)
    int64_t *stamp;  // (entries) when the sum was begun
    int64_t slot_capacity, quiet_capacity, sum_capacity, stamp_capacity;
} sleeping;

void sleeping_init(sleeping *s, const scene *of);
void sleeping_free(sleeping *s);
// Before a step, when prescribed velocities and gravity are those of the step. handle: of the scene's bodies.
scr_status sleeping_begin_step(sleeping *s, scr_world *world, const scr_body *handle, scr_error *error);
scr_status sleeping_end_step(sleeping *s, const scr_world *world, scr_error *error);  // it was done

static inline bool sleeping_has(const sleeping *s, const scr_body_view *b, int64_t i)  // is body i of the view asleep?
{
    return b->kind[i] == SCR_FIXED && sleeper_entry(&s->grains, b->id[i]) >= 0;
}
// Wake some by their slots, which they keep; or all.
scr_status sleeping_wake_grains(sleeping *s, scr_world *world, const int32_t *slot, int64_t count, scr_error *error);
scr_status sleeping_wake_all(sleeping *s, scr_world *world, scr_error *error);
// Other bodies were fixed or released.
static inline void sleeping_surroundings_changed(sleeping *s) { s->must_refresh = true; }

// Forces and torques of sleepers on a body that the scene lists, about its centre of mass, are added. Zero where it
// moves: steps find those.
void sleeping_add_load(const sleeping *s, int body, double load[6]);
double sleeping_potential(const sleeping *s, scr_vec3 gravity);  // J
int64_t sleeping_count(const sleeping *s);                       // grains asleep
int sleeping_tables(sleeping *s, table *tables[SLEEPING_TABLE_COUNT]);
scr_status sleeping_after_load(sleeping *s, const scr_world *world, scr_error *error);

#endif
