// SPDX-License-Identifier: BSD-3-Clause
// Pairs of capsules, many at a time. Those stay open that are nearly parallel, or have axes that cross.
#ifndef COLLISION_LANES_CAPSULE_PAIRS_H
#define COLLISION_LANES_CAPSULE_PAIRS_H

#include "collision/lanes/shape_pairs.h"

KERNELS_TO_AVX512(shape_pair_search, capsule_pairs);

#endif
