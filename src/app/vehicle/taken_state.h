// SPDX-License-Identifier: BSD-3-Clause
// A vehicle as a run left it.
#ifndef APP_VEHICLE_TAKEN_STATE_H
#define APP_VEHICLE_TAKEN_STATE_H

#include "io/machine/vehicle_state.h"

typedef struct taken_state {
    vehicle_state state;
    char name[PART_NAME_LENGTH];  // of the vehicle in the run
    double time;                  // s
} taken_state;

// As it is in the run's last checkpoint. name: of the vehicle; NULL: the only one.
scr_status take_vehicle_state(const char *directory, const char *name, taken_state *taken, scr_error *error);

#endif
