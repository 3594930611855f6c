// SPDX-License-Identifier: BSD-3-Clause
// How far grains may have moved against each other since the lists of a bed were made, block by block.
//
// The velocities of a block's grains lie in a box. With u its middle and s half its diagonal, sums over steps
//     A = sum of h u    the block's drift            W = sum of h s    how far its grains may have strayed from that
// bound the motion of a pair, one grain in block b and one in c, against each other: W_b + W_c + |A_b - A_c|. What all
// grains have in common drops out. Against a wall it is W_b + |A_b|.
// Where space is sheared half of what a seam adds to velocities is taken for stray, so that a pair across it has all,
// and all of a flow is near what is beyond that seam.
// Where space is stretched, velocities are taken beside the flow that follows the cell, v - L' (x - low) / L, which no
// seam interrupts, and sums are of places as they were in the cell when the rows were made: of h u L_then / L. All that
// the cell does is then to bring pairs nearer as it shrinks: by so much of their distance, half of which either block
// takes for stray.
// Blocks are near if their boxes in space, skins included, are less than a clearance apart when the rows are made, or
// are so by an image where space repeats itself.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_WEAR_H
#define DYNAMICS_PENALTY_BED_GRAIN_WEAR_H

#include "dynamics/penalty/bed/grain_pass.h"

typedef struct block_motion {
    double drift[3], stray;  // m: A and W; or, of one step, m/s: u and s
} block_motion;

typedef struct block_box {
    double low[3], high[3];  // m
} block_box;

typedef struct grain_wear {
    int64_t block_count;
    block_motion *rate;      // (blocks) m/s, in the last step
    block_motion *motion;    // (blocks) since the rows were made
    double *wall_clearance;  // (blocks) m; no grain was nearer to a wall that is not listed
    block_box *box;          // (blocks) in space when the rows were made, with half the skin
    double clearance;        // m; between blocks that are not near
    double length[3];        // m; after which space repeats itself when the rows are made, or 0
    double widest;           // the largest ratio of a length to that since then, 1 or more: packs are made later
    int gradient, flow;      // axes of a sheared space, or -1
    int64_t *near_start;     // (blocks + 1)
    int32_t *near;           // blocks near each one, itself among them
    block_motion *since;     // of those, when the block's packs were made
    int32_t *near_one;       // scratch (blocks)
    int64_t rate_capacity, motion_capacity, wall_clearance_capacity, box_capacity, near_start_capacity, near_capacity,
        since_capacity, near_one_capacity;
} grain_wear;

void grain_wear_free(grain_wear *wear);
scr_status grain_wear_reserve(grain_wear *wear, int64_t block_count, scr_error *error);
block_motion block_rate(const double low[3], const double high[3]);  // of a box of velocities; nothing if it is empty
// m/s: of a body at x, beside the flow of a stretched space.
static inline scr_vec3 beside_stretching(const periodic_cell *p, scr_vec3 x, scr_vec3 v)
{
    return vec3_sub(v, period_stretching(p, p->inverse[0] * (x.x - p->low[0]), p->inverse[1] * (x.y - p->low[1]),
                                         p->inverse[2] * (x.z - p->low[2])));
}
// The rows are new: box and wall_clearance have been filled in.
scr_status grain_wear_restart(grain_wear *wear, double clearance, const periodic_cell *period, int threads,
                              scr_error *error);
// Some boxes have grown: who is near whom now. The packs of a block have no pairs yet with those that come to be near.
scr_status grain_wear_widen(grain_wear *wear, scr_error *error);
bool boxes_are_near(const grain_wear *wear, const block_box *a, const block_box *b, double clearance);
// The packs of a block are new.
void grain_wear_note_packs(grain_wear *wear, int64_t block);
void grain_wear_add_step(grain_wear *wear, double time_step, const periodic_cell *period);
// All blocks may have strayed by so much more, m.
void grain_wear_add_stray(grain_wear *wear, double stray);

// How far pairs of a block may have come nearer, m: since its packs were made, and in how far the rows are worn: up to
// that gap less than the skin they are complete. The rate is that of now, m/s.
double packs_wear(const grain_wear *wear, int64_t block, bool has_walls);
double rows_wear(const grain_wear *wear, int64_t block, double skin);
double wear_rate(const grain_wear *wear, int64_t block, bool has_walls);
double wall_wear(const grain_wear *wear, int64_t block, double skin);  // likewise: of the rows, by walls alone
// Likewise: how far the rows are worn between blocks that are not near each other; the rate of any two grains.
double far_wear(const grain_wear *wear);
double largest_rate(const grain_wear *wear);
// m: no two grains have come nearer since the rows were made; and a grain of a block and a wall.
double any_wear(const grain_wear *wear);
double block_way(const grain_wear *wear, int64_t block);

#endif
