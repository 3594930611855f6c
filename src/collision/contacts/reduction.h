// SPDX-License-Identifier: BSD-3-Clause
// Contact reduction: of the many contacts of one pair of bodies, the few that are handed to the solver.
//
// A body may carry thousands of spheres or triangles, and stand on as many contacts; a handful of them can carry
// whatever all of them can. A pair of bodies keeps at most max_per_pair: well spread, among them the deepest, and from
// step to step the same ones while they are good, so that their impulses live on. Pairs with fewer are left as they
// are.
#ifndef COLLISION_CONTACTS_REDUCTION_H
#define COLLISION_CONTACTS_REDUCTION_H

#include "collision/contacts/contact_cache.h"
#include "scree/world.h"

typedef struct reduction_rule {
    int max_per_pair;  // 0: keep all
    scr_reduction kind;
    uint64_t step;  // what a random subset is drawn from, with the ids of the colliders
} reduction_rule;

// Drop what is too many, and close up the arrays that contacts_find filled; their order stays. The cache is that of the
// last step: what is in it was kept then. Free of cost where no pair can have more than the maximum.
scr_status contacts_reduce(contacts *set, const colliders *c, const contact_cache *cache, const approach *motion,
                           const reduction_rule *rule, scr_arena *scratch, int threads, scr_error *error);

#endif
