// SPDX-License-Identifier: BSD-3-Clause
// The state of a vehicle: where its parts are and how they move, as a run left them, for scenes that begin with it
// (docs/vehicles.md). A JSON file.
//
// Parts are called as in the vehicle, without its name, and told in the frame of the vehicle's chassis as it is drawn.
// Where the vehicle went is no part of its state: the chassis stands over the same place as it is drawn, with the same
// heading, and keeps its height, its pitch and its roll.
#ifndef IO_MACHINE_VEHICLE_STATE_H
#define IO_MACHINE_VEHICLE_STATE_H

#include "core/maths/pose.h"
#include "scree/body.h"

enum { PART_NAME_LENGTH = 96 };

typedef struct part_state {
    char name[PART_NAME_LENGTH];  // "left shoe 3"
    scr_body_state at;            // its frame
} part_state;

typedef struct vehicle_state {
    part_state *part;
    int64_t count, capacity;
} vehicle_state;

scr_status vehicle_state_add(vehicle_state *state, const char *name, const scr_body_state *at, scr_error *error);
const part_state *vehicle_state_find(const vehicle_state *state, const char *name);  // NULL: there is none
void vehicle_state_free(vehicle_state *state);

// From the world to the chassis' frame, without the way that the vehicle has gone; false: it has no chassis. drawn: of
// the chassis.
bool vehicle_state_bring_home(vehicle_state *state, pose drawn);
// A part of it in the world.
scr_body_state part_state_in_world(const part_state *part, pose drawn);

scr_status vehicle_state_read(const char *path, vehicle_state *state, scr_error *error);
// A text that is in memory; path: for messages.
scr_status vehicle_state_read_text(const char *text, size_t length, const char *path, vehicle_state *state,
                                   scr_error *error);
// title: for people
scr_status vehicle_state_write(const char *path, const char *title, const vehicle_state *state, scr_error *error);

#endif
