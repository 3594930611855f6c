// SPDX-License-Identifier: BSD-3-Clause
// What a pass of the active box does with contacts between grains that do not move, under the penalty law: kept as they
// were when the second one was fixed, parked with the first that leaves, and back in the world with the last that
// returns. Contacts with sleeping grains are theirs, and those with kinematic bodies, which may move on, are forgotten.
#ifndef SCENE_ACTIVE_ACTIVE_CONTACTS_H
#define SCENE_ACTIVE_ACTIVE_CONTACTS_H

#include "scene/active/active_box.h"

scr_status active_contacts_keep(active_box *box, scr_world *world, scr_error *error);  // once grains were fixed
// Before grains of cells that are now parked leave the world.
scr_status active_contacts_park(active_box *box, const scr_world *world, scr_error *error);
scr_status active_contacts_reserve(active_box *box, scr_error *error);  // for the cells that come back
// Once the grains of these cells are in the world.
scr_status active_contacts_unpark(active_box *box, const scr_world *world, scr_error *error);
scr_status active_contacts_recall(active_box *box, scr_world *world, scr_error *error);  // of grains that were released

#endif
