// A uniform grid over the bounding balls of many colliders of similar size, and the few wide ones beside it.
//
// Cells are dense, row by row along x, so that the cells x-1, x, x+1 of a row are one contiguous run of balls: the
// 27 cells around a ball are nine runs. The edge is at least the largest diameter of a ball in the grid, so all that
// touch it are in those nine runs. Balls much larger than the typical one, boxes among them, are "wide": each marks
// the cells that its bounding box meets. Planes are everywhere: they stay in a list of their own.
// Cost is linear in balls and in cells marked; the number of cells is at most a small multiple of the balls.
#ifndef COLLISION_SPATIAL_GRID_H
#define COLLISION_SPATIAL_GRID_H

#include <float.h>

#include "collision/ball_search.h"
#include "collision/colliders.h"

typedef struct spatial_grid {
    double low[3], inverse_edge;
    double small_radius;       // m; the largest radius with margin among the small ones
    int32_t size[3];           // cells along each axis
    int64_t cell_count;
    int64_t small_count, wide_count, plane_count;
    int32_t *cell_start;       // (cell_count + 1) first entry of a cell
    ball_lanes lanes;          // (small_count) ordered by cell: m from the corner `low`, radius including the margin
    int32_t *collider;         // (small_count) which collider an entry is
    int32_t *wide, *plane;     // collider numbers, ascending
    int64_t *mark_start;       // (cell_count + 1) wide colliders that may reach into a cell
    int32_t *mark;
    bool *is_small;            // (collider count)
    int64_t cell_capacity, lane_capacity, collider_capacity, wide_capacity, plane_capacity, mark_start_capacity,
        mark_capacity, small_flag_capacity;
} spatial_grid;

// Build from the colliders' balls, each enlarged by margin[i] (m). The arena is scratch.
scr_status spatial_grid_build(spatial_grid *grid, const colliders *c, const float *margin, scr_arena *scratch, int threads,
                              scr_error *error);
void spatial_grid_free(spatial_grid *grid);

static inline int32_t grid_coordinate(const spatial_grid *grid, double x, int axis)
{
    double cell = (x - grid->low[axis]) * grid->inverse_edge;
    if (!(cell > 0.0)) return 0;
    int32_t last = grid->size[axis] - 1;
    return cell >= last ? last : (int32_t)cell;
}
static inline int64_t grid_cell(const spatial_grid *grid, int32_t ix, int32_t iy, int32_t iz)
{
    return ((int64_t)iz * grid->size[1] + iy) * grid->size[0] + ix;
}

// A ball as the lanes hold it: relative to the corner, in single precision, and enlarged by what that may lose. Each
// ball brings its own loss, so one far away does not blur the others.
typedef struct grid_lane { float x, y, z, r; } grid_lane;
static inline grid_lane grid_lane_of(const spatial_grid *grid, const ball *b, double radius)
{
    double x = b->x - grid->low[0], y = b->y - grid->low[1], z = b->z - grid->low[2];
    double loss = 4.0 * FLT_EPSILON * (fabs(x) + fabs(y) + fabs(z) + radius);
    return (grid_lane){(float)x, (float)y, (float)z, (float)(radius + loss)};
}

// The cells whose balls may be nearer to the shape than reach.
typedef struct cell_range { int32_t first[3], last[3]; } cell_range;
cell_range cells_near(const spatial_grid *grid, const placed_shape *shape, double reach);

#endif
