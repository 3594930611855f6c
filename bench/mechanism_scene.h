// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms without contact that benchmarks step, one thread.
#ifndef BENCH_MECHANISM_SCENE_H
#define BENCH_MECHANISM_SCENE_H

#include "scree/scree.h"

// 150 bodies, 160 joints: a body, two closed rings of 60 shoes, ten arms with wheels on a body, each arm held by a
// second link, and nine more bodies; everything turns.
scr_world *vehicle_world(void);
scr_world *chain_world(int links);  // hinged links that fall about one end
scr_world *ring_world(int links);   // closed, turns about its middle: three of its conditions are redundant

bool bench_ok(scr_status status, const scr_error *error);  // false, and a sentence, where it failed

#endif
