// SPDX-License-Identifier: BSD-3-Clause
// The bed: all moving grains of a world under the penalty law, in records of their own, and the pairs of them.
//
// While steps go on the records are the state, and the body table is behind: grain_bed_store brings it up to date.
// Two lists. Rows hold every pair with a gap below the skin; packs, which the passes work on, those of them with a gap
// below a smaller margin of the block's own. How much nearer a block's pairs may have come is known (grain_wear.h):
//     since its packs were made <= margin               else the block's packs are made anew from the rows, just before
//                                                       the block's pass in the same step
//     margin + since the rows were made <= skin         else first the rows of all grains, and all packs
// Lists are no state: when they are made changes nothing.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_BED_H
#define DYNAMICS_PENALTY_BED_GRAIN_BED_H

#include "dynamics/bodies/bodies.h"
#include "dynamics/penalty/bed/grain_changes.h"
#include "dynamics/penalty/bed/grain_pass.h"
#include "dynamics/penalty/bed/grain_rows.h"
#include "dynamics/penalty/bed/grain_shares.h"
#include "dynamics/penalty/bed/grain_undo.h"
#include "dynamics/penalty/bed/grain_wear.h"

enum { PACKS_ALIGNMENT = 64 };  // bytes

struct grain_bed {
    const grain_kernels *kernels;
    int64_t count, grain_count;  // slots, and how many of them are in the bed
    grain_record *record[2];     // (slots) at the start and at the end of a step; one and the same if it is in place
    bool in_place;               // pairs read lines, so records are their own block's business
    bool is_stretched_anew;      // since the last step: where there are no lines, records of then have places of now
    bool lines_are_behind;       // they were left to the next change of rates
    grain_line *line[2];         // (slots) single precision
    int now;                     // which of two holds the present
    struct rotating *rotating;   // (slots) as in the body table, if rotations are followed
    bool follows_rotations;
    uint16_t *material;  // (slots)
    int32_t *collider;   // (slots) -1 if the slot is not in the bed
    bool sums_stress;    // of a stretched space, which a servo may ask for in every step, and moments
    bool has_moments;    // of now, in the tally
    law_options options;
    law_coefficients law;  // of all pairs, if they are alike
    bool is_uniform;
    pack_layout layout;
    double mean_radius, least_radius, largest_radius, unit;  // m
    double neck;                                             // m: gaps up to it may be in touch
    const periodic_cell *period;                             // NULL where space does not repeat itself
    periodic_cell line_period;                               // as it is at the midpoint that lines are written for
    double top_speed;                                        // m/s: no grain was faster since the last midpoint
    grain_rows rows;
    pack_range *largest_range;  // (block count) what the packs of all pairs in the rows would take
    void *candidates;           // as the kernel lays them out: the pairs in the rows, block by block as packs
    pack_set pairs[2];
    int pairs_now;
    bool has_rows, has_packs;
    double skin;           // m
    double *margin;        // (block count) m
    uint8_t *is_worn;      // (block count) why the packs are made anew in the next step, or 0
    int64_t listed_slots;  // that the rows know
    grain_changes changes;
    uint8_t *has_movers;  // scratch (block count)
    grain_wear wear;
    grain_undo undo;
    int64_t offender;        // after SCR_DIVERGED: the first grain that would have been too fast,
    double offending_speed;  // and how fast, m/s
    char *old;               // (threads, old_bytes) packs of a block, while new ones are made in their place
    size_t old_bytes;
    grain_walls walls;
    wall_push *wall_push;             // (block count, walls)
    wall_push wall_sum[GRAIN_WALLS];  // of the last step
    grain_tally *tally;               // (block count)
    int64_t steps;                    // since the grains were taken
    int64_t touching;                 // pairs in touch in the last step
    double overlap;                   // m: their largest
    char *sums;                       // (threads)
    grain_share *share;               // (threads)
    grain_spring *spring;             // by (a, b), then those of walls: what was loaded, or grain_bed_springs has found
    int64_t *spring_start;            // (slots + 1) of pairs
    int64_t spring_count;
    int64_t record_capacity[2], line_capacity[2], material_capacity, collider_capacity, rotating_capacity,
        largest_range_capacity, tally_capacity, wall_push_capacity, sums_capacity, spring_capacity,
        spring_start_capacity, margin_capacity, candidates_capacity, is_worn_capacity, has_movers_capacity,
        old_capacity, share_capacity;
    int64_t rows_made, blocks_filled;  // for the report
};

// m/s: how much faster than grains their images across a seam are, at most.
static inline double seam_speed_of(const grain_bed *bed)
{
    const periodic_cell *p = bed->period;
    if (p == NULL) return 0.0;
    return p->is_stretched ? vec3_norm(vec3(p->stretch[0], p->stretch[1], p->stretch[2])) : fabs(p->shear_velocity);
}
double grain_bed_border_speed(const grain_bed *bed);  // m/s: as fast as grains may leave where others look for them

// What a bed is taken from, and what its law follows.
struct grain_source {
    const bodies *bodies;
    const colliders *colliders;
    const materials *materials;
    const scr_contact_def *contact;
    double time_step;  // s
    bool follow_rotations;
    // m: of the cells now, where space is sheared or stretched; colliders may know those of the midpoint
    double shear_offset;
    const double *cell_length;
};

// Outside the bed: forces in the order of slots.
struct grain_forces {
    scr_vec3 gravity;  // m/s^2
    const grain_push *push;
    int64_t push_count;
    double max_speed;  // m/s; faster grains end the step with SCR_DIVERGED
};

void grain_bed_free(grain_bed *bed);
// Is a body one that a bed takes? What joints or springs hold, or has a surface that conveys, is left to the general
// stages.
static inline bool body_is_bedded(const bodies *b, const colliders *c, int64_t i)
{
    return b->inv_mass[i] > 0.0 && !b->is_joined[i] && body_is_grain(b, c, i) && !body_conveys(b, i);
}
// A space that repeats itself suits a bed if its lengths are at least so many radii of the largest grain, and necks:
// else two images of a grain might be near another one.
static const double BED_CELL_RADII = 8.0;
static inline bool space_suits_bed(const periodic_cell *p, double largest_radius, double neck)
{
    for (int axis = 0; axis < 3; ++axis)
        if (p->length[axis] > 0.0 && p->length[axis] < BED_CELL_RADII * (largest_radius + neck)) return false;
    return true;
}
// A plane that a bed looks after itself, if there are not too many.
static inline bool collider_is_wall(const bodies *b, const colliders *c, int64_t k)
{
    return c->kind[k] == SCR_PLANE && b->kind[c->body[k]] == SCR_FIXED && !body_conveys(b, c->body[k]);
}
// The passes for a precision and an instruction set. Radii too different for whole numbers ask for double precision.
const grain_kernels *grain_kernels_for(const grain_source *source, scr_precision precision, scr_instruction_set set);

// Take the grains and walls, without springs.
scr_status grain_bed_load(grain_bed *bed, const grain_source *source, const grain_kernels *kernels, scr_error *error);
// A body of the source whose grain is none of the bed's yet gets the slot of its number; for that there is room.
void grain_bed_take_body(grain_bed *bed, const grain_source *source, int64_t i);
// The lengths of a stretched space grow by other rates from now on, which cells know: velocities follow by these shares
// (1/s) of the way from a centre. The bed has made a step, and nobody has come or gone since.
void grain_bed_stretch(grain_bed *bed, const grain_source *source, const double share[3], scr_vec3 centre, int threads);
// What pairs read of grains is written anew: cells will be elsewhere than was foreseen.
void grain_bed_write_lines(grain_bed *bed, const grain_source *source, int threads);
scr_status grain_bed_widen(grain_bed *bed, int64_t count, scr_error *error);
void grain_bed_measure_rates(grain_bed *bed, int64_t first_block);  // from the velocities of now
// Would the bed be loaded as it is, law, units and all, from the bodies as they are now?
bool grain_bed_suits(const grain_bed *bed, const grain_source *source);
// Room for so many springs. Whoever has some fills in bed->spring, in order, and then has them indexed.
scr_status grain_bed_reserve_springs(grain_bed *bed, int64_t count, scr_error *error);
void grain_bed_index_springs(grain_bed *bed);
// See to it that the lists hold for the next step, which makes the packs of worn blocks anew.
scr_status grain_bed_keep_lists(grain_bed *bed, const grain_source *source, int threads, scr_error *error);
// One step, after the lists were kept. After a failure the bed is as it was.
scr_status grain_bed_step(grain_bed *bed, const grain_source *source, const grain_forces *forces, int threads,
                          scr_error *error);
// Write the state back to the bodies it was taken from. The axes of grains are the world's, unless rotations are
// followed.
void grain_bed_store(const grain_bed *bed, bodies *b, double time_step, int threads);
// Where a grain is, m, after a step of it; where it will be midway through the next step.
scr_vec3 grain_position(const grain_bed *bed, int64_t slot, double time_step);
scr_vec3 grain_midpoint(const grain_bed *bed, int64_t slot, double time_step);
static inline grain_record *grains_now(const grain_bed *bed) { return bed->record[bed->in_place ? 0 : bed->now]; }
static inline grain_record *grains_next(const grain_bed *bed) { return bed->record[bed->in_place ? 0 : 1 - bed->now]; }
static inline const grain_record *grain_motion(const grain_bed *bed, int64_t slot)  // v, w, radius and inv_mass
{
    return &grains_now(bed)[slot];
}
// Has a grain been moved by the bed? Else the body table knows it.
static inline bool grain_has_stepped(const grain_bed *bed, int64_t slot)
{
    bool is_fresh = bed->changes.count > 0 && (bed->changes.mark[slot] & SLOT_FRESH) != 0;
    return bed->steps > 0 && bed->collider[slot] >= 0 && !is_fresh;
}
// In the packs, walls included: at most so many after the next step.
int64_t grain_bed_pair_count(const grain_bed *bed);
// How packs are made, for grain_bed_step.
grain_fill grain_bed_fill(const grain_bed *bed, const grain_source *source, const grain_materials *law, pack_set *to);
// List the springs of all pairs in bed->spring, which has room for all pairs; or all pairs, with and without a spring.
void grain_bed_springs(grain_bed *bed, bool all, int threads);
// Forget the lists, so that they are made anew.
static inline void grain_bed_forget_rows(grain_bed *bed) { bed->has_rows = false; }

#endif
