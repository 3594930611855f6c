// SPDX-License-Identifier: BSD-3-Clause
// The bed of grains in a world: which bodies it takes, and what it exchanges with the others.
//
// A world under the penalty law with many grains hands them to a bed. Bodies outside the bed stand first in the table;
// the general stages move those, and look for contacts of everything but two grains of the bed. The bed also looks
// after its grains at planes that never move. A grain of the bed that has something else near is a border grain: it is
// shown to the general stages, and what they push it with goes back.
// Border grains are found with the neighbour lists, and again when a grain may have come near since:
//     travel since then > BORDER_ROOM least radius
// While the bed is ahead, body table and contact cache are behind; whoever reads them asks for them first
// (world_show_bodies, world_show_state). Several threads may: what is behind is brought up to date under the world's
// lock (world.h). What is read or when does not change the future: state goes there and back bit by bit.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_WORLD_H
#define DYNAMICS_PENALTY_BED_GRAIN_WORLD_H

#include <stdatomic.h>

#include "dynamics/penalty/bed/grain_bed.h"

// Two bodies in touch, one of them a grain of the bed. The normal points from a to b, on which the force acts.
typedef struct grain_contact {
    scr_body a, b;
    scr_vec3 point, normal;  // m
    double gap;              // m
    scr_vec3 force, torque;  // N; N m, of rolling resistance
} grain_contact;

// All of them where grains are now.
typedef struct grain_contacts {
    int64_t count, capacity;
    grain_contact *contact;
    double elastic_energy;  // J
} grain_contacts;

enum { BED_GRAINS = 512 };  // fewer than this are not worth a bed

typedef struct grain_world {
    grain_bed bed;
    int64_t least_grains;  // a world with fewer has no bed: BED_GRAINS
    bool is_loaded;        // the bed has the grains' state
    atomic_bool bodies_are_behind, cache_is_behind, contacts_are_behind;
    int64_t body_count, collider_count;  // outside the bed
    int32_t *border;                     // slots, ascending
    int32_t *border_number;              // (bodies) entry in border, of border grains
    int32_t *watched;                    // colliders that the general stages look after: those outside, then the border
    uint8_t *is_wall;                    // (colliders) 1 for planes that the bed looks after
    bool has_border;
    int64_t border_count, watched_count;
    double border_travel;  // m, since the border was found
    grain_push *push;      // by slot
    int64_t push_count;
    grain_contacts contacts;
    scr_arena scratch;
    int64_t border_capacity, border_number_capacity, is_wall_capacity, watched_capacity, push_capacity;
} grain_world;

void grain_world_free(grain_world *g);

#endif
