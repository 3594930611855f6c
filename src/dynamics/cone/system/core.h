// SPDX-License-Identifier: BSD-3-Clause
// The core of a system: its bodies that are no grains, with all their contacts, and the grains that carry them.
//
// A vehicle on a bed is a few hundred contacts in which loads are large and masses differ most, among 100,000 of grains
// alike. Sweeps bring loads from one body to the next: where a heavy one rests on light ones they need thousands.
// Newton's method solves the few at once, if enough of the grains beneath are with them that what is left outside
// hardly moves.
#ifndef DYNAMICS_CONE_SYSTEM_CORE_H
#define DYNAMICS_CONE_SYSTEM_CORE_H

#include "dynamics/cone/system/region.h"

// False in *is_apart: bodies held by joints touch others like grains do, and the rest of the system cannot be solved
// without them.
scr_status core_find(system_region *core, const contact_system *system, region_reach reach, bool *is_apart,
                     scr_error *error);

#endif
