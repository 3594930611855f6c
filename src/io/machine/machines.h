// SPDX-License-Identifier: BSD-3-Clause
// Machines of a scene: before anything else is read they are taken out of the scene's tree, and what they stand for is
// put in, as its author could have written it. The scene as run has those parts.
#ifndef IO_MACHINE_MACHINES_H
#define IO_MACHINE_MACHINES_H

#include "io/json/json_cursor.h"

void read_rig(json_cursor *root);              // becomes bodies, joints, springs, loads, a fill, phases and a probe
void read_vehicles(json_cursor *root);         // become bodies, joints, springs, materials, drivers and probes
void read_helical_anchors(json_cursor *root);  // become bodies, joints, loads and probes

#endif
