// SPDX-License-Identifier: BSD-3-Clause
// How strongly colliders are curved where they touch. Of a sphere set that is the sphere in contact.
#ifndef DYNAMICS_BODIES_CONTACT_RADIUS_H
#define DYNAMICS_BODIES_CONTACT_RADIUS_H

#include <stdbool.h>

#include "collision/contacts/contacts.h"

// Of a collider where it touches: m, infinite if it is flat there; of a set the largest sphere's.
double contact_radius(const colliders *c, int64_t collider);
// At contact i.
bool contact_is_flat(const contacts *set, const colliders *c, int64_t i);
// R*: where both are flat, the size of the smaller one.
double effective_radius(const contacts *set, const colliders *c, int64_t i);

#endif
