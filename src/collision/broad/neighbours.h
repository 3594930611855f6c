// SPDX-License-Identifier: BSD-3-Clause
// Neighbour lists: for every collider the ones it may meet soon, kept over many steps.
//
// A collider i may move, and look ahead for contacts, within its own margin: the list made at some moment holds every
// pair with gap < margin_i + margin_j, and stays complete while for every i
//     travel_i + reach_i <= margin_i
// where travel is the way since that moment and reach how far i looks for contacts in this step. Fast bodies get wide
// margins, a bed at rest narrow ones, and one fast grain does not spoil the list of all others. Travel and reach may be
// told in a frame that moves, the same for all: gaps do not know it, and what falls together keeps its list.
// A pair stands in one row only, its owner's, and a row is in ascending order. So which contacts come out of the list,
// and in which order, does not depend on when it was made: the list is not part of the state.
#ifndef COLLISION_BROAD_NEIGHBOURS_H
#define COLLISION_BROAD_NEIGHBOURS_H

#include "collision/broad/colliders.h"
#include "collision/broad/images.h"
#include "collision/broad/pair_list.h"
#include "collision/broad/part_lists.h"

enum { MARGIN_STEPS = 8 };  // a list should last so many steps for a body at constant speed

typedef struct neighbours {
    bool plain;          // without the best instructions of this processor
    int64_t *start;      // (collider count + 1) first neighbour of a collider; one more while rows are made
    int32_t *other;      // colliders
    uint64_t *is_other;  // a bit an entry of `other`: the pair is not two grains. Some more words than that needs are 0
    bool valid;
    // set by the owner: pairs of two moving grains are left out, somebody else looks after them,
    bool without_grain_pairs;
    // and if this is not NULL (collider count) those of moving grains and colliders marked here
    const uint8_t *is_wall;
    // (body count) set by the owner: 1 for bodies that joints hold, which are in nobody else's care;
    const uint8_t *is_joined;
    // NULL: there are none
    uint64_t *apart;  // filled by the owner: pairs of such bodies that never touch (body_pair_key), ascending
    int64_t apart_count, apart_capacity;
    ball_grid grid;  // of the colliders' balls with their margins; planes are not in it
    pair_list pairs;
    part_lists parts;          // of pairs of spheres and sphere sets: who of the set
    ball_images images;        // what is in the grid where space repeats itself, else nothing
    float *margin;             // m (collider count), of the list as it is
    scr_vec3 *made_at;         // m: where the colliders were
    scr_vec3 made_drifted;     // m: and the frame
    double made_offset;        // m: and how far the cells of a sheared space had slid
    double made_length[3];     // m: and how long those of a stretched one were
    scr_quat *made_rotation;   // (place count)
    struct near_plane *plane;  // the planes, as they were
    int32_t *outgrown;         // scratch: who has left his margin, in any order
    uint8_t *trait;            // scratch: by collider what its pairs are sifted by
    int64_t plane_count, collider_count, start_capacity, other_capacity, is_other_capacity, margin_capacity,
        made_capacity, made_rotation_capacity, plane_capacity, trait_capacity, outgrown_capacity;
    int64_t build_count;   // how often the list was made, for the report
    int64_t repair_count;  // how often it was made complete for some (neighbour_repair.c)
    int64_t added_count;   // pairs that it got in this way since it was made
    // scratch of that; NULL until it is needed
    struct neighbour_repair *repair;
} neighbours;

// What decides margins: how far each collider looks in this step, and how far it moves in one.
typedef struct neighbour_motion {
    const float *reach;       // m (collider count)
    const float *travel;      // m a step (collider count)
    scr_vec3 drifted;         // m: how far a frame has come in which reach and travel are told; any frame will do
    const uint8_t *is_moved;  // (collider count) 1 if dynamic; pairs without such a one are left out
    const int32_t *watched;   // colliders to look at; the caller vouches for the others. NULL: all
    int64_t watched_count;
} neighbour_motion;

// Does the list hold all pairs that matter in this step?
bool neighbours_are_complete(const neighbours *list, const colliders *c, const neighbour_motion *motion, int threads);

scr_status neighbours_update(neighbours *list, const colliders *c, const neighbour_motion *motion, int threads,
                             scr_error *error);
void neighbours_free(neighbours *list);
// Two entries of the body table, as one number.
static inline uint64_t body_pair_key(int64_t a, int64_t b)
{
    return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}
// whether the pair is in list->apart
bool neighbours_keep_apart(const neighbours *list, int64_t body_a, int64_t body_b);
// A list without pairs is one for so many colliders, too.
scr_status neighbours_add_empty_rows(neighbours *list, int64_t collider_count, scr_error *error);
static inline void neighbours_invalidate(neighbours *list) { list->valid = false; }

#endif
