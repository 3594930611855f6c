// SPDX-License-Identifier: BSD-3-Clause
// The shortest way out of an overlap.
#ifndef COLLISION_CONVEX_CONVEX_DEPTH_H
#define COLLISION_CONVEX_CONVEX_DEPTH_H

#include "collision/convex/convex_shape.h"

// Is there a direction along which overlapping cores come apart in less than depth - slack (m)? If so, *normal (unit,
// from a to b; at first the one of that depth) is one. A false answer is certain unless the search ran out of room.
bool convex_shorter_way(const convex_shape *a, const convex_shape *b, double depth, double slack, scr_vec3 *normal);

#endif
