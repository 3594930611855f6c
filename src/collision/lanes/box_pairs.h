// SPDX-License-Identifier: BSD-3-Clause
// Pairs of boxes, many at a time: those that an axis separates are out of reach, all others stay open, their clue being
// the axes that were found (narrow_box_box_along).
#ifndef COLLISION_LANES_BOX_PAIRS_H
#define COLLISION_LANES_BOX_PAIRS_H

#include "collision/lanes/shape_pairs.h"

KERNELS(shape_pair_search, box_pairs);

#endif
