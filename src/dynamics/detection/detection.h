// SPDX-License-Identifier: BSD-3-Clause
// Stages of a step that find who touches whom.
#ifndef DYNAMICS_DETECTION_DETECTION_H
#define DYNAMICS_DETECTION_DETECTION_H

#include "dynamics/world/world.h"

scr_status find_pairs(scr_world *world, scr_error *error);       // detect.c
scr_status find_contacts(scr_world *world, scr_error *error);    // detect.c
scr_status reduce_contacts(scr_world *world, scr_error *error);  // detect.c
void forget_deflections(scr_world *world);                       // continuous.c
bool must_detect_again(scr_world *world);                        // continuous.c

// How far colliders look and move: of these, or if NULL of the first so many and of all bodies.
void measure_motion(scr_world *world, const int32_t *which, int64_t count);  // detect.c
// Let margins of the colliders from this one on be so large a share of their radius.
void widen_margins(scr_world *world, int64_t first, double margin);  // detect.c
neighbour_motion world_neighbour_motion(const scr_world *world);     // detect.c
scr_status begin_pairs(scr_world *world, scr_error *error);          // whatever whoever lists pairs needs first
scr_status list_pairs_apart(scr_world *world, scr_error *error);     // for the neighbour lists

#endif
