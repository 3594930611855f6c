// SPDX-License-Identifier: BSD-3-Clause
// Shapes sorted into bins by size and place, so that those which may meet a given one are found without looking at all.
//
// Each octave of sizes has a grid of its own, with cells of 2^level m, just above the extent of its shapes: a shape is
// in at most eight cells, however different the sizes are. Cells are found by hashing, so space has no bounds. Shapes
// may be added at any time. Shapes without an end (planes) are met by everything.
#ifndef SCENE_OVERLAP_SHAPE_BINS_H
#define SCENE_OVERLAP_SHAPE_BINS_H

#include "core/base/memory.h"
#include "geometry/shape/placed_shape.h"

enum { BIN_LEVELS = 96 };

typedef struct bin_entry {
    int32_t shape, next;
} bin_entry;  // next: entry of the same bucket, or -1

typedef struct shape_bins {
    placed_shape *shape;  // in the order in which they were added
    int64_t shape_count;
    // private
    int64_t shape_capacity;
    int32_t *endless;
    int64_t endless_count, endless_capacity;
    int32_t *bucket;  // first entry of each; -1: none
    int64_t bucket_count, bucket_capacity;
    bin_entry *entry;
    int64_t entry_count, entry_capacity;
    int64_t level_count[BIN_LEVELS];  // shapes of each octave
} shape_bins;

// Empty the bins and make them ready for about so many shapes.
scr_status shape_bins_reset(shape_bins *bins, int64_t expected_count, scr_error *error);
scr_status shape_bins_add(shape_bins *bins, const placed_shape *shape, scr_error *error);
void shape_bins_free(shape_bins *bins);

// Calls visit(context, i) for every shape i whose box meets that of the given shape, for some others too, and for some
// more than once, until it returns true. Returns whether it did. only_larger leaves out the octaves of smaller shapes:
// enough for finding each pair once from either side.
typedef bool (*shape_visit)(void *context, int32_t shape);
bool shape_bins_visit(const shape_bins *bins, const placed_shape *shape, bool only_larger, shape_visit visit,
                      void *context);

#endif
