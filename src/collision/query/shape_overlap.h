// SPDX-License-Identifier: BSD-3-Clause
// How deep two shapes of any kinds are in one another.
#ifndef COLLISION_QUERY_SHAPE_OVERLAP_H
#define COLLISION_QUERY_SHAPE_OVERLAP_H

#include "collision/narrow/contact_point.h"

// m; 0 if they are apart. `points` is scratch.
double shapes_overlap(const placed_shape *a, const placed_shape *b, contact_list *points);

#endif
