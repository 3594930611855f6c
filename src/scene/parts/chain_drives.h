// SPDX-License-Identifier: BSD-3-Clause
// The chains of a scene: rings of links that a sprocket drives by constraint, not by the contact of teeth.
//
// One pin at a time is held: it stays in a plane through the sprocket's axis that turns with the sprocket, as between
// the flanks of two teeth; towards the axis and along it the pin is free. All links of the ring follow, since their
// pins keep their distances: to hold two pins of one link so would hold the link itself, and it could never leave.
// After each pitch the next pin takes over. It is then in its own plane, but for what contacts and links give, so hands
// change without a jump.
//   seat n       the plane at the angle phase - n spacing in the sprocket's frame; spacing = 2 pi / teeth
//   its pin      n, counted round the ring
//   it holds     while the sprocket has turned by n spacing, give or take 0.6 spacing: where hands change, two turns of
//                the sprocket in a row overlap, so that one that trembles does not change them in every step
// Where the run begins with a chain that has gone round already, the first to be held is the pin that is now nearest to
// where the first one is drawn, seen from what the sprocket turns in.
// A pin that is farther than a quarter of a spacing from its seat when its turn comes is not held: the chain is off.
#ifndef SCENE_PARTS_CHAIN_DRIVES_H
#define SCENE_PARTS_CHAIN_DRIVES_H

#include "scene/parts/linkage.h"

typedef struct chain_drives {
    table table;      // "chain_drives": an entry for each chain; state of scenes that have some
    scr_joint *seat;  // that holds a pin now; null: none does
    int64_t *turn;    // n
    double *phase;    // rad; before any pin is held: where the first one is drawn, seen from what the sprocket turns in
    double *begun;    // rad: the sprocket's angle when the first pin was seated
} chain_drives;

scr_status chain_drives_init(chain_drives *c, const scene *s,
                             scr_error *error);  // after a failure too: chain_drives_free
void chain_drives_free(chain_drives *c);
// Before bodies are put where the run begins: where is the first pin of each drawn?
scr_status chain_drives_look(chain_drives *c, const scene *s, const linkage *l, const scr_world *world,
                             scr_error *error);
// Once joints are closed: hold a pin of each.
scr_status chain_drives_populate(chain_drives *c, const scene *s, const scripted_bodies *bodies, const linkage *l,
                                 scr_world *world, scr_error *error);
// Before a step: let the pins whose turn it is take over.
scr_status chain_drives_run(chain_drives *c, const scene *s, const scripted_bodies *bodies, const linkage *l,
                            scr_world *world, scr_error *error);
scr_status chain_drives_after_load(const chain_drives *c, const scene *s, scr_error *error);

#endif
