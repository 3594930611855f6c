// SPDX-License-Identifier: BSD-3-Clause
// From a coordinate to the number of a cell along one axis, for crowds that are not spread evenly.
//
// The axis is cut into a few pieces of equal cells each. One piece is the usual case. Where most of the axis is empty
// (one grain flew away, two heaps stand far apart) the wide gaps become pieces of their own with a handful of wide
// cells, so that the cells where the balls are stay small. The map never decreases: all balls between two coordinates
// are in the cells between those of the coordinates, which is all that a search relies on. What lies beyond an end
// belongs to the outermost cell.
#ifndef COLLISION_BROAD_AXIS_MAP_H
#define COLLISION_BROAD_AXIS_MAP_H

#include <stdbool.h>
#include <stdint.h>

enum { AXIS_CUTS = 7, AXIS_PIECES = 2 * AXIS_CUTS + 1 };

// Where the pieces of an axis lie, in units of the caller; a gap is nearly empty.
typedef struct axis_pieces {
    int count;
    double low[AXIS_PIECES], length[AXIS_PIECES];
    bool is_gap[AXIS_PIECES];
} axis_pieces;

// One piece from low to high.
axis_pieces axis_whole(double low, double high);
// Cut out the widest gaps of a sorted sample; low and high are those of all balls, not of the sample alone.
axis_pieces axis_cut(double low, double high, const double *sample, int64_t sample_count);

typedef struct axis_map {
    int count;
    int32_t size;                                                      // cells in all
    double low[AXIS_PIECES], inverse[AXIS_PIECES], last[AXIS_PIECES];  // start, cells per unit, cells but one
    int32_t base[AXIS_PIECES];                                         // first cell
} axis_map;

// How many cells no narrower than edge the pieces hold.
double axis_cells(const axis_pieces *pieces, double edge);
// Is no cell narrower than edge, unless there is but one?
bool axis_is_wide(const axis_pieces *pieces, double edge);
// The map for them, in coordinates that are `unit` times those of the pieces.
axis_map axis_map_of(const axis_pieces *pieces, double edge, double unit);

static inline int32_t axis_cell(const axis_map *map, double x)
{
    int k = 0;
    if (map->count > 1)
        for (k = map->count - 1; k > 0 && x < map->low[k]; --k) {}
    double cell = (x - map->low[k]) * map->inverse[k];
    cell = cell > 0.0 ? cell : 0.0;  // a NaN too
    cell = cell < map->last[k] ? cell : map->last[k];
    return map->base[k] + (int32_t)cell;
}

#endif
