// SPDX-License-Identifier: BSD-3-Clause
// The list of contacts that a world shows (world.h).
#ifndef DYNAMICS_CALLS_SHOWN_CONTACTS_H
#define DYNAMICS_CALLS_SHOWN_CONTACTS_H

#include "dynamics/world/world.h"

void shown_contacts_free(shown_contacts *list);

#endif
