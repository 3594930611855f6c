// SPDX-License-Identifier: BSD-3-Clause
// While mechanisms are made: who belongs together (topology.c), then what each of them is made of (building.c).
#ifndef DYNAMICS_MECHANISM_TOPOLOGY_H
#define DYNAMICS_MECHANISM_TOPOLOGY_H

#include "dynamics/mechanism/mechanism_inside.h"

typedef enum member_kind { MEMBER_JOINT, MEMBER_SPRING, MEMBER_COUPLING } member_kind;
typedef struct member {
    member_kind kind;
    int32_t mechanism;
    int64_t source;
} member;

// While mechanisms are made; all in the world's scratch.
typedef struct building {
    scr_world *world;
    mechanisms *all;
    int32_t *joined_of;  // (body count) entry in `slot`, -1: not joined
    int32_t *slot;       // (joined_count) bodies that can be moved, in the order in which they are met
    int32_t *parent;     // (joined_count) of the sets of bodies that belong together
    int32_t *mechanism;  // (joined_count)
    int32_t *number;     // (joined_count) in its mechanism
    int64_t joined_count;
    member *member, *sorted;
    int64_t member_count;
} building;

// The mechanisms, each with the members first_member[p] .. first_member[p + 1] - 1 of b->sorted. source is scratch for
// the joints of one mechanism.
scr_status make_mechanisms(building *b, const int64_t *first_member, int64_t count, int64_t *source, scr_error *error);
// The order in which their equations are eliminated.
scr_status order_mechanisms(mechanisms *all, scr_instruction_set set, scr_error *error);

#endif
