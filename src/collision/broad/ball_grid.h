// SPDX-License-Identifier: BSD-3-Clause
// A grid over balls of any sizes: the broad phase of everything that detects.
//
// Balls are put into levels by radius, a factor of eight each. A level has cells of its own,
//     edge = max(2 r, what gives a few cells a ball),  r the largest radius of the level,
// dense and in rows along x, so that neighbouring cells of a row are one run of balls. Two balls of a level that
// overlap are at most one cell apart; a ball looks for larger ones in the coarser levels, where it meets few cells.
// Each pair is found from one side: by the finer ball, or by the one that comes first in the level.
//   row     the cells along x at one (y, z)
//   bucket  a bundle of consecutive rows of a level: the unit of work of a thread
//   entry   a ball's place in the order (level, bucket, row, cell, input)
// Building: box and radii; buckets counted over fixed pieces of the input; a stable partition into buckets; within a
// bucket, which fits the cache, a counting sort by cell. So the order of entries depends on the balls alone.
//
// Searches use single precision, in cells of the finest level and relative to the middle of the crowd. Radii are
// enlarged by what rounding may lose, so that no ball in reach is missed; one too many is for the caller to decide.
#ifndef COLLISION_BROAD_BALL_GRID_H
#define COLLISION_BROAD_BALL_GRID_H

#include "collision/broad/axis_map.h"
#include "core/base/memory.h"
#include "scree/detect.h"

enum { GRID_LEVELS = 24, LANE_PADDING = 8 };
static const int64_t GRID_BALLS_MAX = (int64_t)1 << 30;

typedef struct grid_level {
    axis_map axis[3];  // in lane units
    double radius;     // m; the largest
    double reach;      // the same in lane units
    int64_t ball_count;
    int64_t first_cell;  // in cell_start, where a level has one entry more than cells
    int64_t first_bucket, bucket_count;
    int row_shift;            // 2^row_shift rows are a bucket
    bool looks_one_cell_far;  // rows are one piece, cells hardly wider than the balls: look at all around, unasked
} grid_level;

typedef struct ball_lanes {
    float *x, *y, *z, *r;
} ball_lanes;  // (entry_count + LANE_PADDING)

// A ball as it came, in the order of buckets.
typedef struct grid_record {
    double x, y, z, r;  // m; r with its margin
    uint32_t id;        // in the input
    uint32_t cell;      // in its bucket
} grid_record;

typedef struct ball_grid {
    int level_count;
    grid_level level[GRID_LEVELS];  // finest first
    double origin[3];               // m; where the lanes count from
    double unit;                    // lane units a metre, a power of two
    int64_t entry_count, bucket_count;
    int64_t odd_ball;  // the first whose numbers are not finite or whose radius is negative, or -1
    ball_lanes lanes;
    uint32_t *record_of;    // (entry_count)
    uint32_t *id_of;        // (entry_count) of that record: for those who ask no more of it
    uint32_t *cell_start;   // first entry of a cell
    int64_t *bucket_start;  // (bucket_count + 1) first entry
    grid_record *record;    // (entry_count)
    // Scratch of the build
    uint64_t *cell_key;          // (input count) bucket and cell
    uint32_t *histogram;         // (bucket_count, chunks)
    struct grid_survey *survey;  // (threads)
    int64_t survey_capacity;
    // Where all of it is. Set by an owner who needs the grid only for a while: the arena that it lies in, and is lost
    // with. NULL: memory of its own
    scr_arena *memory;
    scr_arena own_memory;
} ball_grid;

// Build from count balls (at most GRID_BALLS_MAX), each enlarged by margin[i] (m) where margin is not NULL. A ball
// whose radius is not finite is left out.
scr_status ball_grid_build(ball_grid *grid, const scr_ball *balls, const float *margin, int64_t count, int threads,
                           scr_error *error);
void ball_grid_free(ball_grid *grid);

static inline const grid_level *grid_level_of_bucket(const ball_grid *grid, int64_t bucket)
{
    const grid_level *level = grid->level;
    while (bucket >= level->first_bucket + level->bucket_count) ++level;
    return level;
}
static inline const grid_record *grid_entry(const ball_grid *grid, uint32_t entry)
{
    return &grid->record[grid->record_of[entry]];
}

#endif
