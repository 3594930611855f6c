// SPDX-License-Identifier: BSD-3-Clause
// What touches a body does to it: the wrench of its contacts in the last step, without weight, joints or loads.
#ifndef SCENE_PARTS_CONTACT_LOAD_H
#define SCENE_PARTS_CONTACT_LOAD_H

#include "scene/parts/scripted.h"
#include "scene/sleep/sleeping.h"

enum { LOAD_SIZE = 6 };  // force and torque

// Add it to a sum: N, and N m about the centre of mass, in world axes. Sleeping grains press too; a body that is gone
// carries nothing.
void add_contact_load(double load[LOAD_SIZE], const scripted_bodies *bodies, const sleeping *asleep,
                      const scr_world *world, int body);

#endif
