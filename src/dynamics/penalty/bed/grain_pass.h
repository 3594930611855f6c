// SPDX-License-Identifier: BSD-3-Clause
// One step of a bed of grains, block by block: forces of all pairs of spheres, then their motion.
//
// A block is GRAIN_BLOCK consecutive slots of the body table, which is in spatial order; never a function of the thread
// count. It owns its internal pairs, both ends in it, and a copy of its crossing pairs, one end elsewhere: those are
// computed in both blocks. The law treats both bodies alike bit by bit, so the two copies of a spring stay exact
// opposites, and no block ever writes to another.
//   pair      a before b; the contact's point divides the centres' distance D like the radii: arms r_a c, r_b c with
//             c = D / (r_a + r_b). So forces act along one line and angular momentum is kept to rounding.
//   sums      F = sum of forces, M = sum of c F x n over the pairs of a grain; its torque is r M
//   motion    forces act where grains are midway through the step (penalty.h), y = x + h/2 v:
//             v' = v + h (F/m + g),  w' = w + h M 5 / (2 m r),  x' = y + h/2 v'
//   rolling   a torque T on b, -T on a: T / r_b and -T / r_a are added to M
// A pair out of touch adds 0 and keeps no spring: which of them are listed does not change a bit. Sums run in the order
// of the list: internal pairs by (a, b), then crossing ones by (own, other), then walls.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_PASS_H
#define DYNAMICS_PENALTY_BED_GRAIN_PASS_H

#include "collision/broad/colliders.h"
#include "core/base/kernels.h"
#include "dynamics/bodies/moments.h"
#include "dynamics/penalty/law/law.h"

enum { GRAIN_BLOCK = 1024 };
// What is known of a slot since the lists were made (grain_changes.h): another grain has it; that has made no step yet.
enum { SLOT_CHANGED = 1, SLOT_FRESH = 2 };
// Why the packs of a block are made anew: they do not reach any more; the rows of its grains are no longer the same.
enum { PACKS_WORN = 1, PAIRS_CHANGED = 2 };

// State of a grain; the fourth numbers fill up vectors. Slots of bodies that are not in the bed have inv_mass 0.
typedef struct grain_record {
    double x[3], radius;    // m; where it is, or in double precision where it will be midway through the next step
    double v[3], inv_mass;  // m/s, 1/kg
    double w[3], one;       // rad/s, world axes; one = 1, so that radius (w, one) is surface velocity and radius
} grain_record;

// What pairs read of a grain in single precision, one cache line. q counts its place at the midpoint in units of
// `unit`, a power of two, modulo 2^32: the difference of two grains nearer than 2^31 units is exact to a unit however
// large the world. Where space repeats itself it is the place in the cell that is shown.
typedef struct grain_line {
    uint32_t q[4];  // the fourth is the radius, in units
    float v[4];     // m/s; the fourth only fills up vectors, or says where in the cell the grain is: grain_images.h
    float s[4];     // m/s; radius w; the fourth is the radius, m
    float w[4];     // rad/s; the fourth is the radius, m
} grain_line;

_Static_assert(sizeof(grain_record) == 96 && sizeof(grain_line) == 64, "grains are loaded as whole vectors");

// Where the pairs of a block stand in its set of packs.
typedef struct pack_range {
    int64_t internal_first, crossing_first;  // packs
    int32_t internal_count, crossing_count;  // pairs
    int64_t wall_first;                      // packs of grains at walls
    int32_t wall_count;                      // such grains; one at two walls counts twice
    int32_t most_contacts;                   // of one grain, in the largest range
} pack_range;

// What packs hold beside their pairs and springs.
typedef struct pack_layout {
    int coefficients;  // a pair: none where one law holds for all
    bool rolls;        // the angles of elastic rolling resistance
    bool necks;        // whether a pair was in touch, for JKR
} pack_layout;

typedef struct pack_set {
    pack_layout layout;
    void *pack;          // as the kernel lays them out
    void *coefficients;  // of each pack, if the layout has any
    void *roll, *neck;   // likewise
    void *wall_pack;     // with all that belongs to them
    pack_range *range;   // (block count)
    int64_t block_count, pack_count, wall_pack_count;
    int64_t pack_capacity, coefficients_capacity, roll_capacity, neck_capacity, wall_capacity, range_capacity;
} pack_set;

// A force from outside the bed: walls, other bodies, the user.
typedef struct grain_push {
    int32_t slot;
    double force[3], torque[3];  // N, N m, world axes
} grain_push;

// A plane that does not move: n x = offset, solid below.
typedef struct grain_wall {
    double n[3], offset;  // unit, m; loaded as one vector
    double centre[3];     // m: of its body
    int32_t collider;
    uint16_t material;
} grain_wall;

enum { GRAIN_WALLS = 32 };  // a bed takes so many planes; more are left to the general stages
typedef struct grain_walls {
    grain_wall wall[GRAIN_WALLS];
    int32_t count;
    const colliders *colliders;
    const int32_t *collider;  // (slots)
} grain_walls;

// What grains do to a wall: N, and N m about the origin.
typedef struct wall_push {
    double force[4], moment[4];  // the fourth numbers only fill up vectors
} wall_push;

// Lists go by gaps at the midpoint of the next step, where forces act: half a step after where records have grains, or
// in double precision there (half_step 0).
static inline double wall_gap(const grain_wall *wall, const grain_record *g, double half_step)
{
    double height = -wall->offset;
    for (int axis = 0; axis < 3; ++axis) height += wall->n[axis] * (g->x[axis] + half_step * g->v[axis]);
    return height - g->radius;
}

static inline bool wall_is_near(const grain_walls *walls, int32_t w, const grain_record *record, int64_t i,
                                double half_step, double margin)
{
    const grain_wall *wall = &walls->wall[w];
    return wall_gap(wall, &record[i], half_step) < margin && walls->collider[i] >= 0 &&
           colliders_may_touch(walls->colliders, walls->collider[i], wall->collider);
}

// What a pair that touches remembers, as between a and b, a < b; of a grain at a wall b = -1 - wall.
typedef struct grain_spring {
    int32_t a, b;                // slots
    double stretch[3], roll[3];  // m; rad, that of elastic rolling resistance
    bool in_touch;               // for JKR, whose necks hold on to gaps
} grain_spring;

// Which coefficients a pair has.
typedef struct grain_materials {
    const materials *materials;
    const scr_contact_def *contact;
    const uint16_t *material;  // (slots)
    const double *inv_mass;    // (slots) 1/kg
} grain_materials;

// Laying the pairs of a block that are nearer than its margin into packs.
typedef struct grain_fill {
    const grain_record *record;
    int64_t count;              // slots
    double half_step;           // s; from where records have grains to the midpoint
    const double *margin;       // (block count) m
    double neck;                // m; gaps up to it may be in touch
    double units;               // how many a metre has; single precision only
    const grain_line *line;     // single precision only
    const int64_t *row_start;   // (slots) all that may come near a grain, ascending, begin at other[row_start]
    const int32_t *row_length;  // (slots)
    const int32_t *other;
    bool rows_are_new;     // since the candidates were listed
    const uint8_t *worn;   // (block count) PAIRS_CHANGED: likewise, of the block alone
    void *candidates;      // as the kernel lays them out; of a pack and of its candidates the numbers are the same
    const pack_set *from;  // springs from here, which may be where packs go to; or if NULL from the list
    const grain_spring *spring;   // by (a, b)
    const int64_t *spring_start;  // (slots + 1) of pairs; walls come after them
    int64_t spring_count;
    const uint8_t *mark;          // (slots) who has come since the packs were made; NULL: nobody
    const grain_spring *carried;  // by (a, b): what those remember, who have come from other slots
    int64_t carried_count;
    const grain_materials *law;
    const periodic_cell *period;  // NULL where space does not repeat itself
    const grain_walls *walls;
    const pack_range *largest_range;  // (block count) how many there could be
    pack_set *to;
} grain_fill;

// N m: sums over pairs, l the way from a to b and f the force on b. [i][j] of l_i f_j, and in [i][3] of k (l_i n_i)^2
// where a pair is pressed, k its normal stiffness by Hertz' law (scr_stress).
typedef struct pair_stress {
    double sum[3][4];
} pair_stress;

// What a pass finds out about a block.
typedef struct grain_tally {
    double speed2;     // m^2/s^2: the largest new one; infinite if one is not a number
    double overlap;    // m: the largest
    double spins;      // rad/s: the sum of |w_x| + |w_y| + |w_z| over new spins; not a number if one is none
    int64_t touching;  // twice the number of pairs in touch: internal ones count two, crossing ones one in either block
    double low[3], high[3];  // m/s: the box of the new velocities; upside down without grains
    pair_stress stress;      // a crossing pair counts half in either block; 0 unless asked for
    body_moments moments;    // at the end of the step, beside the flow of a stretched space; likewise
} grain_tally;

typedef struct grain_pass {
    const grain_record *record;  // state as it is
    grain_record *next;          // where to write the new one
    const grain_line *line;      // single precision only
    grain_line *next_line;
    int64_t count;  // slots
    pack_set *pairs;
    const law_coefficients *common;  // one law for all pairs, or NULL
    law_options law;
    double radius;                    // m: of all grains, if one law holds for all pairs
    bool sums_stress;                 // and moments
    double given_stiffness;           // N/m: for the stress, or 0
    const periodic_cell *end_period;  // at the end of the step, for moments
    double time_step, gravity[3];
    double unit, units;      // m, and how many a metre has; single precision only
    const grain_push *push;  // by slot; those of a slot in the order in which they are added
    int64_t push_count;
    const periodic_cell *period, *next_period;  // NULL where space does not repeat itself; at the next midpoint
    const grain_walls *walls;
    wall_push *wall_push;  // (block count, walls)
    grain_tally *tally;    // (block count)
} grain_pass;

// Grains of a stretched space follow its rates: v += share (x - centre), each axis by itself.
typedef struct grain_carrying {
    grain_record *record, *then;  // now; in double precision those of the last step, which get where grains are
    grain_line *line;             // single precision only
    const int32_t *collider;
    int64_t count;                // slots
    double share[3], centre[3];   // 1/s, m
    double time_step, unit;       // s, m
    bool were_carried;            // since the last step: `then` has where grains are
    const periodic_cell *period;  // at the midpoint that lines are written for
} grain_carrying;

// Those of law_coefficients that pairs of a bed need: all, those of rolling resistance, those of JKR.
enum {
    LAW_STIFFNESS,
    LAW_DAMPING,
    LAW_SHEAR,
    LAW_SHEAR_DAMPING,
    LAW_FRICTION,
    LAW_PULL,
    PLAIN_COEFFICIENTS,
    LAW_ROLLING = PLAIN_COEFFICIENTS,
    LAW_SPINNING,
    LAW_INERTIA,
    LAW_ROLL_DAMPING,
    ROLLING_COEFFICIENTS,
    LAW_JKR_PULL = ROLLING_COEFFICIENTS,
    LAW_JKR_OVERLAP,
    LAW_COEFFICIENTS
};

typedef struct grain_kernels {
    int lanes;
    size_t pack_bytes, coefficient_bytes, roll_bytes, neck_bytes, candidate_bytes,
        wall_pack_bytes;  // coefficient: one of each pair of a pack
    bool has_lines;
    // old: for the packs that a block has had, if they are made anew in their place.
    void (*fill)(const grain_fill *fill, int64_t block, void *old);
    void (*pass)(const grain_pass *pass, int64_t block, void *sums);  // sums: GRAIN_BLOCK x GRAIN_SUM_BYTES
    double (*carry)(const grain_carrying *carrying, int64_t block);   // m^2/s^2: of the fastest grain, squared
    // For the first step: a line of a record that has been placed and will go on for half a step. NULL without lines.
    void (*write_line)(const grain_record *record, double half_step, double unit, const periodic_cell *period,
                       grain_line *line);
    // Springs of the pairs of a block that are its own: internal ones, and crossing ones to higher slots; of all, or
    // those that are not 0. Written to out by (a, b) unless that is NULL; how many there are.
    int64_t (*springs)(const pack_set *set, int64_t block, bool all, grain_spring *out);
    int64_t (*wall_springs)(const pack_set *set, int64_t block, bool all,
                            grain_spring *out);  // likewise, by (slot, wall)
    // Of all pairs and walls of the block's grains whose slots are marked as changed; in any order.
    int64_t (*springs_of)(const pack_set *set, int64_t block, const uint8_t *mark, grain_spring *out);
} grain_kernels;

enum { GRAIN_SUM_BYTES = 64 };

KERNELS_TO_AVX512(extern const grain_kernels, grain_kernels_double);
KERNELS_TO_AVX512(extern const grain_kernels, grain_kernels_mixed);

#endif
