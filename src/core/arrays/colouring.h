// SPDX-License-Identifier: BSD-3-Clause
// Greedy colouring of constraints between pairs of bodies: within a colour no body appears twice.
//
// Constraints are coloured one after the other in the order given, each with the lowest colour free at both its
// bodies, so the result depends on that order alone. A body's taken colours are one 64-bit word. Constraints that find
// no colour among the 64 get COLOUR_OVERFLOW: they are solved one by one.
#ifndef CORE_ARRAYS_COLOURING_H
#define CORE_ARRAYS_COLOURING_H

#include <stdint.h>

enum { COLOUR_COUNT = 64, COLOUR_OVERFLOW = 64, NO_BODY = -1 };

typedef struct body_pair {
    int32_t a, b;
} body_pair;  // NO_BODY for a side that is never written, such as a wall

// taken[] has a word for every body, all zero on entry. colour[] receives a colour each; start[c] is where colour c
// begins in a list ordered by colour, start[COLOUR_COUNT] where the overflow begins, the last entry is n.
void scr_colour(const body_pair *pair, int64_t n, uint64_t *taken, uint8_t *colour, int64_t start[COLOUR_COUNT + 2]);

#endif
