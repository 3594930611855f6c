// SPDX-License-Identifier: BSD-3-Clause
// Who may come near whom in a bed of grains: for every grain all others within a skin, kept over many steps.
//
// A pair stands in the rows of both, and rows are ascending: a block finds its internal and its crossing pairs in the
// rows of its own grains. A row that grows moves behind all others, where there is some room.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_ROWS_H
#define DYNAMICS_PENALTY_BED_GRAIN_ROWS_H

#include "collision/broad/colliders.h"
#include "collision/broad/pair_list.h"

// A ball once more, one length up along some axes: near it may be others beyond the high faces of the cell.
typedef struct grain_image {
    int32_t slot;
    uint8_t shift;  // bit k: moved along axis k
} grain_image;

typedef struct grain_rows {
    bool plain;       // as in neighbours
    int64_t *start;   // (slots + 1)
    int32_t *length;  // (slots)
    int32_t *other;   // slots
    int64_t used;     // entries of it
    scr_ball *ball;   // (slots) with half the skin; an infinite radius leaves a slot out. Then those of images
    int64_t image_count;
    grain_image *image;  // where space repeats itself
    ball_grid grid;
    pair_list pairs;
    int64_t start_capacity, other_capacity, length_capacity, ball_capacity, image_capacity;
} grain_rows;

// Room for the balls of so many slots: the caller fills them in.
scr_status grain_rows_reserve(grain_rows *rows, int64_t count, scr_error *error);
// After the balls were filled in, all of them in the cell: their images.
scr_status grain_rows_add_images(grain_rows *rows, int64_t count, const periodic_cell *period, scr_error *error);
// Pairs whose balls overlap. collider[i] is the collider of slot i: those that do not accept each other are left out.
scr_status grain_rows_make(grain_rows *rows, int64_t count, const colliders *c, const int32_t *collider, int threads,
                           scr_error *error);
// Room for the rows of so many slots, those that there are being kept.
scr_status grain_rows_widen(grain_rows *rows, int64_t count, scr_error *error);
// Put a pair into both rows, unless it is there, or take one out of a row. False: there is no room left.
bool grain_rows_add(grain_rows *rows, int32_t a, int32_t b);
void grain_rows_drop(grain_rows *rows, int32_t row, int32_t other);
void grain_rows_free(grain_rows *rows);

#endif
