// SPDX-License-Identifier: BSD-3-Clause
// What neighbours.c and neighbour_repair.c share.
#ifndef COLLISION_BROAD_NEIGHBOURS_INSIDE_H
#define COLLISION_BROAD_NEIGHBOURS_INSIDE_H

#include "collision/broad/neighbours.h"

// A plane as it was when the list was made.
typedef struct near_plane {
    int32_t collider;
    scr_vec3 at, normal;  // m
    double margin;        // m
} near_plane;

typedef struct neighbour_search {
    const neighbours *list;
    const colliders *c;
    const uint8_t *is_moved;
} neighbour_search;

// Whether two colliders are a pair at all, wherever they are.
bool neighbours_are_pair(const neighbour_search *s, int64_t i, int64_t j);
// m: what collider i gets now
float neighbours_margin(const colliders *c, const neighbour_motion *motion, int64_t i);
// Words of is_other for so many pairs, with the spare ones.
int64_t neighbours_mark_words(int64_t pairs);

// Whether a list can be repaired for this one.
static inline bool neighbours_can_begin_anew(const colliders *c, int64_t i)
{
    return collider_is_grain(c, i) || c->kind[i] == SCR_PLANE;
}
// Colliders: for more of them a list is not repaired.
int64_t neighbours_repair_most(int64_t collider_count);
// The memory for it, as a list is made; none where it never will be.
scr_status neighbours_repair_reserve(neighbours *list, const colliders *c, int threads, scr_error *error);
// Make the list complete for colliders that have left their margins, and for them alone: those in list->outgrown, in
// any order. *done: whether that was possible; else the list is to be made anew.
scr_status neighbours_repair(neighbours *list, const colliders *c, const neighbour_motion *motion, int64_t count,
                             int threads, bool *done, scr_error *error);
void neighbours_repair_free(struct neighbour_repair *repair);

#endif
