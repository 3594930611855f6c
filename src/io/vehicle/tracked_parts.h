// SPDX-License-Identifier: BSD-3-Clause
// A tracked vehicle as bodies, joints and springs of a scene.
#ifndef IO_VEHICLE_TRACKED_PARTS_H
#define IO_VEHICLE_TRACKED_PARTS_H

#include "io/vehicle/scene_parts.h"

// drive: what turns the left and the right sprocket, in the words of a joint's motor; NULL: it turns freely.
// wrap: a track of the vehicle (tracked.h).
void add_tracked_vehicle(vehicle_site *site, const track_wrap *wrap, json_t *const drive[SIDES_MAX]);
// Of one side: its shoes and the pins between them.
void add_shoes(vehicle_site *site, const track_wrap *wrap, const char *side, double y);
void add_chain_drive(vehicle_site *site, const track_wrap *wrap, const char *side);  // its shoes on their sprocket
json_t *sprocket_shapes(const tracked_vehicle *v, const track_wrap *wrap);
const char *side_name(const tracked_vehicle *v, int side);  // "left"

#endif
