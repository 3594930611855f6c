// SPDX-License-Identifier: BSD-3-Clause
// How strongly colliders are curved where they touch.
#ifndef DYNAMICS_BODIES_CONTACT_RADIUS_H
#define DYNAMICS_BODIES_CONTACT_RADIUS_H

#include <stdbool.h>

#include "collision/broad/colliders.h"

// Of a collider where it touches: m, infinite if it is flat there.
double contact_radius(const colliders *c, int64_t collider);
bool colliders_touch_flat(const colliders *c, int64_t a, int64_t b);
// R*: where both are flat, the size of the smaller one.
double effective_radius(const colliders *c, int64_t a, int64_t b);

#endif
