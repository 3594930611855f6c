// SPDX-License-Identifier: BSD-3-Clause
// Pairs of ellipsoids, many at a time. Those stay open that overlap so deeply that ellipsoid_pair must look for the
// shortest way out.
#ifndef COLLISION_ELLIPSOID_ELLIPSOID_PAIRS_H
#define COLLISION_ELLIPSOID_ELLIPSOID_PAIRS_H

#include "collision/lanes/shape_pairs.h"

KERNELS_TO_AVX512(shape_pair_search, ellipsoid_pairs);

#endif
