// SPDX-License-Identifier: BSD-3-Clause
// The moving active box: only the grains near some bodies are simulated.
//
// A grain is live (dynamic), fixed (in the world, without motion, found by live ones) or parked (in the store alone),
// by the state of the cell that it is in. When cells change, one pass over the world's bodies and the grains of the
// cells that come back does it all:
//   dynamic, cell fixed    fixed, once it is slower than freeze_speed: till then it stays dynamic
//   dynamic, cell parked   fixed and parked; if it is faster than that, it is counted
//   fixed, cell live       released       fixed, cell parked    parked
//   parked, cell not       added as fixed, and released if the cell is live
// A grain that rolls or flies into the shell is found by a pass, too: one is made whenever the fastest body may have
// come through a quarter of the shell since the last. Between passes a step looks at the bodies that the box is around,
// and at nothing else.
// Fixing a grain takes its kinetic energy, which is booked; its potential energy is booked while it is not dynamic.
//
// Bodies are conserved: those in the world and those parked are together as many as the scene's books say, at every
// step.
#ifndef SCENE_ACTIVE_ACTIVE_BOX_H
#define SCENE_ACTIVE_ACTIVE_BOX_H

#include "scene/active/cell_grid.h"
#include "scene/active/grain_store.h"
#include "scene/active/parked_contacts.h"
#include "scene/overlap/overlaps.h"
#include "scree/scene.h"

enum { ACTIVE_BOX_TABLE_COUNT = 6 + STILL_CONTACT_TABLE_COUNT };

typedef struct slot_list {
    int32_t *slot;
    int64_t count, capacity;
} slot_list;

typedef struct active_box {
    const scene *scene;
    const scene_active_box *def;  // NULL: the scene has none, and nothing here is ever done
    struct sleeping *asleep;      // live grains that sleep: they are fixed, but not by the box
    cell_grid cells;
    grain_store store;
    still_contacts still;      // of fixed grains in the world, under the penalty law
    parked_contacts contacts;  // and of parked ones
    table footing_table;       // "active_footings": where the bodies were when cells were last chosen
    double *x, *y, *ux, *uy;
    table about;           // "active_box": scalars
    int64_t begun_with;    // bodies at the start
    int64_t fixed;         // grains that are fixed now
    int64_t parked_fast;   // grains so far that were parked while faster than freeze_speed
    double travel;         // m that the fastest body may have gone since the last pass
    double frozen_energy;  // J, kinetic, so far
    double moment[3];      // kg m: of the grains that are fixed or parked now, for their potential energy
    // work so far, no state
    int64_t passes, bodies_looked_at;
    // scratch
    active_footing *was, *now;
    cell_changes changes;
    uint8_t *next;  // (cells) their state after this update; the present one, between updates
    slot_list fix, release, park, wake;
    scr_body *leaving;
    stored_grain *moved;
    int32_t *staying;
    int64_t next_capacity, leaving_capacity, moved_capacity, staying_capacity;
} active_box;

scr_status active_box_init(active_box *box, const scene *s, struct sleeping *asleep, scr_error *error);
void active_box_free(active_box *box);
// Once the world is populated: cells, and which of its grains are live, fixed, parked. handle: of the scene's bodies.
scr_status active_box_begin(active_box *box, scr_world *world, const scr_body *handle, const grain_origin *origins,
                            int origin_count, scr_error *error);
// Before a step: follow the bodies. After a failure no grain is lost, and doing it again leads to the same bits.
scr_status active_box_run(active_box *box, scr_world *world, const scr_body *handle, scr_error *error);
// Every grain into the world, and live: for whoever wants all of them, not for a run that goes on.
scr_status active_box_release(active_box *box, scr_world *world, scr_error *error);
void active_box_end_step(active_box *box, const scr_world *world);  // a step was done
// Are as many bodies in the world and parked as `expected`, and as many fixed as were fixed? A broken promise if not.
scr_status active_box_check(const active_box *box, const scr_world *world, int64_t expected, scr_error *error);

// All zero without a box.
scr_active_counts active_box_count(const active_box *box, const scr_world *world, const scr_body *handle);
double active_box_potential(const active_box *box, scr_vec3 gravity);  // J, of what is fixed or parked
int active_box_tables(active_box *box, table *tables[ACTIVE_BOX_TABLE_COUNT]);
scr_status active_box_after_load(active_box *box, scr_error *error);

#endif
