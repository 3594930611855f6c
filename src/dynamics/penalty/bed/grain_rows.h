// SPDX-License-Identifier: BSD-3-Clause
// Who may come near whom in a bed of grains: for every grain all others within a skin, kept over many steps.
//
// A pair stands in the rows of both, and rows are ascending: a block finds its internal and its crossing pairs in the
// rows of its own grains.
#ifndef DYNAMICS_PENALTY_BED_GRAIN_ROWS_H
#define DYNAMICS_PENALTY_BED_GRAIN_ROWS_H

#include "collision/broad/colliders.h"
#include "collision/broad/pair_list.h"

typedef struct grain_rows {
    bool plain;       // as in neighbours
    int64_t *start;   // (slots + 1)
    int32_t *other;   // slots
    int32_t *length;  // scratch (slots)
    scr_ball *ball;   // (slots) with half the skin; an infinite radius leaves a slot out
    ball_grid grid;
    pair_list pairs;
    int64_t start_capacity, other_capacity, length_capacity, ball_capacity;
} grain_rows;

// Room for the balls of so many slots: the caller fills them in.
scr_status grain_rows_reserve(grain_rows *rows, int64_t count, scr_error *error);
// Pairs whose balls overlap. collider[i] is the collider of slot i: those that do not accept each other are left out.
scr_status grain_rows_make(grain_rows *rows, int64_t count, const colliders *c, const int32_t *collider, int threads,
                           scr_error *error);
void grain_rows_free(grain_rows *rows);

#endif
