// SPDX-License-Identifier: BSD-3-Clause
// Half of a light tracked vehicle that stands on grains: a chassis of 200 kg on wheels, around them a closed ring of 46
// hinged shoes of 0.3 kg, on a bed of 20,000 grains of 1 g. Masses that follow each other are in ratios of 20 to 300.
//
//   ring      14 shoes at the bottom, 14 at the top, 9 around each end, 60 mm from hinge to hinge
//   wheels    an end wheel in either arc, 5 road wheels on the bottom run, 3 rollers below the top one; each turns on
//             the chassis, which a planar joint keeps upright
//   bed       a bin of 1.3 m x 0.18 m, grains of 4.5 mm +- 10 %, about 6 layers
// Both are settled. Two steps are kept, each of which begins with an event, since at rest the last step's impulses
// would be the answer already: gravity turns by 5 degrees; or 100 N m begin to drive the rear wheel.
#ifndef BENCH_RING_SCENE_H
#define BENCH_RING_SCENE_H

#include "laboratory/saved_system.h"
#include "scree/scree.h"

typedef enum ring_event { RING_SLOPE, RING_DRIVE, RING_EVENTS } ring_event;

extern const char *const RING_EVENT_NAMES[RING_EVENTS];

scr_status ring_problems_make(int threads, saved_system kept[RING_EVENTS], scr_error *error);

#endif
