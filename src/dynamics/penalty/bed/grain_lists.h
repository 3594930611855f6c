// SPDX-License-Identifier: BSD-3-Clause
// What the lists of a bed, and the changes to them, have in common.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_LISTS_H
#define DYNAMICS_PENALTY_BED_GRAIN_LISTS_H

#include "dynamics/penalty/bed/grain_bed.h"

double lists_half_step(const grain_bed *bed, const grain_source *source);
double grain_lists_reach(const grain_bed *bed);  // m: centres farther apart have nothing to do with each other
// How many pairs the rows of a block hold, and how many of its grains have a wall within so far, m.
pack_range measure_block(const grain_bed *bed, double half, int64_t block, double wall_reach);
// Do the packs of as many pairs fit in where the block has its packs?
bool block_has_room(const grain_bed *bed, int64_t block);

#endif
